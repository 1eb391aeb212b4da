"""What stands out in a run, grouped by its causes: one line a cause, the worst first, its consequences beneath it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from simulator.causes.by_cause import CauseGroup, grouped
from streaming.report.causes.cause_answer import CauseAnswer
from streaming.report.causes.consequence_words import in_words
from streaming.report.causes.not_tested import NotTested, not_tested_of
from streaming.report.causes.proving import known_answer
from streaming.report.collected.data import ReportData
from streaming.report.fault_times import ReportFault, faults_of
from streaming.report.findings.about_messages import Known
from streaming.report.findings.finding import ReportFinding
from streaming.report.findings.ranked import findings, known_of
from streaming.report.texts.consequence_texts import ConsequenceTexts

# Findings that are made of the tables alone: what they report is no consequence that was left out.
TABLES_ALONE = (
    "readable_rolled_back", "given_up", "check_backs", "expired", "deduplicated",
)  # fmt: skip
NUMBER = re.compile(r"\b(F\d+)\b")
LOADS_NAMED = 3


@dataclass(frozen=True)
class CauseLine:
    """A cause with its consequences. text: what it is; because: ids, none where nothing explains it.

    proven: it was left out, and what stands beneath it vanished or shrank; else nobody tested it. is_noted: what stands
    beneath it says itself how it came about, so no cause is looked for.
    """

    text: str
    because: tuple[str, ...]
    proven: bool
    consequences: tuple[ReportFinding, ...]
    is_noted: bool = False

    @property
    def head(self) -> str:
        """The line: because of what, or what no cause explains."""
        if self.is_noted:
            return ConsequenceTexts.NOTED()
        if not self.because and not self.text:
            return ConsequenceTexts.NO_CAUSE() if self.proven else ConsequenceTexts.CAUSES_NOT_KNOWN()
        return (ConsequenceTexts.BECAUSE if self.proven else ConsequenceTexts.UNTESTED)(cause=self.text)

    def as_json(self) -> dict[str, object]:
        """Plain values."""
        return {
            "because": list(self.because), "text": self.text, "proven": self.proven, "noted": self.is_noted,
            "consequences": [one.as_json() for one in self.consequences],
        }  # fmt: skip


@dataclass(frozen=True)
class ReportCauses:
    """The lines, the worst cause first, none where nothing stands out; and what to do where causes are not tested."""

    lines: list[CauseLine]
    not_tested: NotTested | None


def report_causes(data: ReportData) -> ReportCauses:
    """What stands out in a run, and because of what."""
    answer = known_answer(data.output)
    lines = _as_guessed(findings(data)) if answer is None else _as_known(data, answer)
    is_open = any(not (line.proven or line.is_noted) for line in lines)
    return ReportCauses(lines, not_tested_of(data.output, answer) if is_open else None)


def cause_lines(data: ReportData) -> list[CauseLine]:
    """The lines alone."""
    return report_causes(data).lines


def _as_known(data: ReportData, answer: CauseAnswer) -> list[CauseLine]:
    """Consequences by the causes of an answer, and what only the tables show."""
    tables = findings(data)
    known, faults = known_of(data), faults_of(data.output)
    said: set[str] = set()
    found = [_line(group, answer, faults, known, said) for group in grouped(answer.consequences)]
    slow = {name.removeprefix("send_threads ") for line in found for name in line.because}
    more = [
        one for one in tables
        if one.kind in TABLES_ALONE or (one.place == "latency" and one.cause.removesuffix(" is slow") not in slow)
    ]  # fmt: skip
    return _with(found, more, faults)


def shown_findings(lines: Iterable[CauseLine]) -> list[ReportFinding]:
    """All consequences, in the order of the lines."""
    return [one for line in lines for one in line.consequences]


def cause_text(
    because: Sequence[str],
    texts: dict[str, str],
    faults: Sequence[ReportFault],
    either: bool,
    said: set[str] | None = None,
) -> str:  # fmt: skip
    """Causes in words: what happens to whom, its number and its times; of a fault that was `said`, its number."""
    before = set() if said is None else said
    of_faults = {
        fault.number: fault.number if fault.number in before else f"{fault.text} ({fault.number}, {fault.when})"
        for fault in faults
    }
    before |= set(because)
    named = [of_faults.get(one) or _with_time(one, texts.get(one, one)) for one in because]
    return ConsequenceTexts.EITHER_WOULD_DO(causes=" or ".join(named)) if either else " and ".join(named)


def _with_time(cause: str, text: str) -> str:
    return f"{text} at {cause.rsplit(' ', 1)[1]}" if cause.startswith("rate ") else text


def _line(
    group: CauseGroup, answer: CauseAnswer, faults: Sequence[ReportFault], known: Known, said: set[str]
) -> CauseLine:
    either = all(one.each_would_do for one in group.consequences)
    text = cause_text(group.because, answer.texts, faults, either, said)
    whole = cause_text(group.because, answer.texts, faults, either)
    made = [replace(in_words(one, known, answer.labels), cause=whole) for one in group.consequences]
    return CauseLine(text, group.because, group.proven, tuple(joined_loads(made)))


def joined_loads(found: Sequence[ReportFinding]) -> list[ReportFinding]:
    """The shifts of load as one finding, the largest first; a broker can have several."""
    loads = [one for one in found if one.kind == "load"]
    if len(loads) < 2:
        return list(found)
    text = "; ".join(one.text.removesuffix(".") for one in loads[:LOADS_NAMED])
    more = ConsequenceTexts.MORE_SHIFTS(count=len(loads) - LOADS_NAMED) if len(loads) > LOADS_NAMED else ""
    joined = replace(loads[0], text=f"{text}{more}.")
    return [joined if one is loads[0] else one for one in found if one.kind != "load" or one is loads[0]]


def _with(lines: list[CauseLine], more: Sequence[ReportFinding], faults: Sequence[ReportFault]) -> list[CauseLine]:
    """The lines with findings of the tables alone, each beneath the cause that it names itself."""
    numbers = {fault.number for fault in faults}
    for one in more:
        own = tuple(dict.fromkeys(name for name in NUMBER.findall(one.text) if name in numbers))
        is_noted = one.kind in TABLES_ALONE and not own
        text = cause_text(own, {}, faults, False) if own else "" if is_noted else one.cause
        at = next(
            (
                place for place, line in enumerate(lines)
                if (line.because, line.is_noted) == (own, is_noted) and (own or line.text == text)
            ),
            None,
        )  # fmt: skip
        if at is None:
            lines.append(CauseLine(text, own, False, (one,), is_noted))
        else:
            lines[at] = replace(lines[at], consequences=(*lines[at].consequences, one))
    return sorted(lines, key=lambda line: (not (line.because or line.text), line.is_noted))


def _as_guessed(tables: Sequence[ReportFinding]) -> list[CauseLine]:
    """Findings by the cause that their times suggest."""
    by_cause: dict[tuple[str, bool], list[ReportFinding]] = {}
    for one in tables:
        is_noted = one.kind in TABLES_ALONE and not one.cause
        by_cause.setdefault((one.cause, is_noted), []).append(replace(one, text=one.what.followed_by(".")))
    lines = [
        CauseLine(cause, tuple(dict.fromkeys(NUMBER.findall(cause))), False, tuple(own), is_noted)
        for (cause, is_noted), own in by_cause.items()
    ]
    return sorted(lines, key=lambda line: (not line.text, line.is_noted))
