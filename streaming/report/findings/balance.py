"""Findings of load that is left unbalanced, and of brokers that are isolated although they are healthy."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from simulator.releases.producer_release import CLIENTS
from streaming.clock import clock, some
from streaming.report.collected.data import ReportData
from streaming.report.collected.facts import Facts
from streaming.report.findings.finding import ReportFinding
from streaming.report.findings.load import Load

ISOLATED_S = 10.0  # a producer, while nothing is wrong: less is a penalty of a slow answer or two
BUSIEST = 3.0  # times its part of a topic's attempts
FEWEST_ATTEMPTS = 1_000
POINTS = 0.05  # of the attempts: a smaller change of a share is not worth a sentence
LISTED = 3


def load_at_the_end(data: ReportData, facts: Facts, load: Load) -> Iterator[ReportFinding]:
    """Who carries the load in the last tenth of the run, where a broker has less than before anything changed."""
    bins = facts.count.shape[2]
    last = np.arange(bins) >= bins - max(bins // 10, 3)
    if not load.calm.any() or (load.calm & last).any():
        return
    part = [load.parts(chosen) for chosen in (load.calm, last)]
    less = part[0] - part[1]
    at_end = data.isolation.at_end
    low = [int(place) for place in np.argsort(-less) if less[place] >= POINTS and at_end[place]]
    if not low:
        return
    from_us = int(np.flatnonzero(last)[0]) * facts.bin_us
    parts = [
        f"{load.names[place]} takes {100 * part[1][place]:.0f} % of the attempts instead of {100 * part[0][place]:.0f}"
        f" % ({at_end[place]:,} of {data.isolation.users(place, facts.used):,} producers still isolate it)"
        for place in low[:LISTED]
    ]
    most = int(part[1].argmax())
    text = f"At the end, from {clock(from_us)} on, {', '.join(parts)}; {load.names[most]} carries most, "
    text += f"{100 * part[1][most]:.0f} % instead of {100 * part[0][most]:.0f} %."
    cause = f"{load.names[low[0]]} is still isolated"
    size = float(less[low[0]] * load.counts[:, last].sum())
    yield ReportFinding("load", text, "load", size, cause, from_us, load.end_us)


def isolation(data: ReportData, facts: Facts, load: Load) -> Iterator[ReportFinding]:
    """Brokers that producers isolate outside of all faults of the broker."""
    found = []
    for place, name in enumerate(load.names):
        healthy_s = data.isolation.healthy_s(place)
        if len(healthy_s) and healthy_s.mean() >= ISOLATED_S:
            found.append((place, name, healthy_s))
    if not found:
        return
    size = float(sum(seconds.sum() for _, _, seconds in found))
    if len(found) > LISTED:
        means = [float(seconds.mean()) for _, _, seconds in found]
        brokers = f"{len(found)} brokers, {min(means):.1f} to {max(means):.1f} s for each producer that isolates them"
        where = ", ".join(name for _, name, _ in found[:LISTED])
        text = f"Isolated although healthy: {brokers} ({where} and more){_penalties(data, [p for p, _, _ in found])}."
        yield ReportFinding("isolation", text, "avoidance", size, _why(data, load, found[0][0]))
        return
    for place, name, seconds in found:
        users = data.isolation.users(place, facts.used)
        struck = any(name in fault.brokers for fault in load.faults)
        when = "outside of all its faults" if struck else "although no fault struck it"
        text = f"{name} was isolated {when} by {len(seconds):,} of {users:,} producers that use it, "
        text += f"{seconds.mean():.1f} s each"
        whole = data.summary.brokers[place].isolated_s
        text += f" ({whole:,.1f} s per producer in the whole run)" if whole is not None else ""
        text += _penalties(data, [place])
        why = _why(data, load, place)
        yield ReportFinding(
            "isolation", f"{text}: {why}." if why else f"{text}.", "avoidance", float(seconds.sum()), why
        )


def _penalties(data: ReportData, brokers: list[int]) -> str:
    """The isolation periods that were applied, the most frequent first."""
    counts = data.isolation.penalties(brokers)
    if not counts:
        return ""
    parts = [f"{ms / 1000:g} s ({some(count, 'time')})" for ms, count in counts[:2]]
    return f"; isolation period {' and '.join(parts)}"


def _why(data: ReportData, load: Load, place: int) -> str:
    """The client's own reason: failed attempts at the broker, or slow answers."""
    rows = load.facts.attempts
    failed = int((rows["broker"] == place).sum()) * load.facts.modulus
    release = data.summary.release
    if failed:
        return f"{some(failed, 'attempt')} failed there, and {release} isolates a broker after a failure"
    if load.scenario is None:
        return ""
    steps = [(ms, s / 1000) for ms, s in zip(*load.scenario.client.penalty_tables_ms, strict=True) if s]
    if not steps:
        return ""
    latency_ms, seconds = min(steps)
    rule = f"{release} isolates for {seconds:g} s or more a broker that takes {latency_ms:g} ms"
    return f"no attempt failed there, but {rule}"


def scan_ends_there(data: ReportData) -> str:
    """Why one queue of a release's scan takes the load of those that it passes over, "" where it does not."""
    scans = data.summary.strategy and not CLIENTS[data.summary.release].has_reset_index and data.lanes
    return "the scan for an available broker ends there (apache/rocketmq#5672)" if scans else ""


def busiest_queue(data: ReportData) -> Iterator[ReportFinding]:
    """Queues that take several times their part of a topic's attempts."""
    names = {place: name for name, place in data.output.brokers.items()}
    for topic, counts in sorted(data.queues.counts.items()):
        total, used = int(counts.sum()), int((counts > 0).sum())
        if total < FEWEST_ATTEMPTS or used < 2 or counts.max() * used < BUSIEST * total:
            continue
        broker, queue = (int(one) for one in np.unravel_index(int(counts.argmax()), counts.shape))
        share = 100 * int(counts.max()) / total
        text = f"Queue {queue} of {names[broker]} took {share:.0f} % of all attempts to {topic}, "
        text += f"{counts.max() * used / total:.1f} times its part"
        cause = scan_ends_there(data)
        yield ReportFinding("queue", f"{text}: {cause}." if cause else f"{text}.", "queues", float(counts.max()), cause)
