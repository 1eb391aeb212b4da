"""The memories of groups that deduplicate: where each lies in the machine's regions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from simulator.compiled.records import Array
from simulator.consumer.memory.consumer_group import ReadingGroup
from simulator.scenario.consuming.consumers import ConsumerGroup


def put_deduplication(rows: Sequence[Array], groups: Mapping[str, ConsumerGroup]) -> None:
    """Fill what rows of ReadingGroup say of deduplicating."""
    first = 0
    for row, own in zip(rows, groups.values(), strict=True):
        if own.deduplicate is not None:
            part = ReadingGroup.at(row).duplicates
            part.window_us, part.entries = own.deduplicate.window_us, own.deduplicate.entries
            part.first_entry = part.first_bucket = first
            first += own.deduplicate.entries
