"""A message under way, and what waits for a thread."""

from __future__ import annotations

from simulator.compiled.records import Ms, Record, Us

# state of a send: what its event is
IDLE = 0
IN_ATTEMPT = 1  # the end of an attempt
GIVING_UP = 2  # the end of a send that made no (further) attempt
IN_ONE_ATTEMPT = 3  # the end of the only attempt of a one-way or selected send
RESUMING = 4  # the thread takes the next waiting message
BLOCKED = 5  # none: the thread waits for a record
IN_ASYNC = 6  # the end of an asynchronous attempt
WAITING_NUMBER = 7  # the end of the wait for a permit of the number
WAITING_BYTES = 8  # the same for the bytes
WAITING_PERMIT = (WAITING_NUMBER, WAITING_BYTES)
GRANTED = 9  # a permit was granted
WAITING_SENDER = 10  # none: it waits in the queue of the sending threads
STARTING = 11  # a sending thread takes it
APPENDING = 12  # a copy of message key_seq is appended to a commit log
IN_SOCKET = 13  # the first of its connection's that a process reads when it goes on; none for those behind it
WAITING_CALLBACK = 14  # none: its callback waits for a thread
UNFLUSHED = 15  # the broker's flush thread looks at its commit log again, or its power is lost
COUNTING = 16  # none: a tally of a send that is under way
COUNTED = 17  # none: a tally of a send that has ended
WAITING_RETRY = 18  # the next attempt, which a policy put off
IN_BATCH = 19  # none: it waits in a batch that the client makes by itself
LEADING = 20  # it begins to send its batch
FOLLOWING = 21  # the end of a message that another one's batch carried
FILLING = 22  # none: a batch that takes messages
SENT = 23  # none: a batch that is being sent
SWEEPING = 24  # an accumulator's guard looks at its batches
HEDGE_DUE = 25  # the attempt has no answer yet: time for another beside it; asynchronous: in that one's record
SET_ASIDE = 26  # the end of an attempt of a hedged message, in a record of its own
HEDGED = 27  # none: the message waits for its attempts that are set aside, or an attempt that failed for the other
UNREAD = 28  # IN_SOCKET, of a synchronous attempt

HOLDS_NOTHING = 0
HOLDS_SENDER = 1
HOLDS_CALLER = 2
HOLDS_CALLBACK = 3


class Send(Record):
    """A message under way: one for each sender thread, then those that are taken and given back.

    What the simplest sends use comes first: four cache lines.
    """

    state: int
    topic: int
    draw: int  # the message's own randomness
    send_seq: int  # number of the message among those of its thread and topic
    arrival_us: Us
    begin_us: Us  # when the thread began it
    attempt: int  # from 1
    attempt_begin_us: Us
    broker: int
    queue_id: int
    outcome: int  # codes
    code: int  # response code, codes.NO_CODE
    reason: int  # codes.PICK_*
    copies: int
    kept: int  # copies that no fault takes away again
    connect_us: Us  # what connecting took before the request was sent
    thread: int  # number of the sender thread
    number: int  # of the record itself in world.sends
    length: int  # of the hand-off queue of a thread: messages that wait; always 1 in a closed loop, where none does
    ends_us: Us  # when the attempt that is under way on a sender thread ends
    stored_us: Us  # when the request that is under way is appended, negative if it is not
    held: int  # 1: an attempt was stored, its SendResult is remembered
    held_code: int  # its SendStatus as a response code
    held_broker: int
    held_queue_id: int
    over_budget: int
    message_bytes: int  # of the body as it is sent and stored, compressed if it is
    body_bytes: int  # of the body as the application gave it
    under_way: int  # attempts of a hedged message that are set aside; of an asynchronous attempt: hedging.py
    key: int  # number of the key, negative if it has none
    head: int  # of the hand-off queue, a place of the backlog; of a closed loop: messages begun so far
    tail: int
    key_seq: int  # number of the message among those of its thread and key
    next_record: int  # in the list of free records, or in a queue
    broker_before: int
    first_broker: int  # which the hand-over charges, negative once it has
    selected_us: Us  # when it was selected
    budget_ms: Ms  # what was left of the time-out when the message reached a sending thread
    holds: int  # HOLDS_*: what waits while this record connects, or is refused
    on_sender: int  # 1 until the first transport call has returned
    permitted: int  # 0: no permit, 1: one of the number, 2: its bytes as well, 3: had those and gave them back
    view_row: int  # row of the views of the thread that chooses for it
    refusals: int  # attempts that the transport refused so far
    generation: int  # which of its producer's route objects of the topic the message is sent with
    timeout_ms: Ms
    tally: int  # 1 + record that counts the copies whose fate is open, 0: there is none
    position: int  # of a copy whose fate is open: end in its commit log; of a tally: copies whose fate is open
    batch: int  # 1 + record of the batch that is sent with this message, 0: there is none


class Queue(Record):
    """A queue of sends by number, linked by their next_record; empty if head is negative."""

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
