"""Events of the consumer machine: what happens, and to whom. `machine/consumer_dispatch.py` says who handles each.

At one moment the lower kind comes first, then the lower number.
"""

from __future__ import annotations

import numpy as np

from simulator.compiled.jit import rule

_NUMBER = 40  # bits; the kind is above them
_NUMBERS = (1 << _NUMBER) - 1

# actor: what the number of an event is of
MACHINE = 0  # none
BROKER = 1  # what it does every so often
DELIVERER = 2  # a thread that delivers delayed messages
WORKER = 3  # a consume thread
HELD_QUEUE = 4  # a queue that an instance holds
INSTANCE = 5  # its timers
GROUP = 6
HALF_REQUEST = 7  # a request about a half message
HALF_QUEUE = 8  # the half messages of a broker
REVIVER = 9  # a revive service of a broker

_actors: dict[int, int] = {}


def _kind(place: int, actor: int) -> int:
    """A kind of event, by its place among those of one moment, which no other kind has."""
    assert place not in _actors
    _actors[place] = actor
    return place


ACTION = _kind(0, MACHINE)  # somebody is started, killed ...: not in the heap
WINDOW_END = _kind(1, MACHINE)  # the open window closes
APPEND = _kind(2, MACHINE)  # a broker has appended a message: not in the heap
HELD_TICK = _kind(3, BROKER)  # it looks at the pulls that it holds
SILENCE_SCAN = _kind(4, BROKER)  # it looks for clients that it did not hear of
OFFSET_FLUSH = _kind(5, BROKER)  # it writes its offset table
DELIVER = _kind(6, DELIVERER)  # it delivers a delayed message
DELAY_FLUSH = _kind(7, BROKER)  # it writes down how far it has delivered
WORKED = _kind(8, WORKER)  # it ends what it is at
PULL = _kind(9, HELD_QUEUE)  # its pull goes on
REBALANCE = _kind(10, INSTANCE)
PERSIST = _kind(11, INSTANCE)
HEARTBEAT = _kind(12, INSTANCE)
ROUTE_POLL = _kind(13, INSTANCE)
SCALE = _kind(14, GROUP)  # its scaler looks at its lag
CONSUME_AGAIN = _kind(15, INSTANCE)  # it consumes what nobody took back
SWEEP = _kind(16, INSTANCE)  # it looks for what its threads are at for too long
HALF_REQUEST_ARRIVES = _kind(17, HALF_REQUEST)
CHECK_ROUND = _kind(18, HALF_QUEUE)  # its broker looks at it
CHECK_NEXT = _kind(19, HALF_QUEUE)  # it looks at the next half message of the round
CLEAN_FILES = _kind(20, BROKER)  # it looks which files of its commit log it may delete
RENEW_LOCKS = _kind(21, INSTANCE)  # it asks for the locks of all its queues
QUEUE_TURN = _kind(22, HELD_QUEUE)  # of an orderly group: it goes on
UNLOCK = _kind(23, HELD_QUEUE)  # its lock is given back
SLAVE_SYNC = _kind(24, BROKER)  # its slave copies its offsets
POP = _kind(25, HELD_QUEUE)  # its pop goes on
ORDER_EXPIRY = _kind(26, BROKER)  # it looks at what was popped in order and not acknowledged
RENEW = _kind(27, BROKER)  # proxies renew what their clients hold of it
WHEEL_SYNC = _kind(28, BROKER)  # its slaves copy how far its timer wheel is delivered
OP_BATCH = _kind(29, BROKER)  # it writes op messages of half messages that were ended
REVIVE_ROUND = _kind(30, REVIVER)  # it begins a round, or reads on

ACTORS = np.array([_actors[kind] for kind in sorted(_actors)])


@rule(inlined=True)
def what_happens_to(kind: int, number: int) -> int:
    """An event of that kind, to the actor of that number."""
    return kind << _NUMBER | number


@rule(inlined=True)
def kind_of(what: int) -> int:
    """Its kind."""
    return what >> _NUMBER


@rule(inlined=True)
def number_of(what: int) -> int:
    """The number of its actor."""
    return what & _NUMBERS


@rule(inlined=True)
def actor_of(kind: int) -> int:
    """What the number of an event of that kind is of."""
    return ACTORS[kind]
