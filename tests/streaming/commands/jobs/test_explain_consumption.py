"""Why a group consumed a message twice, or not yet."""

from __future__ import annotations

import pytest

from streaming.errors import InputError
from streaming.explain.consumption import explain_consumption
from streaming.explain.queue_history import AskedOffset
from streaming.outputs.dataset import open_output
from streaming.texts.command_texts import CommandTexts
from tests.says import Says, raises
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
    assert found.sentences[-1] == Says("consumption.handled-once")
    handled = {"instance": "billing-2", "begin": "0:01.000000", "end": "0:01.050000", "thread": 0, "ended": "."}
    assert Says("consumption.handled", **handled) in found.sentences


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
