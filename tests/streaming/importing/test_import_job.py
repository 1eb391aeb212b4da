"""The parts of a log, each in a process of its own."""

import os
import signal

import pyarrow.dataset as ds
import pytest

from streaming.errors import EnvironmentProblem
from streaming.importing import import_job
from streaming.importing.csv_log.csv_shape import CsvChoices
from streaming.importing.import_job import import_log
from streaming.importing.log import log_in
from tests.says import Says, raises

HEADER = "time,producer,topic,broker,latency_ms,outcome"


@pytest.fixture
def log(tmp_path, monkeypatch):
    """A log of three files, where neither Spark nor Java is at hand."""
    monkeypatch.setattr(import_job, "session_at_hand", lambda: None)
    monkeypatch.setenv("JAVA_HOME", str(tmp_path))
    files = [tmp_path / f"{name}.csv" for name in "abc"]
    for place, file in enumerate(files):
        lines = [f"{1795241400 + n},shop-{place},orders,broker-{place},{n + 1},SEND_OK" for n in range(place + 1)]
        file.write_text("\n".join([HEADER, *lines, "no row"]))
    return log_in("csv", files, {}, CsvChoices())


def test_every_part_is_read_once_and_what_each_held_is_in_order(log, tmp_path):
    told = []
    found = import_log(log, tmp_path / "trace", tell=told.append)
    assert [(part.rows, part.rejects, part.brokers) for part in found] == [
        (1, 1, ["broker-0"]), (2, 1, ["broker-1"]), (3, 1, ["broker-2"]),
    ]  # fmt: skip
    assert told == [1, 2, 3]
    rows = ds.dataset(tmp_path / "trace/attempts").to_table(columns=["producer", "latency_us"]).to_pylist()
    assert sorted(row["latency_us"] for row in rows if row["producer"] == "shop-2") == [1_000, 2_000, 3_000]


def _killed(*_):
    os.kill(os.getpid(), signal.SIGKILL)


def test_a_process_that_is_killed_is_one_sentence(log, tmp_path, monkeypatch):
    monkeypatch.setattr(import_job, "import_part", _killed)
    with raises(EnvironmentProblem, Says("import-note.process-ended")):
        import_log(log, tmp_path / "trace")
