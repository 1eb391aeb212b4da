"""Findings of messages: lost, lost unseen, failed, duplicated, saved by a retry; each with its own attempts' cause."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from simulator.scenario.faults.fault_kinds import KINDS
from simulator.scenario.faults.what_happens import happens_to
from simulator.units import some
from state.texts import Sentence, listed
from streaming.outputs.fates import FATES
from streaming.report.collected.data import ReportData
from streaming.report.collected.fact_rows import FactRows, weights_by
from streaming.report.collected.facts import Facts
from streaming.report.fault_times import ReportFault
from streaming.report.findings.cause import NO_CAUSE, Cause, fault_cause
from streaming.report.findings.causes import Causes, fault_that_lost, times
from streaming.report.findings.finding import ReportFinding
from streaming.report.findings.load import Load
from streaming.report.texts.finding_texts import FindingTexts

LOST, UNSEEN = FATES.index("acknowledged_lost"), FATES.index("oneway_lost")
ACKNOWLEDGED = [place for place, fate in enumerate(FATES) if fate.startswith("acknowledged_")]
SEVERAL = 3  # causes of one kind share a line from then on
LISTED = 3
AFTER_US = 1_000_000  # what a broker had taken when its fault ended
SMALL = 0.1  # of the messages of a kind: a cause below it is reported with the largest one
DUPLICATES_LEAST = 10
RETRIES_PERCENT = 0.05
WITHOUT_ROUTE = ("name_server_down", "name_server_hang", "name_server_slow", "name_server_cut", "kill", "restart",
                 "rolling_restart", "master_lost", "silent_death", "power_loss", "disk_loss", "wipe_permission",
                 "read_only", "scale_in", "scale_out")  # fmt: skip


@dataclass(frozen=True)
class Known:
    """What the findings of a run are made from."""

    data: ReportData
    facts: Facts
    faults: Sequence[ReportFault]
    load: Load
    causes: Causes
    waiting: Callable[[int, int, int], Cause]  # group, from_us, until_us -> why its callers waited

    @property
    def messages(self) -> int:
        """All messages of the run."""
        return int(self.facts.of_group.sum())


def about_messages(known: Known) -> Iterator[ReportFinding]:
    """The findings, in no order."""
    rows = known.facts.messages
    if not len(rows):
        return
    rows = rows.having(cause=_deciding(known, rows))
    failed = rows.of(rows["bad"])
    yield from _lost(known, rows.of(rows["fate"] == LOST), "lost")
    yield from _lost(known, rows.of(rows["fate"] == UNSEEN), "lost_unseen")
    yield from _failed(known, failed)
    several = rows.of(rows["stored"] > 1)
    well = several.having(bad=np.zeros(len(several), np.bool_))
    yield from _duplicates(known, several.having(cause=_deciding(known, well)))
    saved = rows.of(~rows["bad"] & (rows["attempts"] > 1))
    yield from _saved(known, saved.of(~np.isin(saved["cause"], failed["cause"])))


def _deciding(known: Known, rows: FactRows) -> np.ndarray:
    """The cause of each message: of the attempt that gave its result, or that took its time, where that ran out."""
    attempts = known.facts.attempts.having(cause=known.causes.of_attempt)
    attempts = attempts.of(np.isin(attempts["key"], rows["key"]))
    attempts = attempts.having(took=attempts["end_us"] - attempts["begin_us"])
    last, longest = (attempts.in_order("key", by) for by in ("attempt", "took"))
    out_of_time = np.array([name == "RemotingTooMuchRequestException" for name in known.facts.results], dtype=bool)
    by_time = ~rows["bad"] | _picked(out_of_time, rows["result"])
    own, slow = (_cause_of_each(rows["key"], causes) for causes in (last, longest))
    # What a fault took of a message's time is missing in its last attempt, which fails for that and not for its broker.
    is_fault = np.array([*(cause.fault is not None for cause in known.causes.every), False])
    found = np.where(by_time | (~is_fault[own] & is_fault[slow]), slow, own)
    found = _of_their_batch(rows, found)
    unknown = (found < 0) & rows["bad"]
    for group, result in sorted(
        set(zip(rows["group"][unknown].tolist(), rows["result"][unknown].tolist(), strict=True))
    ):
        own_rows = unknown & (rows["group"] == group) & (rows["result"] == result)
        found[own_rows] = known.causes.number(_without_attempts(known, rows.of(own_rows)))
    return np.maximum(found, 0)


def _cause_of_each(keys: np.ndarray, attempts: FactRows) -> np.ndarray:
    """The cause of the last of the attempts, in the order of their keys, of each key; -1 of none."""
    ends = attempts.last_of("key")
    if not len(ends):
        return np.full(len(keys), -1)
    place = np.minimum(np.searchsorted(ends["key"], keys), len(ends) - 1)
    found: np.ndarray = np.where(ends["key"][place] == keys, ends["cause"][place], -1)
    return found


def _picked(flags: np.ndarray, places: np.ndarray) -> np.ndarray:
    return np.r_[flags, False][np.where(places >= 0, places, len(flags))]


def _of_their_batch(rows: FactRows, found: np.ndarray) -> np.ndarray:
    """Messages that another one's attempts carried end with it, at the same broker."""
    carried = (found < 0) & (rows["broker"] >= 0) & (rows["attempts"] == 0)
    if not carried.any():
        return found
    ends = list(zip(rows["broker"], rows["end_us"], strict=True))
    causes = {end: cause for end, cause in zip(ends, found, strict=True) if cause >= 0}
    return np.array([causes.get(end, -1) if is_carried else cause
                     for end, cause, is_carried in zip(ends, found, carried, strict=True)], dtype=np.int64)  # fmt: skip


def _without_attempts(known: Known, rows: FactRows) -> Cause:
    """Why messages of one group and result ended before any attempt."""
    result = known.facts.results[int(rows["result"][0])] if rows["result"][0] >= 0 else ""
    first, last = int(rows["arrival_us"].min()), int(rows["end_us"].max())
    if result.startswith(("HandOffQueueFull", "RemotingTooMuchRequestException", "RemotingTimeoutException")):
        return known.waiting(int(rows["group"][0]), first, last)
    if "MESSAGE_ILLEGAL" in result:
        return Cause("illegal", FindingTexts.CLIENT_REFUSES(), "client")
    of_routes = [f for f in known.faults if f.brokers or f.kind.startswith("name_server")]  # none of consumers
    struck = [f for f in of_routes if f.kind in WITHOUT_ROUTE and f.stretches[0][0] <= first]
    gone = {broker for fault in struck for broker in fault.brokers}
    if any(not fault.brokers for fault in struck) or gone >= set(known.load.names):
        return fault_cause(struck[-1])
    unrouted = Cause(f"unrouted {result}", FindingTexts.NO_BROKER_KNOWN(), "route")
    return unrouted if "Client" in result else NO_CAUSE


def _lost(known: Known, rows: FactRows, kind: str) -> Iterator[ReportFinding]:
    if not len(rows):
        return
    names, causes = known.load.names, []
    for broker, end_us, stored, cause in zip(
        rows["broker"], rows["end_us"], rows["stored"], rows["cause"], strict=True
    ):
        fault = fault_that_lost(known.faults, names[broker], end_us) if broker >= 0 and stored else None
        if fault is None and kind == "lost_unseen" and broker >= 0:
            fault = _active(known, names[broker], int(end_us))
        causes.append(known.causes.number(fault_cause(fault)) if fault is not None else int(cause))
    rows = rows.having(cause=np.array(causes, np.int64))
    noun, said = {
        "lost": ("acknowledged message", FindingTexts.LOST),
        "lost_unseen": ("one-way message", FindingTexts.LOST_UNSEEN),
    }[kind]
    for cause, own, more in _lines(known, rows):
        messages = about(known) + some(counted(known, own), noun)
        are = "is" if counted(known, own) == 1 else "are"
        count, where = counted(known, own), at_brokers(known, own)
        text = said(messages=messages, are=are, count=count, where=where, times=times(own))
        yield _made(known, kind, own, cause, text, "results", more)


def _active(known: Known, broker: str, at_us: int) -> ReportFault | None:
    """The fault of a broker at a moment: the last to begin."""
    found = [
        (begin, place)
        for place, fault in enumerate(known.faults)
        if broker in fault.brokers
        for begin, until in fault.stretches
        if begin <= at_us < until + AFTER_US
    ]
    return known.faults[max(found)[1]] if found else None


def _failed(known: Known, rows: FactRows) -> Iterator[ReportFinding]:
    for cause, own, more in _lines(known, rows):
        verb, stored = failed_or_status(known, own)
        text = FindingTexts.FAILED(
            messages=many(known, own), share=share_of(known, own, verb), results=results_of(known, own),
            where=at_brokers(known, own), times=times(own), stored=stored,
        )  # fmt: skip
        yield _made(known, "failed", own, cause, text, "failures", more)


def failed_or_status(known: Known, rows: FactRows) -> tuple[str, str]:
    """What became of failed messages, and how many are stored although the caller got an error: a status is none."""
    errors = rows.of(~np.isin(rows["fate"], ACKNOWLEDGED))
    if not len(errors):
        return FindingTexts.OTHER_STATUS(), ""
    count, stored = counted(known, rows), counted(known, errors.of(errors["kept"] > 0))
    return "failed", _stored_all_the_same(count, stored) if stored else ""


def _stored_all_the_same(count: int, stored: int) -> Sentence:
    those = "it" if count == 1 else "all of them" if stored == count else f"{stored:,} of them"
    return FindingTexts.STORED_ALL_THE_SAME(those=those, are="is" if stored == 1 else "are")


def _duplicates(known: Known, rows: FactRows) -> Iterator[ReportFinding]:
    if counted(known, rows) < DUPLICATES_LEAST:
        return
    for cause, own, more in _lines(known, rows):
        extra = int(((own["stored"] - 1) * own["weight"]).sum()) * known.facts.modulus
        text = FindingTexts.DUPLICATES(
            messages=many(known, own), are="is" if counted(known, own) == 1 else "are",
            duplicates=about(known) + some(extra, "duplicate"), times=times(own),
        )  # fmt: skip
        yield _made(known, "duplicates", own, cause, text, "results", more)


def _saved(known: Known, rows: FactRows) -> Iterator[ReportFinding]:
    if 100 * counted(known, rows) < RETRIES_PERCENT * known.messages:
        return
    for cause, own, more in _lines(known, rows):
        if cause.kind == "none":
            continue
        text = FindingTexts.RETRIED(messages=many(known, own), those=counted(known, own), times=times(own))
        yield _made(known, "retries", own, cause, text, "retries", more)


def _made(
    known: Known, kind: str, rows: FactRows, cause: Cause, text: Sentence, place: str, more: str
) -> ReportFinding:
    said = text.followed_by(f": {cause.text}{more}." if cause.text else FindingTexts.WHY_NOT_SHOWN(more=more))
    edges = int(rows["arrival_us"].min()), int(rows["end_us"].max())
    return ReportFinding(kind, said, place, counted(known, rows), cause.text, *edges)


def _lines(known: Known, rows: FactRows) -> Iterator[tuple[Cause, FactRows, str]]:
    """Rows by their cause, most first; causes of a few of them are reported with the first one."""
    found = sorted(_by_cause(known, rows), key=lambda item: -counted(known, item[1]))
    least = SMALL * counted(known, rows)
    small = [(cause, own) for cause, own in found[1:] if counted(known, own) < least]
    more = "".join(
        FindingTexts.MORE(count=counted(known, own), cause=cause.text)
        if cause.text
        else FindingTexts.MORE_UNKNOWN(count=counted(known, own))
        for cause, own in small[:2]
    )
    left = sum(counted(known, own) for _, own in small[2:])
    more += FindingTexts.MORE_OTHERS(count=left) if left else ""
    for place, (cause, own) in enumerate(found[: len(found) - len(small)]):
        yield cause, own, "" if place else more


def _by_cause(known: Known, rows: FactRows) -> Iterator[tuple[Cause, FactRows]]:
    """Rows by their cause; faults of one kind in one line from SEVERAL on."""
    causes = known.causes.every
    present = sorted(set(rows["cause"].tolist()))
    kinds: dict[str, list[int]] = {}
    for number in present:
        fault = causes[number].fault
        kinds.setdefault(f"kind {fault.kind}" if fault else f"cause {number}", []).append(number)
    for numbers in kinds.values():
        if len(numbers) >= SEVERAL:
            faults = [fault for number in numbers if (fault := causes[number].fault) is not None]
            yield _joined(faults), rows.of(np.isin(rows["cause"], numbers))
            continue
        for number in numbers:
            yield causes[number], rows.of(rows["cause"] == number)


def _joined(faults: Sequence[ReportFault]) -> Cause:
    """Faults of one kind as one cause."""
    brokers = sorted({broker for fault in faults for broker in fault.brokers})
    where = listed(brokers) if len(brokers) <= LISTED else some(len(brokers), "broker")
    title = KINDS[faults[0].kind].title if faults[0].kind in KINDS else faults[0].kind
    marks = ", ".join(fault.number for fault in faults[:LISTED]) + (" and more" if len(faults) > LISTED else "")
    text = f"{happens_to(where, title, len(brokers))}, {some(len(faults), 'fault')} ({marks})"
    return Cause(f"faults {faults[0].kind}", text, "fault", faults[0])


def counted(known: Known, rows: FactRows) -> int:
    """Messages of rows; about, where only a part was kept."""
    return int(rows["weight"].sum()) * known.facts.modulus


def about(known: Known) -> str:
    """ "about " where only a part of the messages was kept."""
    return "about " if known.facts.modulus > 1 else ""


def many(known: Known, rows: FactRows) -> str:
    """Messages of rows, as text."""
    return about(known) + some(counted(known, rows), "message")


def percent(part: int, whole: int) -> str:
    """A part of a whole, as text."""
    value = 100 * part / max(whole, 1)
    return "all" if part == whole else f"{value:.2g} %" if value < 99 else f"{min(value, 99.99):.4g} %"


def share_of(known: Known, rows: FactRows, verb: str) -> str:
    """The verb with the part of all messages, or, of several groups, of those that are struck."""
    worst = [(group, weight * known.facts.modulus) for group, weight in weights_by(rows, "group")]
    groups = list(known.data.output.groups)
    if len(groups) == 1:
        part, whole = sum(count for _, count in worst), known.messages
        if part == whole:
            return FindingTexts.ALL_OF_THEM(verb=verb, whole=whole)
        return FindingTexts.ALL_SHARE(verb=verb, share=percent(part, whole), whole=whole)
    if len(worst) == 1:
        group, count = worst[0]
        whole = int(known.facts.of_group[group])
        share = percent(count, whole)
        return FindingTexts.GROUP_SHARE(group=groups[group], verb=verb, share=share, whole=whole)
    parts = [
        FindingTexts.SHARE_OF_GROUP(count=count, whole=int(known.facts.of_group[group]), group=groups[group])
        for group, count in worst[:LISTED]
    ]
    rest = FindingTexts.MORE_GROUPS(count=len(worst) - LISTED) if len(worst) > LISTED else ""
    return f" {verb} ({', '.join(parts)}{rest})"


def results_of(known: Known, rows: FactRows) -> str:
    """The results: all, most (above a half), or the most frequent ones with their counts."""
    counts = weights_by(rows, "result")
    named = [(known.facts.results[number], count * known.facts.modulus) for number, count in counts]
    if len(named) == 1:
        return f"{'' if counted(known, rows) == 1 else 'all '}with {named[0][0]}"
    if named[0][1] * 2 > sum(count for _, count in named):
        return f"most ({named[0][1]:,}) with {named[0][0]}"
    return "with " + ", ".join(f"{name} ({count:,})" for name, count in named[:LISTED])


def at_brokers(known: Known, rows: FactRows) -> str:
    """The brokers of the last attempts, where they are few."""
    names = [known.load.names[int(place)] for place in np.unique(rows["broker"]) if place >= 0]
    if not names:
        return FindingTexts.BEFORE_ANY_ATTEMPT() if (rows["attempts"] == 0).all() else ""
    if len(names) == len(known.load.names) and len(names) > 1:
        return FindingTexts.ON_ALL_BROKERS()
    return FindingTexts.ON_BROKERS(brokers=" and ".join(names) if len(names) <= 2 else f"{len(names)} brokers")
