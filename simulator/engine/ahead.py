"""Looking ahead in the arrivals: what a send of a large cluster will touch is brought near before its time.

Ten thousand producers remember more than the near caches hold, and a send would wait for memory a dozen times.
"""

from __future__ import annotations

from simulator.compiled.jit import rule
from simulator.compiled.records import beyond, fetch
from simulator.engine.senders.threads import view_of
from simulator.engine.world import World

LARGE = 500  # producers from which on it is worth it
FAR_ROWS = 12
NEAR_ROWS = 6
CHANGE_SEQ_LINE = 1  # line of a ProducerState that has its change_seq


@rule(inlined=True)
def look_ahead(world: World, row: int) -> None:
    """Fetch the record and view of an arrival some rows on, and the fault table of one nearer."""
    arrivals, settings = world.arrivals, world.settings
    if settings.producers < LARGE or row + FAR_ROWS >= arrivals.count:
        return
    far_row, near_row = row + FAR_ROWS, row + NEAR_ROWS
    far, far_topic = arrivals.thread[far_row], arrivals.topic[far_row]
    send = world.sends[far]
    fetch(send, 0)
    fetch(send, 1)
    fetch(send, 2)
    fetch(send, 3)
    fetch(view_of(world, far, far_topic), 0)
    fetch(beyond(world.send_seqs, far * settings.topics + far_topic), 0)
    fetch(world.threads[far], 0)
    near = arrivals.thread[near_row]
    fetch(world.producer_states[world.threads[near].producer], CHANGE_SEQ_LINE)
    view = view_of(world, near, arrivals.topic[near_row])
    queues = view.queues
    broker = 0
    if queues.count > 0:
        broker = queues.queues[(view.counter.value + 1) % queues.count].broker
    fetch(view.faults, 0)
    fetch(view.faults.items[broker], 0)
