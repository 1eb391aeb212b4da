"""Offsets reset to a moment while the group runs (`mqadmin resetOffsetByTime`, force as by default).

The client drops its queues with what it cached, sleeps for 10 s, writes the new offsets down and balances. An orderly
group of 5.5.0 does not sleep: it waits for the thread at each queue, 10 s at most. The reset names a topic: the group's
retry topic stays where it is, and is not pulled meanwhile. Each broker is asked, and has its clients reset its own
queues: those of one that does not answer stay, too.
Source: rocketmq 4.2.0-5.5.0, Broker2Client.resetOffset, MQClientInstance.resetOffset and .waitResetOffsetReady,
DefaultMessageStore.getOffsetInQueueByTime.
"""

from __future__ import annotations

from simulator.compiled.jit import rule
from simulator.compiled.records import Us
from simulator.consumer.broker.offset_table import report_lost
from simulator.consumer.client.letting_go import let_queue_go
from simulator.consumer.links.reaching import reaches
from simulator.consumer.memory.consumer_events import REBALANCE
from simulator.consumer.memory.consumer_settings import BY_RESET
from simulator.consumer.memory.consumer_world import ConsumerWorld
from simulator.consumer.memory.held_queue import Holding
from simulator.consumer.memory.instance import NOBODY
from simulator.consumer.memory.orderly_group import WORKS
from simulator.consumer.queue_log.consumptions import times_in
from simulator.consumer.queue_log.filtering import is_kept
from simulator.consumer.queue_log.log_pages import message_in, offset_at, page_of
from simulator.consumer.queue_log.skipping import first_known, goes_on_at
from simulator.consumer.shared.instance_timers import balance_at, stop_timer
from simulator.consumer.shared.queue_progress import progress_of

SLEEPS_US = 10_000_000


@rule()
def _go_to(world: ConsumerWorld, holding: Holding, target: int) -> None:
    """Count what will be consumed again as backlog, and what is passed over as skipped."""
    log, progress = world.logs[holding.log], progress_of(world, holding.subscription, holding.log)
    own = world.subscriptions[holding.subscription]
    progress.returned = 0
    started_us = world.instances[holding.instance].started_us
    goes_on_at(world, holding.subscription, holding.log, target, started_us)
    progress.returned_until = log.max_offset
    page = log.first_page
    for offset in range(max(target, first_known(world, log)), log.max_offset):
        page = page_of(world, log, offset, page)
        message = message_in(world.pages[page], offset)
        if times_in(message.counts, own) > 0 and is_kept(world, holding.subscription, message):
            progress.returned += 1


@rule()
def _free_of_thread(world: ConsumerWorld, at: int, from_us: Us) -> Us:
    """When no thread is at a queue any more, or the client that waits for it from a moment on waits no longer."""
    holding = world.holdings[at]
    if holding.turn != WORKS:
        return from_us
    return min(max(from_us, world.workers[holding.worker].ends_us), from_us + SLEEPS_US)


@rule()
def reset_offsets(world: ConsumerWorld, number: int, moment_us: Us, now_us: Us) -> None:
    """Have an instance go to what was stored from a moment on, in all queues of its topics."""
    instance = world.instances[number]
    if instance.is_up == 0:
        return
    waits = world.groups[instance.group].orderly.waits_at_reset == 1
    ready_us = now_us if waits else now_us + SLEEPS_US
    behind = instance.first_holding
    while behind != NOBODY:
        at = behind
        holding = world.holdings[at]
        behind = holding.next_holding
        is_retry = world.subscriptions[holding.subscription].is_retry == 1
        if is_retry or not reaches(world, number, world.logs[holding.log].broker):
            continue
        if waits:
            ready_us = _free_of_thread(world, at, ready_us)
        offset = offset_at(world, world.logs[holding.log], moment_us)
        _go_to(world, holding, offset)
        holding.memory = offset
        report_lost(world, holding)
        let_queue_go(world, at, now_us)
    stop_timer(world, number, REBALANCE)
    instance.suspended_us = ready_us
    balance_at(world, number, instance.suspended_us, BY_RESET)
