"""Half messages, the half queue of a broker, and the producers that it asks."""

from __future__ import annotations

from simulator.compiled.records import Record, Us, Within
from simulator.consumer.memory.queue_log import MessageContent
from simulator.kernel.pools import Taken

NO_HALF = -1
NO_LINK = -1
NO_CLIENT = -1
HALF = -1  # the delay of a row that is appended to the half topic
NEVER_US = -1

# fate of a half message; GONE: lost with its log
OPEN, COMMITTED, ROLLED_BACK, GIVEN_UP, FREE, GONE = range(6)
# what an end request says
COMMIT, ROLLBACK, UNKNOWN = range(3)
# where a request is next
LOCAL_ENDS, CHECK_ARRIVES, END_ARRIVES = range(3)


class TransactionState(Record):
    """How the transaction of a message stands, as its row shows it."""

    broker: int
    log: int  # of its topic, where it becomes readable
    sender: int
    arrival_us: Us
    stored_us: Us  # its first copy
    local_us: Us  # when its local transaction ended, NEVER_US: it was not begun after this copy
    settled_us: Us  # NEVER_US: it is open
    fate: int
    by_check: int  # 1: what settled it answers a check
    checks: int  # TRANSACTION_CHECK_TIMES
    delivered: int  # how often it became readable


UNWRITTEN = 1  # the op message that says so is not written yet
IS_LOST = 4  # it has gone with what the old master had alone, so that it is not found after all
UNCOPIED = 2  # it was written again for a check after the slaves copied how far the half queue is read


class HalfMessage(Taken, MessageContent, TransactionState):
    """A half message, from its append until it is settled and nothing of it is under way."""

    again_us: Us  # the latest copy, which a check has written
    born_us: Us  # its first copy; on a broker that it escaped to, that of the broker that it comes from
    has_escaped: int  # 1: a slave that acts has put it on another broker, or passed it over
    answers: int  # answers of checks so far
    under_way: int  # requests about it
    kept: int  # why a slave that becomes the master would find it open though it is settled: UNWRITTEN, UNCOPIED
    proxy: int  # of a gRPC producer: the one that knows where it is, NO_LINK: none
    proxy_lives: int  # of that proxy as it got to know
    kept_until_us: Us  # until when it does
    before: int  # in the half queue
    behind: int


class HalfCounts(Record):
    """What a broker did with half messages in a window."""

    halves: int
    committed: int
    rolled_back: int
    given_up: int
    checks: int
    unheard: int  # of those, when no producer was connected


class HalfQueue(HalfCounts):
    """The half messages of a broker that are open, those that were written first first."""

    first: int
    last: int
    open: int
    check_us: Us  # next round
    round_us: Us  # when the last one began
    interval_us: Us  # transactionCheckInterval
    pause_us: Us  # a round that has read op messages sleeps so long before it asks, 0: it does not
    reads_ops: int  # 1: the round under way has read some, and has not slept
    ended_us: Us  # when a half message was ended last
    ended_copy_us: Us  # when the latest copy was written of those that are ended
    timeout_us: Us  # transactionTimeOut
    check_max: int  # transactionCheckMax
    refuses_late: int  # 1: an end request that no check asked for is refused once the message's own immunity is over
    asked: int  # producers asked so far: they take turns
    started_us: Us  # of its process
    epoch_us: Us  # when its machine became the master of a set, 0: it is the first one
    copied_us: Us  # when the slaves of a set copied last how far the queue is read
    batches: int  # 1: op messages are written for several half messages at once
    first_kept: int  # half message that is kept, the latest one


class HalfRequest(Taken):
    """A request about a half message: the end of a local transaction, a check, its answer."""

    half: int
    next_at: int  # LOCAL_ENDS ...
    producer: int
    sent_us: Us  # when its producer took it on
    is_check: int
    says: int  # COMMIT ...


class Outcomes(Record):
    """How likely each outcome is: thresholds over 2**32 of commit, of commit or rollback, and of what is not never."""

    commit: int
    settled: int
    checked: int  # beyond it a check finds nothing


class TransactionGroup(Record):
    """What does not change of a group of transactional producers; one record for each group of producers."""

    is_transactional: int
    first_producer: int
    producers: int
    local: Within[Outcomes]  # of local transactions
    check: Within[Outcomes]  # of checks, where the local transaction came to unknown
    running: Within[Outcomes]  # of checks while the local transaction runs
    local_times: int  # number of its table in world.local_times
    check_us: Us  # what a check takes the producer
    immunity_us: Us  # CHECK_IMMUNITY_TIME_IN_SECONDS, 0: none
    over_proxies: int  # 1: gRPC producers
    first_answering: int  # place in world.answering of those producers over proxies that answer its checks
    answering: int  # how many they are
    waits_us: Us  # how long these wait for the answer to an end request


class TransactionProducer(Record):
    """A producer as brokers know it: its channel is listed from a heartbeat on until it closes or was silent."""

    heartbeat_us: Us  # phase of its heartbeats
    client: int  # in world.proxied, NO_CLIENT: a remoting producer
    began_us: Us  # of its process
    is_gone: int
    frozen_us: Us  # since when it stands still, 0: it does not
    thaws_us: Us
    busy_us: Us  # until when its one thread for checks is at work
    asked: int  # checks in the open window
    streams: int  # a bit each: proxies that have a stream to a process of it that was killed
    channels: int  # the same: those that may list such a process still
    died_us: Us  # when that was
    left_us: Us  # since when that process was listed
