"""What a group remembers of the messages that it has handled, so that it knows those that come again."""

from __future__ import annotations

from simulator.compiled.records import Record, Us


class SeenMessage(Record):
    """A message that was handled; those of a group lie in a ring, the oldest first, and in buckets by their key."""

    sender: int
    topic: int
    at_us: Us
    behind: int  # in its bucket


class Deduplication(Record):
    """What does not change of a group's memory; entries 0: it has none."""

    window_us: Us
    entries: int
    first_entry: int
    first_bucket: int  # as many as entries
