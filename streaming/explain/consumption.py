"""What became of one offset of one queue for a consumer group: delivered, again, not yet, or never, and why."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from itertools import pairwise
from typing import Any

from simulator.units import some
from streaming.clock import clock
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
from streaming.explain.texts.consumption_texts import ConsumptionTexts
from streaming.outputs.dataset import RunOutput
from streaming.report.fault_times import ReportFault, scenario_of

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
    name = ConsumptionTexts.OFFSET(offset=asked.offset, topic=history.topic, broker=asked.broker, queue=asked.queue)
    if last is not None and asked.offset is not None and asked.offset >= last["max_offset"]:
        yield ConsumptionTexts.NOTHING_STORED(offset=name, end=last["max_offset"])
        return
    twice = given_twice(history)
    if twice is not None:
        yield from twice_in_words(history, twice, name)
    elif history.deliveries:
        here = next(one for one in history.deliveries if _is_asked(history, one))
        yield ConsumptionTexts.STORED(offset=name, at=moment(here.stored_us))
        yield from _deliveries(history)
    elif last is None:
        yield ConsumptionTexts.NOT_KNOWN(offset=name)
        yield ConsumptionTexts.RUN_WITH_TABLES()
    else:
        yield from _not_delivered(history, name, last)


def _popped_unseen(history: QueueHistory, count: int) -> Iterator[str]:
    """That pops gave a message out that no instance handled: each has it come again with reconsumeTimes + 1."""
    if history.pops and count > 0 and not history.lacks_deliveries:
        yield ConsumptionTexts.POPPED_UNSEEN(count=count)


def _is_asked(history: QueueHistory, one: GroupDelivery) -> bool:
    asked = history.asked
    return one.place == (history.topic, asked.broker, asked.queue, asked.offset)


def _deliveries(history: QueueHistory) -> Iterator[str]:
    group, every = history.asked.group, history.deliveries
    if history.lacks_deliveries:
        yield ConsumptionTexts.EARLIER_REMOVED(removed=history.output.rows_removed)
    yield from _popped_unseen(history, every[0].reconsume_times)
    yield _delivered(history, every[0])
    for before, one in pairwise(every):
        yield _why_again(history, before, one)
        yield from _popped_unseen(history, one.reconsume_times - before.reconsume_times - 1)
        yield _delivered(history, one)
    yield _in_all(group, every, history)


def _delivered(history: QueueHistory, one: GroupDelivery) -> str:
    """A delivery, and where it was read if that is not the offset that is asked about."""
    words = one.in_words(history.asked.group, history.receives_itself)
    if _is_asked(history, one):
        return words
    place = ConsumptionTexts.OFFSET(offset=one.queue_offset, topic=one.topic, broker=one.broker, queue=one.queue_id)
    return words.at(place)


def _in_all(group: str, every: list[GroupDelivery], history: QueueHistory) -> str:
    """How often it was handled, and how it ended."""
    is_all = not history.lacks_deliveries
    handled = sum(one.result == HANDLED for one in every)
    failed = sum(one.has_failed for one in every)
    skipped = sum(one.result == DUPLICATE for one in every)
    late = sum(one.is_unacknowledged for one in every)
    if len(every) == handled == 1 and is_all:
        return ConsumptionTexts.HANDLED_ONCE()
    parts: list[str] = [ConsumptionTexts.HANDLED_TIMES(times=_times(handled))] if handled else []
    parts += [] if handled or late or not is_all else [ConsumptionTexts.NEVER_HANDLED()]
    parts += [ConsumptionTexts.UNACKNOWLEDGED_IN_TIME(count=late)] if late else []
    parts += [ConsumptionTexts.FAILED(count=failed)] if failed else []
    parts += [ConsumptionTexts.SKIPPED_AS_DUPLICATE(times=_times(skipped))] if skipped else []
    ended = "."
    if any(one.result == DEAD_LETTER for one in every):
        ended = ConsumptionTexts.DEAD_LETTER(group=group)
    elif not handled and every[-1].has_failed:
        ended = ConsumptionTexts.NO_FURTHER(end=moment(history.end_us))
    deliveries = f"{len(every):,} {'delivery' if len(every) == 1 else 'deliveries'}"
    text = ConsumptionTexts.IN_ALL if is_all else ConsumptionTexts.IN_ROWS_LEFT
    return text(deliveries=deliveries, parts=", ".join(parts), ended=ended)


def _times(count: int) -> str:
    return TIMES.get(count, f"{count:,} times")


def _why_again(history: QueueHistory, first: GroupDelivery, second: GroupDelivery) -> str:
    """Why there is a delivery after another one of the same message."""
    if first.is_left_to_its_time and first.place != second.place:
        return ConsumptionTexts.AGAIN_INVISIBLE()
    if history.pops and first.place == second.place and first.result != IN_PLACE:
        in_order = history.pops_in_order and first.is_left_to_its_time
        return ConsumptionTexts.AGAIN_IN_ORDER() if in_order else ConsumptionTexts.AGAIN_POPPED(broker=first.broker)
    if second.reconsume_times > first.reconsume_times and first.place != second.place:
        if first.result != HANDLED:
            return ConsumptionTexts.AGAIN_RETRY_TOPIC()
        return ConsumptionTexts.AGAIN_EARLIER_POP() if history.pops else ConsumptionTexts.AGAIN_SENT_BACK()
    if first.place != second.place:
        if second.reconsume_times > 0 or first.reconsume_times > 0:
            return ConsumptionTexts.AGAIN_AFTER_AN_EARLIER()
        return ConsumptionTexts.AGAIN_STORED_TWICE()
    if first.result == IN_PLACE:
        return ConsumptionTexts.AGAIN_IN_PLACE()
    if first.result == AGAIN_SOON:
        return ConsumptionTexts.AGAIN_IN_5_S()
    if _is_broadcast(history) and first.instance != second.instance:
        return ConsumptionTexts.AGAIN_BROADCAST(group=history.asked.group)
    if not history.output.is_written("assignments"):
        return ConsumptionTexts.AGAIN_UNKNOWN()
    return _why_read_again(history, first, second)


def _why_read_again(history: QueueHistory, first: GroupDelivery, second: GroupDelivery) -> str:
    """Why an offset of a queue was read again, by who held the queue."""
    who, other = second.instance, first.instance
    taken_us = history.taken_by(who, second.begin_us)
    reset = history.fault_of(who, first.begin_us, second.begin_us, "reset_offset")
    if reset is not None:
        return ConsumptionTexts.AGAIN_RESET(number=reset.number, when=reset.when)
    if taken_us is None:
        return ConsumptionTexts.AGAIN_UNSEEN()
    taken = moment(taken_us)
    if taken_us <= first.begin_us and who != other:
        return ConsumptionTexts.AGAIN_CACHED(instance=who, taken=taken, fault=_struck(history, who, first, second))
    if taken_us <= first.begin_us:
        if first.result in (SENT_BACK, SENT_BY_CLIENT, TO_THE_NEXT):
            return ConsumptionTexts.AGAIN_FAILED()
        return ConsumptionTexts.AGAIN_HELD(instance=who)
    fault, offset = _struck(history, other, first, second), _offset_before(history, taken_us, first.queue_offset)
    if who == other:
        return ConsumptionTexts.AGAIN_TAKEN_BACK(instance=who, taken=taken, fault=fault, offset=offset)
    lost_us = history.lost_by(other, first.begin_us)
    let_go = ""
    if lost_us is not None and lost_us <= second.begin_us:
        let_go = ConsumptionTexts.LET_GO(last=other, let_go_at=moment(lost_us))
    return ConsumptionTexts.AGAIN_TAKEN(instance=who, taken=taken, let_go=let_go, fault=fault, offset=offset)


def _offset_before(history: QueueHistory, taken_us: int, offset: int) -> str:
    """That the group had not committed an offset when its queue was taken; empty if it had, or none is known."""
    committed = history.committed(taken_us)
    if committed is None or committed > offset:
        return ""
    return ConsumptionTexts.COMMITTED_BEFORE(committed=committed, messages=some(offset - committed + 1, "message"))


def _struck(history: QueueHistory, instance: str, first: GroupDelivery, second: GroupDelivery) -> str:
    fault = history.fault_of(instance, first.begin_us, second.begin_us)
    if fault is None:
        return ""
    return ConsumptionTexts.MEANWHILE(what=fault.text, number=fault.number, when=fault.when)


def _at_the_end(fault: ReportFault) -> str:
    return ConsumptionTexts.AT_THE_END(what=fault.text, number=fault.number, when=fault.when)


def _is_broadcast(history: QueueHistory) -> bool:
    scenario = scenario_of(history.output)
    group = scenario.consumers.get(history.asked.group) if scenario is not None else None
    return group is not None and group.is_broadcasting


def _not_delivered(history: QueueHistory, name: str, last: Row) -> Iterator[str]:
    """Why there is no delivery in the tables, or why it is not known."""
    asked, end_us = history.asked, history.end_us
    committed, offset = last["committed_offset"], asked.offset or 0
    if committed is not None and committed > offset:
        yield ConsumptionTexts.PASSED(offset=name, group=asked.group, committed=committed)
        yield _passed(history, last)
        return
    if committed is None:
        yield ConsumptionTexts.NOTHING_COMMITTED(offset=name, at=moment(end_us), group=asked.group)
    else:
        yield ConsumptionTexts.NOT_COMMITTED(offset=name, at=moment(end_us), group=asked.group, committed=committed)
    yield from _holders(history, end_us)
    yield from _in_front(history, offset, committed or 0)
    if history.lacks_deliveries:
        yield ConsumptionTexts.EARLIER_REMOVED(removed=history.output.rows_removed)


def _passed(history: QueueHistory, last: Row) -> str:
    """What became of an offset that the group is past."""
    if not history.output.is_written("consumed"):
        return ConsumptionTexts.WHEN_CONSUMED_NOT_KNOWN()
    if history.lacks_deliveries:
        return ConsumptionTexts.NOT_IN_ROWS_LEFT(removed=history.output.rows_removed)
    reasons = []
    if last["missed"]:
        reasons.append(ConsumptionTexts.DELETED(count=last["missed"]))
    if last["skipped"]:
        reasons.append(ConsumptionTexts.SKIPPED(count=last["skipped"]))
    if not reasons and history.pops:
        return ConsumptionTexts.NOT_DELIVERED_POPPED()
    if not reasons:
        return ConsumptionTexts.NOT_DELIVERED_FILTERED()
    return ConsumptionTexts.NOT_DELIVERED(reasons="; ".join(reasons))


def _holders(history: QueueHistory, end_us: int) -> Iterator[str]:
    if history.pops:
        yield ConsumptionTexts.NOBODY_OWNS_POPPED(group=history.asked.group)
    elif not history.output.is_written("assignments"):
        yield ConsumptionTexts.OWNER_NOT_KNOWN()
        return
    owners = [] if history.pops else history.owners(end_us)
    if not owners and not history.pops:
        yield ConsumptionTexts.NOBODY_OWNS()
        yield from _failed_starts(history)
    for instance in owners:
        yield ConsumptionTexts.OWNER(instance=instance, since=moment(history.taken_by(instance, end_us) or 0))
        fault = history.fault_of(instance, end_us, end_us)
        if fault is not None:
            yield _at_the_end(fault)
    fault = history.fault_of(str(history.asked.broker), end_us, end_us)
    if fault is not None:
        yield _at_the_end(fault)


def _failed_starts(history: QueueHistory) -> Iterator[str]:
    """Instances that might have owned it and did not start."""
    rows = history.failed_starts
    if rows:
        count = sum(row["failed_starts"] for row in rows)
        first = clock(rows[0]["window_start_us"] + rows[0]["window_us"])
        yield ConsumptionTexts.FAILED_STARTS(count=count, group=history.asked.group, first=first)


def _in_front(history: QueueHistory, offset: int, committed: int) -> Iterator[str]:
    """What is before it in the queue, and how fast the queue is consumed."""
    blocking = [one for one in history.at_offset(committed) if one.result == IN_PLACE] if committed < offset else []
    if blocking:
        since = moment(blocking[0].begin_us)
        yield ConsumptionTexts.HOLDS_THE_QUEUE_UP(offset=committed, times=_times(len(blocking)), since=since)
        if history.is_removed(blocking[0].stored_us) and not history.lacks_deliveries:
            yield ConsumptionTexts.EARLIER_REMOVED(removed=history.output.rows_removed)
    before = offset - committed
    if before <= 0:
        return
    end_us = history.end_us
    recent = [row for row in history.stored if row["window_start_us"] >= end_us - LAST_WINDOWS * row["window_us"]]
    per_s = sum(row["consumed"] for row in recent) / (sum(row["window_us"] for row in recent) / 1e6)
    if per_s > 0 and not blocking:
        yield ConsumptionTexts.BEFORE_IT_AT(count=before, per_s=per_s, away_s=before / per_s)
    elif blocking:
        yield ConsumptionTexts.BEFORE_IT(count=before)
    else:
        yield ConsumptionTexts.BEFORE_IT_STILL(count=before, windows=len(recent))
