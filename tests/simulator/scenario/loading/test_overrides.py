import pytest

from simulator.scenario import ScenarioError, load_scenario, parse_scenario
from tests.says import Said, Says, below, raises
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
        ("client.relase", "5.3.3", Says("reading.unknown-meant", near="release")),
        (
            "client.release",
            "6.0.0",
            Says("client.no-such-release", got='"6.0.0"', known="known: 4.2.0 to 5.5.0", near="5.5.0"),
        ),
        ("sead", "3", Says("reading.unknown-meant", near="seed")),
        ("seed", "three", Says("field.expected", got='"three"', low=0, high=9223372036854775807)),
        ("seed", "[1", Says("reading.value-unreadable")),
        ("name", "a: b", Says("field.text-expected", most=10000, got="a mapping")),
        ("name", "", Says("field.text-expected", most=10000, got="nothing")),
        ("name.first", "x", Says("reading.no-keys-to-set", path="name")),
        ("client..release", "x", Says("reading.dotted-path-expected")),
        (
            "brokers.broker-bb.send_threads",
            "2",
            Says("reading.not-known", what="broker", name="broker-bb", near="broker-b"),
        ),
        (
            "topics.order.queues",
            "2",
            Says("reading.not-known", what="topic", name="order", known="orders", near="orders"),
        ),
        ("faults.1.for", "2s", Says("reading.no-such-item", path="faults", index=1, last=0)),
        ("faults.for", "2s", Says("reading.index-missing", where="faults", size=1)),
        ("producers.rate", "50", Says("unit.expected", noun="rate", got=50)),
        (
            "client",
            "{release: 4.9.8, retry: 1}",
            Says("reading.unknown", "...client.retry"),
        ),
    ],
)
def test_a_wrong_override_is_named_in_the_sentence(key, value, text):
    with pytest.raises(ScenarioError) as error:
        with_set(key, value)
    assert Said(error.value) == below(f"--set {key}: ", text)


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
        ("producers.checkout.rate", Says("reading.not-known", what="producer group", name="checkout")),
        ("producers.rate", Says("reading.index-missing", where="producers", size=2)),
        ("producers.2.rate", Says("reading.no-such-item", path="producers", index=2, last=1)),
    ],
)
def test_a_group_that_is_not_there_is_refused(groups, key, sentence):
    with raises(ScenarioError, sentence):
        with_set(key, "7/s", groups)


def test_a_misspelt_key_of_the_only_group_is_taken_for_a_key():
    with raises(ScenarioError, Says("reading.unknown-meant", near="think")):
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
    with raises(ScenarioError, Says("field.expected", "--set seed", low=0)):
        load_scenario(file, {"seed": seed})
