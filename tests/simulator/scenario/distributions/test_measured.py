import pytest

from simulator.kernel.latency import mean_us
from simulator.scenario import ScenarioError, load_scenario
from tests.says import Said, Says, below, raises

SCENARIO = """\
name: measured
duration: 1m
client: {release: 4.9.8}
producers: {count: 1, rate: 1/s}
topics: {orders: {}}
brokers:
  broker-a: {latency: LATENCY}
  broker-b: {like: broker-a}
"""
ROWS = "flush,broker_service_us\nASYNC,1000\nSYNC,90000\nASYNC,3000\nASYNC,2000\n"


@pytest.fixture
def load(tmp_path):
    def load(latency, content=ROWS, name="x.csv"):
        (tmp_path / name).write_text(content)
        (tmp_path / "s.yaml").write_text(SCENARIO.replace("LATENCY", latency))
        return load_scenario(tmp_path / "s.yaml")

    return load


def test_a_column_becomes_a_table(load):
    scenario = load("{file: x.csv, column: broker_service_us, where: {flush: ASYNC}}")
    table = scenario.brokers["broker-b"].latency.table
    assert (table[0], table[-1]) == ((0, 1_000), (1_000_000, 3_000))
    assert mean_us(scenario.brokers["broker-a"].service_table_us()) == pytest.approx(2_000, rel=1e-3)


def test_plain_numbers_have_one_value_a_line(load):
    scenario = load("{file: x.csv, unit: ms}", "1.5\n\n2.5\n")
    assert scenario.brokers["broker-a"].latency.table[0] == (0, 1_500)


def test_a_file_and_its_table_have_one_digest(load, tmp_path):
    scenario = load("{file: x.csv, column: broker_service_us}")
    (tmp_path / "again.yaml").write_text(scenario.to_yaml())
    assert load_scenario(tmp_path / "again.yaml").digest() == scenario.digest()


@pytest.mark.parametrize(
    ("latency", "content", "text"),
    [
        ("{file: x.csv, colum: a}", ROWS, Says("reading.unknown-meant", "...colum", near="column")),
        ("{file: x.csv, unit: min}", "1\n", Says("field.expected", "...unit", got='"min"')),
        (
            "{file: x.csv, column: service_us}",
            ROWS,
            "file: x.csv: no column named service_us; known: flush, broker_service_us; did you mean broker_service_us?",
        ),
        (
            "{file: x.csv}",
            "1\nx\n",
            Says("message.number-expected", "...file", file="x.csv", line=2, limit="10m", got='"x"'),
        ),
        (
            "{file: x.csv}",
            "1\n-2\n",
            Says("message.number-expected", "...file", file="x.csv", line=2, limit="10m", got='"-2"'),
        ),
        (
            "{file: x.csv}",
            "nan\n",
            Says("message.number-expected", "...file", file="x.csv", line=1, limit="10m", got='"nan"'),
        ),
        ("{file: x.csv}", "", Says("message.no-values", "...file", file="x.csv")),
        ("{file: x.csv, column: flush}", "flush,b\n1\n", "file: x.csv line 2: expected 2 columns, got 1"),
        (
            "{file: x.csv, column: broker_service_us, where: {flush: NONE}}",
            ROWS,
            Says("message.no-matching-values", "...file", file="x.csv"),
        ),
    ],
)
def test_a_file_that_cannot_be_used(load, latency, content, text):
    with pytest.raises(ScenarioError) as error:
        load(latency, content)
    assert below("...s.yaml:7: brokers.broker-a.latency.", text) in Said(error.value)


def test_a_file_that_is_not_there(load, tmp_path):
    with raises(ScenarioError, Says("reading.no-measurements", "...latency.file")):
        load("{file: gone.csv}")


def test_a_file_that_is_binary(load, tmp_path):
    (tmp_path / "b.bin").write_bytes(b"\xff\xfe\x00")
    with raises(ScenarioError, Says("reading.measurements-are-binary")):
        load("{file: b.bin}")


def test_a_file_that_is_a_directory(load, tmp_path):
    (tmp_path / "d").mkdir()
    with raises(ScenarioError, Says("reading.measurements-cannot-be-read", reason="Is a directory")):
        load("{file: d}")
