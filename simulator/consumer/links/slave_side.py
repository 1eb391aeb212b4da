"""What a slave does for consumers whose route names no master: it lists members and keeps offsets.

It gives locks only where name servers name it as master, as it acts for that (supportActingMaster).

A client sends its heartbeats to masters and slaves. Which broker is asked for the members, and where offsets are asked
for and reported, is the master, or without it a slave; locks go to masters only. A slave copies the offsets of its
master from time to time, over those that were reported to it meanwhile.

Source: rocketmq 4.2.0, 4.9.8, 5.1.4 and 5.3.3, MQClientInstance.sendHeartbeatToAllBroker and findBrokerAddrByTopic,
RemoteBrokerOffsetStore, RebalanceImpl.lock, SlaveSynchronize.
"""

from __future__ import annotations

from simulator.compiled.jit import rule
from simulator.compiled.records import Us
from simulator.consumer.links.instance_routes import has_address, knows_master
from simulator.consumer.links.reaching import member_at, reaches, reaches_slave
from simulator.consumer.memory.consumer_events import ROUTE_POLL
from simulator.consumer.memory.consumer_side import QueueProgress
from simulator.consumer.memory.consumer_world import ConsumerWorld
from simulator.consumer.shared.instance_timers import timer_due_us
from simulator.consumer.shared.queue_progress import progress_of


@rule()
def asks_slave(world: ConsumerWorld, number: int, topic: int, broker: int) -> bool:
    """Whether a request of an instance about a broker's queues goes to its slave, and gets there."""
    return reaches_slave(world, number, broker) and not has_address(world, number, topic, broker)


@rule()
def gives_locks(world: ConsumerWorld, number: int, topic: int, broker: int) -> bool:
    """Whether a request of an instance to lock queues is answered: by the master, or a slave that acts for it.

    A master whose address the instance has as that of a slave is asked for none.
    """
    if reaches(world, number, broker):
        return knows_master(world, number, topic, broker) or not has_address(world, number, topic, broker)
    return asks_acting_slave(world, number, topic, broker)


@rule()
def asks_acting_slave(world: ConsumerWorld, number: int, topic: int, broker: int) -> bool:
    """Whether a request to the master goes to a slave that acts for it, and gets there."""
    return world.store_rules[broker].slave_is_named == 1 and asks_slave(world, number, topic, broker)


@rule()
def note_beat(world: ConsumerWorld, number: int, broker: int, now_us: Us) -> bool:
    """The heartbeat for the slave of a broker: whether it lists the instance only now."""
    if not reaches_slave(world, number, broker):
        return False
    member = member_at(world, broker, number)
    is_new = member.slave_seen_us == 0
    member.slave_seen_us = max(now_us, 1)
    return is_new


@rule()
def forget_at_slave(world: ConsumerWorld, number: int, broker: int) -> bool:
    """The connection of an instance to the slave closes: whether it was listed there."""
    if not reaches_slave(world, number, broker):
        return False
    member = member_at(world, broker, number)
    was_listed = member.slave_seen_us > 0
    member.slave_seen_us = 0
    return was_listed


@rule()
def list_at_slave(world: ConsumerWorld, number: int, broker: int, now_us: Us) -> int:
    """Members of the instance's group as the slave lists them, in the order of their client ids; -1: none."""
    group = world.groups[world.instances[number].group]
    count = 0
    for other in range(group.first_instance, group.first_instance + group.instances):
        seen_us = member_at(world, broker, other).slave_seen_us
        if seen_us > 0 and now_us - seen_us <= world.settings.expires_us:
            world.listed_members[count] = world.instances[other].id_number
            count += 1
    return count if count > 0 else -1


@rule()
def lose_slave(world: ConsumerWorld, broker: int, since_us: Us) -> None:
    """The slave of a broker is away since then, or (0) is back: a new process, which lists nobody."""
    world.serving[broker].slave_lost_us = since_us
    for number in range(world.settings.instances):
        member_at(world, broker, number).slave_seen_us = 0
    for subscription in range(world.settings.subscriptions if world.settings.pops > 0 else 0):
        topic = world.log_topics[world.subscriptions[subscription].topic]
        for log in range(topic.first_log, topic.first_log + topic.logs):
            if world.logs[log].broker == broker:
                progress_of(world, subscription, log).slave_popped = -1


@rule()
def knows_slave(world: ConsumerWorld, number: int, broker: int) -> bool:
    """Whether the route that an instance polled last names the slave; name servers drop one that is away at once."""
    lost_us, poll_us = world.serving[broker].slave_lost_us, world.groups[world.instances[number].group].poll_us
    return lost_us == 0 or timer_due_us(world, number, ROUTE_POLL) - poll_us < lost_us


@rule()
def least_offset(world: ConsumerWorld, broker: int, progress: QueueProgress) -> int:
    """The smallest offset of a group that its broker, the broker's disk or its slave may name."""
    least = min(progress.committed, progress.flushed)
    return min(least, progress.slave_committed) if world.store_rules[broker].slaves > 0 else least


@rule()
def copy_offsets(world: ConsumerWorld, broker: int) -> None:
    """The slave of a broker copies the offset table of its master."""
    for subscription in range(world.settings.subscriptions):
        own = world.subscriptions[subscription]
        topic = world.log_topics[own.topic]
        for log in range(topic.first_log, topic.first_log + topic.logs):
            if world.logs[log].broker == broker:
                progress = progress_of(world, subscription, log)
                progress.slave_committed = progress.committed
