"""Looking ahead in the arrivals: what a send of a large cluster will touch is brought near before its time.

Ten thousand producers remember more than the near caches hold, and a send would wait for memory a dozen times.
"""

from __future__ import annotations

from simulator.compiled.jit import rule
from simulator.compiled.records import beyond, fetch
from simulator.engine.senders.threads import view_of
from simulator.engine.tally import MARKS
from simulator.engine.world import World

LARGE = 500  # producers from which on it is worth it
FAR_ROWS = 12
NEAR_ROWS = 6
SEND_LINES = 4  # of a Send that the simplest sends use
CHANGE_SEQ_LINE = 1  # line of a ProducerState that has its change_seq


@rule(inlined=True)
def look_ahead(world: World, row: int) -> None:
    """Fetch the record and view of an arrival some rows on, and what of a nearer one is known of its likely broker."""
    arrivals, settings = world.arrivals, world.settings
    if settings.producers < LARGE or row + FAR_ROWS >= arrivals.count:
        return
    far_row, near_row = row + FAR_ROWS, row + NEAR_ROWS
    far, far_topic = arrivals.thread[far_row], arrivals.topic[far_row]
    for line in range(SEND_LINES):
        fetch(world.sends[far], line)
    fetch(view_of(world, far, far_topic), 0)
    fetch(beyond(world.send_seqs, far * settings.topics + far_topic), 0)
    fetch(world.threads[far], 0)
    near = arrivals.thread[near_row]
    producer, view = world.threads[near].producer, view_of(world, near, arrivals.topic[near_row])
    queues = view.queues
    broker = 0
    if queues.count > 0:
        broker = queues.queues[(view.counter.value + 1) % queues.count].broker
    fetch(view.faults.items[broker], 0)
    fetch(beyond(world.rings, world.brokers[broker].first_place + world.broker_states[broker].ring_place), 0)
    if world.output.tally.wanted == 1:
        fetch(beyond(world.output.tally.avoiding, (producer * settings.brokers + broker) // MARKS), 0)
    else:
        fetch(world.producer_states[producer], CHANGE_SEQ_LINE)
