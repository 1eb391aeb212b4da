from fractions import Fraction
from pathlib import Path

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from simulator.codes import FLUSH_DISK_TIMEOUT, RESPONSE_CODES
from simulator.scenario import load_scenario, parse_scenario
from simulator.scenario.faults.fault_list import FaultPeriod

SCENARIOS = sorted((Path(__file__).parents[3] / "conf" / "scenarios").glob("*.yaml"))
TEXT = """\
name: plain
duration: 1m
client: {release: 4.9.8}
producers: {count: 2, rate: 100/s}
topics: {orders: {queues: 8}, audit: {}}
brokers:
  broker-b: {latency: {constant: 2ms}}
  broker-a: {like: broker-b, send_threads: 2}
"""


def digest(text: str) -> str:
    return parse_scenario(text).digest()


def faulty(*faults: str):
    return parse_scenario(TEXT + "faults: [" + ", ".join(faults) + "]").fault_periods()


@pytest.mark.parametrize("path", SCENARIOS, ids=lambda path: path.stem)
def test_every_scenario_of_the_project_loads_and_tells_its_story(path):
    scenario = load_scenario(path)
    comments = [line for line in path.read_text().splitlines() if line.startswith("#")]
    assert 2 <= len(comments) <= 4
    assert parse_scenario(scenario.to_yaml()).digest() == scenario.digest()


def test_the_hang_scenarios_differ_in_the_strategy_alone():
    off, on = (load_scenario(path) for path in SCENARIOS if path.stem.startswith("hang-strategy"))
    override = {"client.send_latency_fault_enable": "true"}
    assert parse_scenario(off.to_yaml(), overrides=override).digest() == on.digest()


def test_the_quickstart_is_quick():
    assert load_scenario(SCENARIOS[0].with_name("quickstart.yaml")).expected_messages <= 200_000


def test_numbers_are_canonical():
    scenario = parse_scenario(TEXT)
    assert (scenario.duration_us, scenario.window_us, scenario.window_count) == (60_000_000, 1_000_000, 60)
    assert scenario.client.send_msg_timeout_ms == 3_000
    assert scenario.producers[0].rate_per_s == Fraction(100)
    assert scenario.expected_messages == 12_000


def test_brokers_and_topics_are_in_the_order_of_their_names():
    scenario = parse_scenario(TEXT)
    assert list(scenario.brokers) == ["broker-a", "broker-b"]
    assert list(scenario.topics) == ["audit", "orders"]


def test_a_broker_has_the_keys_of_another_and_its_own_win():
    a, b = parse_scenario(TEXT).brokers.values()
    assert a.latency == b.latency
    assert (a.threads, b.threads) == (2, 4)


def test_producers_without_topics_send_to_all_of_them_evenly():
    assert parse_scenario(TEXT).producers[0].topics == {"audit": 1, "orders": 1}


def test_weights_are_the_smallest_whole_numbers():
    text = TEXT.replace("rate: 100/s", "rate: 100/s, topics: {orders: 0.3, audit: 0.6}")
    assert parse_scenario(text).producers[0].topics == {"audit": 2, "orders": 1}


def test_groups_without_a_name_are_numbered():
    text = TEXT.replace("{count: 2, rate: 100/s}", "[{count: 2, rate: 1/s}, {count: 3, rate: 2/h}]")
    scenario = parse_scenario(text)
    assert [group.group for group in scenario.producers] == ["producers", "producers-2"]
    assert scenario.producer_count == 5


def test_queues_are_on_every_broker_in_the_order_of_the_names():
    route = parse_scenario(TEXT).route("orders")
    assert [(entry.broker, entry.write_queues) for entry in route] == [("broker-a", 8), ("broker-b", 8)]


def test_a_route_is_sorted_as_the_client_sorts_it():
    route = "{route: [{broker: broker-b, write_queues: 2}, {broker: broker-a, permission: r, master: false}]}"
    b = parse_scenario(TEXT.replace("{queues: 8}", route)).route("orders")
    assert [(entry.broker, entry.writeable, entry.master) for entry in b] == [
        ("broker-a", False, False),
        ("broker-b", True, True),
    ]


def test_an_order_topic_conf_keeps_its_order():
    text = TEXT.replace("{queues: 8}", "{order_topic_conf: 'broker-b:4;broker-a:2'}")
    assert parse_scenario(text).topics["orders"].order_topic_conf == (("broker-b", 4), ("broker-a", 2))


def test_penalty_tables_are_the_releases_own_unless_given():
    latency_max, durations = parse_scenario(TEXT).client.penalty_tables_ms
    assert latency_max == (50, 100, 550, 1000, 2000, 3000, 15000)
    assert durations == (0, 0, 30000, 60000, 120000, 180000, 600000)


def test_a_fault_is_a_period_on_each_of_its_brokers():
    assert faulty("{at: 10s, for: 5s, broker: all, kind: hang, label: x}") == [
        FaultPeriod(10_000_000, 15_000_000, "broker-a", "hang", 0, "x"),
        FaultPeriod(10_000_000, 15_000_000, "broker-b", "hang", 0, "x"),
    ]


def test_a_fault_is_repeated_until_the_end_of_the_scenario():
    periods = faulty("{at: 10s, for: 5s, every: 24s, broker: broker-a, kind: refuse}")
    assert [(p.at_us, p.until_us) for p in periods] == [
        (10_000_000, 15_000_000),
        (34_000_000, 39_000_000),
        (58_000_000, 60_000_000),
    ]


def test_until_ends_a_repetition_and_cuts_it():
    periods = faulty("{at: 0s, for: 5s, every: 5s, until: 12s, broker: broker-a, kind: refuse}")
    assert [(p.at_us, p.until_us) for p in periods] == [
        (0, 5_000_000),
        (5_000_000, 10_000_000),
        (10_000_000, 12_000_000),
    ]


def test_a_fault_beyond_the_end_never_strikes():
    assert faulty("{at: 60s, for: 5s, broker: all, kind: hang}") == []


@pytest.mark.parametrize(
    ("keys", "value"),
    [
        ("kind: hang", 0),
        ("kind: slow, factor: 2.5", 2_500_000),
        ("kind: code, response_code: SYSTEM_BUSY", RESPONSE_CODES["SYSTEM_BUSY"]),
        ("kind: code, response_code: 206", 206),
        ("kind: status, send_status: FLUSH_DISK_TIMEOUT", FLUSH_DISK_TIMEOUT),
    ],
)
def test_the_value_of_a_period_says_how_bad_it_is(keys, value):
    (period,) = faulty(f"{{at: 1s, for: 1s, broker: broker-a, {keys}}}")
    assert period.value == value


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("name: plain", "name: other\ndescription: another text"),
        ("1m", "60s"),
        ("100/s", "6000/min"),
        ("{constant: 2ms}", "{constant: 2000us}"),
        ("{queues: 8}", "{queues: 8, message_bytes: 1024B, brokers: [broker-b, broker-a]}"),
        ("{queues: 8}", "{route: [{broker: broker-b}, {broker: broker-a}]}"),
        ("audit: {}", "audit:"),
        ("rate: 100/s", "rate: 100/s, topics: [orders, audit]"),
        ("rate: 100/s", "rate: 100/s, topics: {audit: 5, orders: 5}, mode: sync, group: producers"),
        ("release: 4.9.8", "release: 4.9.8, latency_max: [50ms, 100ms, 550ms, 1s, 2s, 3s, 15s]"),
        ("like: broker-b", "latency: {constant: 2ms}"),
    ],
)
def test_another_spelling_has_the_same_digest(old, new):
    assert old in TEXT
    assert digest(TEXT.replace(old, new)) == digest(TEXT)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("1m", "61s"),
        ("4.9.8", "4.9.7"),
        ("100/s", "101/s"),
        ("count: 2", "count: 3"),
        ("queues: 8", "queues: 9"),
        ("audit", "audits"),
        ("2ms", "3ms"),
        ("send_threads: 2", "send_threads: 3"),
        ("name: plain", "name: plain\nseed: 2"),
        ("name: plain", "name: plain\nfaults: [{at: 1s, for: 1s, broker: all, kind: hang}]"),
    ],
)
def test_another_meaning_has_another_digest(old, new):
    assert old in TEXT
    assert digest(TEXT.replace(old, new)) != digest(TEXT)


def test_a_repetition_and_its_faults_written_out_have_one_digest():
    repeated = TEXT + "faults: [{at: 1s, for: 2s, every: 30s, broker: all, kind: hang}]"
    first = "{at: 1s, for: 2s, broker: [broker-a, broker-b], kind: hang}"
    written_out = TEXT + f"faults: [{first.replace('1s', '31s')}, {first}]"
    assert digest(repeated) == digest(written_out)


milliseconds = st.integers(1, 100_000).map(lambda n: f"{n}ms")
latencies = st.one_of(
    st.fixed_dictionaries({"constant": milliseconds}),
    st.fixed_dictionaries({"exponential": st.fixed_dictionaries({"mean": milliseconds})}),
    st.just({"lognormal": {"p50": "1ms", "p99": "12ms"}}),
    st.just({"table": {"p0": "1us", "p33.3333": "2us", "p99.99": "1ms", "p100": "2ms"}}),
)
names = st.from_regex(r"[A-Za-z0-9_][A-Za-z0-9_.-]{0,9}", fullmatch=True).filter(lambda name: name != "all")
fault_kinds = st.sampled_from(
    [
        {"kind": "hang"},
        {"kind": "slow", "factor": 0.000001},
        {"kind": "slow", "factor": 12.5},
        {"kind": "code", "response_code": "GO_AWAY"},
        {"kind": "status", "send_status": "SLAVE_NOT_AVAILABLE"},
    ]
)


@st.composite
def scenarios(draw):
    brokers = draw(st.dictionaries(names, st.fixed_dictionaries({"latency": latencies}), min_size=1, max_size=4))
    topics = draw(st.lists(names, min_size=1, max_size=3, unique=True))
    when = st.fixed_dictionaries({"at": milliseconds, "for": milliseconds, "broker": st.sampled_from([*brokers])})
    rates = st.builds("{}/{}".format, st.integers(1, 1000), st.sampled_from(["s", "min", "h", "d"]))
    group = st.fixed_dictionaries(
        {"count": st.integers(1, 9), "rate": rates},
        optional={
            "topics": st.dictionaries(
                st.sampled_from(topics), st.floats(0.001, 1000).map(lambda x: round(x, 3)), min_size=1
            )
        },
    )
    return {
        "name": draw(st.text(st.characters(codec="utf-8"), min_size=1, max_size=30).filter(str.strip)),
        "duration": draw(milliseconds),
        "client": {"release": draw(st.sampled_from(["4.2.0", "4.9.8", "5.3.3"]))},
        "producers": draw(st.lists(group, min_size=1, max_size=3)),
        "topics": {topic: {"queues": draw(st.integers(1, 9))} for topic in topics},
        "brokers": brokers,
        "faults": [{**fault, **draw(fault_kinds)} for fault in draw(st.lists(when, max_size=3))],
    }


@settings(max_examples=200, deadline=None)
@given(scenarios())
def test_every_scenario_survives_its_own_yaml(content):
    scenario = parse_scenario(yaml.safe_dump(content, sort_keys=False, allow_unicode=True))
    again = parse_scenario(scenario.to_yaml())
    assert again.digest() == scenario.digest()
    assert again == scenario
