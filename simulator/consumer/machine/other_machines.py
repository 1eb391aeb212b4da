"""What the other machines of a broker know: what they copy of it, and what one that becomes the master makes of that.

Messages are copied all the time. How far groups have consumed, delayed messages are delivered, half messages and the
revive log are read is copied every so often, and a new master goes on from there.

Source: rocketmq 4.5.0-5.5.0, SlaveSynchronize.syncAll, BrokerController.changeSpecialServiceStatus.
"""

from __future__ import annotations

from simulator.compiled.jit import rule
from simulator.compiled.records import Us
from simulator.consumer.broker.check_points import forget_revived
from simulator.consumer.links.old_addresses import begin_epoch
from simulator.consumer.links.slave_side import copy_offsets
from simulator.consumer.memory.consumer_world import ConsumerWorld
from simulator.consumer.schedule.taken_over import copy_progress, deliver_as_new_master
from simulator.consumer.transactions.checking import start_checking
from simulator.consumer.transactions.escaping import await_escapes
from simulator.consumer.transactions.other_master import note_copied, open_as_new_master
from simulator.engine.memory.periods_table import DOWN_FROZEN, DOWN_MUTE
from simulator.kernel.randomness import ESCAPED_TO, below, hash4

NOT_ACTIVE_US = 10_000_000  # brokerNotActiveTimeoutMillis
SCAN_US = 5_000_000  # scanNotActiveBrokerInterval
MEMBERS_US = 1_000_000  # syncBrokerMemberGroupPeriod


@rule()
def copy_tables(world: ConsumerWorld, broker: int, now_us: Us) -> None:
    """The slaves of a broker copy its tables, unless it or they are cut off or away."""
    serving, elects = world.serving[broker], world.store_rules[broker].elects == 1
    delivers = elects or world.store_rules[broker].escapes == 1
    if serving.cut_since_us > 0 or (delivers and serving.slave_lost_us > 0):
        return
    copy_offsets(world, broker)
    if delivers and world.settings.delay_queues > 0:
        copy_progress(world, broker, 0)
    if not elects:
        return
    if world.settings.half_queues > 0:
        note_copied(world, broker, now_us)
    if world.settings.pops > 0:
        forget_revived(world, broker, 0)


@rule()
def become_master(world: ConsumerWorld, broker: int, now_us: Us) -> None:
    """A slave becomes the master, with what it has copied."""
    begin_epoch(world, broker)
    if world.settings.delay_queues > 0:
        deliver_as_new_master(world, broker, now_us)
    if world.settings.half_queues > 0:
        open_as_new_master(world, broker, now_us)
        start_checking(world, broker, now_us)
    if world.settings.pops > 0:
        forget_revived(world, broker, 1)


@rule()
def act_for_master(world: ConsumerWorld, broker: int, how: int, now_us: Us) -> None:
    """The master's process is gone (DOWN_*), and its slave will act for it: it puts messages on other brokers.

    It looks every second who is there; name servers miss a master that closed no connection after 10 to 15 s.
    """
    silent_us = 0
    if how in (DOWN_FROZEN, DOWN_MUTE):
        silent_us = NOT_ACTIVE_US + below(hash4(world.settings.seed, ESCAPED_TO, broker, now_us), SCAN_US)
    acts_us = now_us + silent_us + MEMBERS_US
    if world.settings.delay_queues > 0:
        deliver_as_new_master(world, broker, acts_us)
    if world.settings.half_queues > 0:
        await_escapes(world, broker, acts_us)
