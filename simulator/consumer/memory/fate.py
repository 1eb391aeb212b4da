"""What became of a delivery, and what a group does with one that failed."""

from __future__ import annotations

from simulator.compiled.records import Record, Us

# fate of a delivery
SUCCEEDED = 0
LOST_QUEUE = 1  # it failed, and the instance had lost the queue: the next owner gets it
SENT_BACK = 2  # it comes again through the retry topic
RESENT = 3  # the same, sent by the client, as the broker did not take it back
DEAD_LETTER = 4
AGAIN_LOCALLY = 5  # nobody took it: the instance consumes it again
DUPLICATE = 7  # the group knew it as handled, and skipped it
NOT_SENT_BACK = 6  # the instance no longer caches it, so nothing is sent back
SUSPENDED = 8  # of an orderly group: its queue stands still, then it comes again in place
HIDDEN = 9  # of a POP group: it failed, and comes again when its new invisible time is over
TOO_LATE = 10  # of a POP group: its invisible time was over, so it was not acknowledged
NOT_ACKNOWLEDGED = 11  # of a POP group: it was handled, and its broker did not answer, or was not asked
UNHANDLED = 12  # of a POP group: it failed, and comes again when its invisible time is over

# its listener handled it, though a POP group may not have acknowledged it in time
WELL_HANDLED = (SUCCEEDED, TOO_LATE, NOT_ACKNOWLEDGED)

NO_TOPIC = -1
LEVELS_COUNTED = 32  # delay levels that are counted apart; those above count as the last


class FailedHandling(Record):
    """What a group does with messages that it could not handle; `retry_topic` NO_TOPIC: it handles every message."""

    retry_topic: int
    dead_topic: int
    fails_ppm: int  # of deliveries
    fails_always_ppm: int  # of messages
    acks_some: int  # 1: the listener succeeds with an ackIndex, 0: later, null or an exception
    most_reconsumes: int  # maxReconsumeTimes as it counts
    counts_last_try: int  # 1: a message that comes back is stored with its last try counted
    next_level: int  # delayLevelWhenNextConsume
    only_held: int  # 1: sent back only while it is cached
    interrupted: int  # 1: a shutdown interrupts what is being handled, which is sent back
    timeout_us: Us  # consumeTimeout, 0: no sweep, as nothing takes so long
    sweep_goes_on: int  # 0: a sweep that meets a message which no thread has taken is the last
    is_new: int  # 1: the group has never run, so its retry topic does not exist yet
