"""What became of one offset of one queue for a consumer group: delivered, again, not yet, or never, and why."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from itertools import pairwise
from typing import Any

from streaming.clock import some
from streaming.explain.explanation import moment
from streaming.explain.group_delivery import (
    AGAIN_SOON,
    DEAD_LETTER,
    DUPLICATE,
    HANDLED,
    IN_PLACE,
    SENT_BACK,
    SENT_BY_CLIENT,
    TO_THE_NEXT,
    GroupDelivery,
)
from streaming.explain.offset_twice import given_twice, twice_in_words
from streaming.explain.queue_history import AskedOffset, QueueHistory, Row
from streaming.outputs.dataset import RunOutput
from streaming.report.fault_times import scenario_of

LAST_WINDOWS = 10  # that say how fast a queue is consumed
TIMES = {1: "once", 2: "twice"}


@dataclass(frozen=True)
class ExplainedConsumption:
    """The sentences, and the deliveries that they were made of."""

    asked: AskedOffset
    sentences: tuple[str, ...]
    deliveries: tuple[GroupDelivery, ...]

    def as_json(self) -> dict[str, Any]:
        """All of it as plain values."""
        rows = [asdict(one) for one in self.deliveries]
        return {"asked": asdict(self.asked), "consumptions": rows, "sentences": list(self.sentences)}

    def __str__(self) -> str:
        return "\n".join(self.sentences)


def explain_consumption(output: RunOutput, asked: AskedOffset) -> ExplainedConsumption:
    """What became of an offset for a group. Raises InputError."""
    history = QueueHistory(output, asked)
    return ExplainedConsumption(asked, tuple(_sentences(history)), tuple(history.deliveries))


def _sentences(history: QueueHistory) -> Iterator[str]:
    asked, last = history.asked, history.last
    name = f"Offset {asked.offset:,} of {history.topic}, {asked.broker} queue {asked.queue}"
    if last is not None and asked.offset is not None and asked.offset >= last["max_offset"]:
        yield f"{name}: nothing is stored there; the queue ends at offset {last['max_offset']:,}."
        return
    twice = given_twice(history)
    if twice is not None:
        yield from twice_in_words(history, twice, name)
    elif history.deliveries:
        here = next(one for one in history.deliveries if _is_asked(history, one))
        yield f"{name} was stored at {moment(here.stored_us)}."
        yield from _deliveries(history)
    elif last is None:
        yield f"{name}: the table stored was not written, so it is not known whether it was delivered."
        yield "Run with --tables ...,stored,assignments,consumed."
    else:
        yield from _not_delivered(history, name, last)


def _is_asked(history: QueueHistory, one: GroupDelivery) -> bool:
    asked = history.asked
    return one.place == (history.topic, asked.broker, asked.queue, asked.offset)


def _deliveries(history: QueueHistory) -> Iterator[str]:
    group, every = history.asked.group, history.deliveries
    yield _placed(history, every[0]) + every[0].in_words(group)
    for before, one in pairwise(every):
        yield _why_again(history, before, one)
        yield _placed(history, one) + one.in_words(group)
    yield _in_all(group, every, history.end_us)


def _placed(history: QueueHistory, one: GroupDelivery) -> str:
    """Where a delivery was read, if that is not the offset that is asked about."""
    if _is_asked(history, one):
        return ""
    return f"Offset {one.queue_offset:,} of {one.topic}, {one.broker} queue {one.queue_id}: "


def _in_all(group: str, every: list[GroupDelivery], end_us: int) -> str:
    """How often it was handled, and how it ended."""
    handled = sum(one.result == HANDLED for one in every)
    failed = sum(one.has_failed for one in every)
    skipped = sum(one.result == DUPLICATE for one in every)
    if len(every) == handled == 1:
        return "It was delivered once, and handled."
    parts = [f"handled {_times(handled)}" if handled else "never handled"]
    parts += [f"{failed:,} failed"] if failed else []
    parts += [f"skipped as a duplicate {_times(skipped)}"] if skipped else []
    text = f"In all: {len(every):,} {'delivery' if len(every) == 1 else 'deliveries'}, {', '.join(parts)}"
    if any(one.result == DEAD_LETTER for one in every):
        return f"{text}; given up, as a dead letter in %DLQ%{group}."
    if not handled and every[-1].has_failed:
        return f"{text}; the tables, which end at {moment(end_us)}, have no further delivery."
    return f"{text}."


def _times(count: int) -> str:
    return TIMES.get(count, f"{count:,} times")


def _why_again(history: QueueHistory, first: GroupDelivery, second: GroupDelivery) -> str:
    """Why there is a delivery after another one of the same message."""
    if second.reconsume_times > first.reconsume_times and first.place != second.place:
        return "Why again: the delivery before failed, and the message came back through the retry topic."
    if first.place != second.place:
        if second.reconsume_times > 0 or first.reconsume_times > 0:
            return "Why again: an earlier delivery of the message had failed and was sent back."
        return "Why again: the message is stored a second time there, so it is delivered a second time."
    if first.result in (IN_PLACE, AGAIN_SOON):
        where = "an orderly queue does not pass a message that failed" if first.result == IN_PLACE else (
            "it could not be sent back")  # fmt: skip
        return f"Why again: the delivery before failed, and {where}."
    if _is_broadcast(history) and first.instance != second.instance:
        return f"Why again: {history.asked.group} is broadcasting, so every instance is delivered every message."
    if not history.output.is_written("assignments"):
        return "Why again: the table assignments was not written, so it is not known who held the queue."
    return _why_read_again(history, first, second)


def _why_read_again(history: QueueHistory, first: GroupDelivery, second: GroupDelivery) -> str:
    """Why an offset of a queue was read again, by who held the queue."""
    who, other = second.instance, first.instance
    taken_us = history.taken_by(who, second.begin_us)
    reset = history.fault_of(who, first.begin_us, second.begin_us, "reset_offset")
    if reset is not None:
        return f"Why again: the group's offsets were set back meanwhile{_named(reset)}."
    if taken_us is None:
        return "Why again: the tables do not show when its instance took the queue."
    if taken_us <= first.begin_us and who != other:
        text = f"Why again: {who} had taken the queue at {moment(taken_us)} and had the message in its cache"
        return f"{text}{_struck(history, who, first, second)}."
    if taken_us <= first.begin_us:
        if first.result in (SENT_BACK, SENT_BY_CLIENT, TO_THE_NEXT):
            return "Why again: the delivery before failed."
        return f"Why again: the tables do not show it; {who} held the queue all the time."
    if who == other:
        text = f"Why again: {who} took the queue again at {moment(taken_us)}"
    else:
        lost_us = history.lost_by(other, first.begin_us)
        let_go = "" if lost_us is None or lost_us > second.begin_us else f"; {other} let go of it at {moment(lost_us)}"
        text = f"Why again: {who} took the queue at {moment(taken_us)}{let_go}"
    text += f"{_struck(history, other, first, second)}."
    committed, offset = history.committed(taken_us), first.queue_offset
    if committed is not None and committed <= offset:
        many = some(offset - committed + 1, "message")
        text += f" The group's offset was {committed:,} before: of {many} up to this one none was committed yet."
    return text


def _struck(history: QueueHistory, instance: str, first: GroupDelivery, second: GroupDelivery) -> str:
    fault = history.fault_of(instance, first.begin_us, second.begin_us)
    return "" if fault is None else f"; meanwhile {fault.text} ({fault.number}, {fault.when})"


def _named(fault: Any) -> str:
    return f" ({fault.number}, {fault.when})"


def _is_broadcast(history: QueueHistory) -> bool:
    scenario = scenario_of(history.output)
    group = scenario.consumers.get(history.asked.group) if scenario is not None else None
    return group is not None and group.is_broadcasting


def _not_delivered(history: QueueHistory, name: str, last: Row) -> Iterator[str]:
    """Why there is no delivery in the tables, or why it is not known."""
    asked, end_us = history.asked, history.end_us
    committed, offset = last["committed_offset"], asked.offset or 0
    if committed is not None and committed > offset:
        yield f"{name} is behind the group: {asked.group} has committed {committed:,}."
        yield _passed(history, last)
        return
    yield f"{name} is not committed at {moment(end_us)}: {asked.group} has committed {committed or 0:,} there."
    yield from _holders(history, end_us)
    yield from _in_front(history, last, offset, committed or 0)


def _passed(history: QueueHistory, last: Row) -> str:
    """What became of an offset that the group is past."""
    if not history.output.is_written("consumed"):
        return "When and by whom it was consumed, if it was, is in the table consumed; run with --tables ...,consumed."
    reasons = []
    if last["missed"]:
        reasons.append(f"{last['missed']:,} of the queue were deleted before they were consumed")
    if last["skipped"]:
        reasons.append(f"{last['skipped']:,} of the queue were skipped")
    found = f": {'; '.join(reasons)}" if reasons else "; a message with a tag that the group does not read is passed so"
    return f"It was not delivered{found}."


def _holders(history: QueueHistory, end_us: int) -> Iterator[str]:
    if not history.output.is_written("assignments"):
        yield "Who owns the queue is not known: the table assignments was not written."
        return
    owners = history.owners(end_us)
    if not owners:
        yield "Nobody owns the queue."
    for instance in owners:
        yield f"{instance} owns the queue since {moment(history.taken_by(instance, end_us) or 0)}."
        fault = history.fault_of(instance, end_us, end_us)
        if fault is not None:
            yield f"At the end {fault.text}{_named(fault)}."
    fault = history.fault_of(str(history.asked.broker), end_us, end_us)
    if fault is not None:
        yield f"At the end {fault.text}{_named(fault)}."


def _in_front(history: QueueHistory, last: Row, offset: int, committed: int) -> Iterator[str]:
    """What is before it in the queue, and how fast the queue is consumed."""
    blocking = [one for one in history.at_offset(committed) if one.result == IN_PLACE] if committed < offset else []
    if blocking:
        yield (
            f"Offset {committed:,} holds the queue up: it failed {_times(len(blocking))} since"
            f" {moment(blocking[0].begin_us)}, and an orderly queue does not pass it."
        )
    before = offset - committed
    if before <= 0:
        return
    end_us = history.end_us
    recent = [row for row in history.stored if row["window_start_us"] >= end_us - LAST_WINDOWS * row["window_us"]]
    per_s = sum(row["consumed"] for row in recent) / (sum(row["window_us"] for row in recent) / 1e6)
    if per_s > 0 and not blocking:
        away = f"at the last {per_s:,.1f} messages/s it is about {before / per_s:,.0f} s away"
        yield f"{before:,} messages are before it; {away}."
    elif blocking:
        yield f"{before:,} messages are before it."
    else:
        yield f"{before:,} messages are before it; none of the queue was consumed in the last {len(recent)} windows."
