"""A pull arrives at a broker, or at its slave: it is answered, held or refused.

Source: rocketmq 4.2.0-5.3.3, PullMessageProcessor, DefaultMessageStore.getMessage (OFFSET_TOO_SMALL,
OFFSET_OVERFLOW_BADLY).
"""

from __future__ import annotations

from simulator.compiled.jit import rule
from simulator.compiled.records import Us
from simulator.consumer.broker.held_pulls import hold
from simulator.consumer.broker.members import connect_again, knows_group
from simulator.consumer.broker.offset_table import commit
from simulator.consumer.broker.serving_pulls import answer, copied_until, goes_to_slave, serve
from simulator.consumer.links.cut_links import lose_pull
from simulator.consumer.links.instance_routes import has_address, knows_master
from simulator.consumer.links.reaching import LINK_MASTER_CUT, LINK_OPEN, master_is_gone, member_at
from simulator.consumer.memory.consumer_group import BY_PROPERTIES
from simulator.consumer.memory.consumer_world import ConsumerWorld
from simulator.consumer.memory.held_queue import ANSWERED, ASKED, FAILED, MOVED, Holding
from simulator.consumer.memory.queue_log import QueueLog
from simulator.consumer.queue_log.log_pages import is_known, message_in, page_of
from simulator.consumer.queue_log.skipping import look_at_cut
from simulator.consumer.shared.holdings import group_of, pull_at, pull_is_over


@rule()
def arrive(world: ConsumerWorld, number: int, now_us: Us) -> None:
    """The broker has the request: it answers, holds it, or is not there."""
    holding = world.holdings[number]
    log, settings = world.logs[holding.log], world.settings
    broker = world.serving[log.broker]
    if holding.is_dropped == 1:
        pull_is_over(world, holding, number)
        return
    member = member_at(world, log.broker, holding.instance)
    holding.from_slave = goes_to_slave(world, holding)
    if member.link != LINK_OPEN and not (holding.from_slave == 1 and member.link == LINK_MASTER_CUT):
        lose_pull(world, number, log.broker, now_us)
        return
    if member.closed_us > 0 and member.link == LINK_OPEN:
        connect_again(world, holding.instance, log.broker, now_us)
    look_at_cut(world, holding)
    if holding.from_slave == 1:
        _arrive_at_slave(world, number, now_us)
        return
    if broker.is_away != 0 or not has_address(world, holding.instance, log.topic, log.broker):
        pull_at(world, number, FAILED, now_us + settings.link_us)
        return
    if broker.stands_still == 1:
        pull_at(world, number, ASKED, max(broker.back_us, now_us + 1))
        return
    if not knows_group(world, log.broker, world.instances[holding.instance].group) or refuses_sql(world, holding):
        pull_at(world, number, FAILED, now_us + settings.link_us)
        return
    commits = group_of(world, holding).is_broadcasting == 0 and holding.memory > 0
    if commits and knows_master(world, holding.instance, log.topic, log.broker):  # no pull for a slave commits
        commit(world, holding.subscription, holding.log, holding.memory)
    moved_to = legal_offset(log, holding.offset, broker.corrects_to_first)
    if moved_to != holding.offset:
        holding.moved_to = moved_to
        pull_at(world, number, MOVED, now_us + world.store_rules[log.broker].pull_us + settings.link_us)
        return
    if holding.offset < log.max_offset:
        serve(world, number, now_us, world.store_rules[log.broker].pull_us)
        return
    hold(world, number, now_us)


@rule()
def refuses_sql(world: ConsumerWorld, holding: Holding) -> bool:
    """Whether the broker refuses the subscription: SYSTEM_ERROR, it does not support to filter message by SQL92."""
    broker = world.logs[holding.log].broker
    by_properties = world.subscriptions[holding.subscription].filters == BY_PROPERTIES
    return by_properties and world.store_rules[broker].property_filter == 0


@rule()
def _arrive_at_slave(world: ConsumerWorld, number: int, now_us: Us) -> None:
    """A slave refuses unless slaveReadEnable is set; what it has not copied yet it gives when it has.

    Without its master nothing more comes, and the pull is held to its end. No offset is committed with a pull.
    """
    holding = world.holdings[number]
    log, settings = world.logs[holding.log], world.settings
    rules = world.store_rules[log.broker]
    if rules.slave_read == 0 or world.serving[log.broker].slave_lost_us > 0 or refuses_sql(world, holding):
        pull_at(world, number, FAILED, now_us + settings.link_us)
        return
    offset = max(holding.offset, log.min_offset)
    if is_known(world, log, offset):
        stored_us = message_in(world.pages[page_of(world, log, offset, holding.page)], offset).stored_us
        if stored_us <= copied_until(world, log.broker, now_us):
            answer(world, number, now_us + rules.pull_us)
            return
        if not master_is_gone(world, log.broker):
            pull_at(world, number, ASKED, max(stored_us + rules.slave_us, now_us + 1))
            return
    if not master_is_gone(world, log.broker):
        hold(world, number, now_us)
        return
    holding.scanned = 0
    holding.found = 0
    pull_at(world, number, ANSWERED, now_us + group_of(world, holding).hold_us + settings.link_us)


@rule()
def legal_offset(log: QueueLog, offset: int, to_first: int) -> int:
    """The offset that a broker names for one that is asked for: the same where the queue has it, or is about to.

    Beyond the end it names the end; up to 4.9.3 (to_first) the beginning while that is 0 (OFFSET_OVERFLOW_BADLY).
    """
    if offset > log.max_offset:
        return 0 if to_first == 1 and log.min_offset == 0 else log.max_offset
    return max(offset, log.min_offset)
