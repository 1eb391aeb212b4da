"""A sender thread, its producer, and its closed loop: what does not change, and a producer's state."""

from __future__ import annotations

from typing import Annotated

from simulator.compiled.records import Record, Us, Within, bits
from simulator.engine.memory.send import Queue
from simulator.kernel.latency import LatencyTable
from simulator.kernel.pools import Taken

WAY_PLAIN = 0  # synchronous, every message alike and fit to be sent: nothing to look at before the first attempt
WAY_SYNC = 1
WAY_ASYNC = 2
WAY_ONEWAY = 3
WAY_GRPC = 4  # over a proxy, synchronous
WAY_GRPC_ASYNC = 5

SELECT_BY_STRATEGY = 0
SELECT_BY_HASH = 1
SELECT_BY_RANDOM = 2
SELECT_BY_MACHINE_ROOM = 3
SELECT_BY_OWN = 4  # a function of the user's


class SenderThread(Record):
    """What does not change of a sender thread and is its own: little, so that those of many producers stay near."""

    producer: Annotated[int, bits(32)]  # number of the producer in the cell
    group: Annotated[int, bits(32)]  # number of its group of producers


class ThreadKind(Record):
    """What does not change of a sender thread and is the same in its whole group of producers."""

    skips: int  # 1: a blocked thread sends less; 0: messages wait in the hand-off queue
    hand_off_limit: int
    way: int  # WAY_*
    selector: int  # SELECT_*
    batch: int  # messages of one send
    local: int  # number in world.latencies of the times of its local transactions, negative: it has none
    loop: int  # number of its closed loop in world.loops, negative if messages arrive whatever the thread does


class Silence(Record):
    """A stretch of time in which the process of a producer is away, or stands still, by a fault."""

    from_us: Us
    until_us: Us
    is_gone: int  # 1: what waits for its threads is lost with it


class ClosedLoop(Record):
    """What every closed loop of a group of producers has."""

    seed: int
    until_us: Us  # no message begins then or later
    stream: int  # number in the whole run of the cell's first thread; with the thread's own the key of its randomness
    think: Within[LatencyTable]


class Producer(Record):
    """What does not change of a producer's client. The threads' rows are contiguous, so are its pools'."""

    first_thread: Annotated[int, bits(32)]
    thread_count: Annotated[int, bits(32)]
    sender_views: Annotated[int, bits(32)]  # first row of the views of the threads that send for its callers
    callback_views: Annotated[int, bits(32)]  # first row of the views of the threads that run callbacks
    pool_threads: Annotated[int, bits(32)]  # as many of each
    # first row of all of them, and how many: 0 if the producer never sends asynchronously
    pool_first: Annotated[int, bits(32)]
    pool_count: Annotated[int, bits(32)]
    refusals_reported: Annotated[int, bits(32)]  # how often a callback hears of one refused attempt
    first_scan_us: Us  # of its client for time-outs
    scan_period_us: Us
    heartbeat_us: Us  # when its client sends heartbeats for the first time


class MadeBatch(Taken):
    """A batch that a client makes by itself; it is listed by the next_record of the one before."""

    is_sent: int  # 0: it takes messages
    is_listed: int
    thread: int  # of its first message
    topic: int
    queue: int  # packed, or NO_QUEUE
    begin_us: Us
    waiting: int  # messages that wait in it: all but the one that sends it
    first: int  # of those, linked by their next_record
    last: int
    body_bytes: int  # of all messages as they are
    message_bytes: int  # and in a batch


class Batching(Record):
    """What is remembered of the batches that a producer makes by itself, and of the guard that looks at them."""

    first: int  # of its listed batches, -1 if there is none
    held_bytes: int  # bodies of messages that wait or are sent in batches
    look_us: Us  # when its guard looks, or looked last
    guards: int  # 1: the guard looks, or waits
    guard_waits: int  # 1: for `awaited`, and then looks at `guard_next`
    guard_next: int  # batch, or -1
    awaited: int  # batch, else -1


class ProducerState(Record):
    """What is remembered of a producer that sends asynchronously."""

    number_left: int  # permits for messages
    number_queue: Within[Queue]
    bytes_left: int  # permits for bytes
    bytes_queue: Within[Queue]
    senders_busy: int
    sender_queue: Within[Queue]
    sender_length: int
    sender_idle: int  # place of the idle thread that is next, in its part of world.idle_senders
    callbacks: int  # callbacks run so far
    callbacks_left: int  # threads that run callbacks and are not held up by a refused retry
    callback_queue: Within[Queue]
