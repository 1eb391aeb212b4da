"""Consumer groups over time: their backlog, how long until a message is consumed, and who owns which queue."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np
import pyarrow as pa

from streaming.outputs.dataset import RunOutput, codes, numbers

Queue = tuple[str, str, int]  # topic, broker, queue id


@dataclass(frozen=True)
class HeldStretch:
    """An instance held a queue."""

    queue: Queue
    instance: str
    from_us: int
    until_us: int


@dataclass
class ConsumerSeries:
    """Of each group, in the order of `groups`, over the report's bins; NaN where nothing was written.

    lag: most of the bin; latency: percentile -> ms; again: consumptions of messages that had been consumed before.
    busy, threads: consume threads at work, mean of a window, and those there are, most of the bin; instances: that run,
    most of the bin. stretches: by group.
    """

    groups: list[str]
    lag: np.ndarray
    again: np.ndarray
    latency: dict[str, np.ndarray]
    busy: np.ndarray
    threads: np.ndarray
    instances: np.ndarray
    stretches: dict[str, list[HeldStretch]] = field(default_factory=dict)

    def __bool__(self) -> bool:
        return bool(self.groups)


def consumer_series(output: RunOutput, bin_us: int, bins: int) -> ConsumerSeries:
    """Read the tables of consumers; without groups there are none."""
    groups = list(output.about.get("consumer_groups", ()))
    shape = (len(groups), bins)
    latency = {name: np.full(shape, np.nan) for name in ("p50", "p99")}
    busy, threads, instances = (np.full(shape, np.nan) for _ in range(3))
    again = np.zeros(shape, np.int64)
    found = ConsumerSeries(groups, np.full(shape, np.nan), again, latency, busy, threads, instances)
    if groups:
        places = {name: place for place, name in enumerate(groups)}
        _read_lag(output, found, places, bin_us)
        _read_windows(output, found, places, bin_us)
        found.stretches = {name: [] for name in groups}
        for group, stretch in _stretches(output):
            found.stretches[group].append(stretch)
    return found


def _read_lag(output: RunOutput, found: ConsumerSeries, places: dict[str, int], bin_us: int) -> None:
    """The lag of a group is the sum over its queues, at the end of each window."""
    window_us = int(output.about["window_us"])
    windows = -(-output.end_us // window_us) + 1
    sums, seen = np.zeros((len(places), windows)), np.zeros(windows, bool)
    for batch in output.batches("stored", ["consumer_group", "window_start_us", "lag"]):
        window = numbers(batch.column("window_start_us")) // window_us
        inside = window < windows
        group = codes(batch.column("consumer_group"), places)
        np.add.at(sums, (group[inside], window[inside]), numbers(batch.column("lag"))[inside])
        seen[window[inside]] = True
    for number in np.flatnonzero(seen).tolist():
        place = number * window_us // bin_us
        if place < found.lag.shape[1]:
            found.lag[:, place] = np.fmax(found.lag[:, place], sums[:, number])


def _read_windows(output: RunOutput, found: ConsumerSeries, places: dict[str, int], bin_us: int) -> None:
    columns = [
        "consumer_group",
        "window_start_us",
        "consumed_again",
        "p50_ms",
        "p99_ms",
        "busy_threads",
        "threads",
        "instances",
    ]
    for batch in output.batches("consumer_windows", columns):
        place = numbers(batch.column("window_start_us")) // bin_us
        inside = place < found.lag.shape[1]
        at = codes(batch.column("consumer_group"), places)[inside], place[inside]
        np.add.at(found.again, at, numbers(batch.column("consumed_again"))[inside])
        np.fmax.at(found.busy, at, numbers(batch.column("busy_threads"))[inside])
        np.fmax.at(found.threads, at, numbers(batch.column("threads"))[inside].astype(float))
        np.fmax.at(found.instances, at, numbers(batch.column("instances"))[inside].astype(float))
        for name, values in found.latency.items():
            np.fmax.at(values, at, numbers(batch.column(f"{name}_ms"))[inside])


def _stretches(output: RunOutput) -> Iterator[tuple[str, HeldStretch]]:
    columns = ["consumer_group", "topic", "broker", "queue_id", "instance", "from_us", "until_us"]
    for batch in output.batches("assignments", columns):
        for row in pa.Table.from_batches([batch]).to_pylist():
            queue = row["topic"], row["broker"], row["queue_id"]
            yield row["consumer_group"], HeldStretch(queue, row["instance"], row["from_us"], row["until_us"])
