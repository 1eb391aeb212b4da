import pytest

from simulator.scenario import ScenarioError, load_scenario, parse_scenario
from tests.simulator.small import text_of

TEXT = """\
name: overridden
duration: 1m
client: {release: 4.9.8}
producers: {count: 2, rate: 100/s}
topics: {orders: {queues: 8}}
brokers:
  broker-a: {latency: {constant: 2ms}}
  broker-b: {like: broker-a}
  broker-10.0: {like: broker-a}
faults:
  - {at: 10s, for: 1s, broker: broker-b, kind: hang}
"""


def with_set(key, value, text=TEXT):
    return parse_scenario(text, source="x.yaml", overrides={key: value})


@pytest.mark.parametrize(
    ("key", "value", "read"),
    [
        ("client.release", "5.3.3", lambda s: s.client.release == "5.3.3"),
        ("seed", "12", lambda s: s.seed == 12),
        ("brokers.broker-b.send_threads", "2", lambda s: s.brokers["broker-b"].send_threads == 2),
        ("brokers.broker-a.send_threads", "2", lambda s: s.brokers["broker-b"].send_threads == 2),
        ("brokers.broker-10.0.send_threads", "2", lambda s: s.brokers["broker-10.0"].send_threads == 2),
        ("brokers.new", "{like: broker-a}", lambda s: "new" in s.brokers),
        ("faults.0.for", "30s", lambda s: s.faults[0].for_us == 30_000_000),
        ("faults", "[]", lambda s: s.faults == ()),
        ("producers.rate", "50/s", lambda s: s.producers[0].rate_per_s == 50),
        ("producers.0.rate", "50/s", lambda s: s.producers[0].rate_per_s == 50),
        (
            "client.latency_max",
            "[1ms, 2ms, 3ms, 4ms, 5ms, 6ms, 7ms]",
            lambda s: s.client.latency_max_ms[6] == 7,
        ),
        ("name", "'a: b'", lambda s: s.name == "a: b"),
    ],
)
def test_a_value_is_set(key, value, read):
    assert read(with_set(key, value))


def test_one_group_of_a_list_needs_no_index():
    text = TEXT.replace("{count: 2, rate: 100/s}", "[{count: 2, rate: 100/s}]")
    assert with_set("producers.count", "3", text).producer_count == 3


def test_nothing_set_changes_nothing():
    assert parse_scenario(TEXT, overrides={}).digest() == parse_scenario(TEXT).digest()


@pytest.mark.parametrize(
    ("key", "value", "text"),
    [
        ("client.relase", "5.3.3", "unknown key; did you mean release?"),
        ("client.release", "6.0.0", 'no release "6.0.0"; known: 4.2.0 to 5.5.0; did you mean 5.5.0?'),
        ("sead", "3", "unknown key; did you mean seed?"),
        ("seed", "three", 'expected a whole number from 0 to 9223372036854775807, got "three"'),
        ("seed", "[1", "not YAML: expected ',' or ']', but got '<stream end>' while parsing a flow sequence"),
        ("name", "a: b", "expected a text of 1 to 10000 characters, got a mapping"),
        ("name", "", "expected a text of 1 to 10000 characters, got nothing"),
        ("name.first", "x", "name has no keys to set"),
        ("client..release", "x", "expected a dotted path such as client.release"),
        (
            "brokers.broker-bb.send_threads",
            "2",
            "no broker named broker-bb; known: broker-a, broker-b, broker-10.0; did you mean broker-b?",
        ),
        ("topics.order.queues", "2", "no topic named order; known: orders; did you mean orders?"),
        ("faults.1.for", "2s", "faults has no item 1; the last is 0"),
        ("faults.for", "2s", "faults is a list of 1; say which one, such as faults.0"),
        ("producers.rate", "50", "expected a rate such as 100/s, got 50"),
        (
            "client",
            "{release: 4.9.8, retry: 1}",
            "client.retry: unknown key; known: release, send_latency_fault_enable, latency_max, "
            "not_available_duration, retry_times_when_send_failed, retry_another_broker_when_not_store_ok, "
            "send_msg_timeout, send_msg_max_timeout_per_request, start_detector_enable, "
            "start_detector_property, retry_response_codes, connect_timeout, send_which_queue_start, "
            "which_item_worst_start, poll_name_server_interval, poll_phase, "
            "retry_times_when_send_async_failed, async_sender_threads, "
            "enable_backpressure_for_async_mode, back_pressure_for_async_send_num, "
            "back_pressure_for_async_send_size, auto_batch, batch_max_delay, batch_max_bytes, "
            "total_batch_max_bytes, max_message_size, compress_msg_body_over_howmuch, policy",
        ),
    ],
)
def test_a_wrong_override_is_named_in_the_sentence(key, value, text):
    with pytest.raises(ScenarioError) as error:
        with_set(key, value)
    assert str(error.value) == f"--set {key}: {text}"


GROUPS = """
producers:
- {group: web.eu, count: 2, rate: 100/s}
- {count: 1, rate: 1/s}
"""


@pytest.fixture
def groups():
    """The text with two groups of producers, the second without a name."""
    return TEXT.replace("producers: {count: 2, rate: 100/s}", GROUPS.strip())


@pytest.mark.parametrize(
    ("key", "place"),
    [("producers.web.eu.rate", 0), ("producers.0.rate", 0), ("producers.producers-2.rate", 1), ("producers.1.rate", 1)],
)
def test_a_group_of_producers_is_named_or_numbered(groups, key, place):
    assert with_set(key, "7/s", groups).producers[place].rate_per_s == 7


def test_the_only_group_may_be_named():
    assert with_set("producers.producers.rate", "7/s").producers[0].rate_per_s == 7
    assert with_set("producers.web.rate", "7/s", TEXT.replace("{count: 2", "{group: web, count: 2")).producers


@pytest.mark.parametrize(
    ("key", "sentence"),
    [
        ("producers.checkout.rate", "no producer group named checkout; known: web.eu, producers-2"),
        ("producers.rate", "producers is a list of 2; say which one, such as producers.0"),
        ("producers.2.rate", "producers has no item 2; the last is 1"),
    ],
)
def test_a_group_that_is_not_there_is_refused(groups, key, sentence):
    with pytest.raises(ScenarioError, match=sentence):
        with_set(key, "7/s", groups)


def test_a_misspelt_key_of_the_only_group_is_taken_for_a_key():
    with pytest.raises(ScenarioError, match="did you mean think"):
        with_set("producers.thnik.constant", "1ms")


def test_a_file_takes_plain_values_as_it_takes_text(tmp_path):
    file = tmp_path / "small.yaml"
    file.write_text(text_of())
    assert load_scenario(file, {"seed": 8}) == load_scenario(file, {"seed": "8"})
    assert load_scenario(file, {"seed": 8}).seed == 8


@pytest.mark.parametrize("seed", [-1, 1.5, True, None, [8]])
def test_a_plain_value_that_is_wrong_is_one_sentence(tmp_path, seed):
    file = tmp_path / "small.yaml"
    file.write_text(text_of())
    with pytest.raises(ScenarioError, match=r"^--set seed: expected a whole number from 0 to \d+, got "):
        load_scenario(file, {"seed": seed})
