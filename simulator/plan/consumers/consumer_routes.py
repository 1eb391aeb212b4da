"""The routes of topics as consumers see them, for their machine."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from simulator.client.routes.queue_list import MASTER_ID, TopicRoute
from simulator.compiled.records import Array
from simulator.compiled.region_store import filled
from simulator.engine.memory.routes import Delivery, RouteTimes
from simulator.plan.route_plan import READABLE, RoutePlan


def route_queues(versions: Sequence[TopicRoute], brokers: Sequence[str]) -> Array:
    """Region `route_queues`: queues that can be read, by version and broker."""
    found = np.zeros((len(versions), len(brokers)), np.int64)
    for number, route in enumerate(versions):
        for data in route.queue_datas:
            if data.perm & READABLE:
                found[number, brokers.index(data.broker_name)] = data.read_queue_nums
    return found.reshape(-1)


def route_masters(versions: Sequence[TopicRoute], brokers: Sequence[str]) -> Array:
    """Region `route_masters`: 1 + machine of a broker's master in a version; else -(1 + that of its first slave), or 0.

    Which slave is first is known of replica sets alone.
    """
    found = [
        1 + route.machines.get(name, 0)
        if MASTER_ID in route.broker_ids.get(name, ())
        else -1 - route.machines.get(name, -1)
        for route in versions
        for name in brokers
    ]
    return np.array(found, np.int64)


def route_times(routes: RoutePlan) -> dict[str, Array]:
    """Regions `route_times` and `deliveries`: which version each name server delivers from when on."""
    timelines = [timeline for own in routes.timelines for timeline in own]
    counts = np.array([len(timeline) for timeline in timelines], np.int64)
    at_us, version = zip(*(row for timeline in timelines for row in timeline), strict=True)
    return {
        "route_times": filled(RouteTimes, len(timelines), first=np.cumsum(counts) - counts, count=counts),
        "deliveries": filled(Delivery, len(at_us), at_us=at_us, version=version),
    }
