"""The threads of producers, a place each in arrays: a hundred thousand producers are no hundred thousand objects."""

from __future__ import annotations

from dataclasses import dataclass, fields

import numpy as np

from simulator.compiled.records import Array
from simulator.scenario import Scenario


@dataclass(frozen=True)
class Threads:
    """Threads, ordered by producer; all int64[threads].

    stream: number in the whole run, the key of its randomness; producer: number of its producer; number: its own among
    those of the producer; group: number of its group of producers.
    """

    stream: Array
    producer: Array
    number: Array
    group: Array

    def __len__(self) -> int:
        return len(self.stream)

    def of_producers(self, first: int, until: int) -> Threads:
        """Those of producers [first, until)."""
        begin, end = np.searchsorted(self.producer, (first, until))
        return Threads(*(getattr(self, field.name)[begin:end] for field in fields(self)))

    def and_those(self, other: Threads) -> Threads:
        """These, then the others."""
        return Threads(*(np.append(getattr(self, f.name), getattr(other, f.name)) for f in fields(self)))


def counted(counts: Array) -> Array:
    """0 up to each of the counts, one after the other: int64[sum of them]."""
    return np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts, counts)


def sender_threads(scenario: Scenario) -> Threads:
    """The sender threads of a whole run."""
    group = np.repeat(np.arange(len(scenario.producers)), [own.count for own in scenario.producers])
    threads = np.array([own.threads for own in scenario.producers], np.int64)[group]
    return Threads(
        stream=np.arange(threads.sum()),
        producer=np.repeat(np.arange(len(group)), threads),
        number=counted(threads),
        group=np.repeat(group, threads),
    )
