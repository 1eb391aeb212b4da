"""Findings of what callers waited: slow answers, backlogs, messages that were never sent."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

import numpy as np

from simulator.kernel.latency import mean_us
from simulator.units import some
from streaming.clock import clock
from streaming.report.collected.data import ReportData
from streaming.report.collected.facts import Facts
from streaming.report.fault_times import ReportFault
from streaming.report.findings.cause import Cause, fault_cause
from streaming.report.findings.finding import ReportFinding
from streaming.report.findings.load import FULL, Load
from streaming.report.texts.finding_texts import FindingTexts

TIMES = 10  # p99 against that before
LEAST_MS = 10.0
JOIN_US = 10_000_000  # stretches closer than this are one
BACKLOG_LEAST = 20
PART = 0.4  # of the time that attempts took longer: what a fault must explain
LONGER = 0.25  # of the usual time of an attempt: less is no reason to wait
BUSY_BEFORE_US = 5_000_000


class CallerWaits:
    """Why callers waited, from the time that their attempts took."""

    def __init__(self, data: ReportData, facts: Facts, load: Load) -> None:
        self.data, self.facts, self.load = data, facts, load
        self.faults = load.faults

    def findings(self) -> Iterator[ReportFinding]:
        """Waits by cause, and messages that were never sent."""
        found: dict[str, list[tuple[int, int, int, Cause]]] = defaultdict(list)
        lines = self.data.messages.groups
        for line in range(len(lines)):
            before: tuple[int, Cause] | None = None
            for first, last in self._stretches(line):
                begin, until = first * self.facts.bin_us, (last + 1) * self.facts.bin_us
                cause = self.cause(line if len(lines) == len(self.load.groups) else -1, begin, until)
                if before is not None and cause.kind not in ("fault", "rate") and before[0] == first - 1:
                    # What is left of a backlog waits for what made it.
                    cause = before[1] if self._left(line)[first - 1] >= BACKLOG_LEAST else cause
                before = last, cause
                found[cause.key].append((line, first, last, cause))
        for stretches in found.values():
            yield self._waits(stretches)
        yield from self._never_sent()
        yield from self._slow_brokers()

    def cause(self, group: int, from_us: int, until_us: int) -> Cause:
        """Why callers of a group (-1: of all) waited in a stretch of time."""
        bins = self.load.bins_in([(from_us, until_us)])
        count, took = (self._of(values, group) for values in (self.facts.count, self.facts.took_us))
        usual = self._usual_us(count, took)
        more = took - count * usual[:, None]
        longer = np.maximum(more[:, bins].sum(axis=1), 0.0)
        fault = self._fault(count, more, usual, bins)
        if fault is not None:
            return fault_cause(fault)
        busiest = [int(place) for place in np.argsort(-longer) if longer[place] >= 0.2 * longer.sum() and longer.sum()]
        users = [place for place in range(len(count)) if count[place][bins].any()]
        cause = self.load.cause(busiest or users, from_us, until_us)
        if cause is not None:
            return cause
        # What waits is begun later than it was asked for: its thread was held up before.
        fault = self._fault(count, more, usual, self.load.bins_in([(max(from_us - BUSY_BEFORE_US, 0), until_us)]))
        if fault is not None:
            return fault_cause(fault)
        threads = self._threads(group, took, bins)
        if not threads:
            return Cause("none", "", "none")
        meanwhile = [one for one in self.faults if any(a < until_us and b > from_us for a, b in one.stretches)]
        if meanwhile:
            struck = "; ".join(fault_cause(one).text for one in meanwhile[:2])
            return Cause(
                f"threads {group} {struck}", FindingTexts.WHILE(what=threads, fault=struck), "fault", meanwhile[0]
            )
        return Cause(f"threads {group}", FindingTexts.NO_FAULT(what=threads), "overload")

    def _of(self, values: np.ndarray, group: int) -> np.ndarray:
        return (
            values[group] if 0 <= group < len(values) and len(values) == len(self.load.groups) else values.sum(axis=0)
        )

    def _usual_us(self, count: np.ndarray, took: np.ndarray) -> np.ndarray:
        """Mean time of an attempt to each broker before anything changed; its service time where there is no before."""
        calm = self.load.calm
        asked = count[:, calm].sum(axis=1)
        usual = took[:, calm].sum(axis=1) / np.maximum(asked, 1)
        for place, name in enumerate(self.load.names):
            scenario = self.load.scenario
            if not asked[place] and scenario is not None and name in scenario.brokers:
                usual[place] = mean_us(scenario.brokers[name].latency.service_table_us())
        return np.asarray(usual)

    def _fault(self, count: np.ndarray, more: np.ndarray, usual: np.ndarray, bins: np.ndarray) -> ReportFault | None:
        """The fault in whose time, and at whose brokers, attempts took most of the time that they took longer."""
        best, chosen = PART * float(np.maximum(more[:, bins].sum(axis=1), 0.0).sum()), None
        chosen_bins = np.flatnonzero(bins)
        from_us, until_us = (int(edge) * self.facts.bin_us for edge in (chosen_bins[0], chosen_bins[-1] + 1))
        for fault in self.faults:
            # What was under way when it began counts, too.
            before = [(max(a - self.facts.bin_us, 0), a) for a, _ in fault.stretches if from_us <= a < until_us]
            inside = (bins & self.load.bins_in(fault.stretches)) | self.load.bins_in(before)
            struck = self.load.numbers(fault.brokers)
            if not struck or not inside.any():
                continue
            own = float(more[struck][:, inside].sum())
            each = own / max(float(count[struck][:, inside].sum()), 1.0)
            others = [place for place in range(len(count)) if place not in struck]
            asked = float(count[others][:, inside].sum())
            elsewhere = float(more[others][:, inside].sum()) / asked if others and asked else 0.0
            if own > best and each > max(2 * elsewhere, LONGER * float(usual[struck].mean())):
                best, chosen = own, fault
        return chosen

    def _threads(self, group: int, took: np.ndarray, bins: np.ndarray) -> str:
        """How busy the sender threads of a group were, where they had no room."""
        groups = self.data.output.about["producer_groups"]
        if not 0 <= group < len(groups) or not bins.any():
            return ""
        threads = groups[group]["count"] * groups[group]["threads"]
        busy = float(took[:, bins].sum()) / (threads * bins.sum() * self.facts.bin_us)
        if busy < FULL:
            return ""
        name, percent = self.load.groups[group], min(100 * busy, 100)
        return FindingTexts.THREADS_BUSY(threads=threads, group=name, percent=percent)

    def _stretches(self, line: int) -> list[tuple[int, int]]:
        """Bins from first to last in which p99 is ten times what it was before."""
        p99 = self.data.messages.latency["p99"][line]
        known = np.isfinite(p99)
        if not known.any():
            return []
        calm = known & self.load.calm[: len(p99)]
        usual = float(np.median(p99[calm])) if calm.sum() >= 3 else float(np.quantile(p99[known], 0.1))
        high = np.flatnonzero(known & (p99 >= TIMES * usual) & (p99 >= usual + LEAST_MS))
        apart = max(int(JOIN_US // self.facts.bin_us), 2)
        parts = np.split(high, np.flatnonzero(np.diff(high) > apart) + 1) if len(high) else []
        return [piece for part in parts for piece in self._cut(int(part[0]), int(part[-1]))]

    def _cut(self, first: int, last: int) -> Iterator[tuple[int, int]]:
        """A stretch in pieces: a rate that changes in it, and a fault that begins or ends, begins the next one."""
        moments = [moment for fault in self.faults for moment in (fault.stretches[0][0], fault.stretches[-1][1])]
        moments += [change.at_us for change in self.load.changes]
        edges = sorted({int(at_us // self.facts.bin_us) for at_us in moments})
        for at in [*(at for at in edges if first < at <= last), last + 1]:
            yield first, at - 1
            first = at

    def _waits(self, stretches: list[tuple[int, int, int, Cause]]) -> ReportFinding:
        p99 = self.data.messages.latency["p99"]
        line, _, _, cause = max(stretches, key=lambda one: float(np.nanmax(p99[one[0]][one[1] : one[2] + 1])))
        own = [(first, last) for which, first, last, _ in stretches if which == line]
        first, last = min(first for first, _ in own), max(last for _, last in own)
        peak = max(float(np.nanmax(p99[line][a : b + 1])) for a, b in own)
        begin, until = first * self.facts.bin_us, min((last + 1) * self.facts.bin_us, self.load.end_us)
        names = list(dict.fromkeys(self.data.messages.groups[which] for which, *_ in stretches))
        who = " and ".join(names) if len(names) <= 2 else some(len(names), "group")
        calm = p99[line][: len(p99[line])][self.load.calm[: len(p99[line])]]
        text = FindingTexts.CALLERS_WAITED(
            group=who, peak_ms=peak, begin=clock(begin), until=clock(until),
            stretches=FindingTexts.IN_STRETCHES(stretches=len(own)) if len(own) > 1 else "",
            before=FindingTexts.BEFORE(before_ms=float(np.nanmedian(calm))) if np.isfinite(calm).any() else "",
            backlog=self._backlog(line, first, last),
        )  # fmt: skip
        waited = np.nan_to_num(p99) / 1000
        size = sum(float((self._intended(g)[a : b + 1] * waited[g][a : b + 1]).sum()) for g, a, b, _ in stretches)
        said = text.followed_by(f": {cause.text}." if cause.text else ".")
        return ReportFinding("waits", said, "waits", size, cause.text, begin, until)

    def _intended(self, line: int) -> np.ndarray:
        intended = self.facts.intended
        return intended[line] if len(self.data.messages.groups) == len(intended) else intended.sum(axis=0)

    def _left(self, line: int) -> np.ndarray:
        """Messages that wait for a thread at the end of each bin."""
        begun = self.facts.begun
        own = begun[line] if len(self.data.messages.groups) == len(begun) else begun.sum(axis=0)
        return np.asarray(np.cumsum(self._intended(line) - own))

    def _backlog(self, line: int, first: int, last: int) -> str:
        """The most messages that waited for a thread at the end of a bin, and when the last of them was sent."""
        left = self._left(line)
        peak = first + int(left[first : last + 1].argmax())
        if left[peak] < BACKLOG_LEAST:
            return ""
        small = np.flatnonzero(left[peak:] <= max(0.05 * left[peak], 1))
        count = int(left[peak])
        if not len(small) or (peak + int(small[0]) + 1) * self.facts.bin_us >= self.load.end_us:
            return FindingTexts.BACKLOG_LEFT(count=count)
        return FindingTexts.BACKLOG_GONE(count=count, gone=clock((peak + int(small[0])) * self.facts.bin_us))

    def _never_sent(self) -> Iterator[ReportFinding]:
        skipped = int(self.data.summary.events["skipped"])
        if not skipped:
            return
        groups = self.data.output.about["producer_groups"]
        those = [place for place, group in enumerate(groups) if group.get("when_thread_blocked") == "skip"]
        names = ", ".join(groups[place]["group"] for place in those[:3])
        intended = skipped + int(self.facts.of_group.sum())
        text = FindingTexts.NEVER_SENT(
            messages=some(skipped, "message"), group=names, were="was" if skipped == 1 else "were",
            percent=100 * skipped / intended,
        )  # fmt: skip
        short = self._short(those)
        if short is None:
            yield ReportFinding("never_sent", text.followed_by("."), "waits", skipped)
            return
        cause, part, from_us, until_us = short
        text = text.followed_by(
            FindingTexts.NEVER_SENT_PART(part=100 * part, begin=clock(from_us), until=clock(until_us))
        )
        said = text.followed_by(f": {cause.text}." if cause.text else ".")
        yield ReportFinding("never_sent", said, "waits", skipped, cause.text, from_us, until_us)

    def _short(self, groups: list[int]) -> tuple[Cause, float, int, int] | None:
        """The cause for which most messages were not sent that the rates ask for, its part of them, and when."""
        scenario, bin_us = self.load.scenario, self.facts.bin_us
        if scenario is None or not groups:
            return None
        bins = self.facts.intended.shape[1]
        asked = np.array(
            [
                sum(scenario.producers[g].count * float(scenario.producers[g].rate_at(b * bin_us)) for g in groups)
                for b in range(bins)
            ]
        ) * (bin_us / 1e6)
        short = np.maximum(asked - self.facts.intended[groups].sum(axis=0), 0.0)
        group = groups[0] if len(groups) == 1 else -1
        by_cause: dict[str, list[tuple[float, int, int, Cause]]] = defaultdict(list)
        for first, last in self._cut(0, bins - 1):
            from_us, until_us = first * bin_us, min((last + 1) * bin_us, self.load.end_us)
            cause = self.cause(group, from_us, until_us)
            by_cause[cause.key].append((float(short[first : last + 1].sum()), from_us, until_us, cause))
        if not short.sum():
            return None
        worst = max(by_cause.values(), key=lambda pieces: sum(piece[0] for piece in pieces))
        part = sum(piece[0] for piece in worst) / float(short.sum())
        return worst[0][3], part, worst[0][1], worst[-1][2]

    def _slow_brokers(self) -> Iterator[ReportFinding]:
        """Brokers that answer slowly all the time, so that there is no before."""
        known = [broker for broker in self.data.summary.brokers if broker.p50_ms is not None and broker.attempts]
        for broker in known if len(known) > 1 else ():
            usual = float(np.median([one.p50_ms for one in known if one is not broker]))
            struck = any(broker.broker in fault.brokers for fault in self.faults)
            if struck or (broker.p50_ms or 0) < max(TIMES * usual, 2 * LEAST_MS):
                continue
            text = FindingTexts.SLOW_BROKER(
                broker=broker.broker, p50_ms=broker.p50_ms, p99_ms=broker.p99_ms or 0, others_ms=usual
            )
            cause = FindingTexts.SLOW(broker=broker.broker)
            yield ReportFinding("waits", text, "latency", float(broker.attempts or 0), cause)
