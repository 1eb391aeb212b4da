"""Events: when, whose turn it is among those of one moment, and what happens. `engine/dispatch.py`: who handles which.

At one moment events come in the order of their class, then of the number of what they happen to.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from simulator.compiled.jit import rule
from simulator.compiled.records import Array

_CLASS, _NUMBER = 56, 8  # first bits; the kind has the lowest
_KIND_OF = ~((1 << _CLASS) - (1 << _NUMBER))
_NUMBERS = (1 << _CLASS - _NUMBER) - 1

# class: what the number is of
TIMER = 0  # none: there is one of each kind; of a ROLE the broker
THREAD = 1  # a sender thread: what happens to the message that it sends
ATTEMPT = 2  # an attempt of a message that is sent asynchronously, in world.attempts
ACCUMULATOR = 3  # a producer's
ASIDE = 4  # an attempt in world.asides
APPENDING_COPY = 5  # in world.appending
UNFLUSHED_COPY = 6  # in world.unflushed
REQUEST = 7  # in world.travelling

BEGINNING = -1  # no event: a message arrives at an idle thread

# kind, with its class
WINDOW = TIMER << _CLASS | 0  # the open window closes
POLL = TIMER << _CLASS | 1  # the producer whose turn it is polls its routes
DETECTOR = TIMER << _CLASS | 2  # every producer's detector probes
POLICY_TICK = TIMER << _CLASS | 3  # the period of a policy is over
ROLE = TIMER << _CLASS | 4  # another machine is the master of a set, or one of its machines goes away or comes back
IN_ATTEMPT = THREAD << _CLASS | 0  # the end of an attempt
GIVING_UP = THREAD << _CLASS | 1  # the end of a message that made no (further) attempt
IN_ONE_ATTEMPT = THREAD << _CLASS | 2  # the end of the only attempt of a one-way or selected message
RESUMING = THREAD << _CLASS | 3  # the thread takes its next message
WAITING_RETRY = THREAD << _CLASS | 4  # the next attempt, which a policy put off
HEDGE_DUE = THREAD << _CLASS | 5  # the attempt has no answer yet: time for another beside it
UNREAD = THREAD << _CLASS | 6  # the request is the first of its connection's that a process reads when it goes on
LEADING = THREAD << _CLASS | 7  # the message begins to send its batch
FOLLOWING = THREAD << _CLASS | 8  # the end of a message that another one's batch carried
UNROUTED = THREAD << _CLASS | 9  # the request for the route timed out of a message that makes one attempt
IN_ASYNC = ATTEMPT << _CLASS | 0  # the end of an attempt
WAITING_PERMIT = ATTEMPT << _CLASS | 1  # the end of the wait for a permit: it was granted, or the time is over
STARTING = ATTEMPT << _CLASS | 2  # a sending thread takes the message
WAITING_ASYNC_RETRY = ATTEMPT << _CLASS | 3  # as WAITING_RETRY, and so on
STANDING_BY = ATTEMPT << _CLASS | 4  # as HEDGE_DUE, of the record that the other attempt will have
IN_SOCKET = ATTEMPT << _CLASS | 5
LEADING_ASYNC = ATTEMPT << _CLASS | 6
FOLLOWING_ASYNC = ATTEMPT << _CLASS | 7
CONNECTING = ATTEMPT << _CLASS | 8  # the connection stands for which the thread of an attempt waits
AT_PROXY = ATTEMPT << _CLASS | 9  # the request is at the proxy
OVER_PROXY = ATTEMPT << _CLASS | 10  # the end of an attempt over a proxy
AGAIN_OVER_PROXY = ATTEMPT << _CLASS | 11  # the next attempt, which the client put off
UNHEARD_AT_PROXY = ATTEMPT << _CLASS | 12  # a request is there whose caller has gone on
NO_ROUTE = ATTEMPT << _CLASS | 13  # as UNROUTED
SWEEPING = ACCUMULATOR << _CLASS | 0  # its guard looks at the batches
SET_ASIDE = ASIDE << _CLASS | 0  # the end of an attempt of a hedged message
APPENDING = APPENDING_COPY << _CLASS | 0  # a copy whose order is checked is in a commit log
UNFLUSHED = UNFLUSHED_COPY << _CLASS | 0  # the broker's flush thread looks at its commit log, or its power is lost
ARRIVING = REQUEST << _CLASS | 0  # a request is at its broker's machine
READING = REQUEST << _CLASS | 1  # a broker that goes on reads a request that lies in its connection
ANSWERING = REQUEST << _CLASS | 2  # the answer leaves the broker


@rule(inlined=True)
def what_happens(kind: int, number: int) -> int:
    """An event of that kind, to what has that number: class, number and kind, from the highest bits on."""
    return kind + (number << _NUMBER)


@rule(inlined=True)
def kind_of_event(what: int) -> int:
    """Its kind."""
    return what & _KIND_OF


@rule(inlined=True)
def number_of_event(what: int) -> int:
    """The number of what it happens to."""
    return what >> _NUMBER & _NUMBERS


def events_of(kind: int, numbers: Array) -> Array:
    """`what_happens` for many."""
    return kind + (numbers << _NUMBER)


def is_timer(what: Array) -> npt.NDArray[np.bool_]:
    """Which of those events are timers'."""
    found: npt.NDArray[np.bool_] = what >> _CLASS == TIMER
    return found
