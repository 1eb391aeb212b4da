"""What a broker remembers of consumers: who is a member of a group, how far groups have read, what it holds.

Of POP groups: pops that wait for a message, and messages that are popped and not acknowledged.
"""

from __future__ import annotations

from simulator.compiled.records import Record, Us
from simulator.kernel.pools import Taken

REPORTS_KEPT = 10  # of a queue: Burrow's `intervals`
# how a group stands to a queue: it was never started, it was, or it has long been running as the scenario begins
NOT_BEGUN, BEGUN, OLD = range(3)


class ServingBroker(Record):
    """A broker as consumers meet it."""

    is_away: int  # DOWN_* of the outage that holds, 0: its process is there
    stands_still: int
    back_us: Us  # until when it stands still
    away_until_us: Us
    away_since_us: Us
    cut_since_us: Us  # since when it is cut off from everybody, 0: it is not
    slave_lost_us: Us  # since when its slave is away, 0: it is not
    machine: int  # that is master of a replica set, from 0
    is_unled: int  # 1: the master of the set is silent, and no other one has taken over yet
    delays_dead_letters: int  # BrokerRelease.delays_dead_letters
    counts_sent_retry_sooner: int  # BrokerRelease.counts_sent_retry_sooner
    corrects_to_first: int  # BrokerRelease.corrects_to_first
    asks_page_cache: int  # BrokerRelease.asks_page_cache


class Member(Record):
    """What a broker knows of an instance."""

    is_listed: int
    is_cut: int  # 1: the broker closed its connection, and the client has not noticed yet
    seen_us: Us  # last heartbeat
    # of a broker that stands still, and what it leaves behind
    beat_us: Us  # the heartbeat that lies in the connection, 0: none
    asked_us: Us  # since when the client waits in vain: for a list of members, or with a heartbeat; 0: it does not
    lost_beats: int  # heartbeats that lie in connections which the client has closed
    dead: int  # how often the client is listed by connections that are closed
    dead_us: Us  # since when
    link: int  # how the network between the two is: LINK_OPEN ...
    link_until_us: Us  # until when, while it is not open
    closed_us: Us  # when the client closed the connection over which nothing came, 0: it stands
    has_old_address: int  # 1: the link is down as the client has the address of a machine that is no master any more
    slave_seen_us: Us  # last heartbeat that the broker's slave had, 0: it does not list the client


class QueueCounts(Record):
    """What a window shows of a queue as a group reads it."""

    committed: int  # -1: no offset
    consumed: int  # in the open window
    missed: int  # messages that were deleted before it had consumed them
    skipped: int  # messages that it went past without consuming them
    skipped_later: int  # of these, those stored since the instance that went past them was started


class QueueProgress(QueueCounts):
    """How far a group has read a queue: by the broker's offset table, and in truth."""

    flushed: int
    slave_committed: int  # what the slave of the queue's broker knows, -1: no offset
    slave_popped: int  # up to where it has given as it acted for its master, -1: nothing; it has that in memory only
    page: int  # of the oldest message that is not committed, or of one before
    first_times: int  # messages that were consumed, each counted once
    furthest: int  # the largest offset of these
    returned: int  # messages that it has consumed and is to consume again, after a reset of its offset
    returned_until: int  # offset behind the last of them; of a POP group behind what it may be given twice
    skipped_from: int  # smallest offset of what is skipped
    skipped_until: int  # what is stored before this offset and was neither consumed nor missed is skipped
    skipped_since_us: Us  # when the instance was started that went past the last of them
    cut_to: int  # end of the log when a crash last took messages back, FAR: a pull has come since
    standing: int  # NOT_BEGUN, BEGUN or OLD
    owners: int  # instances that hold the queue
    since_us: Us  # when that number changed
    unowned_us: Us  # in the open window
    double_us: Us
    reports: int  # committed offsets that were noted for the lag's verdict
    reported_us: Us  # when the last of them was
    in_flight: int  # messages that are popped and invisible


class OffsetReport(Record):
    """An offset that was committed, as whoever watches the lag sees it."""

    at_us: Us
    offset: int
    lag: int


WAKES_NONE, WAKES_SHARED, WAKES_ANY = range(3)


class PopPlace(Record):
    """The queues of a subscription at a broker, and the broker's rules."""

    first_log: int  # -1: the broker has no queue of the topic
    queues: int
    retry_log: int
    retry_first_percent: int  # popFromRetryProbability
    wakes_on_retry: int  # which pop waits no longer for a message that comes again: WAKES_NONE ...
    wakes_filtered: int  # BrokerRelease.wakes_pops_filtered
    wakes_on_rest: int  # BrokerRelease.wakes_pops_on_rest
    from_memory: int  # BrokerRelease.pops_from_memory
    all_retries: int  # BrokerRelease.pops_all_retries
    descends: int  # BrokerRelease.pops_descending
    revives: int  # 1: it has a timer wheel, out of which check points come
    refuses: int  # 1: no timer wheel, and BrokerRelease.refuses_pops_without_wheel
    wakes_unblocked: int  # BrokerRelease.wakes_pops_unblocked
    merges: int  # 1: enablePopBufferMerge
    loses_younger: int  # BrokerRelease.loses_younger_messages
    in_flight_most: int  # popInflightMessageThreshold; 0: without limit


class PopWaits(Record):
    """The waiting pops of a subscription at a broker, and its check points."""

    first_wait: int  # holding, the one that waits for longest
    last_wait: int
    requests: int  # pops that were served so far
    slave_requests: int  # by a slave that acts for the broker
    properties_read: int  # by the last of them: messages whose properties a filter was evaluated with
    first_point: int  # check point, the one that is revived first
    last_point: int
    first_revived: int  # check point, the latest that is revived and would be again after a crash
    # in the open window
    popped: int
    acknowledged: int
    revived: int
    revived_failed: int
    revived_unheard: int
    revived_slow: int
    lost: int  # neither acknowledged nor revived
    refused: int
    # now
    invisible: int


class ReviveService(Record):
    """One of the revive services of a broker, which reads one queue of its revive log in rounds."""

    is_reading: int  # 1: in a round
    began_us: Us  # the round, or the last one
    rests: int  # how many times longer it rests after a round without a check point
    settled: int  # tenths of a second: what is due before is read


# why a message is not acknowledged
NOT_YET = 0  # its client has not come to it, or not in time
FAILED_TO_HANDLE = 1
UNHEARD = 2  # the acknowledgement did not reach the broker
SLOW = 3  # its client was too late, though it ran


# what another master, or the broker after a crash, does with a check point that is revived: how far the revive log is
# read is copied by slaves, and written as the offsets of groups are
NOT_REVIVED, REVIVES_AGAIN, IS_SETTLED = range(3)


class CheckPoint(Taken):
    """A message that was popped: revived unless it is acknowledged in time.

    It is the broker's until then (is_listed), and the client's while that has the message (is_held).
    """

    place: int  # in world.pop_waits
    instance: int  # that popped it
    subscription: int  # the group's retry topic or the topic itself
    log: int
    offset: int
    first_offset: int  # where the pop of that queue began
    page: int
    stored_us: Us
    arrival_us: Us
    draw: int
    sender: int
    body_bytes: int
    origin: int  # subscription that it came through first
    reconsume_times: int
    popped_us: Us
    revive_us: Us
    before: int  # in the list of its place
    behind: int
    next_found: int  # of the same answer
    is_listed: int
    is_held: int
    why: int  # it is not acknowledged: NOT_YET ...
    reviver: int  # revive service that reads it
    revived: int  # NOT_REVIVED ...
    next_revived: int
    copy_log: int  # where it was stored again, NO_LOG: nowhere yet
    copy_offset: int
    # of a group that pops in order
    in_order: int  # 1: it is of the last pop of its queue
    next_in_order: int  # of that pop
    is_acknowledged: int
    of_slave: int  # 1: a slave that acts gave it, and nobody revives it
    # of a group that consumes over proxies
    client: int  # instance that received it
    keeper: int  # proxy that remembers its receipt handle, NO_PROXY: none
    keeper_lives: int  # of that proxy as it was received
    renewals: int  # of its receipt handle
    cleared_us: Us  # when that proxy gives it back, as its client is gone
