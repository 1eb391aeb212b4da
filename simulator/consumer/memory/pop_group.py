"""What decides how a POP group pops, and where brokers have its queues and its retries."""

from __future__ import annotations

from simulator.compiled.records import Record, Us


class PopSettings(Record):
    """The settings of a POP group."""

    batch: int  # popBatchNums, 0: the group pulls
    invisible_us: Us  # popInvisibleTime
    threshold: int  # popThresholdForQueue
    timeout_us: Us  # how long the client waits for an answer


class PopPlace(Record):
    """The queues of a subscription at a broker, and the broker's rules."""

    first_log: int  # -1: the broker has no queue of the topic
    queues: int
    retry_log: int
    retry_first_percent: int  # popFromRetryProbability
    wakes_on_retry: int  # BrokerRelease.wakes_on_retry
    descends: int  # BrokerRelease.pops_descending
    revives: int  # 1: it has a timer wheel, out of which check points come
    refuses: int  # 1: no timer wheel, and BrokerRelease.refuses_pops_without_wheel
