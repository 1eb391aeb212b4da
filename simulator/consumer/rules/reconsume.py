"""How often and when a message that failed is consumed again.

Source: rocketmq 4.2.0-5.3.3, DefaultMQPushConsumerImpl.getMaxReconsumeTimes, ConsumeMessageConcurrentlyService
.processConsumeResult, ConsumeMessageOrderlyService.getMaxReconsumeTimes and .submitConsumeRequestLater.
"""

from __future__ import annotations

from simulator.client.java_int import INT_MAX
from simulator.compiled.jit import rule
from simulator.compiled.records import Ms

DEFAULT_MAX_RECONSUME_TIMES = -1  # stands for the listener's own limit
MAX_CONCURRENTLY, MAX_ORDERLY = 16, INT_MAX
SUSPEND_LEAST_MS = 10
SUSPEND_MOST_MS = 30_000
CONSUMER_SUSPENDS = -1  # a context that leaves the time to the consumer
LOCAL_AGAIN_MS = 5_000  # a message that could not be sent back is consumed again after


@rule()
def max_reconsume_times(setting: int, most: int) -> int:
    """maxReconsumeTimes as it counts; `most`: the limit of a listener of this kind."""
    return most if setting == DEFAULT_MAX_RECONSUME_TIMES else setting


@rule()
def suspend_ms(suspend_current_queue_ms: Ms, context_ms: Ms) -> Ms:
    """How long an orderly queue stands still after SUSPEND_CURRENT_QUEUE_A_MOMENT."""
    asked_ms = suspend_current_queue_ms if context_ms == CONSUMER_SUSPENDS else context_ms
    return max(SUSPEND_LEAST_MS, min(asked_ms, SUSPEND_MOST_MS))


@rule()
def failed_from(ack_index: int, batch: int, is_success: int) -> int:
    """Place of the first message of a batch that is consumed again; `batch` if none is."""
    if is_success == 0:
        return 0
    return min(ack_index, batch - 1) + 1
