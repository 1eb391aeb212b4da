"""Timers: what happens at moments of its own, not to a message. Each is set again when it fires."""

from __future__ import annotations

from simulator.compiled.jit import rule
from simulator.compiled.records import Us
from simulator.engine.memory.events import DETECTOR, POLICY_TICK, POLL
from simulator.engine.memory.world import World
from simulator.engine.network.detecting import detect
from simulator.engine.network.policy_rounds import tick_policies
from simulator.engine.routes.route_polls import poll
from simulator.engine.shared.unknown import unknown_event


@rule()
def next_after(world: World, kind: int, now_us: Us) -> int:
    """Let a timer do what it is for; when it fires next."""
    if kind == POLL:
        return poll(world, now_us)
    if kind == DETECTOR:
        detect(world, now_us)
        return now_us + world.settings.detect_period_us
    if kind == POLICY_TICK:
        tick_policies(world, now_us)
        return now_us + world.settings.policy_tick_us
    unknown_event(world, kind)
    return now_us
