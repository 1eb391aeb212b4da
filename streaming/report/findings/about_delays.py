"""Findings about delay levels whose messages became readable late."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from simulator.releases.broker_release import BROKERS
from streaming.clock import clock, length
from streaming.report.collected.data import ReportData
from streaming.report.collected.delay_series import LateSpell
from streaming.report.collected.level_names import level_names
from streaming.report.fault_times import ReportFault, scenario_of
from streaming.report.findings.finding import ReportFinding
from streaming.report.texts.group_finding_texts import GroupFindingTexts

BUSY_SHARE = 0.9  # of what a thread can deliver


def about_delays(data: ReportData, faults: Sequence[ReportFault]) -> Iterator[ReportFinding]:
    """At most one finding of each broker: of its level that was late by most."""
    worst: dict[str, LateSpell] = {}
    for spell in data.delays.spells:
        if spell.broker not in worst or worst[spell.broker].late_max_ms < spell.late_max_ms:
            worst[spell.broker] = spell
    for spell in worst.values():
        name = level_names(data, [spell.level])[spell.level]
        times = GroupFindingTexts.FROM_TO(begin=clock(spell.from_us), end=clock(spell.until_us))
        cause = _cause(data, spell, faults)
        said = GroupFindingTexts.LATE_LEVEL if spell.level else GroupFindingTexts.LATE_TIMER
        late = length(100_000 * round(spell.late_max_ms / 100))
        text = said(level=name, broker=spell.broker, late=late, when=times, cause=f": {cause}" if cause else "")
        size = spell.late_max_ms / 1000
        yield ReportFinding("late_delays", text, "delays", size, cause, spell.from_us, spell.until_us)


def _cause(data: ReportData, spell: LateSpell, faults: Sequence[ReportFault]) -> str:
    """A fault of the broker while it was late, or that had just ended; else a thread that delivers all it can."""
    struck = [
        f"{fault.text} ({fault.number}, {fault.when})"
        for fault in faults
        if spell.broker in fault.brokers and any(at < spell.until_us and until >= spell.from_us - data.bin_us
                                                 for at, until in fault.stretches)
    ]  # fmt: skip
    if struck:
        return "; ".join(struck[:2])
    scenario = scenario_of(data.output)
    if scenario is None or spell.broker not in scenario.brokers:
        return ""
    broker = scenario.brokers[spell.broker]
    apart = BROKERS[broker.release].delivers_levels_apart or not spell.level
    most_per_s = 1e6 / (broker.delayed_delivery_us if spell.level else broker.timer_delivery_us)
    if apart and spell.most < BUSY_SHARE * most_per_s * int(data.output.about["window_us"]) / 1e6:
        return ""
    thread = GroupFindingTexts.LEVEL_THREAD()
    if not spell.level:
        thread = GroupFindingTexts.TIMER_WHEEL()
    elif not apart:
        thread = GroupFindingTexts.ONE_TIMER(release=broker.release)
    return GroupFindingTexts.THREAD_DELIVERS(thread=thread, most_per_s=most_per_s)
