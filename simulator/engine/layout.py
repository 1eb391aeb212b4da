"""Where the loop's variables live: three flat int64 arrays and the offsets in them.

c: what does not change and where everything is; m: what is remembered, the client memory first; o: where finished
rows are put. engine/arrays.py makes c and m. Flat, because a compiled function that takes an array out of a bundle
counts references, which costs more than the rest of a send; and one typed signature serves every scenario.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Ints = npt.NDArray[np.int64]

FAR = 1 << 62  # later than any event
NEVER_MS = 1 << 50  # as microseconds it still fits 64 bits

# c: Cluster.settings, first of all
WINDOW_US = 0
TOPICS = 1
BROKERS = 2
PRODUCERS = 3
STRATEGY_ON = 4
SEND_MSG_TIMEOUT_MS = 5
MAX_TIMEOUT_PER_REQUEST_MS = 6
ATTEMPTS_TOTAL = 7
RETRY_NOT_STORE_OK = 8
DETECTOR_ON = 9
DETECT_PERIOD_US = 10
DETECT_INTERVAL_MS = 11
DETECT_TIMEOUT_US = 12
REFUSED_AFTER_US = 13
TIMEOUT_NOTICE_US = 14  # a time-out is noticed at least that long after its deadline
TIMEOUT_SPREAD_US = 15  # and less than that much longer
VIEWS = 16  # offset of the first view in the client memory
FAULT_TABLES = 17  # offset of the first producer's faults block
FAULT_TABLE_SIZE = 18
RETRY_CODE_COUNT = 19
ROUTES_ON = 20  # 1: something changes a route during the run, so producers poll
NAME_SERVERS = 21
POLL_PERIOD_US = 22
CONNECTIONS_ON = 23  # 1: a broker process or a network goes away during the run
LINKS_ON = 24  # 1: the network between some producers and brokers is cut or loses packets
GROUPS = 25
VERSION_COUNT = 26
CONNECT_TIMEOUT_US = 27
ADDED_LATENCIES = 28  # offset in region LATENCIES of the distributions that slow brokers add, -1 if none does
ASYNC_ATTEMPTS_TOTAL = 29
ASYNC_SENDERS = 30  # threads that send for a producer's callers; 0 = the callers themselves do
SENDER_QUEUE = 31  # messages that may wait for one of them
CONNECT_BLOCKS = 32
BACK_PRESSURE = 33
MAX_MESSAGE_BYTES = 34
COMPRESS_OVER_BYTES = 35
ORDERS_CHECKED = 36  # 1: some topic's messages are checked for the order in which they are stored
ROUTE_HOLDS = 37  # offset of the first hold in the client memory
HELD_VIEWS = 38  # offset of the first held view there
HELD_COUNT = 39  # route objects that were replaced and may still be in use, of each (producer, topic); 0: none is
CLOSES_ON_TIMEOUT = 40  # client.closing: NEVER ...
FAILS_FAST = 41  # 1: requests end with their connection
FLUSHES_AWAITED = 42  # 1: whether a copy outlives a power loss is for the flush thread to show
SETTINGS_SIZE = 43
# c: then where the regions begin, first those of c itself, then those of m
THREADS = 43
BROKER_ROWS = 44
LATENCIES = 45
RETRY_CODES = 46
TOPIC_ROWS = 47
POLLERS = 48
VERSIONS = 49
MASTERS = 50
ROUTE_TIMES = 51
AUTO_TOPICS = 52
MESSAGE_ROWS = 53
PRODUCER_ROWS = 54
SIZES = 55
KEYS = 56
MEMORY_AT = 57  # always 0: offsets in the client memory are offsets in m
NUMBERS = 58
SENDING = 59
SEND_SEQS = 60
HEAP_AT = 61
HEAP_THREAD = 62
SERVER_FREE = 63
RINGS = 64
BROKER_STATES = 65
TIMETABLE = 66
BACKLOG = 67
HISTOGRAM = 68
WINDOW_PAIRS = 69
CHANGE_SEQS = 70
PRODUCER_ROUTES = 71
CREATED = 72
CONNECTIONS = 73
LINKS = 74
PRODUCER_STATES = 75
KEY_ORDERS = 76
SOCKETS = 77
DIRECTORY_END = 78
# c, region THREADS: THREAD_SIZE cells a sender thread
PRODUCER = 0  # number of the producer in the cell
SKIPS = 1  # 1: a blocked thread sends less; 0: messages wait in the hand-off queue
HAND_OFF_LIMIT = 2
GROUP = 3  # number of its group of producers
WAY = 4  # WAY_*
SELECTOR = 5  # SELECT_*
BATCH = 6  # messages of one send
LOOP = 7  # offset in region SIZES of its closed loop, negative if messages arrive whatever the thread does
THREAD_SIZE = 8  # a line of the processor's caches, as are the sizes below that are not full

WAY_PLAIN = 0  # synchronous, every message alike and fit to be sent: nothing to look at before the first attempt
WAY_SYNC = 1
WAY_ASYNC = 2
WAY_ONEWAY = 3

SELECT_BY_STRATEGY = 0
SELECT_BY_HASH = 1
SELECT_BY_RANDOM = 2
SELECT_BY_MACHINE_ROOM = 3
SELECT_BY_OWN = 4  # a function of the user's

# c, region MESSAGE_ROWS: MESSAGE_ROW_SIZE cells a topic
CONSTANT_BYTES = 0  # of every message, if SIZE_TABLE is negative
SIZE_TABLE = 1  # offset of its table in region SIZES
COMPRESS_PPM = 2  # size of a compressed body, in parts per million
KEY_TABLE = 3  # offset in region KEYS of the upper thresholds of the keys over 2**32, negative: all are as likely
KEY_COUNT = 4  # 0: its messages have no key
KEY_ORDER = 5  # offset in region KEY_ORDERS, negative: the order is not checked
NAME_REFUSED = 6  # 1: the client refuses the name
MESSAGE_ROW_SIZE = 7

# c, region SIZES, behind the tables of sizes: what every closed loop of a group of producers has
LOOP_SEED = 0
LOOP_UNTIL_US = 1  # no message begins then or later
LOOP_STREAM = 2  # number in the whole run of the cell's first thread; with the thread's own the key of its randomness
LOOP_TOPICS = 3  # upper thresholds of the topic choice over 2**31, a cell a topic, then the table of think times

# c, region PRODUCER_ROWS: PRODUCER_SIZE cells a producer
FIRST_SCAN_US = 0  # of its client for time-outs
SCAN_PERIOD_US = 1
SENDER_VIEWS = 2  # first row of the views of the threads that send for its callers
CALLBACK_VIEWS = 3  # first row of the views of the threads that run callbacks
POOL_THREADS = 4  # as many of each
POOL_FIRST = 5  # first row of all of them, and how many: 0 if the producer never sends asynchronously
POOL_COUNT = 6
REFUSALS_REPORTED = 7  # how often a callback is told of one refused attempt
PRODUCER_SIZE = 8

# c, region BROKER_ROWS: BROKER_SIZE cells a broker
SERVERS = 0  # offset of its send threads in region SERVER_FREE
SERVER_COUNT = 1
OCCUPANCY_PPM = 2  # how long a request occupies a send thread, in parts per million of its service time
QUEUE_CAPACITY = 3
RING = 4  # offset of its ring in region RINGS
LATENCY = 5  # offset of its table in region LATENCIES
HAS_MASTER = 6
FEATURES = 7  # 0: plain service and fast failure, no more
EXPIRY_MS = 8  # a request that waited that long is answered by fast failure, NEVER_MS if it is off
SCAN_PHASE_US = 9  # of all its timers, below their longest period
LOCK_BUSY_MS = 10  # the page cache is busy if the commit log's lock is held for longer
LOCK_BUSY_CODE = 11  # answer to a put that meets a busy page cache
APPEND_US = 12
APPEND_PER_KIB_US = 13
REFUSAL_CODE = 14  # answer to every put, 0 if the store can be written
REJECTS = 15  # 1: that answer needs no send thread
QUEUE_ID_CODE = 16  # answer to a queue id that the topic has not
SYNC_FLUSH = 17
FLUSH_LATENCY = 18  # offset of its table in region LATENCIES
FLUSH_TIMEOUT_US = 19
FREES_THREAD = 20  # 1: no send thread waits for a flush or a slave
FLUSH_TIMED = 21  # 1: the asynchronous flush sleeps its interval out, 0: every put wakes it
TRANSIENT_POOL = 22
SLAVES = 23
SLAVE_LATENCY = 24  # offset of its table in region LATENCIES
ACKS = 25  # slaves that must have a message before it is answered
SLAVE_TIMEOUT_US = 26
CHECKS_SLAVE = 27  # 1: without a slave that keeps up nothing is waited for (releases up to 4.9.8)
COUNTS_REPLICAS = 28  # 1: too few replicas are refused before anything is written
DISK_LOST_US = 29  # when the disk is lost for the last time, 0 = never
POWER_LOST_US = 30  # the same of the power, where the flush is asynchronous
BROKER_SIZE = 31

# c, region TOPIC_ROWS: BROKERS cells a topic: for each broker, a queue id must be below, 0 if the topic is not on it;
# where that changes, minus the offset in the region of (number of rows, then from when, below)

# c, region POLLERS: POLLER_SIZE cells a producer; the first two are of the producer of that number, the others of
# the one that polls at that place of each round
FIRST_THREAD = 0
THREAD_COUNT = 1
POLL_PRODUCER = 2
POLL_PHASE_US = 3
POLLER_SIZE = 4

# c, region VERSIONS: VERSION_SIZE cells a version of a route; region MASTERS: a cell a version and broker, whether the
# version names the broker, and its master
VERSION_QUEUES = 0  # offsets in the client memory
VERSION_WRITES = 1
VERSION_DEFAULT = 2  # of a topic that sends create: the version of its default route; -1 of all others
VERSION_SIZE = 3
NOT_NAMED = 0
NAMED_MASTER = 1
NAMED_SLAVES = 2

# c, region ROUTE_TIMES: first a directory of (first row, rows) for each name server and topic, then rows
ROUTE_FIRST = 0
ROUTE_COUNT = 1
ROUTE_PLACE_SIZE = 2
ROUTE_AT_US = 0
ROUTE_VERSION = 1
ROUTE_ROW_SIZE = 2
NOT_EXISTING = -1  # the name server has no such topic
NO_ANSWER = -2  # the name server is down
# What a producer knows of a topic, if it knows no route
NOT_ASKED = -1  # it never sent to it, so its polls leave it out
NOTHING_KNOWN = -2

# c, region AUTO_TOPICS: AUTO_SIZE cells a topic
IS_CREATED = 0  # 1: sends create it
OWNS_QUEUES = 1  # 1: each producer has a queue list of its own, because it rewrites it or sends create the topic
AUTO_SIZE = 2

# m, region NUMBERS
CLOCK_US = 0
NEXT_WINDOW = 1  # window that is open
NEXT_DETECT_US = 2
HEAP_SIZE = 3
FREE_PLACE = 4  # first free place of the backlog, -1 if none
SKIPPED = 5  # arrivals that met a blocked thread and were not sent
NEXT_POLL_US = 6
POLL_PLACE = 7  # in region POLLERS, of the next poll
POLL_ROUND_US = 8  # begin of its round
FREE_RECORD = 9  # first free record of region SENDING, -1 if none
FREE_RECORDS = 10  # how many are free; FAR if the scenario never takes one
CLOSED = 11  # connections that are closed, or will be
LIVE_NUMBERS = 12

# m, region SENDING: SENDING_SIZE cells a record: one for each sender thread, then those that are taken and given back;
# what the simplest sends use comes first: four cache lines
STATE = 0
TOPIC = 1
DRAW = 2
SEND_SEQ = 3
ARRIVAL_US = 4
BEGIN_US = 5
ATTEMPT = 6
ATTEMPT_BEGIN_US = 7
BROKER = 8
QUEUE_ID = 9
OUTCOME = 10
CODE = 11
REASON = 12
COPIES = 13
HELD = 14  # 1: an attempt was stored, its SendResult is remembered
HELD_CODE = 15  # its SendStatus as a response code
HELD_BROKER = 16
HELD_QUEUE_ID = 17
OVER_BUDGET = 18
KEPT = 19  # copies that no fault takes away again
THREAD = 20  # number of the sender thread
CONNECT_US = 21  # what connecting took before the request was sent
MESSAGE_BYTES = 22  # of the body as it is sent and stored, compressed if it is
BODY = 23  # bytes of the body as the application gave it
KEY = 24  # number of the key, negative if it has none
LENGTH = 25  # of the hand-off queue of a thread: messages that wait; always 1 in a closed loop, where none does
HEAD = 26  # of it, a place of the backlog
TAIL = 27
LOOPS = HEAD  # of a closed loop: messages begun so far
ENDS_US = 28  # when the attempt that is under way on a sender thread ends
KEY_SEQ = 29  # number of the message among those of its thread and key
STORED_US = 30  # when the request that is under way is appended, negative if it is not
NEXT_RECORD = 31  # in the list of free records, or in a queue
BROKER_BEFORE = 32
FIRST_BROKER = 33  # which the hand-over charges, negative once it has
SELECTED_US = 34  # when it was selected
BUDGET_MS = 35  # what was left of the time-out when the message reached a sending thread
HOLDS = 36  # HOLDS_*: what waits while this record connects, or is refused
ON_SENDER = 37  # 1 until the first transport call has returned
PERMITTED = 38  # 0: no permit, 1: one of the number, 2: its bytes as well
VIEW_ROW = 39  # row of the views of the thread that chooses for it
REFUSALS = 40  # attempts that the transport refused so far
GENERATION = 41  # which of its producer's route objects of the topic the message is sent with
TIMEOUT_MS = 42
TALLY = 43  # 1 + record that counts the copies whose fate is open, 0: there is none
POSITION = 44  # of a copy whose fate is open: end in its commit log; of a tally: copies whose fate is open
SENDING_SIZE = 48

# STATE of a record: what its event is
IDLE = 0
IN_ATTEMPT = 1  # the end of an attempt
GIVING_UP = 2  # the end of a send that made no (further) attempt
IN_ONE_ATTEMPT = 3  # the end of the only attempt of a one-way or selected send
RESUMING = 4  # the thread takes the next waiting message
BLOCKED = 5  # none: the thread waits for a record
IN_ASYNC = 6  # the end of an asynchronous attempt
WAITING_NUMBER = 7  # the end of the wait for a permit of the number
WAITING_BYTES = 8  # the same for the bytes
GRANTED = 9  # a permit was granted
WAITING_SENDER = 10  # none: it waits in the queue of the sending threads
STARTING = 11  # a sending thread takes it
APPENDING = 12  # a copy of message KEY_SEQ is appended to a commit log
IN_SOCKET = 13  # the first of its connection's that a process reads when it goes on; none for those behind it
WAITING_CALLBACK = 14  # none: its callback waits for a thread
UNFLUSHED = 15  # the broker's flush thread looks at its commit log again, or its power is lost
COUNTING = 16  # none: a tally of a send that is under way
COUNTED = 17  # none: a tally of a send that has ended

HOLDS_NOTHING = 0
HOLDS_SENDER = 1
HOLDS_CALLER = 2
HOLDS_CALLBACK = 3

# m, region BROKER_STATES: BROKER_STATE_SIZE cells a broker
RING_PLACE = 0  # where in its ring the next request goes
LOCK_FREE_US = 1  # when the commit log's lock is free
BUSY_FROM_US = 2  # the page cache is, was or will be busy from then
BUSY_UNTIL_US = 3
FLUSH_BEGIN_US = 4  # of the last group commit
FLUSH_END_US = 5
COPIED_US = 6  # when slaves have all that was appended so far
LAG_SINCE_US = 7  # begin of the last period in which the slaves lagged
LAG_BYTES = 8  # appended since then
# of the asynchronous flush, where the power will be lost
LOG_BYTES = 9  # appended
FLUSHED_BYTES = 10  # of them covered by the last flush
FLUSH_DONE_US = 11  # when that is done
FLUSHED_BEFORE = 12  # covered by the one before, which is done
CHECK_US = 13  # when the flush thread looks next, 0: it never did
THOROUGH_US = 14  # when it last flushed whatever there was
OUTAGE_US = 15  # when the process goes away next
RESTART_US = 16  # when it is back, 0: nothing is known; below 0: what was not flushed is lost
PERIODS = 17  # then PERIODS_SIZE cells for each table of periods
FIRST_PERIOD = 0  # row of the first one in region TIMETABLE
PERIOD_COUNT = 1
PERIOD_CURSOR = 2  # those before it are over
PERIODS_SIZE = 3

# Tables of periods, of each broker
SPEED = 0  # value: service time in parts per million, 0 = stands still
ANSWER = 1  # value: ANSWER_* + response code
STALL = 2  # value 1: a put that holds the commit log's lock keeps it
DOWN = 3  # value DOWN_*: the broker's process is away
SLAVE = 4  # value SLAVE_*: what the slave does not do
ADDED = 6  # value: number of a distribution * ADDED_SCALE + parts per million of it that are added to a service
PERIOD_TABLES = 7
BROKER_STATE_SIZE = PERIODS + PERIOD_TABLES * PERIODS_SIZE
# Tables of periods, of each (group of producers, broker): directories in region LINKS, not in BROKER_STATES
LINK = 5  # value: added latency in microseconds, or LINK_CUT
LOSS = 7  # value: LOSS_RTO * retransmission time-out in microseconds + probability in parts per million
LINK_TABLES = 2
ALL_TABLES = 8

DOWN_GRACEFUL = 1  # the listening port closes first
DOWN_KILL = 2  # connections are closed at once
DOWN_POWER = 3  # connections do not close: nobody answers any more
DOWN_DISK = 4  # the same, and the disk does not come back
SLAVE_AWAY = 1
SLAVE_LAG = 2
LINK_CUT = -1
ADDED_SCALE = 1 << 20
LOSS_RTO = 1 << 20

# m, region TIMETABLE: PERIOD_SIZE cells a period; periods of one broker and table do not overlap
AT_US = 0
UNTIL_US = 1
VALUE = 2
PERIOD_SIZE = 3

ANSWER_REFUSE = 1 << 20
ANSWER_CODE = 2 << 20
ANSWER_STATUS = 3 << 20
ANSWER_VALUE = (1 << 20) - 1

# m, region BACKLOG: BACKLOG_SIZE cells a place
NEXT_PLACE = 0
WAITING_SINCE_US = 1
WAITING_TOPIC = 2
WAITING_DRAW = 3
BACKLOG_SIZE = 4

# m, region PRODUCER_ROUTES: for each producer its name server, then a cell a topic, what it knows: the version, plus
# VERSION_COUNT for each broker that had created the topic by then
# m, region CREATED: for each topic that sends create, how many brokers have it, then a cell a broker: it was the
# first, second, ... to create it, 0 if it has not
# m, region CONNECTIONS: a cell a (producer, broker), 0 = open, else closed from that time on
# m, region PRODUCER_STATES: PRODUCER_STATE_SIZE cells a producer; queues are of records, from HEAD to TAIL
NUMBER_LEFT = 0  # permits for messages
NUMBER_HEAD = 1
NUMBER_TAIL = 2
BYTES_LEFT = 3  # permits for bytes
BYTES_HEAD = 4
BYTES_TAIL = 5
SENDERS_BUSY = 6
SENDER_HEAD = 7
SENDER_TAIL = 8
SENDER_LENGTH = 9
SENDER_IDLE = 10  # place of the idle thread that is next, in the ring of its sending threads behind all states
CALLBACKS = 11  # callbacks run so far
CALLBACKS_LEFT = 12  # threads that run callbacks and are not held up by a refused retry
CALLBACK_HEAD = 13
CALLBACK_TAIL = 14
PRODUCER_STATE_SIZE = 15

# m, region SOCKETS: SOCKET_SIZE cells a (producer, broker): first and last record whose request lies there, unread
SOCKET_SIZE = 2

# m, region KEY_ORDERS: KEY_ORDER_SIZE cells a (topic, sender thread, key)
KEY_SENT = 0  # messages sent
KEY_STORED = 1  # 1 + highest KEY_SEQ stored
KEY_ORDER_SIZE = 2

# m, region WINDOW_PAIRS: WINDOW_COUNTS cells a (topic, broker)
ENDED = 0
SUCCEEDED = 1
RETRIED = 2
MAX_US = 3
OUT_OF_ORDER = 4  # copies appended after a later message of their thread and key
IN_ROUTE = 5  # 1: the topic has a queue on the broker, so the window has a row for it even if nothing ended
WINDOW_COUNTS = 6

# o: how many rows each table holds, has room for (0: it is not wanted), and where it begins;
# column k of row r is at begin + k * room + r
ATTEMPT_ROWS = 0
SEND_ROWS = 1
FAULT_ITEM_ROWS = 2
WINDOW_ROWS = 3
ATTEMPT_ROOM = 4
SEND_ROOM = 5
FAULT_ITEM_ROOM = 6
WINDOW_ROOM = 7
ATTEMPTS_AT = 8
SENDS_AT = 9
FAULT_ITEMS_AT = 10
WINDOWS_AT = 11
ATTEMPT_LIMIT = 12  # rows beyond which an event might find no room, FAR if the table is not wanted
SEND_LIMIT = 13
FAULT_ITEM_LIMIT = 14
WINDOW_LIMIT = 15
SENDS_ENDED = 16  # counted since the begin of the run, whether or not the table is wanted
SENDS_FAILED = 17  # of those, with any result but SEND_OK and SENT_ONEWAY
SENDS_RETRIED = 18  # attempts of those beyond the first
OUT_NUMBERS = 19

# Columns of the rows put out: sizes only; the order is that of the code that writes them.
ATTEMPT_COLUMNS = 12
SEND_COLUMNS = 16
FAULT_ITEM_COLUMNS = 8
WINDOW_COLUMNS = 12
