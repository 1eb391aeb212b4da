"""Totals of an output folder."""

import time
from dataclasses import replace
from io import StringIO

import pyarrow as pa
import pytest
from rich.console import Console

from streaming.errors import InputError
from streaming.outputs.crosscheck import Counted, contradictions
from streaming.outputs.dataset import open_output
from streaming.outputs.summary import print_summary, summarise
from streaming.outputs.summary_texts import SummaryTexts
from streaming.outputs.tables.number_text import percent
from streaming.texts.output_texts import OutputTexts
from tests.says import Says, prints, raises
from tests.streaming.report.fake_output import SECOND, about, write_output, write_run, write_table


def write_sends(folder, **columns):
    rows = {"producer_group": ["orders-producer"] * 4, "result": ["SEND_OK"] * 4, "copies_stored": [1] * 4}
    write_table(folder, "sends", rows | {"attempts": [1] * 4, "copies_kept": [1] * 4, "messages": [1] * 4} | columns)


def printed(summary, width=80):
    console = Console(width=width, file=StringIO())
    print_summary(summary, console)
    return console.file.getvalue()


def test_messages_are_counted_by_group(tmp_path):
    groups = [{"group": name, "first": i, "count": 1, "threads": 1} for i, name in enumerate("ab")]
    write_run(tmp_path, producer_groups=groups)
    write_sends(tmp_path, producer_group=["a", "b", "b", "b"], attempts=[1, 1, 2, 3], copies_stored=[1, 1, 3, 0])
    summary = summarise(tmp_path)
    assert [group.messages for group in summary.groups] == [1, 3]
    assert summary.groups[1].attempts_per_message == 2
    assert summary.groups[1].duplicates == 2
    assert summary.total.messages == 4


def test_of_no_messages_nothing_is_a_success_or_a_failure(tmp_path):
    write_run(
        tmp_path, producer_groups=[{"group": name, "first": i, "count": 1, "threads": 1} for i, name in enumerate("ab")]
    )
    write_sends(tmp_path, producer_group=["b"] * 4)
    quiet, busy = summarise(tmp_path).groups
    assert (quiet.messages, quiet.success_percent, quiet.attempts_per_message, quiet.copies_per_message) == (0,) + (
        None,
    ) * 3
    assert busy.success_percent == 100


def test_only_send_ok_is_a_success(tmp_path):
    write_run(tmp_path)
    results = ["SEND_OK", "FLUSH_DISK_TIMEOUT", "RemotingTimeoutException", "SEND_OK"]
    write_sends(tmp_path, result=results, lost=[False, False, True, False])
    total = summarise(tmp_path).total
    assert (total.failed, total.lost, total.success_percent) == (2, 1, 50)


def test_every_message_is_counted_once_by_what_was_reported_and_what_is_kept(tmp_path):
    write_run(tmp_path)
    write_sends(tmp_path, acknowledged=[True, True, False, False], copies_kept=[0, 3, 1, 0], lost=[True] * 3 + [False])
    total = summarise(tmp_path).total
    assert (total.acknowledged_lost, total.acknowledged_once, total.acknowledged_doubled) == (1, 0, 1)
    assert (total.not_stored, total.failed_once, total.failed_doubled) == (1, 1, 0)
    assert not total.adds_up  # the column lost says three, the copies of what was acknowledged say one


def test_a_batch_counts_as_its_messages(tmp_path):
    write_run(tmp_path)
    brokers = ["a", None, "a", "a"]
    write_sends(tmp_path, messages=[10, 10, 1, 1], attempts=[1, 0, 1, 1], copies_stored=[2, 0, 1, 0], broker=brokers)
    total = summarise(tmp_path).total
    assert (total.messages, total.refused, total.duplicates) == (22, 10, 10)


def test_the_result_says_what_a_blocked_thread_does(tmp_path):
    group = {"group": "web", "first": 0, "count": 1, "threads": 1, "when_thread_blocked": "skip"}
    group |= {"blocking": "open arrivals, skipped when blocked"}
    write_run(tmp_path, producer_groups=[group], events={"skipped": 1234})
    skipped = SummaryTexts.SKIPPED_MESSAGES(blocking="open arrivals, skipped when blocked", skipped=1234)
    assert f"web: {skipped}\n" in printed(summarise(tmp_path))


def test_the_result_says_that_closed_loops_send_of_themselves(tmp_path):
    group = {"group": "web", "first": 0, "count": 1, "threads": 1, "when_thread_blocked": "closed"}
    write_run(tmp_path, producer_groups=[group])
    assert prints(printed(summarise(tmp_path)), SummaryTexts.CLOSED_LOOPS)


def test_attempts_are_counted_by_broker(tmp_path):
    write_run(tmp_path)
    brokers = ["broker-a", "broker-b", "broker-b", "broker-c"]
    outcomes = ["SEND_OK", "RemotingTimeoutException", "SEND_OK", "SEND_OK"]
    write_table(tmp_path, "attempts", {"broker": brokers, "outcome": outcomes, "end_us": [1, 3 * SECOND, 5, 7]})
    rows = summarise(tmp_path).brokers
    assert [(row.attempts, row.failures, row.share_percent) for row in rows] == [
        (1, 0, 25),
        (2, 1, 50),
        (1, 0, 25),
    ]
    assert rows[1].p99_ms == 3000


def test_all_micro_batches_count_and_hidden_files_do_not(tmp_path):
    write_run(tmp_path)
    for block in range(3):
        write_table(tmp_path, "attempts", {"broker": ["broker-a"] * 5}, block)
    partition = tmp_path / "attempts" / "run=main"
    (partition / "_partial.parquet").write_bytes(b"half a file")
    (tmp_path / "attempts" / ".spark").mkdir()
    assert summarise(tmp_path).brokers[0].attempts == 15


def test_other_runs_in_the_folder_do_not_count(tmp_path):
    write_run(tmp_path)
    for run in ("main", "other"):
        write_table(tmp_path, "attempts", {"broker": ["broker-a"] * 5}, run=run)
    assert summarise(tmp_path).brokers[0].attempts == 5


def test_windows_stand_in_for_attempts_that_are_not_written(tmp_path):
    write_run(tmp_path, tables=["windows", "rejects"])
    write_table(tmp_path, "windows", {"broker": ["broker-a", "broker-a"], "attempts": [7, 5], "failures": [1, 0]})
    row = summarise(tmp_path).brokers[0]
    assert (row.attempts, row.failures, row.p99_ms) == (12, 1, None)


def test_rejects_are_counted_by_reason(tmp_path):
    write_run(tmp_path)
    write_table(tmp_path, "rejects", {"reason": ["late", "unknown topic", "late"], "events": [1, 5, 2]})
    rejects = summarise(tmp_path).rejects
    assert [(row.reason, row.records, row.events) for row in rejects] == [
        ("unknown topic", 1, 5),
        ("late", 2, 3),
    ]


def test_tables_that_were_not_written_are_no_zeros(tmp_path):
    write_run(tmp_path, tables=["windows", "rejects"])
    write_table(tmp_path, "windows", {"broker": ["broker-a"], "attempts": [7]})
    summary = summarise(tmp_path)
    assert (summary.total, summary.groups) == (None, ())
    assert [row.isolated_s for row in summary.brokers] == [None] * 3
    assert summary.brokers[0].attempts == 7
    said = printed(summary)
    assert prints(said, SummaryTexts.NOT_WRITTEN, tables="attempts, sends, fault_items")
    assert "messages" not in said
    assert "success" not in said


def test_a_table_that_the_scenario_cannot_fill_is_not_missing(tmp_path):
    usual = {"usual_tables": ["attempts", "sends", "delays"], "consumer_groups": ["billing"]}
    written = write_run(tmp_path, tables=["attempts", "rejects"], **usual)
    assert summarise(written).not_written == ("sends", "delays")


def test_without_attempts_and_windows_a_broker_has_no_count(tmp_path):
    summary = summarise(write_run(tmp_path, tables=["sends", "rejects"]))
    assert (summary.brokers[0].attempts, summary.brokers[0].share_percent, summary.brokers[0].failures) == (None,) * 3


def test_events_that_do_not_add_up_are_reported(tmp_path):
    write_run(tmp_path, events={"generated": 9, "handled": 7, "rejected": 0, "skipped": 0})
    said = printed(summarise(tmp_path), width=200)
    differ = OutputTexts.EVENTS_DIFFER(generated=9, handled=7, rejected=0)
    assert prints(said, SummaryTexts.TOTALS_DIFFER, contradiction=differ)


def test_a_missing_part_of_attempts_is_reported(tmp_path):
    write_output(tmp_path, 2_000)
    assert summarise(tmp_path).contradictions == ()
    sorted((tmp_path / "attempts").rglob("*.parquet"))[1].unlink()
    by_sends, by_windows = summarise(tmp_path).contradictions
    assert by_sends == Says("output.attempts-of-sends-differ")
    assert by_windows == Says("output.attempts-of-windows-differ", other=by_sends.facts["one"])
    assert by_sends.facts["one"] < 2_000 <= by_sends.facts["other"] == by_windows.facts["one"]


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"counts": {"sends": 5}}, Says("output.sends-differ", one=5, other=4)),
        (
            {"events": {"generated": 6, "handled": 5, "rejected": 1}},
            Says("output.rejects-differ", one=1, other=0),
        ),
        (
            {"announced": 2, "counts": {"sends": 4}, "events": {"generated": 7, "handled": 7, "skipped": 2}},
            Says("output.arrivals-differ", one=3, other=4),
        ),
    ],
)
def test_counts_that_contradict_the_tables_are_reported(tmp_path, changes, sentence):
    write_run(tmp_path, **changes)
    write_sends(tmp_path)
    assert sentence in summarise(tmp_path).contradictions


def test_a_run_that_goes_on_is_not_checked(tmp_path):
    write_run(tmp_path, finished=False, counts={"sends": 5})
    write_sends(tmp_path)
    assert summarise(tmp_path).contradictions == ()


def test_a_one_way_attempt_says_nothing_of_the_latency_of_a_broker(tmp_path):
    write_run(tmp_path)
    columns = {"broker": ["broker-a"] * 3, "outcome": ["SENT_ONEWAY", "SENT_ONEWAY", "SEND_OK"]}
    write_table(tmp_path, "attempts", columns | {"end_us": [0, 0, 5_000]})
    row = summarise(tmp_path).brokers[0]
    assert (row.attempts, row.failures, row.p50_ms) == (3, 0, 5)


def test_summary_is_readable_at_80_columns(tmp_path):
    brokers = [f"production-broker-in-europe-west-{i}" for i in range(3)]
    fault = about()["faults"][0] | {"broker": brokers[1]}
    text = printed(summarise(write_output(tmp_path, 2_000, brokers=brokers, faults=[fault])))
    assert max(map(len, text.splitlines())) <= 80
    assert "…" not in text
    assert "s/producer" in text


def test_names_are_printed_as_they_are(tmp_path):
    assert "[red]night[/]" in printed(summarise(write_run(tmp_path, scenario_name="[red]night[/]")))


@pytest.mark.parametrize(
    ("content", "id"),
    [
        (None, "output.no-run-json"),
        ("{", "output.not-json"),
        ("[]", "output.not-by-sendlab"),
    ],
)
def test_a_folder_that_is_no_output_is_refused(tmp_path, content, id):
    if content is not None:
        (tmp_path / "run.json").write_text(content)
    with raises(InputError, Says(id)):
        summarise(tmp_path)


def test_an_output_without_its_keys_is_refused(tmp_path):
    (tmp_path / "run.json").write_text('{"sendlab": "1"}')
    with pytest.raises(InputError, match="missing"):
        summarise(tmp_path)


def test_a_missing_folder_is_refused(tmp_path):
    with raises(InputError, Says("output.no-folder")):
        open_output(tmp_path / "nowhere")


def test_a_file_is_no_output(tmp_path):
    (tmp_path / "scenario.yaml").touch()
    with raises(InputError, Says("output.a-file")):
        open_output(tmp_path / "scenario.yaml")


def test_a_damaged_file_is_refused_with_its_table(tmp_path):
    write_run(tmp_path)
    write_table(tmp_path, "attempts", {"broker": ["broker-a"]})
    (tmp_path / "attempts" / "run=main" / "b00000009-p0000.parquet").write_bytes(b"not parquet")
    with raises(InputError, Says("output.table-damaged", ".../attempts/run=main/b00000009-p0000.parquet")):
        summarise(tmp_path)


@pytest.mark.parametrize("kept", [0, 4, 500, -4])
def test_a_truncated_file_is_refused_by_its_name(tmp_path, kept):
    write_output(tmp_path, 2_000)
    file = sorted((tmp_path / "sends").rglob("*.parquet"))[0]
    file.write_bytes(file.read_bytes()[:kept])
    with raises(InputError, Says("output.table-damaged", str(file))):
        summarise(tmp_path)


def test_a_broker_that_is_not_listed_is_refused(tmp_path):
    write_run(tmp_path)
    write_table(tmp_path, "attempts", {"broker": ["broker-z"]})
    with pytest.raises(InputError, match="broker-z"):
        summarise(tmp_path)


def test_99_995_percent_is_not_called_100():
    values = (100, 99.9999, 12.345, 0.004, 0)
    assert [percent(value) for value in values] == ["100.00", "99.99", f"{12.345:.2f}", "under 0.01", "0.00"]


def test_files_are_not_read_ahead_of_a_slow_reader(tmp_path):
    output = open_output(write_run(tmp_path))
    for block in range(30):
        write_table(tmp_path, "attempts", {"broker": ["broker-a"], "begin_us": [0]}, block)
    first = tmp_path / "attempts" / "run=main" / "b00000000-p0000.parquet"
    write_table(tmp_path, "attempts", {"broker": ["broker-a"] * 100_000, "begin_us": range(100_000)})
    for file in first.parent.iterdir():
        file.write_bytes(first.read_bytes())
    held = []
    for _ in output.batches("attempts", ["begin_us", "end_us", "send_seq"]):
        time.sleep(0.02)
        held.append(pa.total_allocated_bytes())
    assert len(held) == 30
    assert max(held) - min(held) < 10 * 100_000 * 8


def test_attempts_that_reach_no_broker_are_no_contradiction_over_proxies():
    counted = Counted(90, 10, 100, 90, 0, 10, None, over_proxies=True)
    events = {"generated": 10, "handled": 10, "rejected": 0, "skipped": 0}
    assert contradictions(counted, events) == ()
    assert len(contradictions(replace(counted, attempts=110, window_attempts=110), events)) == 1
    assert len(contradictions(replace(counted, over_proxies=False), events)) == 1


def test_a_group_over_proxies_is_named_by_its_own_client(tmp_path):
    over = {"group": "a", "first": 0, "count": 1, "threads": 1, "release": "5.3.3", "over_proxies": True}
    write_run(tmp_path, producer_groups=[over | {"client": "rocketmq-client-go 5.1.4"}])
    write_sends(tmp_path, producer_group=["a"] * 4)
    assert summarise(tmp_path).clients == "client rocketmq-client-go 5.1.4 over proxies"


def test_clients_over_proxies_stand_beside_remoting_ones(tmp_path):
    groups = [{"group": name, "first": i, "count": 1, "threads": 1, "release": "5.3.3"} for i, name in enumerate("ab")]
    write_run(tmp_path, producer_groups=[groups[0] | {"over_proxies": True}, groups[1]])  # as earlier versions wrote it
    write_sends(tmp_path, producer_group=["a", "b", "b", "b"])
    assert summarise(tmp_path).clients.startswith("clients gRPC over proxies (a); 5.3.3, ")
