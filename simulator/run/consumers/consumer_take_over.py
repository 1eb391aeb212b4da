"""A consumer machine that goes on from another scenario's machine at the same moment.

Rules, settings and faults are the new scenario's, all that is remembered is the other's. Routes are numbered in each
plan: where the numbers differ, instances know what their name server has delivered by that moment, as if just asked.
One that knows no route still knows none where its name server does not answer.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from collections.abc import Set as AbstractSet

import numpy as np

from simulator.compiled.records import Array, size_of
from simulator.compiled.region_store import columns
from simulator.consumer.links.instance_routes import NO_VERSION
from simulator.consumer.memory.consumer_settings import ConsumerClock
from simulator.consumer.memory.instance import Instance
from simulator.engine.memory.routes import Delivery, RouteTimes
from simulator.plan.consumers.consumer_plan import ConsumerPlan
from simulator.run.state_texts import RunStateTexts
from state.packing import LayoutError

OF_ROUTES = ("route_times", "deliveries", "route_queues")


def machine_taken_over(
    plan: ConsumerPlan,
    new: Mapping[str, Array],
    before: ConsumerPlan,
    old: Mapping[str, Array],
    growing: AbstractSet[str],
) -> dict[str, Array]:
    """The remembered regions of the new machine, which is of `plan`. Raises LayoutError if the two do not fit."""
    if before.names.instances != plan.names.instances:
        raise LayoutError(RunStateTexts.OTHER_GROUPS())
    if before.queue_room != plan.queue_room:
        raise LayoutError(RunStateTexts.OTHER_THRESHOLD())
    for name, cells in old.items():
        if name not in growing and len(cells) != len(new[name]):
            raise LayoutError(RunStateTexts.OTHER_SIZE(what=name))
    found = {name: cells.copy() for name, cells in old.items()}
    _ask_in_own_view(plan, before, found["instances"])
    if not all(np.array_equal(plan.cluster[name], before.cluster[name]) for name in OF_ROUTES):
        found["known_versions"] = _versions_taken_over(plan, found)
    return found


def _ask_in_own_view(plan: ConsumerPlan, before: ConsumerPlan, cells: Array) -> None:
    """Have instances ask the name servers that they asked as the faults of the plan let them see those."""
    instances, fresh = (rows.reshape(-1, size_of(Instance)) for rows in (cells, plan.instances))
    place, count = columns(Instance)["name_server"], int(plan.settings.name_servers)
    asked = instances[:, place] % int(before.settings.name_servers) % count
    instances[:, place] = fresh[:, place] // count * count + asked


def _versions_taken_over(plan: ConsumerPlan, found: Mapping[str, Array]) -> Array:
    """The versions that instances know, numbered as in the plan; `found`: the regions of the machine as they were."""
    now_us = int(ConsumerClock.at(found["clock"]).now_us)
    knows_none = (found["known_versions"] < 0) & (_of_instances(plan, now_us, _delivered) < 0)
    versions: Array = np.where(knows_none, NO_VERSION, versions_at(plan, now_us))
    return versions


def versions_at(plan: ConsumerPlan, at_us: int) -> Array:
    """The version of every topic's route that each instance's name server has delivered last up to that moment.

    Below 0 where it has delivered none: one that does not answer leaves its clients what they know.
    """
    return _of_instances(plan, at_us, _last_delivered)


def _of_instances(plan: ConsumerPlan, at_us: int, read: Callable[[Array, int], int]) -> Array:
    """What is read of the rows of Delivery up to a moment, of each instance's name server and every topic."""
    times = plan.cluster["route_times"].reshape(-1, size_of(RouteTimes))
    deliveries = plan.cluster["deliveries"].reshape(-1, size_of(Delivery))
    servers = plan.instances.reshape(-1, size_of(Instance))[:, columns(Instance)["name_server"]]
    found = np.array([read(deliveries[first : first + count], at_us) for first, count in times], np.int64)
    versions: Array = found.reshape(-1, int(plan.settings.topics))[servers].reshape(-1)
    return versions


def _delivered(deliveries: Array, at_us: int) -> int:
    """What stands at a moment among the rows of Delivery, of which the first is of the begin."""
    return int(deliveries[np.searchsorted(deliveries[1:, 0], at_us, side="right"), 1])


def _last_delivered(deliveries: Array, at_us: int) -> int:
    """The last version among the rows of Delivery up to a moment, else what stands there first."""
    own = [version for from_us, version in deliveries.tolist() if from_us <= at_us and version >= 0]
    return own[-1] if own else int(deliveries[0, 1])
