"""A consequence in a few words, with its figures; the causes are said by those who group it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pandas as pd

from simulator.causes.consequence import Consequence
from streaming.clock import clock, length, some
from streaming.outputs.consumer_lags import ConsumerSummary
from streaming.report.findings.about_delays import about_delays
from streaming.report.findings.about_messages import (
    Known,
    about,
    at_brokers,
    counted,
    many,
    percent,
    results_of,
    share_of,
)
from streaming.report.findings.about_pops import why_revived
from streaming.report.findings.about_retries import about_retries
from streaming.report.findings.balance import isolation, scan_ends_there
from streaming.report.findings.finding import ReportFinding
from streaming.report.sets.about_masters import (
    seconds_without,
    what_it_lacked,
    where_it_skipped,
    where_offsets_were_old,
    who_noticed,
    why_without,
)

PLACES = {
    "lost": "told", "failed": "failures", "duplicates": "told", "retries": "retries", "waits": "waits",
    "never_sent": "waits", "load": "load", "isolation": "avoidance", "hot_queue": "queues", "late_delays": "delays",
    "delivered_again": "delays", "no_master": "roles",
}  # fmt: skip


def in_words(one: Consequence, known: Known, labels: dict[str, str]) -> ReportFinding:
    """A consequence as a finding, with its counterfactual figures in brackets."""
    text = _MADE[one.kind](one, known)
    named = [(labels.get(cause, f"without {cause}"), one.without[cause]) for cause in _left_out(one)]
    if named and one.proven:
        text += f" ({'; '.join(f'{label}: {value_of(one, value)}' for label, value in named)})"
    without = {cause: round(one.without[cause], 3) for cause in _left_out(one)}
    return ReportFinding(
        one.kind, f"{text}.", PLACES.get(one.kind, "backlog"), one.size, "", one.from_us, one.until_us,
        one.because, without, one.proven,
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
        return f"{value:,.3g} s"
    return length(100_000 * round(value / 100)) if one.kind == "late_delays" else f"{value:,.0f}"


def between(one: Consequence) -> str:
    """From when to when, or in how many stretches."""
    begin, end = clock(one.from_us), clock(one.until_us)
    times = f"at {begin}" if begin == end else f"{begin} to {end}"
    return f"{times}, in {len(one.spans)} stretches" if len(one.spans) > 1 else times


def rows_of(one: Consequence, known: Known) -> pd.DataFrame:
    """The kept rows of its messages."""
    rows = known.facts.messages
    if not len(rows):
        return rows
    inside = pd.Series(data=False, index=rows.index)
    for begin, end in one.spans or ((one.from_us, one.until_us),):
        inside |= (rows["arrival_us"] >= begin) & (rows["arrival_us"] < end)
    rows = rows[inside & (rows["group"] == known.load.groups.index(one.place))]
    if one.kind == "failed":
        return rows[rows["bad"]]
    if one.kind == "lost":
        return rows[rows["kept"] == 0][lambda own: ~own["bad"]]
    return rows[rows["stored"] > 1] if one.kind == "duplicates" else rows[~rows["bad"] & (rows["attempts"] > 1)]


def _failed(one: Consequence, known: Known) -> str:
    rows = rows_of(one, known)
    if not len(rows):
        return f"{some(round(one.size), 'message')} of {one.place} failed, {between(one)}"
    text = f"{many(known, rows)}{share_of(known, rows, 'failed')}, {results_of(known, rows)}{at_brokers(known, rows)}"
    stored = counted(known, rows[rows["kept"] > 0])
    text += f", {between(one)}"
    those = "all" if stored == counted(known, rows) else f"{stored:,}"
    return text + (f"; {those} of them are stored all the same" if stored else "")


def _lost(one: Consequence, known: Known) -> str:
    rows = rows_of(one, known)
    where = at_brokers(known, rows) if len(rows) else ""
    text = f"{some(round(one.size), 'acknowledged message')} of {one.place} lost, without a durable copy{where}, "
    return _and(f"{text}sent {between(one)}", what_it_lacked(rows, known))


def _and(text: str, *more: str) -> str:
    return "; ".join([text, *filter(None, more)])


def _no_master(one: Consequence, known: Known) -> str:
    text = f"{seconds_without(one.place, one.size)}, {between(one)}"
    return _and(text, why_without(one, known), who_noticed(one, known))


def _duplicates(one: Consequence, known: Known) -> str:
    return f"{about(known)}{some(round(one.size), 'duplicate')} of messages of {one.place} stored, sent {between(one)}"


def _retries(one: Consequence, known: Known) -> str:
    count = some(round(one.size), "message")
    return f"{about(known)}{count} of {one.place} needed more than one attempt, and none of them failed, {between(one)}"


def _waits(one: Consequence, known: Known) -> str:
    lines, latency = known.data.messages.groups, known.data.messages.latency["p99"]
    line = lines.index(one.place) if one.place in lines else 0
    first, last = one.from_us // known.data.bin_us, -(-one.until_us // known.data.bin_us)
    peak = pd.Series(latency[line][first : last + 1]).max()
    top = "" if pd.isna(peak) else f"p99 up to {peak:,.0f} ms, "
    slow = f"{some(round(one.size), 'message')} took more than {length(int(float(f'{one.usual:.2g}')))}"
    return f"callers of {one.place} waited: {top}{slow}, {between(one)}"


def _never_sent(one: Consequence, known: Known) -> str:
    whole = one.size + known.messages
    count = some(round(one.size), "message")
    return f"{count} of {one.place} never sent, {percent(round(one.size), round(whole))} of all: threads were blocked"


def _backlog(one: Consequence, known: Known) -> str:
    group = _summary(one, known)
    text = f"{one.place} was {one.size:,.0f} messages behind at {clock(one.at_us)}"
    end_us, left = known.load.end_us, 0 if group is None else group.lag_end or 0
    if one.gone_us is not None:
        text += f", gone at {clock(one.gone_us)}"
    elif one.until_us >= end_us - known.data.bin_us:
        text += ", the most at the end" if left >= one.size else f", {left:,} left at the end"
    verdicts = group.verdicts if group is not None else ()
    said = [
        (name, begin) for name, begin, until in verdicts if 1e6 * begin < one.until_us and 1e6 * until > one.from_us
    ]
    if said:
        text += f"; a lag monitor with Burrow's rules says {said[0][0]} at {clock(int(1e6 * said[0][1]))}"
    return text


def _summary(one: Consequence, known: Known) -> ConsumerSummary | None:
    groups: Sequence[ConsumerSummary] = known.data.summary.consumers
    return next((own for own in groups if own.consumer_group == one.place), None)


def _twice(one: Consequence, known: Known) -> str:
    consumed = getattr(_summary(one, known), "consumed", None) or 0
    share = f" ({100 * one.size / consumed:.2f} %)" if consumed else ""
    text = f"{one.place} consumed {some(round(one.size), 'message')} twice{share}, {between(one)}"
    return _and(text, where_offsets_were_old(one, known))


def _revived(one: Consequence, known: Known) -> str:
    count = some(round(one.size), "message")
    text = f"{count} came to {one.place} again, not acknowledged within the invisible time, {between(one)}"
    why = why_revived(known.data, one)
    return f"{text}; {why}" if why else text


def _failed_deliveries(one: Consequence, known: Known) -> str:
    if one.detail:
        times, where = one.detail.split(" ", 1)
        others = round(one.size) - int(times)
        more = f"; {others:,} other deliveries failed" if others > 0 else ""
        text = f"one message of {one.place} failed {int(times):,} times and blocks its queue ({where}): "
        return f"{text}max_reconsume_times is not set{more}"
    return f"{one.size:,.0f} deliveries of {one.place} failed, {between(one)}"


def _simple(text: str) -> Callable[[Consequence, Known], str]:
    return lambda one, known: text.format(place=one.place, count=f"{one.size:,.0f}", when=between(one))


def _skipped(one: Consequence, known: Known) -> str:
    group = _summary(one, known)
    since = 0 if group is None else group.skipped_since_start or 0
    text = f"{one.place} skipped {some(round(one.size), 'message')} and never consumes them, {between(one)}"
    stored = f"{since:,} of them stored after the start of the instance that skipped them" if since else ""
    return _and(text, stored, where_it_skipped(one, known))


def _load(one: Consequence, known: Known) -> str:
    now = one.usual + (one.size if one.detail == "more" else -one.size)
    text = f"{one.place} got {now:.0f} % of the attempts instead of {one.usual:.0f} %, {between(one)}"
    place = known.load.names.index(one.place)
    still = known.data.isolation.at_end[place]
    if one.detail == "more" or not still or one.until_us < known.load.end_us - known.data.bin_us:
        return text
    users = known.data.isolation.users(place, known.facts.used)
    return f"{text}; at the end {still:,} of {users:,} producers still isolate it"


def _isolation(one: Consequence, known: Known) -> str:
    findings = [
        found for found in isolation(known.data, known.facts, known.load) if found.text.startswith(f"{one.place} ")
    ]
    if findings and len(one.spans) < 2:
        return findings[0].what
    return f"{one.place} was isolated while it was healthy, {one.size:,.0f} s of all producers together, {between(one)}"


def _hot_queue(one: Consequence, known: Known) -> str:
    broker, queue = one.detail.rsplit(" ", 1)
    share = f"{one.size:.0f} % of the messages of {one.place} instead of {one.usual:.2g} %"
    why = scan_ends_there(known.data)
    return f"queue {queue} of {broker} took {share}" + (f": {why}" if why else "")


def _dead_letters(one: Consequence, known: Known) -> str:
    text = f"{one.place} gave up {one.size:,.0f} messages as dead letters, {between(one)}"
    whats = [found.what for found in about_retries(known.data, known.faults) if found.kind == one.kind]
    mine = [what for what in whats if what.startswith(f"{one.place} ")]
    due = mine[0].partition("; the last retry ")[2] if mine else ""
    return f"{text}; the last retry {due}" if due else text


def _late(one: Consequence, known: Known) -> str:
    late = length(100_000 * round(one.size / 100))
    what = "messages of delay levels" if one.detail == "delay_ms" else "timer messages"
    text = f"{what} at {one.place} became readable up to {late} late, {between(one)}"
    causes = [found.cause for found in about_delays(known.data, known.faults) if f" at {one.place} " in found.text]
    limit = causes[0] if causes and "delivers at most" in causes[0] else ""
    return f"{text}; {limit}" if limit and not one.because else text


_MADE: dict[str, Callable[[Consequence, Known], str]] = {
    "failed": _failed, "lost": _lost, "duplicates": _duplicates, "retries": _retries, "waits": _waits,
    "never_sent": _never_sent, "backlog": _backlog, "consumed_twice": _twice, "skipped": _skipped, "load": _load,
    "revived": _revived, "failed_deliveries": _failed_deliveries, "isolation": _isolation, "hot_queue": _hot_queue,
    "late_delays": _late, "no_master": _no_master,
    "missed": _simple("{place} missed {count} messages: brokers deleted them before it read them, {when}"),
    "dead_letters": _dead_letters,
    "delivered_again": _simple("{place} delivered {count} delayed messages a second time, {when}"),
    "refused_pops": _simple("brokers without a timer wheel refused {count} pops of {place}, {when}"),
    "unowned": _simple("queues of {place} had no owner for {count} s, sum of all queues, {when}"),
    "double_owned": _simple("queues of {place} had several owners for {count} s, sum of all queues, {when}"),
}  # fmt: skip
