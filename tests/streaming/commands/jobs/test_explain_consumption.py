"""Why a group consumed a message twice, or not yet."""

from __future__ import annotations

import pytest

from streaming.errors import InputError
from streaming.explain.consumption import explain_consumption
from streaming.explain.queue_history import AskedOffset
from streaming.outputs.dataset import open_output
from streaming.texts.command_texts import CommandTexts
from streaming.texts.output_texts import OutputTexts
from tests.says import Says, raises
from tests.streaming.asked import ask
from tests.streaming.report.fake_output import SECOND, write_run, write_table

QUEUE = {"topic": "orders", "broker": "broker-a", "queue_id": 3, "consumer_group": "billing"}
ASKED = AskedOffset("billing", "broker-a", 3, 120)
FAULT = {"at_us": 2 * SECOND, "until_us": 9 * SECOND, "broker": "", "kind": "hang", "more": '{"consumer": "billing-2"}'}


def run(folder, consumptions=(), committed=200, faults=(), removed_s=0, stored_s=0):
    """Ten seconds of a queue: billing-2 owns it, from 5 s on billing-1, too. consumptions: (who, begin, dropped).

    stored_s: when its messages are stored. removed_s: rows from before then may have been removed.
    """
    output = write_run(folder, consumer_groups=["billing"], faults=list(faults), clock_us=10 * SECOND,
                       removed_before_us=removed_s * SECOND,
                       tables=["stored", "assignments", *(["consumed"] if consumptions else [])])  # fmt: skip
    starts = [second * SECOND for second in range(10)]
    windows = {"window_start_us": starts, "window_us": SECOND, "consumed": [10] * 10}
    windows["max_offset"] = [100] * stored_s + [250] * (10 - stored_s)
    write_table(folder, "stored", QUEUE | windows | {"committed_offset": [110] * 9 + [committed]})
    holders = {"instance": ["billing-2", "billing-1"], "from_us": [1, 5 * SECOND], "until_us": [10 * SECOND] * 2}
    write_table(folder, "assignments", QUEUE | holders | {"open": [True, True]})
    if consumptions:
        names, begins, dropped = zip(*consumptions, strict=True)
        times = {"begin_us": [at * SECOND for at in begins], "end_us": [at * SECOND + 50_000 for at in begins]}
        rows = {"instance": list(names), "dropped": list(dropped), "queue_offset": [120] * len(names)}
        rows |= {"result": "handled", "arrival_us": stored_s * SECOND, "stored_us": stored_s * SECOND}
        write_table(folder, "consumed", QUEUE | times | rows)
    return open_output(output)


def test_a_message_consumed_once_is_said_to_be(tmp_path):
    found = explain_consumption(run(tmp_path, [("billing-2", 1, False)]), ASKED)
    assert found.sentences[-1] == Says("consumption.handled-once")
    handled = {"instance": "billing-2", "begin": "0:01.000000", "end": "0:01.050000", "thread": 0, "ended": "."}
    assert Says("consumption.handled", **handled) in found.sentences


@pytest.mark.parametrize(("removed_s", "last"), [(1, "consumption.handled-once"), (2, "consumption.in-rows-left")])
def test_a_message_whose_first_delivery_may_be_removed_is_not_said_to_be_delivered_once(tmp_path, removed_s, last):
    left = run(tmp_path, [("billing-2", 3, False)], removed_s=removed_s, stored_s=1)
    sentences = explain_consumption(left, ASKED).sentences
    assert sentences[-1] == Says(last)
    removed = OutputTexts.ROWS_REMOVED(until="0:02")
    assert (Says("consumption.earlier-removed", removed=removed) in sentences) == (removed_s == 2)


@pytest.mark.parametrize(
    ("removed_s", "why"), [(1, "consumption.not-delivered-filtered"), (2, "consumption.not-in-rows-left")]
)
def test_no_reason_is_given_for_a_delivery_that_may_be_removed(tmp_path, removed_s, why):
    left = run(tmp_path, [("billing-2", 3, False)], removed_s=removed_s, stored_s=1)
    sentences = explain_consumption(left, AskedOffset("billing", "broker-a", 3, 119)).sentences
    assert (sentences[0], sentences[1]) == (Says("consumption.passed"), Says(why))


def test_what_is_not_committed_may_have_been_delivered_in_rows_that_are_removed(tmp_path):
    left = run(tmp_path, [("billing-2", 3, False)], committed=110, removed_s=2)
    assert explain_consumption(left, AskedOffset("billing", "broker-a", 3, 119)).sentences[-1] == Says(
        "consumption.earlier-removed"
    )


def test_what_was_not_reported_is_consumed_again_by_the_new_owner(tmp_path):
    twice = run(tmp_path, [("billing-2", 1, False), ("billing-1", 6, False)], faults=[FAULT])
    sentences = explain_consumption(twice, ASKED).sentences
    fault = {"what": "billing-2 hangs", "number": "F1", "when": "0:02 to 0:09"}
    before = {"committed": 110, "messages": "11 messages"}
    taken = {"instance": "billing-1", "taken": "0:05.000000", "let_go": ""}
    assert Says("consumption.again-taken", **taken, **fault, **before) in sentences


def test_what_a_frozen_instance_had_cached_is_consumed_again_by_it(tmp_path):
    twice = run(tmp_path, [("billing-1", 6, False), ("billing-2", 9, False)], faults=[FAULT])
    cached = Says("consumption.again-cached", instance="billing-2", taken="0:00.000001")
    assert cached in explain_consumption(twice, ASKED).sentences


def test_not_yet_says_what_is_before_it_and_how_far_away_it_is(tmp_path):
    text = explain_consumption(run(tmp_path, committed=100), ASKED).sentences
    assert text[0] == Says("consumption.not-committed", at="0:10.000000", group="billing", committed=100)
    assert text[-1] == Says("consumption.before-it-at", count=20, per_s=10.0, away_s=2.0)


def test_consumed_without_the_table_says_which_table_is_missing(tmp_path):
    text = explain_consumption(run(tmp_path), ASKED).sentences
    assert text[-1] == Says("consumption.when-consumed-not-known")


@pytest.mark.parametrize(
    ("asked", "says"),
    [
        (
            AskedOffset("billing", "broker-a", 4, 1),
            Says("explain.no-queue", queue=4, topic="orders", broker="broker-a"),
        ),
        (AskedOffset("billing", "broker-a", None, 1), Says("explain.which-offset")),
        (AskedOffset("billing", None, 3, 1), Says("explain.which-offset")),
    ],
)
def test_what_is_not_there_is_one_sentence(tmp_path, asked, says):
    with raises(InputError, says):
        explain_consumption(run(tmp_path), asked)


@pytest.mark.parametrize(
    ("group", "broker", "near"), [("biling", "broker-a", "billing?"), ("billing", "broker-d", "broker-")]
)
def test_another_spelling_is_proposed(tmp_path, group, broker, near):
    with pytest.raises(InputError, match=f"did you mean {near}"):
        explain_consumption(run(tmp_path), AskedOffset(group, broker, 3, 1))


def test_a_group_is_not_asked_by_what_names_an_attempt(monkeypatch, capsys, tmp_path):
    run(tmp_path)
    code, said = ask(monkeypatch, capsys, "explain", tmp_path, "--group", "billing", "--producer", 1, "--seq", 3)
    assert (code, said.strip()) == (2, CommandTexts.GROUP_TAKES_NO(options="--producer or --seq"))


def test_an_offset_beyond_the_end_is_no_message(tmp_path):
    (found,) = explain_consumption(run(tmp_path), AskedOffset("billing", "broker-a", 3, 250)).sentences
    assert found == Says("consumption.nothing-stored", end=250)
