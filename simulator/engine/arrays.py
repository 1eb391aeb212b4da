"""The arrays c and m of the event loop: made of named parts, of which each begins with a cache line."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from simulator.client.memory import LINE, whole_lines
from simulator.engine.layout import DIRECTORY_END, MEMORY_AT, RETRY_CODE_COUNT, SETTINGS_SIZE, THREADS, Ints


class Cluster(NamedTuple):
    """What does not change during a run, as separate arrays; the loop reads it joined, see `join_cluster`."""

    settings: Ints
    threads: Ints
    brokers: Ints
    latencies: Ints
    retry_codes: Ints
    topics: Ints
    pollers: Ints
    versions: Ints
    masters: Ints
    route_times: Ints
    auto_topics: Ints
    messages: Ints
    producers: Ints
    sizes: Ints
    keys: Ints


class Live(NamedTuple):
    """What is remembered from event to event: views of one flat array, see `join_live`."""

    memory: Ints
    numbers: Ints
    sending: Ints
    send_seqs: Ints
    heap_at: Ints
    heap_thread: Ints
    servers: Ints
    rings: Ints
    broker_states: Ints
    timetable: Ints
    backlog: Ints
    histogram: Ints
    window_counts: Ints
    change_seqs: Ints
    producer_routes: Ints
    created: Ints
    connections: Ints
    links: Ints
    producer_states: Ints
    key_orders: Ints
    sockets: Ints


def join_cluster(cluster: Cluster) -> Ints:
    """The array c of a cluster; the places of m's regions are filled in by `join_live`."""
    regions = cluster[1:]
    c, places = _joined([np.zeros(DIRECTORY_END, np.int64), *regions])
    c[:SETTINGS_SIZE] = cluster.settings
    c[RETRY_CODE_COUNT] = len(cluster.retry_codes)
    c[THREADS : THREADS + len(regions)] = places[1:]
    return c


def join_live(parts: Live, c: Ints) -> tuple[Ints, Live]:
    """The array m of those parts, and the parts as views of it; notes in c where they begin."""
    m, places = _joined(list(parts))
    c[MEMORY_AT : MEMORY_AT + len(parts)] = places
    return m, Live(*(m[at : at + len(part)] for at, part in zip(places, parts, strict=True)))


def _joined(parts: list[Ints]) -> tuple[Ints, list[int]]:
    """One array of all parts, each from the begin of a cache line on, and the places where they begin."""
    places = [int(at) for at in np.cumsum([0, *(whole_lines(len(part)) for part in parts)])]
    cells = np.zeros(places[-1] + LINE, np.int64)
    joined = cells[-(cells.ctypes.data // cells.itemsize) % LINE :][: places[-1]]
    for at, part in zip(places, parts, strict=False):
        joined[at : at + len(part)] = part
    return joined, places[:-1]
