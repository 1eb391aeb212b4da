"""A consequence in a few words, with its figures; the causes are said by those who group it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from simulator.causes.consequence import Consequence
from simulator.causes.texts.suspect_texts import WithoutTexts
from simulator.units import some
from state.texts import Sentence, Text, figure
from streaming.clock import clock, length
from streaming.outputs.consumer_lags import ConsumerSummary
from streaming.outputs.tables.number_text import percent as hundredths
from streaming.report.collected.fact_rows import FactRows
from streaming.report.findings.about_delays import about_delays
from streaming.report.findings.about_messages import (
    Known,
    about,
    at_brokers,
    counted,
    failed_or_status,
    many,
    percent,
    results_of,
    share_of,
)
from streaming.report.findings.about_pops import why_revived
from streaming.report.findings.about_retries import about_retries
from streaming.report.findings.about_skipped import skipped_since_start
from streaming.report.findings.about_transactions import again_in_words, late_in_words
from streaming.report.findings.balance import isolation, scan_ends_there
from streaming.report.findings.finding import ReportFinding
from streaming.report.sets.about_masters import (
    exactly_without,
    seconds_without,
    what_it_lacked,
    where_it_skipped,
    where_offsets_were_old,
    who_noticed,
    why_without,
)
from streaming.report.texts.consequence_texts import ConsequenceTexts

PLACES = {
    "lost": "results", "failed": "failures", "duplicates": "results", "retries": "retries", "waits": "waits",
    "never_sent": "waits", "load": "load", "isolation": "avoidance", "hot_queue": "queues", "late_delays": "delays",
    "delivered_again": "delays", "no_master": "roles", "late_transactions": "transactions",
    "readable_twice": "transactions",
}  # fmt: skip


def in_words(one: Consequence, known: Known, labels: dict[str, str]) -> ReportFinding:
    """A consequence as a finding, with its counterfactual figures in brackets."""
    text = _MADE[one.kind](one, known)
    named = [(labels.get(cause, WithoutTexts.SUSPECT(suspect=cause)), one.without[cause]) for cause in _left_out(one)]
    figures = ""
    if named and one.proven:
        figures = f" ({'; '.join(f'{label}: {value_of(one, value)}' for label, value in named)})"
    without = {cause: round(one.without[cause], 3) for cause in _left_out(one)}
    return ReportFinding(
        one.kind, text.followed_by(f"{figures}."), PLACES.get(one.kind, "backlog"), one.size, "", one.from_us,
        one.until_us, one.because, without, one.proven,
    )  # fmt: skip


def _left_out(one: Consequence) -> list[str]:
    if one.each_would_do:
        return [name for name in (" and ".join(one.because),) if name in one.without]
    return [name for name in one.because if name in one.without]


def value_of(one: Consequence, value: float) -> str:
    """A figure of the same kind as the consequence's, as text."""
    if one.kind == "load":
        return f"{one.usual + (value if one.detail == 'more' else -value):.0f} %"
    if one.kind == "hot_queue":
        return f"{value:.0f} %"
    if one.kind in ("unowned", "double_owned", "isolation"):
        return f"{value:,.0f} s"
    if one.kind == "no_master":
        return f"{figure(value)} s"
    return length(100_000 * round(value / 100)) if one.kind == "late_delays" else f"{value:,.0f}"


def between(one: Consequence) -> str:
    """From when to when, or in how many stretches."""
    begin, end = clock(one.from_us), clock(one.until_us)
    times = ConsequenceTexts.AT(begin=begin) if begin == end else f"{begin} to {end}"
    return ConsequenceTexts.IN_STRETCHES(times=times, stretches=len(one.spans)) if len(one.spans) > 1 else times


def rows_of(one: Consequence, known: Known) -> FactRows:
    """The kept rows of its messages."""
    rows = known.facts.messages
    if not len(rows):
        return rows
    inside = np.zeros(len(rows), np.bool_)
    for begin, end in one.spans or ((one.from_us, one.until_us),):
        inside |= (rows["arrival_us"] >= begin) & (rows["arrival_us"] < end)
    rows = rows.of(inside & (rows["group"] == known.load.groups.index(one.place)))
    if one.kind == "failed":
        return rows.of(rows["bad"])
    if one.kind == "lost":
        return rows.of((rows["kept"] == 0) & ~rows["bad"])
    chosen = rows["stored"] > 1 if one.kind == "duplicates" else ~rows["bad"] & (rows["attempts"] > 1)
    return rows.of(chosen)


def _failed(one: Consequence, known: Known) -> Sentence:
    rows = rows_of(one, known)
    if not len(rows):
        messages = some(round(one.size), "message")
        return ConsequenceTexts.FAILED(messages=messages, place=one.place, when=between(one))
    verb, stored = failed_or_status(known, rows)
    return ConsequenceTexts.FAILED_WITH(
        messages=many(known, rows), share=share_of(known, rows, verb), results=results_of(known, rows),
        where=at_brokers(known, rows), when=between(one), late=_last_result(one, known, rows), stored=stored,
    )  # fmt: skip


def _last_result(one: Consequence, known: Known, rows: FactRows) -> str:
    """When the last of them had its result, if that is after the time in which they were to be sent."""
    last_us = int(rows["end_us"].max())
    if last_us < one.until_us:
        return ""
    return ConsequenceTexts.LAST_RESULT(count=counted(known, rows), last=clock(last_us))


def _lost(one: Consequence, known: Known) -> Sentence:
    rows = rows_of(one, known)
    where = at_brokers(known, rows) if len(rows) else ""
    modes = {group["group"]: group.get("mode") for group in known.data.output.about["producer_groups"]}
    noun = "one-way message" if modes.get(one.place) == "oneway" else "acknowledged message"
    messages = some(round(one.size), noun)
    text = ConsequenceTexts.LOST(messages=messages, place=one.place, where=where, when=between(one))
    return _and(text, what_it_lacked(rows, known))


def _and(text: Sentence, *more: str) -> Sentence:
    for each in filter(None, more):
        text = text.followed_by("; ").followed_by(each)
    return text


def _no_master(one: Consequence, known: Known) -> Sentence:
    text = seconds_without(one.place, one.size).followed_by(f", {between(exactly_without(one, known))}")
    return _and(text, why_without(one, known), who_noticed(one, known))


def _duplicates(one: Consequence, known: Known) -> Sentence:
    duplicates = about(known) + some(round(one.size), "duplicate")
    return ConsequenceTexts.DUPLICATES(duplicates=duplicates, place=one.place, when=between(one))


def _retries(one: Consequence, known: Known) -> Sentence:
    count = round(one.size)
    messages = about(known) + some(count, "message")
    return ConsequenceTexts.RETRIED(messages=messages, those=count, place=one.place, when=between(one))


def _waits(one: Consequence, known: Known) -> Sentence:
    lines, latency = known.data.messages.groups, known.data.messages.latency["p99"]
    first, last = one.from_us // known.data.bin_us, -(-one.until_us // known.data.bin_us)
    own = latency[lines.index(one.place)][first:last] if one.place in lines else ()  # of many groups none has its own
    peak = np.fmax.reduce(own, initial=np.nan)
    usual = length(int(float(f"{one.usual:.3g}")))
    return ConsequenceTexts.CALLERS_WAITED(
        place=one.place, top="" if np.isnan(peak) else ConsequenceTexts.PEAK(peak_ms=float(peak)),
        messages=some(round(one.size), "message"), usual=usual, when=between(one),
    )  # fmt: skip


def _never_sent(one: Consequence, known: Known) -> Sentence:
    share = percent(round(one.size), round(one.size + known.messages))
    return ConsequenceTexts.NEVER_SENT(messages=some(round(one.size), "message"), place=one.place, percent=share)


def _backlog(one: Consequence, known: Known) -> Sentence:
    group, left, lag = _summary(one, known), "", ""
    at_end = 0 if group is None else group.lag_end or 0
    if one.gone_us is not None:
        left = ConsequenceTexts.GONE(gone=clock(one.gone_us))
    elif one.until_us >= known.load.end_us - known.data.bin_us:
        most = at_end >= one.size
        left = ConsequenceTexts.MOST_AT_THE_END() if most else ConsequenceTexts.LEFT(count=at_end)
    verdicts = group.verdicts if group is not None else ()
    said = [
        (name, begin) for name, begin, until in verdicts if 1e6 * begin < one.until_us and 1e6 * until > one.from_us
    ]
    if said:
        lag = ConsequenceTexts.LAG(verdict=said[0][0], seen=clock(int(1e6 * said[0][1])))
    by_instances = _is_broadcasting(one.place, known)
    text = ConsequenceTexts.BACKLOG_OF_INSTANCES if by_instances else ConsequenceTexts.BACKLOG
    return text(place=one.place, size=one.size, at=clock(one.at_us), left=left, lag=lag)


def _summary(one: Consequence, known: Known) -> ConsumerSummary | None:
    groups: Sequence[ConsumerSummary] = known.data.summary.consumers
    return next((own for own in groups if own.consumer_group == one.place), None)


def _twice(one: Consequence, known: Known) -> Sentence:
    consumed = getattr(_summary(one, known), "consumed", None) or 0
    share = f" ({hundredths(100 * one.size / consumed)} %)" if consumed else ""
    text = ConsequenceTexts.CONSUMED_AGAIN(place=one.place, size=round(one.size), share=share, when=between(one))
    return _and(text, where_offsets_were_old(one, known))


def _revived(one: Consequence, known: Known) -> Sentence:
    why = why_revived(known.data, one)
    return ConsequenceTexts.REVIVED(
        size=round(one.size), place=one.place, when=between(one), why=f"; {why}" if why else ""
    )


def _failed_deliveries(one: Consequence, known: Known) -> Sentence:
    if one.detail:
        times, where = one.detail.split(" ", 1)
        others = round(one.size) - int(times)
        more = ConsequenceTexts.OTHERS_FAILED(others=others) if others > 0 else ""
        return ConsequenceTexts.BLOCKED(place=one.place, times=int(times), where=where, more=more)
    return _simple(ConsequenceTexts.FAILED_DELIVERIES)(one, known)


def _simple(text: Text) -> Callable[[Consequence, Known], Sentence]:
    return lambda one, known: text(place=one.place, size=one.size, when=between(one))


def _skipped(one: Consequence, known: Known) -> Sentence:
    size = round(one.size)
    since = min(skipped_since_start(known.data.output, one.place, one.spans or ((one.from_us, one.until_us),)), size)
    later = ConsequenceTexts.SKIPPED_SINCE_START(since=since) if since else ""
    if since == size:
        one_or_all = ConsequenceTexts.SKIPPED_ONE_SINCE_START if size == 1 else ConsequenceTexts.SKIPPED_ALL_SINCE_START
        later = one_or_all()
    by_instances = _is_broadcasting(one.place, known)
    said = ConsequenceTexts.SKIPPED_BY_INSTANCES if by_instances else ConsequenceTexts.SKIPPED
    text = said(place=one.place, messages=some(size, "message"), those=size, when=between(one), since_start=later)
    return _and(text, where_it_skipped(one, known))


def _is_broadcasting(group: str, known: Known) -> bool:
    """Whether each of several instances of a consumer group has to consume every message."""
    scenario = known.load.scenario
    own = None if scenario is None else scenario.consumers.get(group)
    return own is not None and own.is_broadcasting and own.count > 1


def _missed(one: Consequence, known: Known) -> Sentence:
    by_instances = _is_broadcasting(one.place, known)
    return _simple(ConsequenceTexts.MISSED_BY_INSTANCES if by_instances else ConsequenceTexts.MISSED)(one, known)


def _load(one: Consequence, known: Known) -> Sentence:
    now = one.usual + (one.size if one.detail == "more" else -one.size)
    place = known.load.names.index(one.place)
    still, at_end = int(known.data.isolation.at_end[place]), ""
    if one.detail != "more" and still and one.until_us >= known.load.end_us - known.data.bin_us:
        users = int(known.data.isolation.users(place, known.facts.used))
        at_end = ConsequenceTexts.AT_THE_END(isolating=still, users=users)
    return ConsequenceTexts.LOAD(place=one.place, now=now, usual=one.usual, when=between(one), at_end=at_end)


def _isolation(one: Consequence, known: Known) -> Sentence:
    findings = [
        found for found in isolation(known.data, known.facts, known.load) if found.text.startswith(f"{one.place} ")
    ]
    if findings and len(one.spans) < 2 and round(findings[0].size) == round(one.size):
        return findings[0].what
    return _simple(ConsequenceTexts.ISOLATED)(one, known)


def _hot_queue(one: Consequence, known: Known) -> Sentence:
    broker, queue = one.detail.rsplit(" ", 1)
    why = scan_ends_there(known.data, one.place)
    return ConsequenceTexts.HOT_QUEUE(
        queue=queue, broker=broker, size=one.size, place=one.place, usual=one.usual, why=f": {why}" if why else ""
    )


def _dead_letters(one: Consequence, known: Known) -> Sentence:
    whats = [found.what for found in about_retries(known.data, known.faults) if found.kind == one.kind]
    mine = [what for what in whats if what.startswith(f"{one.place} ")]
    due = mine[0].partition("; the last retry ")[2] if mine else ""
    retry = ConsequenceTexts.RETRY_DUE(due=due) if due else ""
    return ConsequenceTexts.DEAD_LETTERS(place=one.place, size=one.size, when=between(one), due=retry)


def _late(one: Consequence, known: Known) -> Sentence:
    late = length(100_000 * round(one.size / 100))
    text = ConsequenceTexts.LATE_LEVELS if one.detail == "delay_ms" else ConsequenceTexts.LATE_TIMER
    causes = [found.cause for found in about_delays(known.data, known.faults) if f" at {one.place} " in found.text]
    limit = causes[0] if causes and "delivers at most" in causes[0] else ""
    limited = f"; {limit}" if limit and not one.because else ""
    return text(place=one.place, late=late, when=between(one), limit=limited)


def _late_transactions(one: Consequence, known: Known) -> Sentence:
    return late_in_words(known.data, one.place, one.spans or ((one.from_us, one.until_us),), between(one))


def _readable_twice(one: Consequence, known: Known) -> Sentence:
    return again_in_words(known.data, one.place, one.spans or ((one.from_us, one.until_us),), between(one))


_MADE: dict[str, Callable[[Consequence, Known], Sentence]] = {
    "failed": _failed, "lost": _lost, "duplicates": _duplicates, "retries": _retries, "waits": _waits,
    "never_sent": _never_sent, "backlog": _backlog, "consumed_twice": _twice, "skipped": _skipped, "load": _load,
    "revived": _revived, "failed_deliveries": _failed_deliveries, "isolation": _isolation, "hot_queue": _hot_queue,
    "late_delays": _late, "late_transactions": _late_transactions, "readable_twice": _readable_twice,
    "no_master": _no_master,
    "missed": _missed,
    "dead_letters": _dead_letters,
    "failed_starts": _simple(ConsequenceTexts.FAILED_STARTS),
    "delivered_again": _simple(ConsequenceTexts.DELIVERED_AGAIN),
    "lost_pops": _simple(ConsequenceTexts.LOST_POPS),
    "refused_pops": _simple(ConsequenceTexts.REFUSED_POPS),
    "unowned": _simple(ConsequenceTexts.UNOWNED),
    "double_owned": _simple(ConsequenceTexts.DOUBLE_OWNED),
}  # fmt: skip
