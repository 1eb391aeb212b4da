"""The role of a broker changes: another machine of its set is master, or one goes away or comes back."""

from __future__ import annotations

from simulator.compiled.field_copies import copier
from simulator.compiled.jit import rule
from simulator.compiled.records import Us
from simulator.engine.memory.events import ROLE
from simulator.engine.memory.replica import Role
from simulator.engine.memory.world import World
from simulator.engine.shared import heap

copy_role = copier(Role)


@rule()
def change_role(world: World, broker: int, now_us: Us) -> None:
    """The next change of a broker's role happens, and the one after it is due at its moment."""
    replica, fixed = world.replicas[broker], world.brokers[broker]
    copy_role(replica, world.role_changes[fixed.first_change + replica.changes])
    replica.changes += 1
    if replica.changes < fixed.role_changes:
        heap.push(world, world.role_changes[fixed.first_change + replica.changes].at_us, ROLE, broker)
    else:
        world.clock.timers_set -= 1
