"""Metrics of a RocketMQ exporter: which samples are taken, for which broker and time, and what is rejected where."""

from __future__ import annotations

import math

import pytest

from streaming.errors import InputError
from streaming.importing.exporter_format import LOAD_10, LOAD_60, PUT_CLASS, Exposition
from streaming.importing.trace_metrics import scrapes_of
from streaming.texts.import_texts import ImportTexts
from tests.says import Says

TIME = "# time 2026-11-21T06:10:00Z"
AT_US = 1_795_241_400_000_000
NAMED = f'{LOAD_60}{{cluster="C",brokerIP="10.0.0.2:10911",broker="broker-b",}} 7.0'
RUNTIME = 'cluster="C",brokerIP="10.0.0.2:10911",brokerHost="h",des="V4_9_8",boottime="1",broker_version="401",'


def read(tmp_path, *lines, hosts=None):
    (tmp_path / "scrapes.txt").write_text("\n".join(lines) + "\n")
    exposition = Exposition(hosts or {})
    exposition.read(tmp_path / "scrapes.txt")
    return exposition


def test_a_scrape_has_the_time_of_the_line_before_it(tmp_path):
    found = read(tmp_path, "# HELP x y", TIME, NAMED, 'rocketmq_consumer_tps{group="g"} 3')
    assert found.table().to_pylist() == [{"at_us": AT_US, "broker": "broker-b", "metric": LOAD_60, "value": 7.0}]


def test_a_timestamp_of_the_sample_comes_first(tmp_path):
    found = read(tmp_path, TIME, f"{NAMED} {AT_US // 1000 + 1500}")
    assert found.table().column("at_us").to_pylist() == [AT_US + 1_500_000]


def test_samples_without_a_name_get_that_of_their_address(tmp_path):
    found = read(tmp_path, TIME, f"{LOAD_10}{{{RUNTIME}}} 5.0", NAMED)
    assert set(found.table().column("broker").to_pylist()) == {"broker-b"}
    found = read(tmp_path, TIME, f"{LOAD_10}{{{RUNTIME}}} 5.0", hosts={"10.0.0.2": "b"})
    assert found.table().column("broker").to_pylist() == ["b"]


@pytest.mark.parametrize(
    ("lines", "reason"),
    [
        ((NAMED,), ImportTexts.NO_TIME()),
        ((f'{LOAD_60}{{broker="b"',), ImportTexts.NO_SAMPLE()),
        (("# time yesterday",), ImportTexts.NO_KNOWN_TIME(known="")),
        ((TIME, f'{LOAD_60}{{broker="b"}} NaN'), ImportTexts.VALUE_NEGATIVE(value=math.nan)),
        ((TIME, f'{LOAD_60}{{cluster="C"}} 1'), ImportTexts.NO_BROKER()),
    ],
)
def test_a_bad_line_is_rejected_with_its_number(tmp_path, lines, reason):
    (reject,) = read(tmp_path, *lines).rejects
    assert reject["position"].endswith(f"scrapes.txt, line {len(lines)}")
    assert reject["reason"].startswith(reason)


def test_time_that_goes_back_is_reported(tmp_path):
    (jump,) = read(tmp_path, TIME, NAMED, "# time 2026-11-21T06:09:50Z", NAMED).jumps
    assert jump == Says("import-note.time-back", "...scrapes.txt, line 3", seconds=10.0)


def test_put_times_are_the_class_of_the_99th_percentile_and_the_sharper_load_is_taken(tmp_path):
    counts = {"0ms": 900, "0to10ms": 80, "50to100ms": 20}
    lines = [f"{PUT_CLASS}{name}{{{RUNTIME}}} {count}" for name, count in counts.items()]
    found = read(tmp_path, TIME, NAMED, f"{LOAD_10}{{{RUNTIME}}} 5.0", *lines)
    own = scrapes_of(found.table().to_pandas())["broker-b"]
    assert (own.put_ms.tolist(), own.puts_per_s.tolist(), own.window_us) == ([100], [5], 10_000_000)


def test_a_file_that_is_not_there_is_one_sentence(tmp_path):
    with pytest.raises(InputError, match=r"none.txt: cannot be read: .*No such file"):
        Exposition({}).read(tmp_path / "none.txt")


def test_sums_of_a_minute_are_divided(tmp_path):
    of_minute = f'{LOAD_60}{{cluster="C",brokerIP="10.0.0.2:10911",broker="broker-b",}}'
    found = read(tmp_path, TIME, f"{of_minute} 6103.0", f"{LOAD_10}{{{RUNTIME}}} 101.5")
    values = {row["metric"]: row["value"] for row in found.table().to_pylist()}
    assert (round(values[LOAD_60], 1), values[LOAD_10]) == (101.7, 101.5)
    assert found.sums == Says("import-note.divided-by-60", metric=LOAD_60, known=LOAD_10, per_s=101.5)
    assert read(tmp_path, TIME, f"{of_minute} 60.0").sums is None  # one whole figure alone says nothing
