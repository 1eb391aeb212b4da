"""What must not happen: a checked build reports where it does."""

from __future__ import annotations

from simulator.compiled.jit import rule
from simulator.compiled.records import CHECKED
from simulator.engine.memory.world import World


@rule()
def unknown_event(world: World, kind: int) -> None:
    """An event of a kind that nobody handles: OutsideError in a checked build, else nothing."""
    if CHECKED:
        world.unknown_events[kind] = 0
