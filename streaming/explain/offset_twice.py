"""An offset that two masters of a broker gave out, each to a message of its own, and what a group made of it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from streaming.explain.explanation import moment
from streaming.explain.group_delivery import GroupDelivery
from streaming.explain.queue_history import QueueHistory, Row
from streaming.explain.takeovers import elected, takeovers_of
from streaming.explain.texts.consumption_texts import ConsumptionTexts
from streaming.explain.texts.takeover_texts import TakeoverTexts


@dataclass(frozen=True)
class OffsetTwice:
    """election: the row of the new master. log_end: of the queue as it was elected.

    again_us: end of the window in which the offset was given out for the second time, None if it was not.
    """

    election: Row
    log_end: int
    again_us: int | None


def given_twice(history: QueueHistory) -> OffsetTwice | None:
    """The last election that gave the asked offset out for the second time, None if none did."""
    offset, windows = history.asked.offset, sorted(history.stored, key=lambda row: int(row["window_start_us"]))
    if offset is None:
        return None
    for election in reversed(takeovers_of(history.output, history.asked.broker)):
        at_us = election["at_us"]
        before = [row for row in windows if row["window_start_us"] < election["gone_us"]]
        after = [row for row in windows if _end_us(row) > at_us]
        if not before or not after:
            continue
        # The window of the election itself may have appends of either master.
        first = next((row for row in after if row["window_start_us"] >= at_us), after[0])
        log_end = min(int(first["max_offset"]) - int(first["appended"]), int(after[0]["max_offset"]))
        old_end = max(int(row["max_offset"]) for row in before)
        if log_end <= offset < old_end:
            again = next((_end_us(row) for row in after if row["max_offset"] > offset), None)
            return OffsetTwice(dict(election), log_end, again)
    return None


def _end_us(row: Row) -> int:
    return int(row["window_start_us"] + row["window_us"])


def twice_in_words(history: QueueHistory, twice: OffsetTwice, name: str) -> Iterator[str]:
    """What became of both messages at the offset for the group."""
    asked, new = history.asked, twice.election
    gone = moment(new["gone_us"])
    yield TakeoverTexts.GIVEN_OUT(
        name=name, gone=gone, broker=asked.broker, log_end=twice.log_end, elected=elected(new)
    )
    here = history.at_offset(asked.offset or 0)
    old = [one for one in here if one.stored_us < new["at_us"]]
    yield _of_old(history, old, new["gone_us"])
    if old and history.is_removed(old[0].stored_us):
        yield ConsumptionTexts.EARLIER_REMOVED(removed=history.output.rows_removed)
    if twice.again_us is None:
        yield TakeoverTexts.NOT_AGAIN(at=moment(history.end_us))
        return
    yield TakeoverTexts.GIVEN_AGAIN(at=moment(twice.again_us))
    later = [one for one in here if one.stored_us >= new["at_us"]]
    stored_us = history.stored_after_us([row for row in history.stored if _end_us(row) > new["at_us"]])
    if history.is_removed(max(stored_us, new["at_us"])):
        yield ConsumptionTexts.EARLIER_REMOVED(removed=history.output.rows_removed)
    if later:
        yield TakeoverTexts.SECOND(words=_in_words(later, asked.group))
    else:
        yield from _of_new(history, twice)


def _in_words(deliveries: list[GroupDelivery], group: str) -> str:
    return " ".join(one.in_words(group) for one in deliveries)


def _of_old(history: QueueHistory, old: list[GroupDelivery], gone_us: int) -> str:
    """What became of the first message; old: its deliveries, gone_us: when its master went away."""
    group = history.asked.group
    if old:
        return TakeoverTexts.FIRST_LOST_AFTER(stored=moment(old[0].stored_us), words=_in_words(old, group))
    if history.is_removed(history.stored_after_us([r for r in history.stored if r["window_start_us"] < gone_us])):
        return TakeoverTexts.FIRST_LOST_REMOVED(removed=history.output.rows_removed)
    if history.output.is_written("consumed"):
        return TakeoverTexts.FIRST_LOST(group=group)
    return TakeoverTexts.FIRST_LOST_UNKNOWN()


def _of_new(history: QueueHistory, twice: OffsetTwice) -> Iterator[str]:
    """Why the second message was not delivered."""
    group, offset, last = history.asked.group, history.asked.offset or 0, history.last
    for end_us, count in _skips(history, twice.election["at_us"]):
        beyond = twice.log_end + count
        if offset < beyond:
            yield TakeoverTexts.SECOND_SKIPPED(group=group, offset=beyond, count=count, at=moment(end_us))
            return
    if last is not None and (last["committed_offset"] or 0) > offset:
        yield TakeoverTexts.SECOND_PASSED(group=group, committed=last["committed_offset"])
        if not history.output.is_written("consumed"):
            yield TakeoverTexts.WHEN_CONSUMED()
    else:
        yield TakeoverTexts.SECOND_NOT_YET(group=group, at=moment(history.end_us))


def _skips(history: QueueHistory, at_us: int) -> list[tuple[int, int]]:
    """(end of the window, messages that the group skipped since then) for each window in which that grows."""
    found, base, count = list[tuple[int, int]](), 0, 0
    for row in sorted(history.stored, key=lambda row: int(row["window_start_us"])):
        skipped = int(row["skipped"] or 0)
        if _end_us(row) <= at_us:
            base = skipped
        elif skipped - base > count:
            count = skipped - base
            found.append((_end_us(row), count))
    return found
