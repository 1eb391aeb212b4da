"""Every wrong input gives one sentence: file, line, key, what was expected and got, the nearest spelling."""

import pytest

from simulator.scenario import ScenarioError, load_scenario, parse_scenario
from simulator.scenario.faults.fault_kinds import KINDS

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
        "retry_time_when_send_failed: unknown key; did you mean retry_times_when_send_failed?",
    ),
    ("sendMsgTimout: 3s", "sendMsgTimout: unknown key; did you mean send_msg_timeout?"),
    (
        "send_msg_timeout: 3",
        "send_msg_timeout: expected a duration such as 3s, got 3: the unit is missing (us, ms, s, m, h, d)",
    ),
    ("send_msg_timeout: 0s", 'send_msg_timeout: expected a duration from 1ms to 1d, got "0s"'),
    ("send_msg_timeout: 10us", 'send_msg_timeout: expected a duration of whole milliseconds, got "10us"'),
    ("send_latency_fault_enable: on", 'send_latency_fault_enable: expected true or false, got "on"'),
    (
        "retry_times_when_send_failed: 2.5",
        "retry_times_when_send_failed: expected a whole number from 0 to 100, got 2.5",
    ),
    (
        "start_detector_enable: true",
        "start_detector_enable: release 4.9.8 does not have it; the first that has it is 5.1.4",
    ),
    (
        "send_msg_max_timeout_per_request: 1s",
        "send_msg_max_timeout_per_request: release 4.9.8 does not have it; the first that has it is 5.3.3",
    ),
    (
        "retry_response_codes: SYSTEM_BUSY",
        'retry_response_codes: expected a list of response codes, got "SYSTEM_BUSY"',
    ),
    (
        "retry_response_codes: [70000]",
        "retry_response_codes: expected a response code from 1 to 65535, got 70000",
    ),
    (
        "latency_max: [1ms, 5ms]",
        "latency_max: latency_max has 2 entries and not_available_duration 7; expected as many",
    ),
    (
        "latency_max: [5ms, 5ms], not_available_duration: [0, 1s]",
        "latency_max[1]: expected more than the 5ms before it, got 5ms",
    ),
    (
        "latency_max: [5ms, 6ms], not_available_duration: [2s, 1s]",
        "not_available_duration[1]: expected at least the 2000ms before it, got 1000ms",
    ),
]

RELEASE = [
    ("{release: 4.9.9}", 'release: no release "4.9.9"; known: 4.2.0 to 5.5.0; did you mean 4.9.8?'),
    ("{release: 4.9}", "release: expected a release such as 4.9.8, got 4.9"),
    ("{}", "release: missing; expected a release such as 4.9.8"),
]

PRODUCERS = [
    ("count: 2, rate: 100", "rate: expected a rate such as 100/s, got 100"),
    ('count: 2, rate: "100"', 'rate: expected a rate such as 100/s, got "100"'),
    ("count: 2, rate: -5/s", 'rate: expected a rate above 0 and at most 1000000/s, got "-5/s"'),
    ("count: 2", "rate: missing; expected a rate such as 100/s, or arrivals: closed with a think time such as 5ms"),
    ("rate: 1/s", "count: missing; expected a whole number from 1 to 1000000"),
    ("count: 0, rate: 1/s", "count: expected a whole number from 1 to 1000000, got 0"),
    ("count: 2, rate: 1/s, mode: asynch", 'mode: expected one of sync, async, oneway, got "asynch"'),
    ("count: 2, rate: 1/s, thread: 3", "thread: unknown key; did you mean threads?"),
    (
        "count: 2, rate: 1/s, arrivals: regular",
        'arrivals: expected one of poisson, uniform, steady, closed, got "regular"',
    ),
    (
        "count: 2, rate: 1/s, topics: [order]",
        "topics.order: no topic named order; known: orders; did you mean orders?",
    ),
    ("count: 2, rate: 1/s, topics: {orders: 0}", "topics.orders: expected a weight above 0, got 0"),
]

TOPICS = [
    ("{queues: 0}", "queues: expected a whole number from 1 to 1024, got 0"),
    ("{queus: 8}", "queus: unknown key; did you mean queues?"),
    ("{queues: 8, route: [{broker: broker-a}]}", "queues: queues and route exclude each other; keep one"),
    (
        "{route: [{broker: brokr-a}]}",
        "route[0].broker: no broker named brokr-a; known: broker-a, broker-b, broker-c; did you mean broker-a?",
    ),
    ("{route: [{broker: broker-a, master: 1}]}", "route[0].master: expected true or false, got 1"),
    (
        "{route: [{broker: broker-a, permission: r}]}",
        "route: no queue can be written; expected a broker with permission w, a master and write queues",
    ),
    (
        "{order_topic_conf: 'broker-x:4'}",
        "order_topic_conf: no broker named broker-x; known: broker-a, broker-b, broker-c; did you mean broker-c?",
    ),
    (
        "{order_topic_conf: 'broker-a'}",
        'order_topic_conf: expected an order topic conf such as "broker-a:4;broker-b:2", got "broker-a"',
    ),
    ("{message_bytes: 5MiB}", 'message_bytes: expected a size from 1B to 4MiB, got "5MiB"'),
    (
        "{message_bytes: 100}",
        "message_bytes: expected a size such as 1KiB, got 100: the unit is missing (B, KiB, MiB, GiB, kB, MB, GB)",
    ),
]

BROKERS = [
    ("{}", "latency: missing; expected a distribution such as {lognormal: {p50: 1ms, p99: 12ms}}"),
    ("{like: broker-d}", "like: no broker named broker-d; known: broker-b, broker-c; did you mean broker-c?"),
    (
        "{like: broker-b}",
        "like: brokers are like each other in a circle: broker-a is like broker-b is like broker-a",
    ),
    (
        "{latency: 2ms}",
        'latency: expected a distribution such as {lognormal: {p50: 1ms, p99: 12ms}}, got "2ms"',
    ),
    ("{latency: {lognorml: {}}}", "latency.lognorml: unknown key; did you mean lognormal?"),
    (
        "{latency: {lognormal: {p50: 1ms}}}",
        "latency.lognormal.p99: missing; expected a duration such as 12ms",
    ),
    (
        "{latency: {lognormal: {p50: 2ms, p99: 1ms}}}",
        "latency.lognormal.p99: expected above p50, 2ms, and at most 1000 times p50, got 1ms",
    ),
    (
        "{latency: {uniform: {min: 2ms, max: 1ms}}}",
        "latency.uniform.max: expected at least min, 2ms, got 1ms",
    ),
    (
        "{latency: {table: {p0: 1ms, p50: 5ms, p99: 3ms, p100: 9ms}}}",
        "latency.table.p99: expected at least p50, 5ms, got 3ms",
    ),
    (
        "{latency: {table: {p0: 1ms, p99: 3ms, p50: 5ms, p100: 9ms}}}",
        "latency.table.p50: expected a percentile above p99 before it",
    ),
    (
        "{latency: {table: {p0: 1ms}}}",
        "latency.table: p100 missing; expected p0 and p100 among the percentiles",
    ),
    (
        "{latency: {table: {p0: 1ms, p101: 2ms}}}",
        "latency.table.p101: expected a percentile from p0 to p100",
    ),
    (
        "{latency: {constant: 1ms, exponential: {mean: 2ms}}}",
        "latency: expected exactly one of constant, uniform, exponential, lognormal, table, file, "
        "got constant and exponential",
    ),
    (
        "{latency: {constant: 1ms}, send_threads: 0}",
        "send_threads: expected a whole number from 1 to 1024, got 0",
    ),
]

FAULTS = [
    (
        "at: 1s, for: 1s, broker: broker-bb, kind: hang",
        "broker: no broker named broker-bb; known: broker-a, broker-b, broker-c; did you mean broker-b?",
    ),
    (
        "at: 1s, for: 1s, broker: [broker-a, x], kind: hang",
        "broker[1]: no broker named x; known: broker-a, broker-b, broker-c",
    ),
    ("at: 1s, broker: all, kind: hang", "for: missing; expected a duration such as 60s"),
    (
        "at: 1s, for: 1s, broker: all, kind: hung",
        "kind: no fault kind named hung; known: hang, pause, slow, disk_stall, kill, restart, rolling_restart, "
        f"silent_death and {len(KINDS) - 8} more; did you mean hang?",
    ),
    ("at: 1s, for: 1s, broker: all, kind: slow", "factor: missing; kind slow needs it or latency"),
    (
        "at: 1s, for: 1s, broker: all, kind: slow, factor: 0",
        "factor: expected a factor above 0 and at most 1000 with at most six decimals, got 0",
    ),
    (
        "at: 1s, for: 1s, broker: all, kind: hang, factor: 2",
        "factor: only kind slow has it, and this is kind hang",
    ),
    (
        "at: 1s, for: 1s, broker: all, kind: code, response_code: FLUSH_DISK_TIMEOUT",
        'response_code: "FLUSH_DISK_TIMEOUT" is a send status; use kind: status',
    ),
    (
        "at: 1s, for: 1s, broker: all, kind: status, send_status: FLUSH_DISK",
        "send_status: no send status named FLUSH_DISK; known: FLUSH_DISK_TIMEOUT, SLAVE_NOT_AVAILABLE, "
        "FLUSH_SLAVE_TIMEOUT; did you mean FLUSH_DISK_TIMEOUT?",
    ),
    ("at: 1s, for: 2s, every: 1s, broker: all, kind: hang", "every: expected at least for, 2s, got 1s"),
    (
        "at: 1s, for: 1s, until: 9s, broker: all, kind: hang",
        "until: it ends a repetition; set every too, or give the length in for",
    ),
    (
        "at: 9s, for: 1s, every: 1s, until: 5s, broker: all, kind: hang",
        "until: expected above at, 9s, got 5s",
    ),
    (
        "at: 0s, for: 1us, every: 1us, broker: all, kind: hang",
        "with this one the faults occur more than 100000 times; make every longer",
    ),
]

TOP = [
    (
        "duration: 1m",
        "duration: 1",
        "2: duration: expected a duration such as 3s, got 1: the unit is missing (us, ms, s, m, h, d)",
    ),
    ("duration: 1m", "duration: 99999d", '2: duration: expected a duration from 1ms to 3660d, got "99999d"'),
    ("duration: 1m\n", "", "1: duration: missing; expected a duration such as 5m"),
    ("duration:", "durration:", "2: durration: unknown key; did you mean duration? (and 1 more)"),
    ("faults:", "fault:", "11: fault: unknown key; did you mean faults?"),
    ("name: good", "name:", "1: name: expected a text of 1 to 10000 characters, got nothing"),
    (
        "name: good",
        "name: good\nseed: -1",
        "2: seed: expected a whole number from 0 to 9223372036854775807, got -1",
    ),
    (
        "name: good",
        f"name: good\nseed: {'9' * 5000}",
        f'2: seed: expected a whole number from 0 to 9223372036854775807, got "{"9" * 57}..."',
    ),
    ("name: good", "name: good\ncells: 3", "2: cells: expected at most one cell a producer, 2, got 3"),
    ("name: good", "name: good\nwindow: 2m", '2: window: expected a duration from 100ms to 1m, got "2m"'),
    (
        "  orders: {queues: 8}",
        "  - orders",
        "5: topics: expected a mapping such as {orders: {queues: 8}}, got a list",
    ),
    ("\n  orders: {queues: 8}", " {}", "5: topics: expected at least one topic, got an empty mapping"),
    (
        "orders: {",
        "or ders: {",
        '6: topics.or ders: expected the name of a topic (letters, digits, _ - . | %, at most 255), got "or ders"',
    ),
    ("broker-c:", "all:", "10: brokers.all: a broker cannot be named all: faults use it for every broker"),
    ("broker-c:", "broker-b:", "10: brokers.broker-b: the key is given twice, first in line 9"),
    ("name: good", "name: good\n? [a]\n: b", "2: expected a name as key, got a list or mapping"),
    (
        "name: good",
        "name: !!python/name:os.system x",
        "1: name: the tag tag:yaml.org,2002:python/name:os.system is not for scenarios",
    ),
    ("name: good", "name: &a [*a]", "1: an alias contains itself; write the scenario out"),
    (
        "name: good",
        "name: [good",
        "2: not YAML: expected ',' or ']', but got ':' while parsing a flow sequence (column 9)",
    ),
    ("  orders", "\torders", "6: a tab in column 1; YAML is indented with spaces"),
    ("good", "\x07", "1: the character U+0007 is not allowed in YAML"),
    ("good", '"\\ud800"', "1: half of a surrogate pair is no character"),
    (GOOD, "", "1: the scenario is empty; expected a mapping with name, duration, ..."),
    (GOOD, "# nothing\n", "1: the scenario is empty; expected a mapping with name, duration, ..."),
    (GOOD, "\n- a\n", "2: expected a mapping with name, duration, ..., got a list"),
    (GOOD, "hello", '1: expected a mapping with name, duration, ..., got "hello"'),
]


def sentence(old: str, new: str) -> str:
    assert old in GOOD
    with pytest.raises(ScenarioError) as error:
        parse_scenario(GOOD.replace(old, new), source="x.yaml")
    return str(error.value)


@pytest.mark.parametrize(("keys", "text"), CLIENT)
def test_client(keys, text):
    assert sentence("release: 4.9.8", f"release: 4.9.8, {keys}") == f"x.yaml:3: client.{text}"


@pytest.mark.parametrize(("client", "text"), RELEASE)
def test_release(client, text):
    assert sentence("{release: 4.9.8}", client) == f"x.yaml:3: client.{text}"


@pytest.mark.parametrize(("keys", "text"), PRODUCERS)
def test_producers(keys, text):
    assert sentence("count: 2, rate: 100/s", keys) == f"x.yaml:4: producers.{text}"


@pytest.mark.parametrize(("topic", "text"), TOPICS)
def test_topics(topic, text):
    assert sentence("{queues: 8}", topic) == f"x.yaml:6: topics.orders.{text}"


@pytest.mark.parametrize(("broker", "text"), BROKERS)
def test_brokers(broker, text):
    assert sentence("{latency: {constant: 2ms}}", broker) == f"x.yaml:8: brokers.broker-a.{text}"


@pytest.mark.parametrize(("keys", "text"), FAULTS)
def test_faults(keys, text):
    where = "faults[0]: " if text.startswith("with") else "faults[0]."
    assert sentence("at: 10s, for: 1s, broker: broker-b, kind: hang", keys) == f"x.yaml:12: {where}{text}"


@pytest.mark.parametrize(("old", "new", "text"), TOP)
def test_the_form_and_the_top_level(old, new, text):
    assert sentence(old, new) == f"x.yaml:{text}"


def test_a_group_in_a_list_is_named_by_its_index():
    groups = "[{count: 1, rate: 1/s}, {count: 1, rte: 1/s}]"
    text = sentence("{count: 2, rate: 100/s}", groups)
    assert text == "x.yaml:4: producers[1].rte: unknown key; did you mean rate?"


def test_two_groups_of_one_name_are_refused():
    group = "{group: g, count: 1, rate: 1/s}"
    assert sentence("{count: 2, rate: 100/s}", f"[{group}, {group}]") == (
        "x.yaml:4: producers[1].group: two groups are named g"
    )


def test_the_first_by_line_is_reported_and_the_others_are_counted():
    text = GOOD.replace("queues: 8", "queues: 0").replace("count: 2", "count: 0").replace("4.9.8", "nine")
    with pytest.raises(ScenarioError) as error:
        parse_scenario(text, source="x.yaml")
    assert str(error.value).startswith('x.yaml:3: client.release: no release "nine"')
    assert str(error.value).endswith(" (and 2 more)")
    assert len(error.value.sentences) == 3


def test_what_a_broker_has_from_another_is_reported_once():
    text = sentence("{constant: 2ms}", "{constant: 2}")
    assert text.startswith("x.yaml:8: brokers.broker-a.latency.constant: ")
    assert "more)" not in text


@pytest.mark.parametrize("name", ["no", "on", "yes", "y", "null", "1", "007", "1.5", "2026-01-01"])
def test_words_that_yaml_would_convert_are_names_all_the_same(name):
    scenario = parse_scenario(GOOD.replace("broker-c", name))
    assert name in scenario.brokers
    assert parse_scenario(scenario.to_yaml()).digest() == scenario.digest()


def test_deep_nesting_is_refused():
    assert sentence("good", "[" * 50_000) == "x.yaml: values are nested too deep for a scenario"


def test_aliases_cannot_blow_the_scenario_up():
    layers = "".join(f"a{i + 1}: &a{i + 1} [{', '.join([f'*a{i}'] * 10)}]\n" for i in range(9))
    with pytest.raises(ScenarioError, match="more than 100000 values; write the scenario out"):
        parse_scenario(f"a0: &a0 [x]\n{layers}")


def file_sentence(path) -> str:
    with pytest.raises(ScenarioError) as error:
        load_scenario(path)
    return str(error.value)


def test_no_such_file(tmp_path):
    (tmp_path / "healthy.yaml").write_text(GOOD)
    wanted = tmp_path / "healty.yaml"
    assert file_sentence(wanted) == f"{wanted}: no such file; did you mean {tmp_path / 'healthy.yaml'}?"


def test_a_directory_is_no_scenario(tmp_path):
    assert file_sentence(tmp_path) == f"{tmp_path}: expected a scenario file, got a directory"


def test_a_binary_file_is_no_scenario(tmp_path):
    path = tmp_path / "x.yaml"
    path.write_bytes(b"\x89PNG\r\n")
    assert file_sentence(path) == f"{path}: expected YAML in UTF-8, got byte 0x89 at offset 0"


def test_a_file_with_zero_bytes_is_no_scenario(tmp_path):
    path = tmp_path / "x.yaml"
    path.write_bytes(b"name: x\0\0")
    assert file_sentence(path) == f"{path}: expected YAML in UTF-8, got a binary file"


def test_the_file_is_named_in_the_sentence(tmp_path):
    path = tmp_path / "x.yaml"
    path.write_text(GOOD.replace("count: 2", "count: many"))
    assert file_sentence(path).startswith(f"{path}:4: producers.count: ")
