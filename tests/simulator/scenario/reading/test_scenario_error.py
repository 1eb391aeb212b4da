"""Every wrong input gives one sentence: file, line, key, what was expected and got, the nearest spelling."""

import pytest

from simulator.scenario import ScenarioError, parse_scenario
from simulator.scenario.faults.fault_kinds import KINDS
from tests.says import Said, Says, below, raises

GOOD = """\
name: good
duration: 1m
client: {release: 4.9.8}
producers: {count: 2, rate: 100/s}
topics:
  orders: {queues: 8}
brokers:
  broker-a: {latency: {constant: 2ms}}
  broker-b: {like: broker-a}
  broker-c: {like: broker-a}
faults:
  - {at: 10s, for: 1s, broker: broker-b, kind: hang}
"""

CLIENT = [
    (
        "retry_time_when_send_failed: 2",
        Says("reading.unknown-meant", "...retry_time_when_send_failed"),
    ),
    ("sendMsgTimout: 3s", Says("reading.unknown-meant", "...sendMsgTimout")),
    (
        "send_msg_timeout: 3",
        Says("unit.unit-missing", "...send_msg_timeout", noun="duration", got=3, units="us, ms, s, m, h, d"),
    ),
    ("send_msg_timeout: 0s", Says("field.expected", "...send_msg_timeout", got='"0s"', low="1ms", high="1d")),
    ("send_msg_timeout: 10us", Says("unit.whole", "...send_msg_timeout", unit="milliseconds")),
    ("send_latency_fault_enable: on", Says("field.flag-expected", "...send_latency_fault_enable", got='"on"')),
    (
        "retry_times_when_send_failed: 2.5",
        Says("field.expected", "...retry_times_when_send_failed", got="2.5", low=0, high=100),
    ),
    (
        "start_detector_enable: true",
        Says("client.not-in-release", "...start_detector_enable", release="4.9.8", first="5.1.4"),
    ),
    (
        "send_msg_max_timeout_per_request: 1s",
        Says("client.not-in-release", "...send_msg_max_timeout_per_request", release="4.9.8", first="5.3.3"),
    ),
    (
        "retry_response_codes: SYSTEM_BUSY",
        Says("client.codes-expected", "...retry_response_codes", got='"SYSTEM_BUSY"'),
    ),
    (
        "retry_response_codes: [70000]",
        Says("field.expected", "...retry_response_codes", got=70000, what="response code"),
    ),
    (
        "latency_max: [1ms, 5ms]",
        Says("client.steps-unlike", "...latency_max", latencies=2, durations=7),
    ),
    (
        "latency_max: [5ms, 5ms], not_available_duration: [0, 1s]",
        Says("client.step-not-above", "...latency_max[1]", before=5, got=5),
    ),
    (
        "latency_max: [5ms, 6ms], not_available_duration: [2s, 1s]",
        Says("client.step-below", "...not_available_duration[1]", before=2000, got=1000),
    ),
]

RELEASE = [
    (
        "{release: 4.9.9}",
        Says("client.no-such-release", "...release", got='"4.9.9"', known="known: 4.2.0 to 5.5.0", near="4.9.8"),
    ),
    ("{release: 4.9}", Says("client.release-expected", "...release", got="4.9")),
    ("{}", Says("field.missing", "...release")),
]

PRODUCERS = [
    ("count: 2, rate: 100", Says("unit.expected", "...rate", noun="rate", got=100)),
    ('count: 2, rate: "100"', Says("unit.expected", "...rate", noun="rate", got='"100"')),
    ("count: 2, rate: -5/s", Says("field.rate-expected", "...rate", bound="above 0", most=1000000, got='"-5/s"')),
    ("count: 2", Says("producer.rate-missing", "...rate")),
    ("rate: 1/s", Says("field.missing", "...count", low=1, high=1000000)),
    ("count: 0, rate: 1/s", Says("field.expected", "...count", got=0, low=1, high=1000000)),
    ("count: 2, rate: 1/s, mode: asynch", Says("field.expected", "...mode", got='"asynch"')),
    ("count: 2, rate: 1/s, thread: 3", Says("reading.unknown-meant", "...thread", near="threads")),
    (
        "count: 2, rate: 1/s, arrivals: regular",
        Says("field.expected", "...arrivals", got='"regular"'),
    ),
    (
        "count: 2, rate: 1/s, topics: [order]",
        Says("reading.not-known", "...topics.order", what="topic", name="order", known="orders", near="orders"),
    ),
    (
        "count: 2, rate: 1/s, topics: {orders: 0}",
        Says("field.expected", "...topics.orders", expected="a weight above 0", got=0),
    ),
]

TOPICS = [
    ("{queues: 0}", Says("field.expected", "...queues", got=0, low=1, high=1024)),
    ("{queus: 8}", Says("reading.unknown-meant", "...queus", near="queues")),
    ("{queues: 8, route: [{broker: broker-a}]}", Says("producer.key-and-route", "...queues", key="queues")),
    (
        "{route: [{broker: brokr-a}]}",
        Says("reading.not-known", "...route[0].broker", what="broker", name="brokr-a", near="broker-a"),
    ),
    ("{route: [{broker: broker-a, master: 1}]}", Says("field.flag-expected", "...route[0].master", got=1)),
    (
        "{route: [{broker: broker-a, permission: r}]}",
        Says("producer.not-writable", "...route"),
    ),
    (
        "{order_topic_conf: 'broker-x:4'}",
        Says("reading.not-known", "...order_topic_conf", what="broker", name="broker-x", near="broker-c"),
    ),
    (
        "{order_topic_conf: 'broker-a'}",
        Says("producer.order-conf-expected", "...order_topic_conf", got='"broker-a"'),
    ),
    ("{message_bytes: 5MiB}", Says("field.expected", "...message_bytes", got='"5MiB"', most="4MiB")),
    (
        "{message_bytes: 100}",
        Says("unit.unit-missing", "...message_bytes", noun="size", got=100, units="B, KiB, MiB, GiB, kB, MB, GB"),
    ),
]

BROKERS = [
    ("{}", Says("field.missing", "...latency")),
    (
        "{like: broker-d}",
        Says(
            "reading.not-known", "...like", what="broker", name="broker-d", known="broker-b, broker-c", near="broker-c"
        ),
    ),
    (
        "{like: broker-b}",
        Says("reading.like-in-a-circle", "...like"),
    ),
    (
        "{latency: 2ms}",
        Says("field.expected", "...latency", got='"2ms"'),
    ),
    ("{latency: {lognorml: {}}}", Says("reading.unknown-meant", "...latency.lognorml", near="lognormal")),
    (
        "{latency: {lognormal: {p50: 1ms}}}",
        Says("field.missing", "...latency.lognormal.p99"),
    ),
    (
        "{latency: {lognormal: {p50: 2ms, p99: 1ms}}}",
        Says("message.p99-out-of-range", "...latency.lognormal.p99", p50="2ms", most=1000, got="1ms"),
    ),
    (
        "{latency: {uniform: {min: 2ms, max: 1ms}}}",
        Says("message.below-min", "...latency.uniform.max", min="2ms", got="1ms"),
    ),
    (
        "{latency: {table: {p0: 1ms, p50: 5ms, p99: 3ms, p100: 9ms}}}",
        Says("message.duration-below", "...latency.table.p99", before="p50, 5ms", got="3ms"),
    ),
    (
        "{latency: {table: {p0: 1ms, p99: 3ms, p50: 5ms, p100: 9ms}}}",
        Says("message.percentile-not-above", "...latency.table.p50", before="p99"),
    ),
    (
        "{latency: {table: {p0: 1ms}}}",
        Says("message.ends-missing", "...latency.table", missing="p100"),
    ),
    (
        "{latency: {table: {p0: 1ms, p101: 2ms}}}",
        Says("message.percentile-out-of-range", "...latency.table.p101"),
    ),
    (
        "{latency: {constant: 1ms, exponential: {mean: 2ms}}}",
        Says("message.exactly-one", "...latency"),
    ),
    (
        "{latency: {constant: 1ms}, send_threads: 0}",
        Says("field.expected", "...send_threads", got=0, low=1, high=1024),
    ),
]

FAULTS = [
    (
        "at: 1s, for: 1s, broker: broker-bb, kind: hang",
        Says("reading.not-known", "...broker", what="broker", name="broker-bb", near="broker-b"),
    ),
    (
        "at: 1s, for: 1s, broker: [broker-a, x], kind: hang",
        Says("reading.not-known", "...broker[1]", what="broker", name="x"),
    ),
    ("at: 1s, broker: all, kind: hang", Says("fault.duration-missing", "...for")),
    (
        "at: 1s, for: 1s, broker: all, kind: hung",
        "kind: no fault kind named hung; known: hang, pause, slow, disk_stall, kill, restart, rolling_restart, "
        f"silent_death and {len(KINDS) - 8} more; did you mean hang?",
    ),
    ("at: 1s, for: 1s, broker: all, kind: slow", Says("fault.needed", "...factor", kind="slow", other=" or latency")),
    (
        "at: 1s, for: 1s, broker: all, kind: slow, factor: 0",
        Says("field.expected", "...factor", got=0, most=1000),
    ),
    (
        "at: 1s, for: 1s, broker: all, kind: hang, factor: 2",
        Says("fault.not-of-this-kind", "...factor", kind="hang"),
    ),
    (
        "at: 1s, for: 1s, broker: all, kind: code, response_code: FLUSH_DISK_TIMEOUT",
        Says("fault.send-status", "...response_code"),
    ),
    (
        "at: 1s, for: 1s, broker: all, kind: status, send_status: FLUSH_DISK",
        Says("reading.not-known", "...send_status", what="send status", name="FLUSH_DISK"),
    ),
    (
        "at: 1s, for: 2s, every: 1s, broker: all, kind: hang",
        Says("fault.every-below-for", "...every", least="2s", got="1s"),
    ),
    (
        "at: 1s, for: 1s, until: 9s, broker: all, kind: hang",
        Says("fault.until-without-every", "...until"),
    ),
    (
        "at: 9s, for: 1s, every: 1s, until: 5s, broker: all, kind: hang",
        Says("fault.until-not-above-at", "...until", at="9s", got="5s"),
    ),
    (
        "at: 0s, for: 1us, every: 1us, broker: all, kind: hang",
        Says("producer.too-many-faults", most=100000),
    ),
]

TOP = [
    (
        "duration: 1m",
        "duration: 1",
        Says("unit.unit-missing", "...2: duration", noun="duration", got=1),
    ),
    (
        "duration: 1m",
        "duration: 99999d",
        Says("field.expected", "...2: duration", got='"99999d"', low="1ms", high="3660d"),
    ),
    ("duration: 1m\n", "", Says("field.missing", "...1: duration")),
    ("duration:", "durration:", Says("reading.unknown-meant", "2: durration", near="duration")),
    ("faults:", "fault:", Says("reading.unknown-meant", "...11: fault", near="faults")),
    ("name: good", "name:", Says("field.text-expected", "...1: name", most=10000, got="nothing")),
    (
        "name: good",
        "name: good\nseed: -1",
        Says("field.expected", "...2: seed", got="-1", low=0, high=9223372036854775807),
    ),
    (
        "name: good",
        f"name: good\nseed: {'9' * 5000}",
        Says("field.expected", "...2: seed", high=9223372036854775807, got=f'"{"9" * 57}..."'),
    ),
    ("name: good", "name: good\ncells: 3", Says("producer.more-cells-than-producers", "...2: cells", most=2, got=3)),
    (
        "name: good",
        "name: good\nwindow: 2m",
        Says("field.expected", "...2: window", got='"2m"', low="100ms", high="1m"),
    ),
    (
        "  orders: {queues: 8}",
        "  - orders",
        Says("field.expected", "...5: topics", got="a list"),
    ),
    ("\n  orders: {queues: 8}", " {}", Says("field.empty-mapping", "...5: topics", what="topic")),
    (
        "orders: {",
        "or ders: {",
        Says("field.name-expected", "...6: topics.or ders", what="topic", most=255, got='"or ders"'),
    ),
    ("broker-c:", "all:", Says("producer.broker-named-all", "...10: brokers.all")),
    ("broker-c:", "broker-b:", Says("reading.key-given-twice", "...10: brokers.broker-b", first=9)),
    ("name: good", "name: good\n? [a]\n: b", Says("reading.name-as-key-expected", "...2")),
    (
        "name: good",
        "name: !!python/name:os.system x",
        Says("reading.tag-not-allowed", "...1: name"),
    ),
    ("name: good", "name: &a [*a]", Says("reading.write-it-out", "...1")),
    (
        "name: good",
        "name: [good",
        Says("reading.not-yaml", "...2", column=9),
    ),
    ("name: good", "name：good", Says("reading.looks-like-yaml", "...1", sign="：", column=5)),
    ("name: good", "name:\u00a0good", Says("reading.looks-like-yaml", "...1", code_point=0xA0, column=6)),
    ("  orders", "\torders", Says("reading.tab", "...6", column=1)),
    ("good", "\x07", Says("reading.character-not-allowed", "...1", code_point=7)),
    ("good", '"\\ud800"', Says("reading.half-a-character", "...1")),
    (GOOD, "", Says("reading.empty", "...1", what="scenario", keys="name, duration")),
    (GOOD, "# nothing\n", Says("reading.empty", "...1", what="scenario", keys="name, duration")),
    (GOOD, "\n- a\n", Says("reading.mapping-expected", "...2", keys="name, duration", got="a list")),
    (GOOD, "hello", Says("reading.mapping-expected", "...1", keys="name, duration", got='"hello"')),
]


def sentence(old: str, new: str) -> Said:
    assert old in GOOD
    with pytest.raises(ScenarioError) as error:
        parse_scenario(GOOD.replace(old, new), source="x.yaml")
    return Said(error.value)


@pytest.mark.parametrize(("keys", "text"), CLIENT)
def test_client(keys, text):
    assert sentence("release: 4.9.8", f"release: 4.9.8, {keys}") == below("x.yaml:3: client.", text)


@pytest.mark.parametrize(("client", "text"), RELEASE)
def test_release(client, text):
    assert sentence("{release: 4.9.8}", client) == below("x.yaml:3: client.", text)


@pytest.mark.parametrize(("keys", "text"), PRODUCERS)
def test_producers(keys, text):
    assert sentence("count: 2, rate: 100/s", keys) == below("x.yaml:4: producers.", text)


@pytest.mark.parametrize(("topic", "text"), TOPICS)
def test_topics(topic, text):
    assert sentence("{queues: 8}", topic) == below("x.yaml:6: topics.orders.", text)


@pytest.mark.parametrize(("broker", "text"), BROKERS)
def test_brokers(broker, text):
    assert sentence("{latency: {constant: 2ms}}", broker) == below("x.yaml:8: brokers.broker-a.", text)


@pytest.mark.parametrize(("keys", "text"), FAULTS)
def test_faults(keys, text):
    where = "faults[0]: " if isinstance(text, Says) and not text.place else "faults[0]."
    assert sentence("at: 10s, for: 1s, broker: broker-b, kind: hang", keys) == below(f"x.yaml:12: {where}", text)


@pytest.mark.parametrize(("old", "new", "text"), TOP)
def test_the_form_and_the_top_level(old, new, text):
    assert sentence(old, new) == below("x.yaml:", text)


def test_a_group_in_a_list_is_named_by_its_index():
    groups = "[{count: 1, rate: 1/s}, {count: 1, rte: 1/s}]"
    text = sentence("{count: 2, rate: 100/s}", groups)
    assert text == Says("reading.unknown-meant", "x.yaml:4: producers[1].rte", near="rate")


def test_two_groups_of_one_name_are_refused():
    group = "{group: g, count: 1, rate: 1/s}"
    assert sentence("{count: 2, rate: 100/s}", f"[{group}, {group}]") == (
        Says("producer.same-group", "x.yaml:4: producers[1].group", group="g")
    )


def test_the_first_by_line_is_reported_and_the_others_are_counted():
    text = GOOD.replace("queues: 8", "queues: 0").replace("count: 2", "count: 0").replace("4.9.8", "nine")
    with pytest.raises(ScenarioError) as error:
        parse_scenario(text, source="x.yaml")
    assert error.value.sentence == Says("client.no-such-release", "x.yaml:3: client.release", got='"nine"')
    assert str(error.value).endswith(" (and 2 more)")
    assert len(error.value.sentences) == 3


def test_what_a_broker_has_from_another_is_reported_once():
    (text,) = sentence("{constant: 2ms}", "{constant: 2}").sentences
    assert text == Says("unit.unit-missing", "x.yaml:8: brokers.broker-a.latency.constant", noun="duration", got=2)


@pytest.mark.parametrize("name", ["no", "on", "yes", "y", "null", "1", "007", "1.5", "2026-01-01"])
def test_words_that_yaml_would_convert_are_names_all_the_same(name):
    scenario = parse_scenario(GOOD.replace("broker-c", name))
    assert name in scenario.brokers
    assert parse_scenario(scenario.to_yaml()).digest() == scenario.digest()


def test_one_of_a_few_words_is_offered_where_another_is_spelt_like_it():
    said = sentence("count: 2, rate: 100/s", "count: 2, rate: 100/s, arrivals: poison")
    assert said == Says("field.expected", "x.yaml:4: producers.arrivals", got='"poison"')
    assert "; did you mean poisson?" in said


def test_deep_nesting_is_refused():
    assert sentence("good", "[" * 50_000) == Says("reading.nested-too-deep", "x.yaml")


def test_aliases_cannot_blow_the_scenario_up():
    layers = "".join(f"a{i + 1}: &a{i + 1} [{', '.join([f'*a{i}'] * 10)}]\n" for i in range(9))
    with raises(ScenarioError, Says("reading.write-it-out", most=100000)):
        parse_scenario(f"a0: &a0 [x]\n{layers}")
