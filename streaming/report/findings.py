"""What stands out in a run, in words: each finding with its figure, its time, and where on the page to look."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from packaging.version import Version

from simulator.scenario import ScenarioError, parse_scenario
from streaming.page_frame.html_tables import sentence
from streaming.report.clock import clock, some
from streaming.report.data import ReportData

AVOIDED_S = 10.0  # a producer, while nothing is wrong: less is a penalty of a slow answer or two
BUSIEST = 3.0  # times its part of a topic's attempts
FEWEST_ATTEMPTS = 1_000
DOUBLED_PERCENT = 0.05
SCAN_MENDED_IN = Version("5.1.4")  # every probe of the scan moves the counter from then on
MOST = 6


@dataclass(frozen=True)
class ReportFinding:
    """One sentence. `place`: the id of what to look at, without `title-`."""

    text: str
    place: str


def findings(data: ReportData) -> list[ReportFinding]:
    """The most telling first, at most MOST."""
    found = [*_lost(data), *_failed(data), *_avoided(data), *_busiest_queue(data), *_doubled(data)]
    return found[:MOST]


def findings_card(data: ReportData) -> str:
    """The card of the findings; empty where nothing stands out."""
    found = findings(data)
    if not found:
        return ""
    items = "".join(f'<li>{sentence(one.text)} <a href="#title-{one.place}">Look</a></li>' for one in found)
    head = '<section class="card" aria-labelledby="title-findings"><h2 id="title-findings">Findings</h2>'
    return f"{head}<ul>{items}</ul></section>"


def _lost(data: ReportData) -> Iterator[ReportFinding]:
    total = data.summary.total
    lost = total.lost if total is not None else 0
    if lost:
        yield ReportFinding(f"No copy is left of {some(lost, 'message')} whose caller was told SEND_OK.", "told")


def _failed(data: ReportData) -> Iterator[ReportFinding]:
    total, series = data.summary.total, data.series.failures.sum(axis=0)
    if total is None or not total.failed:
        return
    bins = np.flatnonzero(series)
    text = f"{some(total.failed, 'message')} failed, {100 * total.failed / total.messages:.2g} % of all"
    if len(bins):
        begin, end = int(bins[0]) * data.bin_us, (int(bins[-1]) + 1) * data.bin_us
        text += f"; attempts failed from {clock(begin)} to {clock(min(end, data.output.end_us))}"
        if data.series.endings:
            ending, counts = max(data.series.endings.items(), key=lambda item: int(item[1].sum()))
            every = len(data.series.endings) == 1 or int(counts.sum()) == int(series.sum())
            text += f", {'all' if every else 'most'} with {ending}"
    yield ReportFinding(f"{text}.", "failures")


def _penalties(data: ReportData) -> list[tuple[float, float]]:
    """The client's table: from which latency on a broker is avoided, ms, and for how long, s; empty if not known."""
    try:
        scenario = parse_scenario(str(data.output.about["scenario_yaml"]))
    except (KeyError, ScenarioError):
        return []
    table = zip(*scenario.client.penalty_tables_ms, strict=True)
    return [(latency_ms, duration_ms / 1000) for latency_ms, duration_ms in table if duration_ms]


def _why_avoided(data: ReportData, broker: str, struck: bool) -> str:
    """The client's own reason: an attempt that failed is charged with the most, a slow answer with its latency."""
    penalties, release, lines = _penalties(data), data.summary.release, data.series.names
    if not penalties:
        return ""
    longest = f"isolates for up to {max(seconds for _, seconds in penalties):g} s"
    if struck or broker not in lines:
        return f", because {release} {longest}"
    failed = int(data.series.failures[lines.index(broker)].sum())
    if failed:
        return f": {some(failed, 'attempt')} failed there, after which {release} {longest}"
    latency_ms, seconds = min(penalties)
    return f": no attempt failed there, but {release} avoids for {seconds:g} s or more who takes {latency_ms:g} ms"


def _avoided(data: ReportData) -> Iterator[ReportFinding]:
    seconds = data.bin_us / 1e6
    for broker, place in data.output.brokers.items():
        struck = [fault for fault in data.output.about["faults"] if fault["broker"] == broker]
        healthy_us = max((fault.get("until_us") or data.output.end_us for fault in struck), default=0)
        fraction = data.fraction[place]
        after = float(fraction[-(-healthy_us // data.bin_us) :].sum()) * seconds
        if after < AVOIDED_S:
            continue
        whole = float(fraction.sum()) * seconds
        text = f"{broker} was avoided for {whole:.0f} s a producer"
        if struck:
            text += f", {after:.0f} s of it although it had been healthy since {clock(healthy_us)}"
        else:
            text += " although no fault struck it"
        yield ReportFinding(f"{text}{_why_avoided(data, broker, bool(struck))}.", "avoidance")


def _busiest_queue(data: ReportData) -> Iterator[ReportFinding]:
    names = {place: name for name, place in data.output.brokers.items()}
    for topic, counts in sorted(data.queues.counts.items()):
        total, used = int(counts.sum()), int((counts > 0).sum())
        if total < FEWEST_ATTEMPTS or used < 2 or counts.max() * used < BUSIEST * total:
            continue
        broker, queue = (int(one) for one in np.unravel_index(int(counts.argmax()), counts.shape))
        share = 100 * int(counts.max()) / total
        text = f"Queue {queue} of {names[broker]} took {share:.0f} % of all attempts to {topic}, "
        text += f"{counts.max() * used / total:.1f} times its part"
        scans = data.summary.strategy and Version(data.summary.release) < SCAN_MENDED_IN and data.lanes
        because = ": the scan for an available broker ends there (apache/rocketmq#5672)" if scans else ""
        yield ReportFinding(f"{text}{because}.", "queues")


def _doubled(data: ReportData) -> Iterator[ReportFinding]:
    total = data.summary.total
    if total is not None and total.messages and 100 * total.duplicates / total.messages >= DOUBLED_PERCENT:
        more = some(total.duplicates, "duplicate")
        yield ReportFinding(f"Brokers store {more}: consumers see those messages twice or more.", "told")
