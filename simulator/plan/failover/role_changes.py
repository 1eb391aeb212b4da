"""The changes of brokers' roles as events of the loop: from who holds them, and when."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np

from simulator.compiled.records import Array
from simulator.compiled.region_store import filled
from simulator.engine.memory.replica import MASTER, NOBODY, RoleChange
from simulator.plan.effects import Effect, HoldsRole
from simulator.plan.failover.set_history import FOREVER_US

Step = tuple[int, int, int]  # when, machine, what the others are


def role_changes(effects: Iterable[Effect]) -> Mapping[str, Array]:
    """Rows of RoleChange, in order of time, of each broker whose role changes."""
    held: dict[str, list[HoldsRole]] = {}
    for effect in effects:
        if isinstance(effect, HoldsRole):
            held.setdefault(effect.broker, []).append(effect)
    return {name: _rows(sorted(own, key=lambda one: one.at_us)) for name, own in held.items()}


def _rows(held: list[HoldsRole]) -> Array:
    steps = list[Step]()
    for own, next_us in zip(held, [*(one.at_us for one in held[1:]), FOREVER_US], strict=True):
        steps.append((own.at_us, own.machine, own.others))
        if own.until_us < next_us:
            steps.append((own.until_us, NOBODY, 0))
    at_us, machine, others = np.array(steps, np.int64).T
    return filled(RoleChange, len(steps), at_us=at_us, role=MASTER, machine=machine, others=others)
