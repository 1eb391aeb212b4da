"""Copies of messages whose fate depends on a flush: what becomes of the message when the broker knows."""

from __future__ import annotations

from simulator.compiled.jit import rule
from simulator.compiled.records import Us
from simulator.engine.broker.flushing import GONE, OPEN, look_again
from simulator.engine.memory.send import UnflushedCopy
from simulator.engine.memory.world import World
from simulator.engine.shared.open_messages import decide_copy
from simulator.engine.shared.rows import LostCopy, put_lost
from simulator.kernel.pools import give_back


@rule()
def learn_fate(world: World, copy: UnflushedCopy, now_us: Us) -> None:
    """The broker looks at a copy; once its fate is decided, its message counts it."""
    fate = look_again(world, copy, now_us)
    if fate == GONE:
        lost = LostCopy(copy.topic, copy.broker, copy.queue_id, copy.count, copy.thread, copy.draw)
        put_lost(world, lost, copy.lost_us)
    if fate != OPEN:
        give_back(world.clock.unflushed, copy)
        decide_copy(world, copy.message, fate)
