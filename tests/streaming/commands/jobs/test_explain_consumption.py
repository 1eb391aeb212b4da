"""Why a group consumed a message twice, or not yet."""

from __future__ import annotations

import pytest

from streaming.errors import InputError
from streaming.explain.consumption import explain_consumption
from streaming.explain.queue_history import AskedOffset
from streaming.outputs.dataset import open_output
from tests.streaming.asked import ask
from tests.streaming.report.fake_output import SECOND, write_run, write_table

QUEUE = {"topic": "orders", "broker": "broker-a", "queue_id": 3, "consumer_group": "billing"}
ASKED = AskedOffset("billing", "broker-a", 3, 120)
FAULT = {"at_us": 2 * SECOND, "until_us": 9 * SECOND, "broker": "", "kind": "hang", "more": '{"consumer": "billing-2"}'}


def run(folder, consumptions=(), committed=200, faults=()):
    """Ten seconds of a queue: billing-2 owns it, from 5 s on billing-1, too. consumptions: (who, begin, dropped)."""
    output = write_run(folder, consumer_groups=["billing"], faults=list(faults), clock_us=10 * SECOND,
                       tables=["stored", "assignments", *(["consumed"] if consumptions else [])])  # fmt: skip
    starts = [second * SECOND for second in range(10)]
    windows = {"window_start_us": starts, "window_us": SECOND, "max_offset": [250] * 10, "consumed": [10] * 10}
    write_table(folder, "stored", QUEUE | windows | {"committed_offset": [110] * 9 + [committed]})
    holders = {"instance": ["billing-2", "billing-1"], "from_us": [1, 5 * SECOND], "until_us": [10 * SECOND] * 2}
    write_table(folder, "assignments", QUEUE | holders | {"open": [True, True]})
    if consumptions:
        names, begins, dropped = zip(*consumptions, strict=True)
        times = {"begin_us": [at * SECOND for at in begins], "end_us": [at * SECOND + 50_000 for at in begins]}
        rows = {"instance": list(names), "dropped": list(dropped), "queue_offset": [120] * len(names)}
        rows["result"] = "handled"
        write_table(folder, "consumed", QUEUE | times | rows)
    return open_output(output)


def test_a_message_consumed_once_is_said_to_be(tmp_path):
    found = explain_consumption(run(tmp_path, [("billing-2", 1, False)]), ASKED)
    assert found.sentences[-1] == "It was delivered once, and handled."
    assert "billing-2 handled it from 0:01.000000 to 0:01.050000 on thread 0." in found.sentences


def test_what_was_not_reported_is_consumed_again_by_the_new_owner(tmp_path):
    twice = run(tmp_path, [("billing-2", 1, False), ("billing-1", 6, False)], faults=[FAULT])
    text = str(explain_consumption(twice, ASKED))
    assert "Why again: billing-1 took the queue at 0:05.000000; meanwhile billing-2 hangs (F1, 0:02 to 0:09)." in text
    assert "The group's offset was 110 before: of 11 messages up to this one none was committed yet." in text


def test_what_a_frozen_instance_had_cached_is_consumed_again_by_it(tmp_path):
    twice = run(tmp_path, [("billing-1", 6, False), ("billing-2", 9, False)], faults=[FAULT])
    assert "Why again: billing-2 had taken the queue at 0:00.000001 and had the message in its cache" in str(
        explain_consumption(twice, ASKED)
    )


def test_not_yet_says_what_is_before_it_and_how_far_away_it_is(tmp_path):
    text = explain_consumption(run(tmp_path, committed=100), ASKED).sentences
    assert text[0].endswith("is not committed at 0:10.000000: billing has committed 100 there.")
    assert text[-1] == "20 messages are before it; at the last 10.0 messages/s it is about 2 s away."


def test_consumed_without_the_table_says_which_table_is_missing(tmp_path):
    text = explain_consumption(run(tmp_path), ASKED).sentences
    assert text[-1].endswith("run with --tables ...,consumed.")


@pytest.mark.parametrize(
    ("asked", "why"),
    [
        (AskedOffset("biling", "broker-a", 3, 1), "did you mean billing?"),
        (AskedOffset("billing", "broker-d", 3, 1), "did you mean broker-"),
        (AskedOffset("billing", "broker-a", 4, 1), "the table stored has no queue 4 of orders on broker-a"),
        (AskedOffset("billing", "broker-a", None, 1), "give --broker, --queue and --offset"),
        (AskedOffset("billing", None, 3, 1), "give --broker, --queue and --offset"),
    ],
)
def test_what_is_not_there_is_one_sentence(tmp_path, asked, why):
    with pytest.raises(InputError, match=why):
        explain_consumption(run(tmp_path), asked)


def test_a_group_is_not_asked_by_what_names_an_attempt(monkeypatch, capsys, tmp_path):
    run(tmp_path)
    code, said = ask(monkeypatch, capsys, "explain", tmp_path, "--group", "billing", "--producer", 1, "--seq", 3)
    assert (code, said.strip()) == (2, "--group takes no --producer or --seq; give --broker, --queue and --offset")


def test_an_offset_beyond_the_end_is_no_message(tmp_path):
    (found,) = explain_consumption(run(tmp_path), AskedOffset("billing", "broker-a", 3, 250)).sentences
    assert found.endswith("nothing is stored there; the queue ends at offset 250.")
