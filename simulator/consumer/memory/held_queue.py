"""A queue that an instance holds, and what its pull is doing."""

from __future__ import annotations

from simulator.compiled.records import Us
from simulator.kernel.pools import Taken

# what a holding's pull is doing
NO_PULL = 0  # nothing: the queue was lost
WAITING = 1  # the pull service tries when it is due
ASKED = 2  # the request is on its way
HELD = 3  # the broker holds it until something is appended
ANSWERED = 4  # the answer is on its way
FAILED = 5  # an exception is on its way
MOVED = 6  # "offset illegal" is on its way, with the right one
ILLEGAL = 7  # the client waits until it lets go of the queue, with that offset committed
# what a pop is doing, of a POP group
POP_DUE = 8  # the client pops when it is due
POP_ASKED = 9  # the request is on its way
POP_HELD = 10  # the broker holds it until something is appended
POP_WOKEN = 11  # something was, and the broker looks
POP_READS = 12  # it has begun, and reads its queues when it is due (pop_latency)
POP_ANSWERED = 13  # the answer is on its way
POP_FAILED = 14  # an exception is on its way


class Holding(Taken):
    """A queue in the hands of an instance, its ProcessQueue in world.process_queues."""

    instance: int
    subscription: int
    log: int
    next_holding: int  # of the instance
    next_held: int  # of the log
    is_dropped: int
    state: int
    due_us: Us
    offset: int  # of the next pull
    scanned: int  # messages that the answer is behind, taken or not
    found: int  # of those, the ones in the answer
    looked: int  # held: offset up to which nothing was found
    page: int  # of that offset, or one before
    moved_to: int  # offset that the broker named instead
    suggested_slave: int  # 1: the next pull goes to the slave
    from_slave: int  # 1: this one did
    until_us: Us  # how long the broker may hold the pull
    memory: int  # offset in the instance's offset table, -1: none
    tasks: int  # messages that wait for a thread or are with one
    owned_us: Us  # since when
    # of a POP group
    is_shared: int  # 1: it stands for all queues of the broker that its log is at
    first_found: int  # check point, of the answer that is on its way
    most: int  # messages that it may have
    unheard_us: Us  # over gRPC: from then on nobody waits for its answer, 0: its client does for its usual time
    # of an orderly group
    turn: int  # what it waits for
    turn_us: Us  # until when it rests
    next_turn: int  # that waits for a thread of the instance
    worker: int  # the thread that is at it
    run_us: Us  # since when a thread is at it
    client: int  # that has its lock
    unlock_us: Us  # when the lock is given back, FAR: it is not
    was_locked: int  # 1: it was pulled, which asks for its offset again
