"""What a policy is made of: a part that chooses, one that avoids brokers and one that tries again.

A part is a record for each producer (or for each producer and broker) and the rules over it. Times are microseconds
of virtual time, brokers numbers in the cluster, booleans 0 or 1, random words 64 bits that follow from the message.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np

from simulator import codes
from simulator.client.view import QueueList
from simulator.compiled.jit import rule
from simulator.compiled.records import AnyRecord, Cells, Directory, Record, Us, Within
from simulator.kernel.randomness import below

NO_PLACE = -1
NO_RETRY = NO_HEDGE = NO_ANSWER = -1  # instead of a time


class Ask(Directory):
    """What a choice is made from; at least one broker of the list is allowed."""

    now_us: Us
    word: int  # random, of the message and the attempt
    attempt: int  # from 1
    last_broker: int  # of the attempt before, -1 for the first
    message_bytes: int
    queues: QueueList
    brokers: int  # of the cluster
    first: int  # of the producer's numbers in in_flight
    allowed: Cells  # broker: 1 if it has a queue in the list and is not avoided
    in_flight: Cells  # requests that have no answer yet


class ChooseQueue(Protocol):
    """Place of the chosen queue in the list."""

    def __call__(self, state: AnyRecord, ask: Ask, /) -> int: ...


class IsAllowed(Protocol):
    """1 if the broker may be chosen; changes nothing that lasts."""

    def __call__(self, state: AnyRecord, broker: int, now_us: Us, /) -> int: ...


class NoteSent(Protocol):
    """A request is sent; attempt: from 1. Answers 0."""

    def __call__(self, state: AnyRecord, broker: int, attempt: int, now_us: Us, /) -> int: ...


class NoteEnded(Protocol):
    """A request has ended; outcome: codes.SEND_OK and so on. Answers 0."""

    def __call__(
        self, state: AnyRecord, broker: int, attempt: int, now_us: Us, latency_us: Us, outcome: int, /
    ) -> int: ...


class NoteTick(Protocol):
    """The part's period is over. Answers 0."""

    def __call__(self, state: AnyRecord, now_us: Us, /) -> int: ...


class RetryAfter(Protocol):
    """Microseconds until the next attempt after that one failed, or NO_RETRY."""

    def __call__(self, state: AnyRecord, attempt: int, broker: int, outcome: int, now_us: Us, word: int, /) -> int: ...


class NoteHeartbeat(Protocol):
    """A heartbeat is sent, and answered after so many microseconds, or NO_ANSWER in time. Answers 0."""

    def __call__(self, state: AnyRecord, broker: int, now_us: Us, answered_after_us: Us, /) -> int: ...


class WaitBefore(Protocol):
    """Microseconds until an attempt may be sent, 0: now; once they are over the question is asked again."""

    def __call__(self, state: AnyRecord, now_us: Us, /) -> int: ...


class HedgeAfter(Protocol):
    """Microseconds without an answer to that attempt after which there is another beside it, or NO_HEDGE."""

    def __call__(self, state: AnyRecord, attempt: int, now_us: Us, /) -> int: ...


class MayHedge(Protocol):
    """1 if the other attempt, whose time has come, may be made; it is then."""

    def __call__(self, state: AnyRecord, attempt: int, now_us: Us, /) -> int: ...


class ChooseRules(Directory):
    """The rules of a part that chooses."""

    choose: ChooseQueue
    sent: NoteSent
    ended: NoteEnded


class AvoidRules(Directory):
    """The rules of a part that avoids brokers."""

    allowed: IsAllowed
    sent: NoteSent
    ended: NoteEnded
    tick: NoteTick
    heartbeat: NoteHeartbeat  # at every tick, of each broker


class RetryRules(Directory):
    """The rules of a part that tries again."""

    retry: RetryAfter
    sent: NoteSent
    ended: NoteEnded
    wait: WaitBefore
    hedge: HedgeAfter
    may_hedge: MayHedge


class PolicyRules(Directory):
    """The rules of a policy."""

    choose: Within[ChooseRules]
    avoid: Within[AvoidRules]
    retry: Within[RetryRules]


@dataclass(frozen=True)
class PolicyPart:
    """A part of a policy.

    start: fills a record of `state` from the number of brokers and the parameters, which have these defaults:
    `_us` durations, whole numbers, and floats. behind: cells behind the record for so many brokers. per_broker: a
    record for each broker. tick: the parameter that says how often the rule `tick` is called.
    """

    state: type[Record]
    start: Callable[..., None]
    rules: Mapping[str, Any]
    parameters: Mapping[str, int | float] = field(default_factory=dict)
    behind: Callable[[int], int] = lambda brokers: 0
    per_broker: bool = False
    tick: str = ""


@rule(inlined=True)
def has_failed(outcome: int) -> bool:
    """Whether an attempt failed; one whose copy was not secured everywhere did not."""
    return outcome not in codes.STORED and outcome != codes.SENT_ONEWAY


@rule(inlined=True)
def pick_below(word: int, count: int) -> int:
    """A number in [0, count) from a random word."""
    return below(np.uint64(word), count)


@rule()
def allowed_brokers(ask: Ask) -> int:
    """How many brokers may be chosen."""
    found = 0
    for broker in range(ask.brokers):
        found += ask.allowed[broker]
    return found


@rule()
def nth_broker(ask: Ask, number: int) -> int:
    """The broker of that number, from 0, among those that may be chosen."""
    left = number
    for broker in range(ask.brokers):
        if ask.allowed[broker] == 1:
            if left == 0:
                return broker
            left -= 1
    return NO_PLACE


@rule()
def queue_of(ask: Ask, broker: int) -> int:
    """Place of one of the broker's queues, drawn by the message's word."""
    count, found = ask.queues.count, 0
    for place in range(count):
        found += ask.queues.queues[place].broker == broker
    left = pick_below(ask.word * 0x5851F42D4C957F2D, found)
    for place in range(count):
        if ask.queues.queues[place].broker == broker:
            if left == 0:
                return place
            left -= 1
    return NO_PLACE
