"""deduplicate: a group skips a message that it has handled, as far as its memory goes.

The memory is one for the whole group, as in a store that its instances share: it keeps the keys of so many messages for
so long, and a key is there from the end of the handling on. What begins before that, comes later, or was pushed out by
others is handled again.
"""

from __future__ import annotations

from simulator.compiled.jit import rule
from simulator.compiled.records import Us
from simulator.consumer.memory.consume_task import ConsumeTask
from simulator.consumer.memory.consumer_world import ConsumerWorld
from simulator.consumer.memory.fate import DUPLICATE, SUCCEEDED
from simulator.consumer.memory.instance import NOBODY
from simulator.consumer.memory.seen_message import Deduplication
from simulator.kernel.randomness import below, hash3


@rule()
def note_duplicates(world: ConsumerWorld, group: int, first: int, now_us: Us) -> None:
    """Mark what of a batch the group knows as handled: its listener returns at once."""
    _forget_expired(world, group, now_us)
    at = first
    while at != NOBODY:
        task = world.tasks[at]
        task.fate = SUCCEEDED if _place_of(world, group, task) == NOBODY else DUPLICATE
        at = task.next_task


@rule()
def remember(world: ConsumerWorld, group: int, task: ConsumeTask, now_us: Us) -> int:
    """A message was handled; 1 if the group knew it already, so that two of its threads were at it."""
    _forget_expired(world, group, now_us)
    if _place_of(world, group, task) != NOBODY:
        return 1
    own, tally = world.groups[group].duplicates, world.tallies[group]
    if tally.seen == own.entries:
        _forget_oldest(world, group)
    place = own.first_entry + (tally.oldest_seen + tally.seen) % own.entries
    tally.seen += 1
    entry = world.seen_messages[place]
    entry.sender = task.sender
    entry.topic = _topic_of(world, task)
    entry.at_us = now_us
    bucket = _bucket_of(own, entry.sender, entry.topic)
    entry.behind = world.seen_buckets[bucket]
    world.seen_buckets[bucket] = place
    return 0


@rule(inlined=True)
def _topic_of(world: ConsumerWorld, task: ConsumeTask) -> int:
    return world.subscriptions[task.origin].topic


@rule(inlined=True)
def _bucket_of(own: Deduplication, sender: int, topic: int) -> int:
    return own.first_bucket + below(hash3(sender, topic, 0), own.entries)


@rule()
def _place_of(world: ConsumerWorld, group: int, task: ConsumeTask) -> int:
    topic = _topic_of(world, task)
    place = world.seen_buckets[_bucket_of(world.groups[group].duplicates, task.sender, topic)]
    while place != NOBODY:
        entry = world.seen_messages[place]
        if entry.sender == task.sender and entry.topic == topic:
            return place
        place = entry.behind
    return NOBODY


@rule()
def _forget_expired(world: ConsumerWorld, group: int, now_us: Us) -> None:
    own, tally = world.groups[group].duplicates, world.tallies[group]
    while tally.seen > 0 and now_us - world.seen_messages[own.first_entry + tally.oldest_seen].at_us >= own.window_us:
        _forget_oldest(world, group)


@rule()
def _forget_oldest(world: ConsumerWorld, group: int) -> None:
    own, tally = world.groups[group].duplicates, world.tallies[group]
    place = own.first_entry + tally.oldest_seen
    entry = world.seen_messages[place]
    bucket = _bucket_of(own, entry.sender, entry.topic)
    if world.seen_buckets[bucket] == place:
        world.seen_buckets[bucket] = entry.behind
    else:
        before = world.seen_buckets[bucket]
        while world.seen_messages[before].behind != place:
            before = world.seen_messages[before].behind
        world.seen_messages[before].behind = entry.behind
    tally.oldest_seen = (tally.oldest_seen + 1) % own.entries
    tally.seen -= 1
