"""Whether a request of a client reaches a broker: its process answers, and the network between them lets it pass."""

from __future__ import annotations

from simulator.compiled.jit import rule
from simulator.consumer.memory.consumer_side import Member
from simulator.consumer.memory.consumer_world import ConsumerWorld

# how the network between an instance and a broker is
LINK_OPEN = 0
LINK_REFUSED = 1  # connections are refused, and those that stand are reset
LINK_MASTER_CUT = 2  # no packet passes to the master, and all to its slave
LINK_CUT = 3  # no packet passes


@rule(inlined=True)
def member_at(world: ConsumerWorld, broker: int, instance: int) -> Member:
    """What a broker knows of an instance."""
    return world.members[broker * world.settings.instances + instance]


@rule()
def can_be_reached(world: ConsumerWorld, broker: int) -> bool:
    """Whether the process of a broker answers a request now."""
    return world.serving[broker].is_away == 0 and world.serving[broker].stands_still == 0


@rule()
def reaches(world: ConsumerWorld, instance: int, broker: int) -> bool:
    """Whether a request of an instance to the broker is answered now."""
    return can_be_reached(world, broker) and member_at(world, broker, instance).link == LINK_OPEN


@rule()
def reaches_slave(world: ConsumerWorld, instance: int, broker: int) -> bool:
    """Whether a request of an instance to the slave of a broker is answered now, if it has one."""
    link = member_at(world, broker, instance).link
    has_slave = world.store_rules[broker].slaves > 0 and world.serving[broker].slave_lost_us == 0
    return has_slave and link in (LINK_OPEN, LINK_MASTER_CUT)


@rule()
def master_is_gone(world: ConsumerWorld, broker: int) -> bool:
    """Whether the slave of a broker hears nothing of its master any more."""
    return world.serving[broker].is_away != 0 or world.serving[broker].cut_since_us > 0
