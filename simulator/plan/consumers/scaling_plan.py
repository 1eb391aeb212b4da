"""How a group is scaled by its lag, for the machine."""

from __future__ import annotations

from simulator.consumer.memory.consumer_group import CAP_LAGGING, CAP_QUEUES, NO_CAP, ReadingGroup
from simulator.scenario.consuming.autoscale import Autoscale


def put_scaling(group: ReadingGroup, own: Autoscale) -> None:
    """Write the settings of `autoscale` into a group."""
    group.scale_threshold, group.scale_poll_us = own.threshold, own.poll_us
    group.scale_cooldown_us, group.scale_least = own.cooldown_us, own.least
    idle = NO_CAP if own.allow_idle_consumers else CAP_QUEUES
    group.scale_cap = CAP_LAGGING if own.limit_to_partitions_with_lag else idle
