"""Compaction changes files and not rows, whenever it is killed, and leaves what may be written again."""

from __future__ import annotations

import json
from unittest.mock import Mock

import pytest

from state.tables import TABLES
from streaming.errors import EnvironmentProblem, InputError
from streaming.files.parquet_files import STAGE
from streaming.jobs.folders.folder_lock import held
from streaming.outputs import compaction
from streaming.outputs.compaction import TIMES, compact
from streaming.outputs.dataset import open_output
from streaming.outputs.summary import summarise
from streaming.outputs.summary_texts import SummaryTexts
from streaming.texts.command_result_texts import CommandResultTexts
from streaming.texts.output_texts import OutputTexts
from tests.says import Says, raises
from tests.streaming.asked import ask
from tests.streaming.report.fake_output import SECOND, write_run, write_table

DAY_US = 86_400 * SECOND


@pytest.fixture
def out(tmp_path):
    """Six micro-batches of two attempts each, one an hour, of a run that may go on."""
    folder = write_run(tmp_path / "out", finished=False, clock_us=6 * 3600 * SECOND)
    for block in range(6):
        at_us = [block * 3600 * SECOND, block * 3600 * SECOND + 1]
        rows = {"broker": "broker-a", "send_seq": [2 * block, 2 * block + 1], "begin_us": at_us, "end_us": at_us}
        write_table(folder, "attempts", rows, block)
    return folder


def names(out):
    return sorted(path.name for path in (out / "attempts" / "run=main").iterdir())


def sequence(out):
    return [seq for batch in open_output(out).batches("attempts", ["send_seq"]) for seq in batch[0].to_pylist()]


def test_a_table_whose_file_is_gone_is_not_compacted(out, monkeypatch, capsys):
    note = out / "run.json"
    written = {"batch": 5, "before": {"attempts": 10}, "rows": {"attempts": 2}}
    note.write_text(json.dumps(json.loads(note.read_text()) | {"written": written}))
    next((out / "attempts" / "run=main").glob("b00000002*")).unlink()
    before = names(out)
    code, said = ask(monkeypatch, capsys, "compact", out)
    assert (code, names(out)) == (2, before)
    assert OutputTexts.ROWS_GONE(lost=2, was=12).at(out / "attempts") in said


def test_small_files_become_one_that_stands_where_the_first_stood(out):
    (found,) = compact(out, is_finished=False)
    assert (found.before, found.after, found.dropped_rows) == (6, 2, 0)
    assert names(out) == ["b00000000-p0000.parquet", "b00000005-p0000.parquet"]
    assert sequence(out) == list(range(12))
    assert not (out / STAGE).exists()


def test_the_last_micro_batch_is_left_alone_unless_the_run_is_finished(out):
    compact(out, is_finished=True)
    assert names(out) == ["b00000000-p0000.parquet"]
    assert sequence(out) == list(range(12))


def test_what_is_compact_already_is_not_written_again(out):
    compact(out, is_finished=False)
    before = [(path.name, path.stat().st_ino) for path in sorted((out / "attempts" / "run=main").iterdir())]
    (found,) = compact(out, is_finished=False)
    assert (found.before, found.after) == (2, 2)
    assert [(path.name, path.stat().st_ino) for path in sorted((out / "attempts" / "run=main").iterdir())] == before


def test_only_files_all_of_whose_rows_are_too_old_are_left_out(out):
    (found,) = compact(out, is_finished=False, oldest_us=2 * 3600 * SECOND + 1)
    assert (found.dropped_rows, sequence(out)) == (4, list(range(4, 12)))


def test_rows_of_every_table_grow_too_old_but_those_that_hold_until_the_next():
    assert set(TABLES) - set(TIMES) == {"rejects", "elections", "replicas", "proxied_consumers"}
    assert [name for name, column in TIMES.items() if column not in TABLES[name].schema.names] == []


def test_old_windows_of_consumers_are_removed_too(out):
    for block in range(3):
        write_table(out, "stored", {"window_start_us": [block * 3600 * SECOND], "topic": "orders"}, block)
    found = {each.table: each.dropped_rows for each in compact(out, is_finished=False, oldest_us=3600 * SECOND)}
    assert found["stored"] == 1


def test_a_merged_file_holds_no_more_than_a_day(out):
    write_table(out, "attempts", {"broker": "broker-a", "send_seq": [98], "end_us": 3 * DAY_US}, 6)
    write_table(out, "attempts", {"broker": "broker-a", "send_seq": [99], "end_us": 3 * DAY_US}, 7)
    compact(out, is_finished=True)
    assert names(out) == ["b00000000-p0000.parquet", "b00000006-p0000.parquet"]


@pytest.mark.parametrize("where", ["_merge", "exchange"])
def test_a_compaction_that_is_broken_off_changes_nothing(out, monkeypatch, where):
    before = names(out)

    def killed(*_):
        raise KeyboardInterrupt

    with monkeypatch.context() as broken:
        broken.setattr(compaction, where, killed)
        broken.setattr(compaction.shutil, "rmtree", lambda *_, **__: None)  # nor does a killed one clean up
        with pytest.raises(KeyboardInterrupt):
            compact(out, is_finished=False)
    assert (names(out), sequence(out)) == (before, list(range(12)))
    compact(out, is_finished=False)
    assert (len(names(out)), sequence(out)) == (2, list(range(12)))


def test_one_that_is_killed_after_the_exchange_has_done_its_work(out, monkeypatch):
    with monkeypatch.context() as broken:
        broken.setattr(compaction.shutil, "rmtree", lambda *_, **__: None)
        compact(out, is_finished=False)
    assert (out / STAGE).exists()
    assert (len(names(out)), sequence(out)) == (2, list(range(12)))


def test_a_file_system_that_cannot_exchange_is_reported_and_nothing_changes(out):
    with raises(EnvironmentProblem, Says("output.no-exchange")):
        compaction.exchange(out / "attempts", out / "nothing")
    assert sequence(out) == list(range(12))


def test_a_damaged_file_stops_it(out):
    (out / "attempts" / "run=main" / "b00000002-p0000.parquet").write_bytes(b"PAR1")
    with pytest.raises(InputError, match=r"b00000002-p0000.parquet: damaged"):
        compact(out, is_finished=False)
    assert len(names(out)) == 6


def test_the_command_tells_what_it_did_and_leaves_a_running_job_alone(out, monkeypatch, capsys):
    with held(out, "busy"):
        assert ask(monkeypatch, capsys, "compact", out)[0] == 2
    code, said = ask(monkeypatch, capsys, "compact", out, "--keep", "3h")
    removed = CommandResultTexts.OLD_ROWS_REMOVED(rows=6)
    assert (code, said) == (0, CommandResultTexts.COMPACTED(before=6, after=2, removed=removed).at("attempts"))
    assert ask(monkeypatch, capsys, "compact", out, "--keep", "0s")[0] == 2


def test_what_was_removed_is_noted_and_every_reader_of_the_run_is_told(out, monkeypatch, capsys):
    ask(monkeypatch, capsys, "compact", out, "--keep", "3h")
    assert json.loads((out / "run.json").read_text())["removed_before_us"] == 3 * 3600 * SECOND
    removed = OutputTexts.ROWS_REMOVED(until="3:00:00")
    assert summarise(out).removed == SummaryTexts.COUNTS_WHAT_IS_LEFT(removed=removed)
    whole = OutputTexts.WHOLE_RUN_EXPECTED(removed=removed).at(out)
    for asked in (("diff", out, out), ("import", "tables", out, "-o", out.parent / "trace")):
        code, said = ask(monkeypatch, capsys, *asked)
        assert (code, whole in said) == (2, True)


def noted(out):
    about = json.loads((out / "run.json").read_text())
    return about.get("compacted_before", 0), about.get("removed_before_us", 0), open_output(out).has_old_rows_removed


@pytest.mark.parametrize("is_damaged", [False, True])
def test_nothing_is_noted_where_a_compaction_fails_before_it_changed_a_table(out, monkeypatch, capsys, is_damaged):
    if is_damaged:
        (out / "attempts" / "run=main" / "b00000004-p0000.parquet").write_bytes(b"PAR1")
    else:
        monkeypatch.setattr(compaction, "exchange", Mock(side_effect=EnvironmentProblem("no exchange")))
    assert ask(monkeypatch, capsys, "compact", out, "--keep", "3h")[0] == (2 if is_damaged else 3)
    assert (len(names(out)), noted(out)) == (6, (0, 0, False))


def test_after_a_failed_compaction_the_next_one_notes_what_was_noted_before(out, monkeypatch, capsys):
    ask(monkeypatch, capsys, "compact", out, "--keep", "5h")
    was = noted(out)
    write_table(out, "attempts", {"broker": "broker-a", "send_seq": [12], "end_us": 6 * 3600 * SECOND}, 6)
    with monkeypatch.context() as broken:
        broken.setattr(compaction, "exchange", Mock(side_effect=EnvironmentProblem("no exchange")))
        assert ask(monkeypatch, capsys, "compact", out, "--keep", "1h")[0] == 3
    assert (was, noted(out)) == ((5, 3600 * SECOND, True), was)
    ask(monkeypatch, capsys, "compact", out)
    assert noted(out) == (6, 3600 * SECOND, True)


def test_a_table_that_was_changed_before_another_failed_stays_noted(out, monkeypatch, capsys):
    for block in range(2):
        write_table(out, "sends", {"send_seq": [block], "end_us": DAY_US}, block)
    (out / "sends" / "run=main" / "b00000000-p0000.parquet").write_bytes(b"PAR1")
    assert ask(monkeypatch, capsys, "compact", out, "--keep", "3h")[0] == 2
    assert (len(names(out)), noted(out)) == (2, (5, 3 * 3600 * SECOND, True))


def test_nothing_is_noted_as_merged_where_no_file_was(out, monkeypatch, capsys):
    monkeypatch.setattr(compaction, "SMALL_BYTES", 0)
    assert ask(monkeypatch, capsys, "compact", out)[0] == 0
    assert (len(names(out)), noted(out)) == (6, (0, 0, False))


def test_damaged_pages_stop_it_with_a_sentence(out, monkeypatch, capsys):
    file = out / "attempts" / "run=main" / "b00000002-p0000.parquet"
    data = file.read_bytes()
    file.write_bytes(data[:4] + bytes(200) + data[204:])
    code, said = ask(monkeypatch, capsys, "compact", out)
    assert (code, Says("output.table-damaged", str(file)) in said, len(names(out))) == (2, True, 6), said


def test_an_attempt_that_was_removed_is_not_explained_by_the_first_that_is_left(out, monkeypatch, capsys):
    ask(monkeypatch, capsys, "compact", out, "--keep", "3h")
    removed = OutputTexts.ROWS_REMOVED(until="3:00:00")
    code, said = ask(monkeypatch, capsys, "explain", out, "--at", "1:00:00")
    assert (code, removed.at("--at 1:00:00") in said) == (2, True), said
    code, said = ask(monkeypatch, capsys, "explain", out, "--producer", 0, "--topic", "orders", "--seq", 1)
    assert (code, removed in said) == (2, True), said


def test_nothing_is_noted_as_removed_where_every_file_has_newer_rows(out, monkeypatch, capsys):
    ask(monkeypatch, capsys, "compact", out)
    ask(monkeypatch, capsys, "compact", out, "--keep", "2h")
    assert (noted(out), summarise(out).removed) == ((5, 0, False), "")
