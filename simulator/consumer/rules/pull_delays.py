"""Whether a queue is pulled when its turn comes: flow control, and how long the next turn is put off.

All limits are exceeded by what is larger; bytes count in whole MiB, so that "100 MiB" is passed until 101.
Source: rocketmq 4.2.0-5.3.3, DefaultMQPushConsumerImpl.pullMessage.
"""

from __future__ import annotations

from simulator.compiled.jit import rule
from simulator.compiled.records import Ms, Record
from simulator.consumer.rules.process_queue import ProcessQueue, max_span

FORGET = -1  # the queue was dropped: it is not pulled again
PULL = 0

FLOWS, TOO_MANY, TOO_LARGE, TOO_WIDE = range(4)  # what holds a queue back
MIB = 1024 * 1024
ANY_SPAN = 1 << 62


class PullSettings(Record):
    """What decides about the pulls of an instance."""

    pull_threshold_for_queue: int
    pull_threshold_size_for_queue_mib: int
    consume_concurrently_max_span: int  # ANY_SPAN: orderly consumption has no such limit
    needs_lock: int  # 1: a queue is pulled only while it is locked
    when_exception_ms: Ms
    when_flow_control_ms: Ms
    when_suspended_ms: Ms


def pull_in_order(settings: PullSettings) -> None:
    """Have settings of a group be those of orderly consumption."""
    settings.needs_lock = 1
    settings.consume_concurrently_max_span = ANY_SPAN


@rule()
def flow_control(queue: ProcessQueue, settings: PullSettings) -> int:
    """FLOWS, or what is exceeded."""
    if queue.msg_count > settings.pull_threshold_for_queue:
        return TOO_MANY
    if queue.msg_size // MIB > settings.pull_threshold_size_for_queue_mib:
        return TOO_LARGE
    if max_span(queue) > settings.consume_concurrently_max_span:
        return TOO_WIDE
    return FLOWS


@rule()
def pull_delay(
    queue: ProcessQueue, settings: PullSettings, now_ms: Ms, is_running: int, is_paused: int, is_subscribed: int
) -> int:
    """PULL, FORGET or the milliseconds until the queue is looked at again. An orderly queue has to be locked."""
    if queue.dropped:
        return FORGET
    queue.last_pull_ms = now_ms
    if is_running == 0:
        return settings.when_exception_ms
    if is_paused:
        return settings.when_suspended_ms
    if flow_control(queue, settings) != FLOWS:
        return settings.when_flow_control_ms
    if is_subscribed == 0 or (settings.needs_lock and queue.locked == 0):
        return settings.when_exception_ms
    return PULL
