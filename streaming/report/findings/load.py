"""The load of the brokers over time, and what changed it: rates that rise, load that moved, demand above capacity."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from simulator.kernel.latency import mean_us
from simulator.scenario import Scenario
from simulator.units import format_rate
from streaming.clock import clock
from streaming.outputs.dataset import RunOutput
from streaming.report.collected.facts import Facts
from streaming.report.fault_times import ReportFault, scenario_of
from streaming.report.findings.cause import Cause
from streaming.report.texts.finding_texts import FindingTexts

ROSE = 1.15  # times what it was before: less is not worth naming
FULL = 0.9  # utilisation from which on a queue grows long
NEVER_US = 1 << 62


@dataclass(frozen=True)
class RateChange:
    """A producer group gets another rate: messages a second of each of its producers."""

    at_us: int
    until_us: int
    group: str
    before: str
    after: str
    rises: bool

    @property
    def text(self) -> str:
        """What changes, and when."""
        way, changed = "rose" if self.rises else "fell", clock(self.at_us)
        return FindingTexts.RATE_CHANGED(
            group=self.group, way=way, before=self.before, after=self.after, changed=changed
        )


def rate_changes(output: RunOutput, scenario: Scenario | None) -> list[RateChange]:
    """The changes of rates in the time that was simulated, in order."""
    found = []
    for group in scenario.producers if scenario is not None else ():
        edges = [*(at_us for at_us, _ in group.rate_changes), output.end_us]
        for place, (at_us, rate) in enumerate(group.rate_changes):
            before = group.rate_at(at_us - 1)
            if at_us < output.end_us and before != rate:
                texts = format_rate(before), format_rate(rate)
                until_us = min(edges[place + 1], output.end_us)
                found.append(RateChange(at_us, until_us, group.group, *texts, rate > before))
    return sorted(found, key=lambda change: (change.at_us, change.group))


class Load:
    """Attempts by broker and bin, against those before anything changed."""

    def __init__(
        self, output: RunOutput, facts: Facts, faults: Sequence[ReportFault], fraction: np.ndarray | None = None
    ) -> None:
        self.names, self.faults, self.facts = list(output.brokers), faults, facts
        self.groups, self.end_us = list(output.groups), output.end_us
        self.scenario = scenario_of(output)
        self.changes = rate_changes(output, self.scenario)
        self.counts = facts.count.sum(axis=0)
        self.fraction = np.zeros(self.counts.shape) if fraction is None else fraction
        bins = self.counts.shape[1]
        first = min([NEVER_US, *(f.stretches[0][0] for f in faults), *(c.at_us for c in self.changes)])
        calm = min(int(first // facts.bin_us), bins)
        # The first bin is not whole yet: connections and routes are being made.
        self.calm = np.zeros(bins, dtype=bool)
        self.calm[1 if calm > 2 else 0 : calm] = True

    def numbers(self, names: Sequence[str]) -> list[int]:
        """The numbers of brokers."""
        return [place for place, name in enumerate(self.names) if name in set(names)]

    def is_of(self, broker: np.ndarray, group: np.ndarray, fault: ReportFault) -> np.ndarray:
        """Which rows are of a broker and a group that the fault strikes."""
        own: np.ndarray = np.isin(broker, self.numbers(fault.brokers)) if fault.brokers else broker < 0
        if fault.groups:
            own = own & np.isin(group, [self.groups.index(name) for name in fault.groups if name in self.groups])
        return own

    def bins_in(self, stretches: Sequence[tuple[int, int]]) -> np.ndarray:
        """Which bins lie in stretches of time, at least in part."""
        inside = np.zeros(self.counts.shape[1], dtype=bool)
        for begin, until in stretches:
            inside[int(begin // self.facts.bin_us) : int(-(-until // self.facts.bin_us))] = True
        return inside

    def next_change_us(self, at_us: np.ndarray) -> np.ndarray:
        """The next rise of a rate after each moment."""
        rises = np.array([*(change.at_us for change in self.changes if change.rises), NEVER_US], dtype=np.int64)
        return rises[np.searchsorted(rises, at_us, side="right").clip(max=len(rises) - 1)]

    def cause(self, brokers: Sequence[int], from_us: int, until_us: int) -> Cause | None:
        """What made the load of brokers what it was in a stretch of time; None if it was as before and had room."""
        rise, parts, keys = self._rise(brokers, from_us, until_us), [], []
        if rise is not None:
            parts.append(FindingTexts.NO_FAULT_THERE(what=rise.text))
            keys.append(f"rate {rise.group} {rise.at_us}")
        moved = self.moved_from(brokers, from_us, until_us)
        for number, why in moved[:2]:
            load_moved = FindingTexts.LOAD_MOVED(broker=self.names[number], why=why)
            parts.append(load_moved if parts else FindingTexts.NO_FAULT_THERE(what=load_moved))
            keys.append(f"moved {number}")
        if not parts:
            full = self.full(brokers, from_us, until_us)
            if full is None:
                return None
            return Cause(f"full {tuple(brokers)}", FindingTexts.NO_FAULT_THERE(what=full), "overload")
        full = self.full(brokers, from_us, until_us)
        text = " and ".join(parts) + (f"; {full}" if full else "")
        return Cause(" ".join(keys), text, "rate" if rise is not None else "moved")

    def _rise(self, brokers: Sequence[int], from_us: int, until_us: int) -> RateChange | None:
        """The rise of a rate that is in force and that is measured in the attempts to the brokers."""
        before, meanwhile = self._rate(brokers, self.calm), self._rate(brokers, self.bins_in([(from_us, until_us)]))
        in_force = [
            c for c in self.changes if c.rises and c.at_us <= from_us + self.facts.bin_us and c.until_us >= from_us
        ]
        if not in_force or (self.calm.any() and self._intended_ratio(from_us, until_us) < ROSE):
            return None
        return in_force[-1] if not self.calm.any() or meanwhile > before else None

    def _intended_ratio(self, from_us: int, until_us: int) -> float:
        """The rate of intended sends in a stretch of time, as a multiple of that before."""
        bins, intended = self.bins_in([(from_us, until_us)]), self.facts.intended.sum(axis=0)
        return float(intended[bins].mean()) / max(float(intended[self.calm].mean()), 1e-9)

    def _rate(self, brokers: Sequence[int], bins: np.ndarray) -> float:
        """Attempts a second to brokers."""
        seconds = bins.sum() * self.facts.bin_us / 1e6
        return float(self.counts[list(brokers)][:, bins].sum()) / seconds if seconds else 0.0

    def moved_from(self, brokers: Sequence[int], from_us: int, until_us: int) -> list[tuple[int, str]]:
        """Other brokers whose part of the attempts went to these in a stretch of time, and why."""
        bins = self.bins_in([(from_us, until_us)])
        if not self.calm.any() or not bins.any():
            return []
        part = [self.parts(chosen) for chosen in (self.calm, bins)]
        own = list(brokers)
        if part[1][own].sum() < ROSE * part[0][own].sum():
            return []
        found = []
        for number in np.argsort(part[1] - part[0]):
            if number in own or part[1][number] > 0.7 * part[0][number]:
                continue
            name = self.names[number]
            active = [f for f in self.faults if name in f.brokers and _overlaps(f, from_us, until_us)]
            isolated = float(self.fraction[number][bins].max(initial=0))
            if active:
                found.append((int(number), f"{active[-1].text}, {active[-1].number}, {active[-1].when}"))
            elif isolated >= 0.05:
                found.append((int(number), FindingTexts.ISOLATED_BY(percent=100 * isolated)))
        return found

    def parts(self, bins: np.ndarray) -> np.ndarray:
        """The part of the attempts that each broker gets in some bins."""
        counts = self.counts[:, bins].sum(axis=1)
        return np.asarray(counts / max(int(counts.sum()), 1))

    def capacity(self, broker: int) -> float | None:
        """Messages a second that a broker can serve without a fault: its send threads over its mean service time."""
        if self.scenario is None or self.names[broker] not in self.scenario.brokers:
            return None
        own = self.scenario.brokers[self.names[broker]]
        mean = mean_us(own.latency.service_table_us())
        return float(own.threads) * 1e6 / mean if mean > 0 else None

    def full(self, brokers: Sequence[int], from_us: int, until_us: int) -> str | None:
        """That the first of the brokers was asked for all that it can serve, or more, with both figures."""
        bins = self.bins_in([(from_us, until_us)])
        for broker in brokers:
            limit, asked = self.capacity(broker), self._rate((broker,), bins)
            if limit is not None and asked >= FULL * limit:
                name = self.names[broker]
                return FindingTexts.ASKED_FOR_ALL(broker=name, asked=asked, limit=limit)
        return None


def _overlaps(fault: ReportFault, from_us: int, until_us: int) -> bool:
    return any(begin < until_us and until > from_us for begin, until in fault.stretches)
