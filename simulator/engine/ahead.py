"""Looking ahead in the arrivals: what a send of a large cluster will touch is brought near before its time.

Ten thousand producers remember more than the near caches hold, and a send would wait for memory a dozen times.
"""

from __future__ import annotations

from simulator.compiled.jit import rule
from simulator.compiled.records import beyond, fetch
from simulator.engine.memory.tally import MARKS
from simulator.engine.memory.world import World
from simulator.engine.shared.threads import view_of

LARGE = 500  # producers from which on it is worth it
FAR_ROWS = 16  # one arrival at each distance at a time: more requests at once than a core keeps are given up
NEAR_ROWS = 8
FIRST_SENDS = 2  # times the brokers: about as many sends after which every broker has its item


@rule(inlined=True)
def look_ahead(world: World, row: int) -> None:
    """Fetch the thread and view of an arrival some rows on, and what a nearer one will touch of its likely broker."""
    if world.settings.producers < LARGE:
        return
    count = world.arrivals.count
    if row + FAR_ROWS < count:
        _fetch_far(world, row + FAR_ROWS)
    if row + NEAR_ROWS < count:
        _fetch_near(world, row + NEAR_ROWS)


@rule(inlined=True)
def _fetch_far(world: World, row: int) -> None:
    thread, topic = world.arrivals.thread[row], world.arrivals.topic[row]
    fetch(world.thread_states[thread], 0)
    fetch(view_of(world, thread, topic), 0)
    fetch(beyond(world.send_seqs, thread * world.settings.topics + topic), 0)
    fetch(world.threads[thread], 0)


@rule(inlined=True)
def _fetch_near(world: World, row: int) -> None:
    thread, brokers, tally = world.arrivals.thread[row], world.settings.brokers, world.output.tally
    producer, view = world.threads[thread].producer, view_of(world, thread, world.arrivals.topic[row])
    queues = view.queues
    broker = 0
    if queues.count > 0:
        broker = queues.queues[(view.counter.value + 1) % queues.count].broker
    fetch(view.faults.items[broker], 0)
    if world.send_seqs[thread * world.settings.topics + world.arrivals.topic[row]] < FIRST_SENDS * brokers:
        fetch(view.faults, 0)
    fetch(beyond(world.rings, world.brokers[broker].first_place + world.broker_states[broker].ring_place), 0)
    if tally.wanted == 1:
        fetch(beyond(tally.avoiding, (producer * brokers + broker) // MARKS), 0)
    else:
        fetch(beyond(world.change_seqs, producer), 0)
