"""The cells of a replay: settings, memory, input rows and decisions, all int64, by named offsets.

Times are ms since the recording's zero; the client's own clock (in its memory) is that of the machine: EPOCH_MS more.
"""

from __future__ import annotations

NONE = -(1 << 62)  # the recording has no value here

# settings
ATTEMPTS_TOTAL = 0
SEND_MSG_TIMEOUT_MS = 1
MAX_TIMEOUT_PER_REQUEST_MS = 2  # -1 = no such limit
RETRY_NOT_STORE_OK = 3
UPDATES_TABLE = 4  # 0: fault updates leave the table alone
DETECTOR_ON = 5
EPOCH_MS = 6
VIEWS = 7  # offset in the memory: client views, VIEW_SIZE cells each
HELD_ROUTES = 8  # offset: per view, the route object that it reads, -1 before the first
NEXT_SEQS = 9  # offset: per view, the number of the next message
SENDERS = 10  # offset: SENDER_SIZE cells a sender thread, or a slot for an asynchronous message
ROUTES = 11  # offset: ROUTE_SIZE cells a route object
HANDS_OVER = 12  # asynchronous; 0: a client that never records a hand-over
RETRY_CODE_COUNT = 13
RETRY_CODES = 14

# a route object
ROUTE_QUEUES = 0  # offset of its queues block
ROUTE_WRITES = 1  # offset of its writes block
INSTALLED = 2
ROUTE_SIZE = 3

# a sender thread: its synchronous send
PHASE = 0
VIEW = 1
SEND_SEQ = 2
ATTEMPT = 3  # selections made for this message
BROKER = 4  # of the last selection
QUEUE_ID = 5
OUTCOME = 6  # of the last attempt that was made
CODE = 7
HELD = 8  # 1: an attempt was stored
HELD_BROKER = 9
HELD_QUEUE_ID = 10
HELD_OUTCOME = 11
HELD_CODE = 12
THROWN = 13
OVER = 14
BEGIN_LEAST_MS = 15  # reading of the clock at the start of the message lies between these two
BEGIN_MOST_MS = 16
ENDED_ROW = 17  # row of an attempt whose retry is not yet known to fit the budget, else -1
TIMEOUT_LEAST_MS = 18  # what the transport may be given; NONE where no transport call was recorded
TIMEOUT_MOST_MS = 19

# a slot: an asynchronous message; VIEW (of the last selection) to CODE, BEGIN_* and TIMEOUT_* (of the attempt under
# way or due) as above, QUEUE_ID is that of the first selection
IS_THROWN = 8  # of the last attempt
FIRST_BROKER = 9
HAND_OVER = 10  # NEVER, DUE or DONE
BEFORE = 12  # broker of the attempt before
PRODUCER = 13
TOPIC = 14
TOLD = 17  # 1: the callback was called
SENDER_SIZE = 20
NEVER, DUE, DONE = range(3)

IDLE = 0
SELECTED = 1  # a queue was selected
ENDED = 2  # the attempt ended, its fault update is due
CHARGED = 3

# an input row
IN_EVENT = 0
IN_ROW = 1  # number of the row in the recording
IN_PRODUCER = 2  # all four as indexes into the plan
IN_SENDER = 3  # for asynchronous messages the slot
IN_VIEW = 4
IN_ROUTE = 5
IN_SEND_SEQ = 6
IN_CLOCK_LEAST = 7  # the clock was read between these two
IN_CLOCK_MOST = 8
IN_SEED = 9  # select: what the recorder drew for the counter and for resetIndex
IN_RESET_TO = 10
IN_BEGIN_LEAST = 11  # select of a first attempt: the start of the message
IN_BEGIN_MOST = 12
IN_ATTEMPT_LEAST = 13  # select: the reading from which the budget is computed
IN_ATTEMPT_MOST = 14
IN_TRANSPORT_MOST = 15  # select: latest reading before the transport took over, NONE without a transport call
IN_SENT = 16  # select: an attempt was recorded; tells the clock where its readings leave the budget open
IN_FITS_BROKER = 17  # select: what was recorded; tells the clock where its readings give different choices
IN_FITS_QUEUE_ID = 18
IN_FITS_STEPS = 19
IN_OUTCOME = 20  # attempt_end
IN_CODE = 21
IN_LATENCY_MS = 22  # fault_update
IN_FITS_START_MS = 23  # fault_update: recorded startTimestamp, tells the clock between its two readings
IN_TOPIC = 24  # as index into the plan
IN_HAND_OVER = 25  # fault_update: 1 for that of the hand-over
IN_COST_LEAST = 26  # attempt_end of an asynchronous message: ms that its call took lie between these two
IN_COST_MOST = 27
IN_THROWN = 28  # attempt_end of an asynchronous message: 1 if the call was recorded to throw
IN_SIZE = 29

ROUTE, SELECT, ATTEMPT_END, FAULT_UPDATE, SEND_END = range(5)
FINISH = 5  # the recording ended: what still waits to be known stays open
EVENTS = ("route", "select", "attempt_end", "fault_update", "send_end")

# a decision
OUT_KIND = 0
OUT_ROW = 1
OUT_VIEW = 2
OUT_SEND_SEQ = 3
OUT_ATTEMPT = 4
OUT_CLOCK_MS = 5
OUT_IS_OPEN = 6
OUT_LAST_BROKER = 7
OUT_BROKER = 8
OUT_QUEUE_ID = 9
OUT_STEPS = 10
OUT_RESETS = 11
OUT_REASON = 12
OUT_AFTER = 13
OUT_TIMEOUT_LEAST_MS = 14
OUT_TIMEOUT_MOST_MS = 15
OUT_ISOLATION = 16
OUT_REACHABLE = 17
OUT_TOUCHED = 18
OUT_MOVED = 19
OUT_START_MS = 20
OUT_OUTCOME = 21
OUT_CODE = 22
OUT_SIZE = 23

KIND_SELECT, KIND_TIMEOUT, KIND_FAULT_UPDATE, KIND_AFTER_ATTEMPT, KIND_SEND_END = range(5)
KINDS = ("select", "timeout", "fault_update", "after_attempt", "send_end")
DECISIONS_A_ROW = 3  # at most: a select also settles the attempt before it and gives a timeout

# what follows: codes.RETRY, RETURN and THROW of an attempt, and
BUDGET = 3  # the attempt would be retried, but the message's budget is used up
GOES_OUT = 4  # a selection that an attempt is made with
NO_ATTEMPT = 5  # a selection after which the budget is used up
AFTER_NAMES = ("retry", "return", "throw", "budget", "attempt", "no_attempt")

# why a row cannot be replayed
OK = 0
NOT_SELECTED = 1
NOT_ENDED = 2
NO_SEND = 3
UNKNOWN_ROUTE = 4
NO_SEED = 5
NOT_CHARGED = 6
REFUSALS = (
    "",
    "out of order: no selection of this message on this thread is waiting for its attempt to end",
    "out of order: no attempt of this message on this thread has just ended",
    "out of order: no send of this message is under way on this thread",
    "the route it names was not installed before",
    "the first use of a counter, but the recording does not say where it started",
    "out of order: the attempt before it has not ended, or its fault update is missing",
)
