"""The rows of a recording, one after the other."""

from __future__ import annotations

from simulator.compiled.jit import entry, rule
from simulator.replay import replay_codes
from simulator.replay.async_rows import async_row
from simulator.replay.replay_rules import install
from simulator.replay.replay_world import InputRow, ReplayWorld
from simulator.replay.sync_rows import sync_row


@rule()
def _replay_row(world: ReplayWorld, row: InputRow) -> int:
    if row.event == replay_codes.ROUTE:
        return install(world, row)
    sender = world.senders[row.sender]
    return async_row(world, row, sender) if world.settings.is_async == 1 else sync_row(world, row, sender)


@entry
def replay(world: ReplayWorld) -> int:
    """Replay all rows; gives the number of decisions. A row that is refused makes none."""
    world.decision_count = 0
    for number in range(world.row_count):
        made = world.decision_count
        world.refused[number] = _replay_row(world, world.rows[number])
        if world.refused[number] != replay_codes.OK:
            world.decision_count = made
    return world.decision_count
