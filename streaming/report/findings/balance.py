"""Findings of load that is left unbalanced, and of brokers that are isolated although they are healthy."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from simulator.codes import SEND_STATUS_CODES
from simulator.releases.producer_release import CLIENTS
from simulator.scenario.producers import BY_STRATEGY
from simulator.units import some
from streaming.clock import clock
from streaming.report.collected.data import ReportData
from streaming.report.collected.facts import Facts
from streaming.report.fault_times import scenario_of
from streaming.report.findings.finding import ReportFinding
from streaming.report.findings.load import Load
from streaming.report.texts.finding_texts import FindingTexts

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
        FindingTexts.TAKES_LESS(
            broker=load.names[place], now=100 * float(part[1][place]), before=100 * float(part[0][place]),
            isolating=int(at_end[place]), users=int(data.isolation.users(place, facts.used)),
        )
        for place in low[:LISTED]
    ]  # fmt: skip
    most = int(part[1].argmax())
    text = FindingTexts.AT_THE_END(
        begin=clock(from_us), parts=", ".join(parts), most=load.names[most], now=100 * float(part[1][most]),
        before=100 * float(part[0][most]),
    )  # fmt: skip
    cause = FindingTexts.STILL_ISOLATED(broker=load.names[low[0]])
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
        text = FindingTexts.ISOLATED_BROKERS(
            count=len(found), least_s=min(means), most_s=max(means),
            brokers=", ".join(name for _, name, _ in found[:LISTED]),
            periods=_penalties(data, [p for p, _, _ in found]),
        )  # fmt: skip
        yield ReportFinding("isolation", text, "avoidance", size, _why(data, load, found[0][0]))
        return
    for place, name, seconds in found:
        users = data.isolation.users(place, facts.used)
        struck = any(name in fault.brokers for fault in load.faults)
        whole, why = data.summary.brokers[place].isolated_s, _why(data, load, place)
        text = FindingTexts.ISOLATED(
            broker=name, when=FindingTexts.OUTSIDE_OF_FAULTS() if struck else FindingTexts.NO_FAULT_STRUCK(),
            isolating=len(seconds), users=int(users), seconds=float(seconds.mean()),
            whole="" if whole is None else FindingTexts.ISOLATED_IN_ALL(whole_s=whole),
            periods=_penalties(data, [place]), why=f": {why}." if why else ".",
        )  # fmt: skip
        yield ReportFinding("isolation", text, "avoidance", float(seconds.sum()), why)


def _penalties(data: ReportData, brokers: list[int]) -> str:
    """The isolation periods that were applied, the most frequent first."""
    counts = data.isolation.penalties(brokers)
    if not counts:
        return ""
    parts = [f"{ms / 1000:g} s ({some(count, 'time')})" for ms, count in counts[:2]]
    return FindingTexts.ISOLATION_PERIODS(periods=" and ".join(parts))


def _why(data: ReportData, load: Load, place: int) -> str:
    """The client's own reason: failed attempts at the broker, or slow answers; of groups whose strategy is on."""
    rows, groups = load.facts.attempts, data.output.about["producer_groups"]
    on = [number for number, group in enumerate(groups) if group.get("strategy", data.summary.strategy)]
    with_status = [number for number, name in enumerate(load.facts.outcomes) if name in SEND_STATUS_CODES]
    isolates = (rows["broker"] == place) & np.isin(rows["group"], on) & ~np.isin(rows["outcome"], with_status)
    failed = int(isolates.sum()) * load.facts.modulus
    release = " and ".join(dict.fromkeys(str(groups[n].get("release", data.summary.release)) for n in on))
    if failed:
        return FindingTexts.FAILED_THERE(attempts=some(failed, "attempt"), release=release)
    if load.scenario is None:
        return ""
    tables = [load.scenario.clients[number].penalty_tables_ms for number in on]
    steps = [(ms, s / 1000) for table in tables for ms, s in zip(*table, strict=True) if s]
    if not steps:
        return ""
    latency_ms, seconds = min(steps)
    return FindingTexts.NONE_FAILED_THERE(release=release, seconds=seconds, latency_ms=latency_ms)


def scan_ends_there(data: ReportData, topic: str) -> str:
    """Why one queue of a release's scan takes the load of those that it passes over, "" where it does not.

    Only producers scan whose strategy is on and that leave the queue of the topic's messages to it.
    """
    about, scenario = data.output.about, scenario_of(data.output)
    senders = scenario.producers if scenario is not None else [None] * len(about["producer_groups"])
    scans = [
        not CLIENTS[str(group.get("release", about["release"]))].has_reset_index
        for group, own in zip(about["producer_groups"], senders, strict=True)
        if group.get("strategy", about["strategy"]) and not group.get("over_proxies")
        and (own is None or (topic in own.topics and own.selector == BY_STRATEGY))
    ]  # fmt: skip
    return FindingTexts.SCAN_ENDS() if data.lanes and any(scans) else ""


def busiest_queue(data: ReportData) -> Iterator[ReportFinding]:
    """Queues that take several times their part of a topic's attempts."""
    names = {place: name for name, place in data.output.brokers.items()}
    for topic, counts in sorted(data.queues.counts.items()):
        total, used = int(counts.sum()), int((counts > 0).sum())
        if total < FEWEST_ATTEMPTS or used < 2 or counts.max() * used < BUSIEST * total:
            continue
        broker, queue = (int(one) for one in np.unravel_index(int(counts.argmax()), counts.shape))
        share = 100 * int(counts.max()) / total
        cause = scan_ends_there(data, topic)
        text = FindingTexts.BUSIEST_QUEUE(
            queue=queue, broker=names[broker], percent=share, topic=topic, times=float(counts.max() * used / total)
        ).followed_by(f": {cause}." if cause else ".")
        yield ReportFinding("queue", text, "queues", float(counts.max()), cause)
