"""What is measured of a consumer group, recorded or simulated: backlog, waits, duplicates, takeovers, silences.

Lag: messages that are stored and not yet consumed. Drained: the lag is down to DRAINED_PART of its maximum for the
first time after that. A takeover is counted from the moment at which an instance died until another holds its queue;
the silence of a queue until its next message is consumed.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from streaming.proof.consumers.consumer_recording import Action
from streaming.proof.consumers.group_seen import GroupSeen

DRAINED_PART = 0.01
SECOND_MS = 1000
MEMBERS_END = ("kill9", "sigterm")
BROKER_ENDS = {"kill9": "port_open", "sigstop": "sigcont"}
NEVER = math.inf


@dataclass(frozen=True)
class GroupFigure:
    """One measured number, of a producer too; `of`: s, messages or %. NEVER for what did not happen until the end."""

    name: str
    value: float
    of: str


def figures_of(seen: GroupSeen, actions: Sequence[Action]) -> list[GroupFigure]:
    """Every figure of a group; `actions`: what was done to its instances and to brokers."""
    return [*_backlog(seen), *_ownership(seen), *_disturbed(seen, actions)]


def _backlog(seen: GroupSeen) -> Iterator[GroupFigure]:
    again = len(seen.consumed_ms) - int(seen.is_first.sum())
    yield GroupFigure("consumed twice", again, "messages")
    times, lag = seen.lag
    most = int(lag.argmax())
    yield GroupFigure("lag, maximum", int(lag[most]), "messages")
    if lag[most] > 0:
        yield GroupFigure("lag, maximum at", times[most] / SECOND_MS, "s")
        after = np.flatnonzero(lag[most:] <= DRAINED_PART * lag[most])
        yield GroupFigure("drained at", times[most + after[0]] / SECOND_MS if len(after) else NEVER, "s")
    waited = np.sort((seen.consumed_ms - seen.stored_ms)[seen.is_first])
    if len(waited):
        for percent in (50, 99):
            value = waited[min(len(waited) - 1, len(waited) * percent // 100)] / SECOND_MS
            yield GroupFigure(f"stored until consumed, p{percent}", float(value), "s")
    yield GroupFigure("not consumed by the end", int(lag[-1]) if len(lag) else 0, "messages")


def _ownership(seen: GroupSeen) -> Iterator[GroupFigure]:
    """Sums over queues of the time without an owner and with several, from when all had one until the end."""
    first = [min((one.from_ms for one in seen.held if one.queue == queue), default=None) for queue in seen.queues]
    known = [moment for moment in first if moment is not None]
    if not known:
        return
    begin = max(known)
    without = double = 0
    for queue in seen.queues:
        nobody, several = _without_and_double(seen, queue, begin)
        without += nobody
        double += several
    yield GroupFigure("queues without an owner, sum", without / SECOND_MS, "s")
    yield GroupFigure("queues with two owners, sum", double / SECOND_MS, "s")


def _without_and_double(seen: GroupSeen, queue: str, begin: int) -> tuple[int, int]:
    steps = [(max(one.from_ms, begin), 1) for one in seen.held if one.queue == queue and one.until_ms > begin]
    steps += [(one.until_ms, -1) for one in seen.held if one.queue == queue and one.until_ms > begin]
    without = double = 0
    count, at = 0, begin
    for moment, step in sorted(steps):
        if count == 0:
            without += moment - at
        elif count > 1:
            double += moment - at
        count, at = count + step, moment
    return without + (max(seen.end_ms - at, 0) if count == 0 else 0), double


def _disturbed(seen: GroupSeen, actions: Sequence[Action]) -> Iterator[GroupFigure]:
    """What each action did to the queues that it concerned."""
    instances = {one.instance for one in seen.held}
    brokers = {queue.partition(":")[0] for queue in seen.queues}
    for place, action in enumerate(actions):
        if action.kind in MEMBERS_END and action.target in instances:
            yield from _taken_over(seen, action)
        elif action.kind in BROKER_ENDS and action.target in brokers:
            ends = BROKER_ENDS[action.kind]
            back = next((one for one in actions[place:] if one.kind == ends and one.target == action.target), None)
            yield from _broker_gone(seen, action, back)
        elif action.kind == "start" and action.target in instances and action.at_ms > 0:
            yield from _joined(seen, action)


def _taken_over(seen: GroupSeen, action: Action) -> Iterator[GroupFigure]:
    """Per queue of a dead instance: when another holds it, and when its next message is consumed."""
    queues = [queue for queue in seen.queues if action.target in seen.holders(queue, action.at_ms - 1)]
    owner, message = [], []
    for queue in queues:
        begins = [
            one.from_ms
            for one in seen.held
            if one.queue == queue and one.instance != action.target and one.until_ms > action.at_ms
        ]
        owner.append(max(min(begins, default=NEVER) - action.at_ms, 0))
        times = seen.consumptions_of(queue)
        later = times[times > action.at_ms]
        message.append(float(later[0]) - action.at_ms if len(later) else NEVER)
    name = f"{action.target} {action.kind}"
    yield from _range(f"{name}: another owner after", owner)
    yield from _range(f"{name}: next message after", message)


def _broker_gone(seen: GroupSeen, action: Action, back: Action | None) -> Iterator[GroupFigure]:
    """The silence of a broker's queues around its absence, and from its return until their first message."""
    name = f"{action.target} {action.kind}"
    own = [queue for queue in seen.queues if queue.startswith(f"{action.target}:")]
    yield from _range(f"{name}: silence of its queues", [_silence_at(seen, queue, action.at_ms) for queue in own])
    if back is not None:
        first = []
        for queue in own:
            times = seen.consumptions_of(queue)
            later = times[times > back.at_ms]
            first.append(float(later[0]) - back.at_ms if len(later) else NEVER)
        yield from _range(f"{name}: first message after {back.kind}", first)


def _joined(seen: GroupSeen, action: Action) -> Iterator[GroupFigure]:
    """Queues that a new instance took: from the old owner's end until its begin (negative: both held it)."""
    gaps, silences = [], []
    for one in seen.held:
        before = [
            other
            for other in seen.held
            if other.queue == one.queue and other.instance != one.instance and other.from_ms < one.from_ms
        ]
        own = [other.from_ms for other in seen.held if other.instance == one.instance]
        if one.instance == action.target and before and one.from_ms - min(own) < SECOND_MS:
            left = max(before, key=lambda other: other.from_ms)
            gaps.append(one.from_ms - left.until_ms)
            silences.append(_silence_at(seen, one.queue, one.from_ms))
    name = f"{action.target} joins"
    yield from _range(f"{name}: queue passed on in", gaps)
    yield from _range(f"{name}: silence of its queues", silences)


def _silence_at(seen: GroupSeen, queue: str, at_ms: int) -> float:
    """Time between the consumptions of a queue before and after a moment."""
    times = seen.consumptions_of(queue)
    place = int(np.searchsorted(times, at_ms))
    if place == len(times):
        return NEVER
    return float(times[place] - (times[place - 1] if place else at_ms))


def _range(name: str, values_ms: Sequence[float]) -> Iterator[GroupFigure]:
    """The median over queues, and the longest."""
    if values_ms:
        ordered = sorted(values_ms)
        yield GroupFigure(f"{name}, median", ordered[len(ordered) // 2] / SECOND_MS, "s")
        yield GroupFigure(f"{name}, longest", ordered[-1] / SECOND_MS, "s")
