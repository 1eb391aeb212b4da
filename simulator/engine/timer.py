"""What a timer is."""

from __future__ import annotations

from simulator.compiled.records import Record

# kind of a timer
WINDOW = 0  # the open window closes
POLL = 1  # the producer whose turn it is polls its routes
DETECTOR = 2  # every producer's detector probes
POLICY_TICK = 3  # the period of a policy is over
FIRST_TIMER = -(1 << 32)  # record of the first timer in the heap: timers come before the sends of the same moment


class Timer(Record):
    """A timer; of those that fire at the same moment the one with the lower number comes first."""

    kind: int
