"""Where the client's variables live: one flat int64 array, named offsets.

One array reaches every rule as one pointer, is stored as it runs, and costs nothing to hand over. All values
are int64; Java ints are kept sign-extended. Blocks, each found through the offset held in another:

view    one for each (producer, thread, topic): the thread's ThreadLocalIndex on it, and where the rest is
queues  one for each (producer, topic): the TopicPublishInfo queue list; shareable where it is never rewritten
writes  one for each topic: what getQueueIdByBroker sees of the route, per broker
faults  one for each producer: the LatencyFaultTolerance table, one item per broker of the cluster
penalty one for each client configuration: latencyMax / notAvailableDuration

Where routes change, for sends that are under way when they do (the engine's, see engine/sending/holding.py):

hold    one for each (producer, topic): which route objects were replaced
held    views of those, HELD_COUNT for each view; their lists are their own where the producer's are
"""

from __future__ import annotations

# view: VIEW_SIZE cells
SEND_WHICH_QUEUE = 0  # raw Java int of the counter
SEEDED = 1  # 0 until the counter's first use drew its random start
RANDOM = 2  # state of the thread's generator: its low 32 bits are the next Random.nextInt()
QUEUES = 3  # offset of the queues block
WRITES = 4  # offset of the writes block
FAULTS = 5  # offset of the faults block
PICK_REASON = 6  # out: codes.PICK_*
SWALLOWED = 7  # out: 1 if the last selection swallowed an exception
VIEW_SIZE = 8

# queues: header, then QUEUE_SIZE cells a queue
QUEUE_COUNT = 0
MUTATED = 1  # out: how often the list was overwritten in place
QUEUE_LIST = 2
QUEUE_BROKER = 0
QUEUE_ID = 1
QUEUE_SIZE = 2

# writes: WRITE_SIZE cells a broker of the cluster
WRITE_QUEUE_NUMS = 0  # write queues of the first QueueData of that broker name, -1 if the route has none
WRITE_PERM = 1  # 1 if that QueueData is writeable
WRITE_SIZE = 2

# faults: header, then ITEM_SIZE cells a broker, then one cell a broker: the brokers of the present items
# in the order in which the table is listed, then one cell a broker: the same in the order of the last sort
WHICH_ITEM_WORST = 0  # raw Java int of the table's own counter
WORST_SEEDED = 1
WORST_RANDOM = 2
BROKER_COUNT = 3  # brokers of the cluster, and so places in the table
PENALTY = 4  # offset of the penalty block
SHUFFLES = 5  # 1: shuffle before the sort, drawing from WORST_RANDOM (releases up to 4.9.3)
ITEM_COUNT = 6  # items present, and so places used in the listing
TABLE_SIZE = 7  # slots of the hash table behind the listing; 0 = as small as it starts
ITEM_LIST = 8
PRESENT = 0
CURRENT_LATENCY = 1
START_TIMESTAMP = 2  # ms of the client's clock; 0 = never penalised (5.1.4+)
REACHABLE = 3
CHECK_STAMP = 4  # ms; when the detector may look again (5.1.4+)
SHOWN = 5  # 1: the engine put the item out as present; kept when the item is removed
ITEM_SIZE = 8  # a line: an item is read as a whole

# penalty: PENALTY_STEPS, then that many latencyMax, then that many notAvailableDuration (ms), then one cell a broker:
# hash_order.spread of its name, which decides the listing of fault tables
PENALTY_STEPS = 0
PENALTY_TABLE = 1

# hold: header, then HELD_SIZE cells a route object that was replaced, the n-th one in place n % HELD_COUNT
GENERATION_NOW = 0  # route objects before the one that is known now
HELD_LIST = 1
HELD_VERSION = 0  # what was known of the route
FORGOTTEN_US = 1  # when the addresses that only it named are dropped
HELD_SIZE = 2

NO_BROKER = -1

LINE = 8  # cells of a line of the processor's caches


def whole_lines(cells: int) -> int:
    """That many cells, rounded up to whole lines."""
    return -(-cells // LINE) * LINE


def faults_size(brokers: int) -> int:
    """Cells of a faults block for a cluster of that many brokers."""
    return whole_lines(ITEM_LIST + brokers * ITEM_SIZE + 2 * brokers)


def listing(faults: int, brokers: int) -> int:
    """Offset of the listing order of a faults block."""
    return faults + ITEM_LIST + brokers * ITEM_SIZE


def ranking(faults: int, brokers: int) -> int:
    """Offset of the order of the last sort of a faults block."""
    return faults + ITEM_LIST + brokers * (ITEM_SIZE + 1)


def queues_size(queues: int) -> int:
    """Cells of a queues block that can hold that many queues."""
    return QUEUE_LIST + queues * QUEUE_SIZE


def hold_size(count: int) -> int:
    """Cells of a hold of that many route objects."""
    return HELD_LIST + count * HELD_SIZE


def penalty_size(steps: int, brokers: int) -> int:
    """Cells of a penalty block with that many steps for a cluster of that many brokers."""
    return PENALTY_TABLE + 2 * steps + brokers
