"""What brokers said of themselves, scrape by scrape, held against what the attempts of a trace show.

A load is the mean of a stretch before its scrape; put times are those of the store alone, of up to the last minute
(rocketmq 4.9.8 and 5.3.3, StoreStatsService: its classes restart every 60 s).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from simulator import codes
from simulator.calibrate.attempts import Ints, TraceAttempts
from simulator.calibrate.calibrate_texts import EvidenceTexts
from simulator.calibrate.found_fault import HANG, KILL, REFUSE, SILENT_DEATH, SLOW, FoundFault, seconds
from state.texts import joined

Floats = npt.NDArray[np.float64]

PUTS_OF_LAST_US = 60_000_000
MINUTE_US = 60_000_000
SUMS_LEAST, SUMS_MOST = 40.0, 90.0  # times what the trace shows of the same minutes
SEEN_PERCENT = 90
LONGEST_MS = 60_000.0  # stands for a class that has no end
ROSE_TIMES = 5  # less is taken for noise
ROSE_LEAST_MS = 10
SILENT = (HANG, KILL, REFUSE, SILENT_DEATH)


@dataclass(frozen=True)
class BrokerScrapes:
    """Of one broker, in the order of time; times are those of the trace.

    puts_per_s: messages it stored, the mean of the `window_us` before `load_at_us`. put_ms: 99 % of its puts took no
    longer, by `put_at_us`; LONGEST_MS where that is not known.
    """

    load_at_us: Ints
    window_us: int
    puts_per_s: Floats
    put_at_us: Ints
    put_ms: Floats


Scrapes = Mapping[str, BrokerScrapes]


@dataclass(frozen=True)
class LoadSeen:
    """Messages stored a second, in the stretches of the scrapes: what the broker says, and what the trace shows.

    is_sum: the broker's figures were sums of a minute.
    """

    said_per_s: float
    seen_per_s: float
    scrapes: int
    is_sum: bool = False

    @property
    def seen_percent(self) -> float:
        """The part that the trace shows."""
        return 100.0 * self.seen_per_s / self.said_per_s if self.said_per_s else 100.0


def load_seen(attempts: TraceAttempts, scrapes: Scrapes) -> dict[str, LoadSeen]:
    """The load of each broker that has a scrape whose stretch lies within the trace."""
    found = {}
    for place, name in enumerate(attempts.brokers):
        if (own := scrapes.get(name)) is None:
            continue
        inside = (own.load_at_us >= own.window_us) & (own.load_at_us <= attempts.duration_us)
        at_us = own.load_at_us[inside]
        if len(at_us):
            stored = (attempts.broker == place) & np.isin(attempts.outcome, codes.STORED)
            ended = np.sort(attempts.end_us[stored])
            counts = np.searchsorted(ended, at_us, "right") - np.searchsorted(ended, at_us - own.window_us, "right")
            seen = float(counts.mean()) / (own.window_us / 1e6)
            puts_per_s = own.puts_per_s[inside]
            is_sum = own.window_us == MINUTE_US and _are_sums(puts_per_s, seen)
            found[name] = LoadSeen(float(puts_per_s.mean()) / (60 if is_sum else 1), seen, len(at_us), is_sum)
    return found


def _are_sums(puts_per_s: Floats, seen_per_s: float) -> bool:
    """Whether figures are sums of a minute, as builds of the exporter from 2022-06 to 2024-01 print them.

    Sums are whole numbers, and some sixty times what the trace shows. A trace of a part of the producers shows less.
    """
    are_whole = bool((puts_per_s == np.round(puts_per_s)).all())
    times = float(puts_per_s.mean()) / seen_per_s if seen_per_s else 0.0
    return are_whole and SUMS_LEAST <= times <= SUMS_MOST


def load_text(load: LoadSeen) -> str:
    """The same in words."""
    is_all = load.seen_percent >= SEEN_PERCENT
    return EvidenceTexts.STORED(
        sums=EvidenceTexts.SUMS() if load.is_sum else "",
        stored=f"{load.said_per_s:.1f}",
        seen=f"{load.seen_per_s:.1f}",
        others="" if is_all else EvidenceTexts.STORED_BY_OTHERS(percent=f"{load.seen_percent:.0f}"),
    )


def with_metrics(findings: Sequence[FoundFault], scrapes: Scrapes) -> list[FoundFault]:
    """The findings with what the brokers' own figures say of each, and ends that they bound."""
    return [_with_metrics(one, scrapes[one.broker]) if one.broker in scrapes else one for one in findings]


def _with_metrics(finding: FoundFault, own: BrokerScrapes) -> FoundFault:
    words = [finding.evidence]
    alive_us = _alive_us(finding, own) if finding.kind in SILENT else None
    if alive_us is not None:
        earliest, latest = finding.until_range_us
        if alive_us < earliest:
            words.append(EvidenceTexts.NOT_SILENT(at=seconds(alive_us)))
        elif alive_us < latest:
            words.append(EvidenceTexts.ALIVE_AGAIN(at=seconds(alive_us)))
            until_us = min(finding.until_us, alive_us)
            finding = replace(finding, until_us=until_us, until_range_us=(earliest, alive_us), is_bounded=True)
    if finding.kind in (SLOW, HANG) and (about := _puts(finding, own)):
        words.append(about)
    return replace(finding, evidence=joined("; ", words))


def _alive_us(finding: FoundFault, own: BrokerScrapes) -> int | None:
    """The first scrape that tells of messages stored since the trouble began."""
    is_after = own.load_at_us - own.window_us >= finding.at_range_us[1]
    stored = np.flatnonzero(is_after & (own.puts_per_s > 0))
    return int(own.load_at_us[stored[0]]) if len(stored) else None


def _puts(finding: FoundFault, own: BrokerScrapes) -> str:
    """Whether the store itself was slow."""
    during = (own.put_at_us >= finding.at_us) & (own.put_at_us <= finding.until_us + PUTS_OF_LAST_US)
    if not during.any() or during.all():
        return ""
    usual_ms, most_ms = float(np.median(own.put_ms[~during])), float(own.put_ms[during].max())
    if most_ms >= max(ROSE_TIMES * usual_ms, ROSE_LEAST_MS):
        return EvidenceTexts.PUTS_ROSE(most=put_text(most_ms), usual=put_text(usual_ms))
    return EvidenceTexts.PUTS_USUAL(most=put_text(most_ms))


def put_text(put_ms: float) -> str:
    """How long a put took."""
    return "over 10 s" if put_ms >= LONGEST_MS else f"{put_ms:g} ms"
