"""What comes out of a broker's timer wheel for its revive services: check points and acknowledgements, and when.

A broker writes a check point for each pop and an acknowledgement for each message, settled or not, into the queue of
one of its revive services. A check point comes out at the whole second in which its message is due, a second before its
own time at most; an acknowledgement at the next one. What there is is noted by tenths of a second, one bit each, up to
400 s ahead.
Source: rocketmq 5.0.0-5.5.0, PopMessageProcessor.appendCheckPoint, AckMessageProcessor.appendAck, HookUtils.
"""

from __future__ import annotations

from simulator.compiled.jit import rule
from simulator.compiled.records import Us
from simulator.consumer.memory.consumer_world import ConsumerWorld

SERVICES = 8  # reviveQueueNum
TENTH_US = 100_000
AHEAD_US = 400_000_000
POINT, ACK = range(2)
NONE = -1
_BITS, _WORDS = 32, 128  # of a kind of a service: 4,096 tenths of a second
CELLS = 2 * _WORDS  # of a service


@rule(inlined=True)
def reviver_of(broker: int, pops: int) -> int:
    """The revive service that reads what a broker's pop of that number writes: one after the other."""
    return broker * SERVICES + pops % SERVICES


@rule(inlined=True)
def _cell(service: int, kind: int, tenth: int) -> int:
    return (service * 2 + kind) * _WORDS + tenth // _BITS % _WORDS


@rule()
def note_in_log(world: ConsumerWorld, service: int, kind: int, due_us: Us, now_us: Us) -> None:
    """A check point or an acknowledgement of a message that is due then is written."""
    if now_us <= due_us < now_us + AHEAD_US:
        tenth = due_us // TENTH_US
        at = _cell(service, kind, tenth)
        world.revive_log[at] = world.revive_log[at] | 1 << tenth % _BITS


@rule()
def first_noted(world: ConsumerWorld, service: int, kind: int, begin: int, end: int) -> int:
    """The first of these tenths of a second in which a message is due, NONE: there is none."""
    for tenth in range(begin, end):
        if world.revive_log[_cell(service, kind, tenth)] >> tenth % _BITS & 1:
            return tenth
    return NONE


@rule()
def last_noted(world: ConsumerWorld, service: int, kind: int, begin: int, end: int) -> int:
    """The last of these tenths of a second in which a message is due, NONE: there is none."""
    for back in range(end - begin):
        tenth = end - 1 - back
        if world.revive_log[_cell(service, kind, tenth)] >> tenth % _BITS & 1:
            return tenth
    return NONE


@rule()
def forget_noted(world: ConsumerWorld, service: int, begin: int, end: int) -> None:
    """What is due in these tenths of a second is read and settled."""
    for kind in range(ACK + 1):
        for tenth in range(begin, end):
            at = _cell(service, kind, tenth)
            world.revive_log[at] = world.revive_log[at] & ~(1 << tenth % _BITS)
