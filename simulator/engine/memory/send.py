"""A message, its attempts, and what waits for a thread."""

from __future__ import annotations

from typing import Annotated, NamedTuple

from simulator.client.steps.sync_steps import HeldResult
from simulator.compiled.field_copies import copier
from simulator.compiled.records import Ms, Record, Us, bits
from simulator.kernel.pools import Taken

# state of an attempt that waits for no event; else the kind of its event
IN_BATCH = 0  # its message waits in a batch that the client makes by itself
WAITING_SENDER = 1  # its message waits in the queue of the sending threads
WAITING_CALLBACK = 2  # its callback waits for a thread
HEDGED = 3  # its message waits for those that are set aside, or it has failed and waits for the other
QUEUED = 4  # its request lies in a socket behind another
UNDER_WAY = 5  # it travels: a request on the network, or its answer

# doing of a sender thread
IDLE = 0
SENDING = 1  # a message
BLOCKED = 2  # it waits until its asynchronous message is handed over
RESTING = 3  # it waits for the event at which it takes its next message

# waits_for of an asynchronous message that needs permits
NO_PERMIT = 0
NUMBER_PERMIT = 1
BYTES_PERMIT = 2
GRANTED = 3

HOLDS_NOTHING = 0
HOLDS_SENDER = 1
HOLDS_CALLER = 2
HOLDS_CALLBACK = 3


class GivenMessage(NamedTuple):
    """A message as it comes to a thread."""

    arrival_us: Us
    topic: int
    draw: int


class ThreadState(Record):
    """What a sender thread knows, idle or not: its message under way and its hand-off queue."""

    doing: Annotated[int, bits(4)]
    waiting: Annotated[int, bits(28)]  # messages in the hand-off queue
    send: Annotated[int, bits(32)]  # the last attempt of the message that it sends
    first_place: Annotated[int, bits(32)]  # of the queue in the backlog
    last_place: Annotated[int, bits(32)]


class SentBy(Record):
    """Which message it is."""

    thread: int  # number of the sender thread
    topic: int
    send_seq: int  # number of the message among those of its thread and topic


class Drawn(SentBy):
    """The same, and its own randomness."""

    draw: int


class MessageFields(SentBy):
    """What its row shows of a message, however it ended."""

    arrival_us: Us
    begin_us: Us  # when the thread began it
    message_bytes: int  # of the body as it is sent and stored, compressed if it is; -1 in the row of one without a body
    body_bytes: int  # of the body as the application gave it
    key: int  # number of the key, negative if it has none
    copies: int
    kept: int  # copies that no fault takes away again


class Message(Drawn, MessageFields):
    """A message, until it has ended and the fate of every copy is known: then its row is put out.

    It has the number of its attempt's record; once the fate of a copy is open, or another attempt is beside it, one of
    its own. A record of its own from the start costs the loop 5 % (windows only).
    """

    key_seq: int  # number of the message among those of its thread and key
    generation: int  # which of its producer's route objects of the topic the message is sent with
    batch: int  # 1 + record of the batch that is sent with this message, 0: there is none
    open_copies: int  # whose fate is open
    # how it has ended, while copies are open
    result: int  # NOT_ENDED before
    code: int
    attempts: int
    broker: int
    queue_id: int
    end_us: Us


NOT_ENDED = -1  # result of a message


class MadeFields(SentBy):
    """What its row shows of an attempt."""

    attempt: int  # from 1; 0: the message has made none
    broker: int
    queue_id: int
    outcome: int  # codes
    code: int  # response code, codes.NO_CODE
    reason: int  # codes.PICK_*


class AttemptFields(Drawn, MadeFields):
    """One request for a message, and what its client knows of it."""

    message: int  # record of world.messages
    attempt_begin_us: Us
    connect_us: Us  # what connecting took before the request was sent
    ends_us: Us  # when the attempt ends
    stored_us: Us  # when the request is appended, negative if it is not


class Attempt(Taken, AttemptFields):
    """An attempt: the last of its message, another beside it, or a request on the network."""

    state: int


class SyncPart(HeldResult):
    """What the last attempt of a message has beside that for which its sender thread waits."""

    aside: int  # attempts that are set aside
    travelling: int  # 1 + record of the request of its attempt that is under way, 0: there is none


class AsyncPart(Record):
    """What an attempt of an asynchronous message has beside that."""

    view_row: int  # row of the views of the thread that chooses for it
    broker_before: int
    first_broker: int  # which the hand-over charges, negative once it has
    selected_us: Us  # when it was selected
    timeout_ms: Ms  # of the attempt; of one that a policy put off, what is left for it
    thrown: int  # 1: the call of the attempt threw how it ended (IsThrown)
    holds: int  # HOLDS_*: what waits while this record connects, or is refused
    on_sender: int  # 1 until the first transport call has returned
    waits_for: int  # *_PERMIT
    permitted: int  # 0: no permit, 1: one of the number, 2: its bytes as well, 3: had those and gave them back
    refusals: int  # attempts that the transport refused so far
    beside: int  # 1 + record of the other attempt, made or to be made; 0: there is none, -1: the message has ended


class ProxiedPart(Record):
    """What an attempt of a gRPC message has beside that; in local mode what its message began with."""

    proxy: int  # that it was sent to, NO_PROXY if none was there; in local mode that of its broker
    index: int  # of the load balancer
    excluded: int  # the bits of the brokers that were isolated
    held_until_us: Us  # the proxy stood still as the request came, and does so until then; 0: it did not


class AppendingCopy(Taken):
    """A copy that is about to be appended, and whose order is checked."""

    thread: int
    topic: int
    broker: int
    key: int
    key_seq: int


class UnflushedCopy(Taken):
    """A copy whose fate depends on a flush."""

    broker: int
    position: int  # where it ends in its commit log
    lost_us: Us  # when what is not flushed is lost
    message: int  # record of world.messages
    # for consumers, who no longer find it if it is lost
    topic: int
    queue_id: int
    count: int
    thread: int
    draw: int


copy_identity = copier(Drawn)
copy_made = copier(MadeFields)
copy_message_fields = copier(MessageFields)
copy_message = copier(Message)
copy_attempt = copier(AttemptFields)


class Queue(Record):
    """A queue of attempts by number, linked by their next_record; empty if head is negative."""

    head: int
    tail: int


class Waiting(Record):
    """A place of the backlog: a message that waits in a thread's hand-off queue."""

    next_place: int
    since_us: Us
    topic: int
    draw: int


class KeyOrder(Record):
    """What is remembered of a (topic, sender thread, key) whose order is checked."""

    sent: int  # messages sent
    stored: int  # 1 + highest key_seq stored
