"""Reading a recording: what cannot be used is reported, or set aside with its reason; nothing depends on the cuts."""

from __future__ import annotations

import gzip
import json

import pytest

from simulator.run.reject_texts import RejectTexts
from state.packing import LayoutError
from state.row import decode_tables
from streaming.errors import InputError
from streaming.flow.feeds import feed_of
from streaming.flow.recording_feed import Variation, replay_of, route_object
from streaming.flow.run_spec import RunSpec
from streaming.jobs.steppers import stepper_of
from streaming.recording.recording import load_recording
from streaming.texts.flow_texts import FlowTexts
from tests.says import Said, Says
from tests.streaming.recordings import (
    ABOUT,
    ASYNC_ABOUT,
    DETAIL,
    TRACES,
    async_rows,
    replayed,
    row,
    small_rows,
    spec_of,
    write,
)


@pytest.mark.parametrize(
    ("name", "cuts"),
    [
        ("live-5.3.3-s8", (1,)),
        ("live-5.3.3-s8", (1, 2)),
        ("live-5.3.3-s8", (3, 4, 11)),
        ("live-5.3.3-s8", tuple(range(1, 20))),
        ("live-4.9.8-s7", tuple(range(1, 24, 2))),
    ],
)
def test_decisions_do_not_depend_on_the_cuts(name, cuts):
    spec = spec_of(name)
    assert replayed(spec, cuts)["decisions"].equals(replayed(spec)["decisions"])


@pytest.mark.parametrize("rows_a_step", [1, 2, 3, 7])
def test_decisions_do_not_depend_on_the_size_of_a_step(tmp_path, rows_a_step):
    spec = str(write(tmp_path, small_rows()))
    cut = replayed(spec, range(1, 5), rows_a_step)["decisions"]
    assert cut.to_pylist() == replayed(spec)["decisions"].to_pylist()


@pytest.mark.parametrize("rows_a_step", [1, 2])
def test_nor_do_those_of_asynchronous_messages(tmp_path, rows_a_step):
    spec = str(write(tmp_path, async_rows(), ASYNC_ABOUT))
    cut = replayed(spec, range(1, 9 // rows_a_step), rows_a_step)["decisions"]
    assert cut.to_pylist() == replayed(spec)["decisions"].to_pylist()


def test_messages_under_way_at_once_have_slots_of_their_own():
    senders = replay_of(spec_of("live-4.9.8-s7")).plan.senders
    assert 100 < senders.slots < 1000
    assert len(senders.view_routes) == len(senders.views)


def test_the_state_holds_counters_and_fault_items_as_tables():
    spec = spec_of("live-4.9.8-s6")
    feed, stepper = feed_of(RunSpec("r", "recording", spec)), stepper_of(RunSpec("r", "recording", spec), 0, None, ())
    list(stepper.run(feed.blocks(0, 0, feed.steps)))
    tables = decode_tables(stepper.snapshot())
    assert tables["fault_items"].num_rows == 8 * 3
    assert tables["counters"].column("send_which_queue").drop_null().__len__() == 8


def test_the_state_of_another_recording_is_refused(tmp_path):
    spec = str(write(tmp_path, small_rows()))
    stored = stepper_of(RunSpec("r", "recording", spec), 0, None, ()).snapshot()
    with pytest.raises(LayoutError, match="recording"):
        stepper_of(RunSpec("r", "recording", spec_of("live-4.9.8-s6")), 0, stored, ())


def test_events_in_are_handled_or_rejected(tmp_path):
    spec = str(write(tmp_path, [*small_rows(), "nonsense"]))
    feed, stepper = feed_of(RunSpec("r", "recording", spec)), stepper_of(RunSpec("r", "recording", spec), 0, None, ())
    list(stepper.run(feed.blocks(0, 0, feed.steps)))
    kept = stepper.snapshot()
    assert (kept.events_in, kept.events_handled, kept.events_rejected) == (14, 13, 1)


# A line put before the last send, and why it is set aside.
BAD_LINES = [
    ("nonsense", "expected 27 fields, got 1"),
    (row("select", 25_000).replace("25000", "soon"), RejectTexts.WHOLE_NUMBER_EXPECTED(column="run_us", got="soon")),
    (row("explosion", 25_000), RejectTexts.UNKNOWN_EVENT()),
    (row("select", 25_000, send_seq=9), RejectTexts.FIELD_OF_EVENT_MISSING(event="select", field="attempt")),
    (row("select", 5, send_seq=9, attempt=1, ms_pre=0, steps=1, route=0), RejectTexts.CLOCK_GOES_BACK()),
    (
        row("select", 25_000, send_seq=9, attempt=1, ms_pre=5, ms_post=4, steps=1, route=0),
        RejectTexts.MS_OUT_OF_ORDER(),
    ),
    (row("select", 25_000, send_seq=9, attempt=1, ms_pre=25, steps=1, route=8), RejectTexts.UNKNOWN_ROUTE()),
    (row("route", 25_000, route=3, detail="broker-a"), FlowTexts.QUEUE_LIST_UNREADABLE().at("route")),
    (row("attempt_end", 25_000, send_seq=1, attempt=1, outcome="Boom", after="throw"), RejectTexts.NO_OUTCOME()),
    (
        row("attempt_end", 25_000, send_seq=1, attempt=1, outcome="SEND_OK", after="return"),
        RejectTexts.NOT_SELECTED(),
    ),
]


@pytest.mark.parametrize(("line", "reason"), BAD_LINES)
def test_a_row_that_cannot_be_used_is_set_aside(tmp_path, line, reason):
    rows = small_rows()
    spec = str(write(tmp_path, [*rows[:9], line, *rows[9:]]))
    tables = replayed(spec)
    (rejected,) = tables["rejects"].to_pylist()
    assert rejected["reason"].startswith(reason)
    assert rejected["position"].endswith("table recording, row 10")
    assert rejected["record"]
    assert tables["decisions"].num_rows == 15


def _refused(trace) -> Said:
    with pytest.raises(InputError) as error:
        replay_of(str(trace))
    return Said(error.value)


def test_a_recording_that_is_not_there(tmp_path):
    assert Says("recording.no-recording") in _refused(tmp_path / "nothing")


def test_a_log_is_no_recording_and_says_how_to_make_a_trace_of_it(tmp_path):
    (tmp_path / "log.csv").write_text("time,broker\n")
    assert Says("recording.a-log", file="log.csv") in _refused(tmp_path / "log.csv")


def test_a_description_that_is_not_there(tmp_path):
    path = write(tmp_path, small_rows())
    (tmp_path / "small.json").unlink()
    assert Says("recording.description-missing", name="small.json") in _refused(path)


def test_a_file_that_is_not_gzip(tmp_path):
    path = write(tmp_path, small_rows())
    path.write_text("event\n")
    assert "not gzip" in _refused(path)


def test_a_gzip_file_that_is_cut_short(tmp_path):
    path = write(tmp_path, small_rows())
    path.write_bytes(path.read_bytes()[:-20])
    assert "cut short" in _refused(path)


def test_a_file_with_other_columns(tmp_path):
    path = write(tmp_path, small_rows())
    path.write_bytes(gzip.compress(b"event,when\nselect,1\n"))
    assert Says("recording.column-missing", "...line 1", column="run_us") in _refused(path)


def test_a_recording_without_rows(tmp_path):
    assert Says("recording.empty") in _refused(write(tmp_path, []))


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"release": "4.9.99"}, "nearest known is 4.9.8"),
        ({"mode": "async"}, "retryTimesWhenSendAsyncFailed is missing"),
        ({"mode": "oneway"}, Says("recording.mode-expected", mode="oneway")),
        ({"sendMsgTimeout": "3s"}, "sendMsgTimeout is '3s'"),
        ({"latencyMax": [1]}, Says("recording.tables-expected")),
    ],
)
def test_a_description_that_cannot_be_used(tmp_path, change, said):
    assert said in _refused(write(tmp_path, small_rows(), {**ABOUT, **change}))


def test_a_description_that_lacks_a_key(tmp_path):
    about = {key: value for key, value in ABOUT.items() if key != "release"}
    assert Says("recording.key-missing", key="release") in _refused(write(tmp_path, small_rows(), about))


def test_a_description_that_is_not_json(tmp_path):
    path = write(tmp_path, small_rows())
    (tmp_path / "small.json").write_text("{\n")
    assert "small.json, line 2: not JSON" in _refused(path)


def test_a_recording_is_found_without_its_ending(tmp_path):
    path = write(tmp_path, small_rows())
    assert load_recording(str(tmp_path / "small")).path == path


def test_a_route_names_queues_and_permissions():
    route = route_object(DETAIL.replace("broker-b=w2:p6", "broker-b=w2:p4"))
    assert route.queues[2] == ("broker-b", 0)
    assert route.writes == {"broker-a": (2, True), "broker-b": (2, False)}


def test_a_variation_is_spelled_as_json():
    assert Variation.of('{"path": "x", "release": "5.3.3"}') == Variation("x", release="5.3.3")
    assert Variation.of("x") == Variation("x")


def test_the_recordings_stay_small():
    assert sum(path.stat().st_size for path in TRACES.iterdir()) < 12_000_000


def test_every_recording_is_whole():
    described = sorted(TRACES.glob("*.json"))
    assert [about.stem for about in described] == sorted(path.stem for path in TRACES.glob("*.parquet"))
    assert len(described) > 10
    for about in described:
        recording = load_recording(str(about.with_suffix(".parquet")))
        assert recording.rows.num_rows == json.loads(about.read_text())["rows"]
        assert recording.rows.column("problem").null_count == recording.rows.num_rows
