"""Where the loop's variables live: three flat int64 arrays and the offsets in them.

c: what does not change and where everything is (`Cluster`); m: what is remembered (`Live`), the client memory
first; o: where finished rows are put. Flat, because a compiled function that takes an array out of a bundle counts
references, which costs more than the rest of a send; and one typed signature serves every scenario.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

Ints = npt.NDArray[np.int64]

FAR = 1 << 62  # later than any event


class Cluster(NamedTuple):
    """What does not change during a run, as separate arrays; the loop reads it joined, see `join_cluster`."""

    settings: Ints
    threads: Ints
    brokers: Ints
    latencies: Ints
    retry_codes: Ints


class Live(NamedTuple):
    """What is remembered from event to event: views of one flat array, see `join_live`."""

    memory: Ints
    numbers: Ints
    sending: Ints
    send_seqs: Ints
    heap_at: Ints
    heap_thread: Ints
    servers: Ints
    rings: Ints
    broker_states: Ints
    timetable: Ints
    backlog: Ints
    hand_off: Ints
    histogram: Ints
    window_counts: Ints
    known_items: Ints
    change_seqs: Ints


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
SETTINGS_SIZE = 20
# c: then where the regions begin, first those of c itself, then those of m
THREADS = 20
BROKER_ROWS = 21
LATENCIES = 22
RETRY_CODES = 23
MEMORY_AT = 24  # always 0: offsets in the client memory are offsets in m
NUMBERS = 25
SENDING = 26
SEND_SEQS = 27
HEAP_AT = 28
HEAP_THREAD = 29
SERVER_FREE = 30
RINGS = 31
BROKER_STATES = 32
TIMETABLE = 33
BACKLOG = 34
HAND_OFF = 35
HISTOGRAM = 36
WINDOW_PAIRS = 37
KNOWN_ITEMS = 38
CHANGE_SEQS = 39
DIRECTORY_END = 40

# c, region THREADS: THREAD_SIZE cells a sender thread
PRODUCER = 0  # number of the producer in the cell
SKIPS = 1  # 1: a blocked thread sends less; 0: messages wait in the hand-off queue
HAND_OFF_LIMIT = 2
THREAD_SIZE = 3

# c, region BROKER_ROWS: BROKER_SIZE cells a broker
SERVERS = 0  # offset of its send threads in region SERVER_FREE
SERVER_COUNT = 1
OCCUPANCY_PPM = 2  # how long a request occupies a send thread, in parts per million of its service time
QUEUE_CAPACITY = 3
RING = 4  # offset of its ring in region RINGS
LATENCY = 5  # offset of its table in region LATENCIES
HAS_MASTER = 6
BROKER_SIZE = 7

# m, region NUMBERS
CLOCK_US = 0
NEXT_WINDOW = 1  # window that is open
NEXT_DETECT_US = 2
HEAP_SIZE = 3
FREE_PLACE = 4  # first free place of the backlog, -1 if none
SKIPPED = 5  # arrivals that met a blocked thread of a closed loop
LIVE_NUMBERS = 6

# m, region SENDING: SENDING_SIZE cells a sender thread
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
SENDING_SIZE = 19

IDLE = 0
IN_ATTEMPT = 1  # the event is the end of an attempt
GIVING_UP = 2  # the event is the end of a send that made no (further) attempt

# m, region BROKER_STATES: BROKER_STATE_SIZE cells a broker
RING_PLACE = 0  # where in its ring the next request goes
PERIODS = 1  # then PERIODS_SIZE cells for each table of periods
FIRST_PERIOD = 0  # row of the first one in region TIMETABLE
PERIOD_COUNT = 1
PERIOD_CURSOR = 2  # those before it are over
PERIODS_SIZE = 3

# Tables of periods, of each broker
SPEED = 0  # value: service time in parts per million, 0 = stands still
ANSWER = 1  # value: ANSWER_* + response code
PERIOD_TABLES = 2
BROKER_STATE_SIZE = PERIODS + PERIOD_TABLES * PERIODS_SIZE

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

# m, region HAND_OFF: HAND_OFF_SIZE cells a sender thread
HEAD = 0
TAIL = 1
LENGTH = 2
HAND_OFF_SIZE = 3

# m, region WINDOW_PAIRS: WINDOW_COUNTS cells a (topic, broker)
ENDED = 0
SUCCEEDED = 1
RETRIED = 2
MAX_US = 3
IN_ROUTE = 4  # 1: the topic has a queue on the broker, so the window has a row for it even if nothing ended
WINDOW_COUNTS = 5

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
OUT_NUMBERS = 16

# Columns of the rows put out: sizes only; the order is that of the code that writes them.
ATTEMPT_COLUMNS = 12
SEND_COLUMNS = 12
FAULT_ITEM_COLUMNS = 8
WINDOW_COLUMNS = 11

HAND_OFF_QUEUE_FULL = 8  # result of a message that its thread's hand-off queue had no place for


def join_cluster(cluster: Cluster) -> Ints:
    """The array c of a cluster; the places of m's regions are filled in by `join_live`."""
    regions = (cluster.threads, cluster.brokers, cluster.latencies, cluster.retry_codes)
    c = np.concatenate([np.zeros(DIRECTORY_END, np.int64), *regions])
    c[:SETTINGS_SIZE] = cluster.settings
    c[RETRY_CODE_COUNT] = len(cluster.retry_codes)
    at = DIRECTORY_END
    for place, region in zip((THREADS, BROKER_ROWS, LATENCIES, RETRY_CODES), regions, strict=True):
        c[place] = at
        at += len(region)
    return c


def join_live(parts: Live, c: Ints) -> tuple[Ints, Live]:
    """The array m of those parts, and the parts as views of it; notes in c where they begin."""
    m = np.concatenate(parts)
    views, at = [], 0
    for place, part in enumerate(parts, start=MEMORY_AT):
        c[place] = at
        views.append(m[at : at + len(part)])
        at += len(part)
    return m, Live(*views)
