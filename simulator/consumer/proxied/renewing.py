"""Proxies renew the receipt handles of PushConsumers, and give back what clients held that they do not hear of.

From 5.1.4 to 5.3.3 the renewal is never started (apache/rocketmq#7837): what a listener is at for longer than the
invisible time comes again. Giving back works in all releases.
Source: rocketmq 5.0.0-5.4.0, proxy DefaultReceiptHandleManager (before 5.1.4 ReceiptHandleProcessor).
"""

from __future__ import annotations

import numpy as np

from simulator.compiled.jit import rule
from simulator.compiled.records import Us
from simulator.consumer.broker.check_points import put_off
from simulator.consumer.memory.consumer_side import CheckPoint
from simulator.consumer.memory.consumer_world import ConsumerWorld
from simulator.consumer.memory.instance import NOBODY
from simulator.consumer.memory.proxied.proxied_client import NO_PROXY, PUSH
from simulator.consumer.proxied.receipts import clears_at
from simulator.consumer.shared.pop_places import place_of_pop

AHEAD_US = 10_000_000  # renewAheadTimeMillis
LONGEST_US = 10_800_000_000  # renewMaxTimeMillis
CLEARED_US = 1_000_000  # invisibleTimeMillisWhenClear
STEPS_S = np.array([60, 180, 300, 600, 1800, 3600])  # RenewStrategyPolicy


@rule()
def renew_receipts(world: ConsumerWorld, broker: int, now_us: Us) -> None:
    """All proxies look at what of a broker their PushConsumers hold; a broker that is away is not asked."""
    for subscription in range(world.settings.subscriptions):
        group = world.groups[world.subscriptions[subscription].group]
        place = place_of_pop(world, subscription, broker)
        if group.proxied.kind != PUSH or world.pop_places[place].first_log < 0:
            continue
        at = world.pop_waits[place].first_point
        while at != NOBODY:
            point = world.check_points[at]
            at = point.behind
            if point.keeper != NO_PROXY and point.revive_us > now_us:
                _look_at(world, point, group.proxied.renews, now_us)


@rule()
def _look_at(world: ConsumerWorld, point: CheckPoint, renews: int, now_us: Us) -> None:
    """A proxy looks at one of its handles."""
    side = world.proxies[point.keeper]
    if side.lives != point.keeper_lives:
        point.keeper = NO_PROXY
        return
    if side.is_away == 1 or side.stands_still == 1:
        return
    clears_us = point.cleared_us if point.is_held == 0 else clears_at(world, point.client)
    if now_us >= clears_us:
        point.keeper = NO_PROXY
        put_off(world, point, now_us + CLEARED_US)
    elif renews == 1 and point.revive_us - now_us <= AHEAD_US and now_us - point.popped_us < LONGEST_US:
        put_off(world, point, now_us + int(STEPS_S[min(point.renewals, len(STEPS_S) - 1)]) * 1_000_000)
        point.renewals += 1
