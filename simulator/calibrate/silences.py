"""Periods in which a broker answered nothing although requests waited for it.

Between two answers of a broker lies a gap. In an ordinary gap requests wait as long as a request takes; in a hang they
wait until it is over or their time is up, however many there are. So what is measured is how long requests waited in
a gap, not how long single requests took: one slow request among answered ones is no hang.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from simulator import codes
from simulator.calibrate.attempts import Flags, Ints, TraceAttempts
from simulator.calibrate.calibrate_texts import EvidenceTexts
from simulator.calibrate.clock_steps import is_clock_step
from simulator.calibrate.found_fault import HANG, KILL, SILENT_DEATH, FoundFault, sure_of
from simulator.calibrate.ordinary_waits import OrdinaryWaits
from state.texts import joined

SILENCE_LEAST_US = 200_000
SILENCE_MOST_US = 1_000_000
ORDINARY_TIMES = 4  # a silence is longer than this many times the longest wait of an ordinary second
BEGIN_BEFORE_US = 200_000  # a silence began at most this long before the first request that met it
UNWATCHED_TIMES = 5  # two silences with nothing tried in between are one, unless that was longer than this many times
SLOW_CONNECT_US = 1_000_000  # a connect that fails later was not refused: nobody was there to refuse it
LONGER_PART = 4  # a silence whose end nobody tried lasted a quarter longer than is known ...
RESTART_US = 10_000_000  # ... and a process that is gone needs some time to come back
LATE_LEAST = 5  # late answers that show how fast a broker works off what waits ...
WORKED_OFF_TIMES = 2  # ... which varies
FAR = 2**62


@dataclass(frozen=True)
class Waits:
    """The requests of one broker, and the gap between answers that each began in; arrays by request, in time order.

    rows: places in the attempts. gap: how many answers had come when it began. until_us: its end, or the next answer.
    answers_us: the moments of answers, sorted; asked_us: the latest begin of what was answered by then. ordinary: how
    long answers take that no silence held.
    """

    rows: Ints
    begin_us: Ints
    end_us: Ints
    until_us: Ints
    gap: Ints
    answered: Flags
    answers_us: Ints
    asked_us: Ints
    ordinary: OrdinaryWaits

    def answer_before_us(self, gap: int) -> int:
        """The answer that the gap begins with, 0 before the first."""
        return int(self.answers_us[gap - 1]) if gap > 0 else 0

    def alive_us(self, gap: int) -> int:
        """The last moment before the gap at which the broker cannot have been silent: it answered a later request."""
        return max(int(self.asked_us[gap - 1]) - self.ordinary.slack_us, 0) if gap > 0 else 0

    def answer_after_us(self, gap: int) -> int:
        """The answer that ends the gap, FAR after the last."""
        return int(self.answers_us[gap]) if gap < len(self.answers_us) else FAR


def waits_of(attempts: TraceAttempts, broker: int) -> Waits:
    """The requests of a broker."""
    rows = attempts.of_broker(broker)
    begin_us, end_us, answered = attempts.begin_us[rows], attempts.end_us[rows], attempts.answered[rows]
    order = np.argsort(end_us[answered], kind="stable")
    answers_us = end_us[answered][order]
    asked_us = np.maximum.accumulate(begin_us[answered][order])
    gap = np.searchsorted(answers_us, begin_us, side="right")
    until_us = np.minimum(end_us, np.append(answers_us, FAR)[gap])
    took_us = np.sort((end_us - begin_us)[answered & (end_us - begin_us < SILENCE_LEAST_US)])
    ordinary = OrdinaryWaits(took_us, attempts.slack_us)
    return Waits(rows, begin_us, end_us, until_us, gap, answered, answers_us, asked_us, ordinary)


def longest_ordinary_us(waits: Waits) -> int:
    """The longest wait in a gap of an ordinary second: the median over the seconds that have any."""
    if not len(waits.rows):
        return 0
    seconds = waits.begin_us // 1_000_000
    length = waits.until_us - waits.begin_us
    first = np.flatnonzero(np.append(True, seconds[1:] != seconds[:-1]))
    return int(np.median(np.maximum.reduceat(length, first)))


def least_silence_us(waits: Waits) -> int:
    """What counts as a silence of this broker."""
    return int(np.clip(ORDINARY_TIMES * longest_ordinary_us(waits), SILENCE_LEAST_US, SILENCE_MOST_US))


@dataclass(frozen=True)
class Spell:
    """Requests that waited one after the other in one gap; `places`: of the requests in Waits."""

    gap: int
    places: Ints
    begin_us: int
    until_us: int


def _spells(waits: Waits, gap: int, least_us: int, gone: Flags) -> list[Spell]:
    """The spells of a gap, those apart that nothing was tried between for too long to be one.

    `gone`: requests that met no process, which is not back as soon as it is gone.
    """
    places = np.flatnonzero(waits.gap == gap)
    until_us = np.maximum.accumulate(waits.until_us[places])
    pause_us = waits.begin_us[places][1:] - until_us[:-1]
    cuts = np.flatnonzero(pause_us > least_us) + 1
    found: list[Spell] = []
    for part in np.split(places, cuts):
        spell = Spell(gap, part, int(waits.begin_us[part[0]]), int(waits.until_us[part].max()))
        before = found[-1] if found else None
        if before is not None:
            unwatched_us = UNWATCHED_TIMES * (before.until_us - before.begin_us)
            if gone[before.places].any() and gone[part].any():
                unwatched_us = max(unwatched_us, RESTART_US)
            if spell.begin_us - before.until_us <= unwatched_us and _is_silence(waits, spell):
                both = np.concatenate((before.places, part))
                found[-1] = Spell(gap, both, before.begin_us, spell.until_us)
                continue
        found.append(spell)
    return found


def _is_silence(waits: Waits, spell: Spell) -> bool:
    """Whether anybody waited in vain, or long: ordinary requests that end a gap are no part of the silence before."""
    waited_us = waits.until_us[spell.places] - waits.begin_us[spell.places]
    return bool((waited_us > SILENCE_LEAST_US).any() or not waits.answered[spell.places].all())


def silences(attempts: TraceAttempts, broker: int) -> Iterator[FoundFault]:
    """Hangs, kills, refusals and silent deaths of a broker, in the order of time."""
    waits = waits_of(attempts, broker)
    if not len(waits.rows):
        return
    least_us = least_silence_us(waits)
    outcome = attempts.outcome[waits.rows]
    gone = np.isin(outcome, (codes.CONNECT_REFUSED, codes.SEND_FAILURE))
    waited_us = waits.until_us - waits.begin_us
    # A gap is worth a look if somebody waited long in it, alone or in a row, or if a connection was refused or cut.
    suspicious = np.unique(waits.gap[(waited_us >= least_us // 2) | gone])
    for gap in suspicious.tolist():
        spells = _spells(waits, gap, least_us, gone)
        for number, spell in enumerate(spells):
            after = spells[number + 1] if number + 1 < len(spells) else None
            before = spells[number - 1] if number else None
            finding = _judged(attempts, broker, waits, spell, before, after, least_us)
            moved = finding is not None and finding.kind == HANG and _moved(attempts, waits, spell)
            if finding is not None and not moved:
                yield finding


def _moved(attempts: TraceAttempts, waits: Waits, spell: Spell) -> bool:
    """Whether a clock moved, or the machine of the producers stood still, and not a broker."""
    longest = int((waits.until_us[spell.places] - waits.begin_us[spell.places]).argmax())
    place = spell.places[longest]
    return is_clock_step(attempts, int(waits.begin_us[place]), int(waits.until_us[place]))


def _judged(
    attempts: TraceAttempts,
    broker: int,
    waits: Waits,
    spell: Spell,
    before: Spell | None,
    after: Spell | None,
    least_us: int,
) -> FoundFault | None:
    rows = waits.rows[spell.places]
    outcome = attempts.outcome[rows]
    refused, cut = outcome == codes.CONNECT_REFUSED, outcome == codes.SEND_FAILURE
    timed_out = outcome == codes.RESPONSE_TIMEOUT
    closed = cut if not timed_out.any() else np.zeros(len(rows), bool)  # a time-out closes its connection itself
    is_gone = bool(refused.any()) or int(closed.sum()) >= 2
    late = waits.answered[spell.places] & (waits.end_us[spell.places] - waits.begin_us[spell.places] >= least_us // 2)
    met = late | ~waits.answered[spell.places]  # ordinary requests that merely ended the gap have met nothing
    if not met.any():
        return None
    met_begin_us = int(waits.begin_us[spell.places][met].min())
    waited_us = int(waits.until_us[spell.places][met].max()) - met_begin_us
    if not is_gone and waited_us < least_us:
        return None
    gone_us = attempts.end_us[rows][closed], attempts.end_us[rows][refused]
    begin = _begin(waits, spell, before, waits.begin_us[spell.places][met], gone_us)
    # A process that is gone works off nothing when it is back.
    given_up = 0 if is_gone else int((~waits.answered[spell.places]).sum())
    if attempts.answered_only:
        given_up += round(len(waits.rows) * (spell.until_us - spell.begin_us) / max(attempts.duration_us, 1))
    end, is_open = _end(waits, spell, after, least_us, attempts.duration_us, given_up)
    if is_gone:
        end = min(max(end[0], begin[0] + RESTART_US), end[1][1]), end[1]
    slow = refused & (attempts.end_us[rows] - attempts.begin_us[rows] >= SLOW_CONNECT_US)
    kind = SILENT_DEATH if slow.any() else KILL if is_gone else HANG
    producers = len(np.unique(attempts.producer[rows[met]]))
    ends = [
        (late, EvidenceTexts.ANSWERED_LATE), (timed_out, EvidenceTexts.TIMED_OUT),
        (refused, EvidenceTexts.REFUSED), (cut, EvidenceTexts.CUT_OFF),
    ]  # fmt: skip
    ended = joined(", ", [text(count=int(flags.sum())) for flags, text in ends if flags.any()])
    evidence = EvidenceTexts.WAITED(requests=int(met.sum()), producers=producers, ends=ended)
    times = waited_us / max(longest_ordinary_us(waits), 1)
    sure = "certain" if is_gone and int((refused | closed).sum()) >= 3 else sure_of(int(met.sum()), producers, times)
    return FoundFault(
        attempts.brokers[broker], kind, begin[0], end[0], begin[1], end[1], sure, evidence, has_open_end=is_open
    )


def _begin(
    waits: Waits, spell: Spell, before: Spell | None, met_us: Ints, gone_us: tuple[Ints, Ints]
) -> tuple[int, tuple[int, int]]:
    """Best estimate and interval: after what was answered was sent, before requests that met it were to be answered.

    `gone_us`: when requests were cut off, and when they were refused; the process was gone then.
    """
    first = int(met_us[0])
    earliest = before.until_us if before is not None else waits.alive_us(spell.gap)
    latest = waits.ordinary.latest_begin_us(met_us)
    best = max((max(earliest, waits.answer_before_us(spell.gap)) + first) // 2, first - BEGIN_BEFORE_US)
    cut_us, refused_us = (int(us.min(initial=FAR)) for us in gone_us)
    if cut_us < FAR:
        best = latest = cut_us  # what is cut off under way ends when the process does
    latest = max(min(latest, refused_us) + waits.ordinary.slack_us, earliest)
    return min(max(min(best, refused_us), earliest), latest), (earliest, latest)


def _end(
    waits: Waits, spell: Spell, after: Spell | None, least_us: int, duration_us: int, given_up: int
) -> tuple[tuple[int, tuple[int, int]], bool]:
    """Best estimate and interval, and whether nobody tried the broker in it.

    The first late answer comes when it is over, after what the broker has to work off before. Where there is none, it
    ended between the last failure and the next success.
    """
    answered = waits.answered[spell.places]
    took_us = waits.end_us[spell.places] - waits.begin_us[spell.places]
    late = answered & (took_us >= least_us // 2)
    behind_us = _worked_off_us(waits, given_up, np.sort(waits.end_us[spell.places][late]))
    if late.any():
        over = waits.answer_after_us(spell.gap)
        return (over, (max(over - behind_us, spell.begin_us), over + waits.ordinary.slack_us)), False
    seen = int(waits.until_us[spell.places][~answered].max()) if len(spell.places) > answered.sum() else spell.until_us
    is_silent_again = after is not None and _is_silence(waits, after)
    next_us = after.begin_us if after is not None and is_silent_again else waits.answer_after_us(spell.gap)
    latest = max(min(next_us + waits.ordinary.slack_us, duration_us), seen)
    # What would have been sent in its last moments is missing from the evidence.
    longer = seen + (seen - spell.begin_us) // LONGER_PART
    return (min(longer, (seen + latest) // 2), (max(seen - behind_us, spell.begin_us), latest)), True


def _worked_off_us(waits: Waits, given_up: int, late_us: Ints) -> int:
    """How long after a silence its first answer may come: behind requests whose senders have given up."""
    took_us = waits.ordinary.took_us
    each_us = float(took_us.mean()) if len(took_us) else 0.0
    if len(late_us) >= LATE_LEAST:
        each_us = min(float(late_us[-1] - late_us[0]) / (len(late_us) - 1), each_us)
    return waits.ordinary.longest_us + round(WORKED_OFF_TIMES * given_up * each_us)
