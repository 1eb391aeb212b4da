"""What `sendlab import` prints of a log: how it was read, what one should know of it, and what was rejected why."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path

import pyarrow.compute as pc
import pyarrow.dataset as ds

from streaming.importing.clock_jumps import SHOWN, ClockWatch
from streaming.importing.csv_log.column_names import LATENCY
from streaming.importing.csv_log.csv_format import REPEATED, TOO_LONG, WHOLE_SENDS
from streaming.importing.import_job import PartSummary
from streaming.importing.log import CLIENT_LOG, Log
from streaming.importing.log_part import LogPart
from streaming.importing.reject_groups import RejectGroups
from streaming.importing.texts.numbers import UNIT_NAMES
from streaming.importing.trace import ATTEMPTS, REJECTS, SPAN_MOST_US
from streaming.texts.import_note_texts import ImportNoteTexts

NAMES_SHOWN = 5
KINDS_SHOWN = 12
REASONS_SHOWN = 3
WARN_SHARE, MOST_SHARE = 0.01, 0.10
FEW_ROWS = 10
SHORT_TIMEOUT_US = 20_000  # the client's own are seconds; shorter ones say that the unit is another
ODD_LATENCY_US = 600_000_000  # a client's own time-outs are seconds
MANY_JUMPS = 0.01


def how_read(log: Log, found: Sequence[PartSummary]) -> list[str]:
    """Facts: the form of the times, columns that were not used, lines that were passed over."""
    forms, passed = Counter[str](), Counter[str]()
    for part in found:
        forms.update(part.forms)
        passed.update(part.passed)
    notes: list[str] = [ImportNoteTexts.TIMES(forms=_counted(+forms))] if +forms else []
    notes += dict.fromkeys(sentence for shape in log.shapes.values() for sentence in shape.notes())
    repeated = passed[REPEATED]
    return notes + ([ImportNoteTexts.PASSED_OVER(count=repeated, what=REPEATED)] if repeated else [])


def _counted(forms: Counter[str]) -> str:
    if len(forms) == 1:
        return next(iter(forms))
    return ", ".join(f"{form} ({count:,} rows)" for form, count in forms.most_common())


def to_know(log: Log, found: Sequence[PartSummary]) -> list[str]:
    """Warnings: what makes a trace say less, or something else, than it seems to."""
    used = [part for part in found if part.rows]
    rows = sum(part.rows for part in used)
    notes = list(_host_notes({name for part in used for name in part.brokers}, log.hosts))
    notes += [part.trouble for part in found if part.trouble]
    notes += _clock_notes(log.parts, found, rows)
    if len(Counter(form for part in found for form, count in part.forms.items() if count)) > 1:
        notes.append(ImportNoteTexts.SEVERAL_FORMS())
    if (
        log.kind != CLIENT_LOG
        and any(part.forms for part in used)
        and rows >= FEW_ROWS
        and all(part.whole_seconds for part in used)
    ):
        notes.append(ImportNoteTexts.WHOLE_SECONDS())
    if count := sum(part.passed.get(WHOLE_SENDS, 0) for part in found):
        notes.append(ImportNoteTexts.WHOLE_SENDS(count=count))
    longest_us = max((part.longest_timeout_us for part in used), default=0)
    if 0 < longest_us < SHORT_TIMEOUT_US:
        notes.append(ImportNoteTexts.SHORT_TIMEOUTS(longest_ms=longest_us / 1e3))
    if log.kind == CLIENT_LOG:
        notes.append(ImportNoteTexts.FAILED_ONLY())
    if log.kind == "message-trace":
        notes.append(ImportNoteTexts.ANSWERED_ONLY())
        if not_ok := sum(part.not_ok for part in found):
            notes.append(ImportNoteTexts.NOT_OK(count=not_ok))
    return notes


def failure_notes(out: Path) -> list[str]:
    """The failures of a client log: of each broker and kind how many, from when to when, and how long they took."""
    table = ds.dataset(out / ATTEMPTS, format="parquet").to_table(
        columns=["broker", "outcome", "begin_us", "latency_us", "producer"]
    )
    ended = table.append_column("end_us", pc.add(table.column("begin_us"), table.column("latency_us")))
    grouped = ended.group_by(["broker", "outcome"]).aggregate(
        [
            *(("begin_us", "min"), ("end_us", "max"), ("latency_us", "min"), ("latency_us", "max")),
            *(("producer", "count_distinct"), ("outcome", "count")),
        ]
    )
    rows = sorted(grouped.to_pylist(), key=lambda row: (-row["outcome_count"], str(row["broker"]), row["outcome"]))
    notes: list[str] = [
        ImportNoteTexts.FAILURES(
            broker=row["broker"] or ImportNoteTexts.NO_BROKER_NAMED(), outcome=row["outcome"],
            attempts=row["outcome_count"], producers=row["producer_count_distinct"],
            first=_moment(row["begin_us_min"]), last=_moment(row["end_us_max"]),
            took=" to ".join(dict.fromkeys(f"{row[f'latency_us_{end}'] / 1e3:,.0f}" for end in ("min", "max"))),
        )
        for row in rows[:KINDS_SHOWN]
    ]  # fmt: skip
    more = len(rows) - KINDS_SHOWN
    return notes + ([ImportNoteTexts.MORE_KINDS(count=more)] if more > 0 else [])


def _moment(at_us: int) -> str:
    return f"{datetime.fromtimestamp(at_us // 1_000_000, UTC):%Y-%m-%d %H:%M:%S}.{at_us // 1000 % 1000:03}"


def reject_notes(found: Sequence[PartSummary]) -> list[str]:
    """The most frequent reasons with an example each, and what the rejects do to the trace."""
    rows, rejects = sum(part.rows for part in found), sum(part.rejects for part in found)
    if not rejects:
        return []
    groups = RejectGroups()
    for part in found:
        groups.follow(part.groups)
    share = rejects / (rows + rejects)
    rejected = ImportNoteTexts.REJECTS(rejects=rejects, rows=rows + rejects, percent=100 * share, table=REJECTS)
    notes: list[str] = [rejected.at("warning") if share > WARN_SHARE else rejected]
    for group in groups.most(REASONS_SHOWN):
        example = f"{group['value']!r} in {group['position']}" if group["value"] else group["position"]
        notes.append(ImportNoteTexts.REJECTED(count=group["count"], reason=group["reason"], example=example))
    if len(groups.groups) > REASONS_SHOWN:
        notes.append(ImportNoteTexts.MORE_REASONS(count=len(groups.groups) - REASONS_SHOWN))
    failed = sum(part.not_ok for part in found)
    if groups.failures * max(rows, 1) > 2 * failed * rejects:
        failures = ImportNoteTexts.FAILURES_REJECTED(
            failures=groups.failures, rejects=rejects, failed=failed, rows=rows
        )
        notes.append(failures.at("warning"))
    return notes


def are_too_many(found: Sequence[PartSummary]) -> bool:
    """Whether so many rows were rejected that the rest is not the log."""
    rows, rejects = sum(part.rows for part in found), sum(part.rejects for part in found)
    return rejects > MOST_SHARE * (rows + rejects)


def span_trouble(out: Path, log: Log, found: Sequence[PartSummary]) -> str:
    """Why attempts that lie so far apart are no trace; empty if they do not."""
    used = [part for part in found if part.rows]
    begin_us, end_us = min(part.begin_us for part in used), max(part.end_us for part in used)
    if end_us - begin_us <= SPAN_MOST_US or log.kind == "tables":
        return ""
    files = {part.number: part.file for part in log.parts}
    table = ds.dataset(out / ATTEMPTS, format="parquet").to_table(columns=["begin_us", "part", "line"])
    places = []
    for order in ("ascending", "descending"):
        row = table.take(pc.sort_indices(table, [("begin_us", order)])[:1]).to_pylist()[0]
        moment = datetime.fromtimestamp(row["begin_us"] / 1e6, UTC)
        places.append(f"{moment:%Y-%m-%d %H:%M:%S} UTC ({files[row['part']]}, {row['line']:,})")
    forms = ", ".join(sorted({form for part in found for form, count in part.forms.items() if count}))
    named = ImportNoteTexts.SPAN_FORMS(forms=forms) if forms else ""
    return ImportNoteTexts.SPAN(first=places[0], last=places[1], forms=named)


def latency_trouble(log: Log, found: Sequence[PartSummary]) -> str:
    """What to ask of latencies that no client has, empty if the user named their unit or they are usual."""
    if log.latency_unit is not None or not any(LATENCY in shape.meanings for shape in log.shapes.values()):
        return ""
    groups = RejectGroups()
    for part in found:
        groups.follow(part.groups)
    files = {part.number: part.file for part in log.parts}
    longest = max(found, key=lambda part: part.longest_us)
    if TOO_LONG in groups.groups:
        group = groups.groups[TOO_LONG]
        file = group.position.rpartition(", ")[0]
        where = ImportNoteTexts.LATENCY_MORE_THAN_AN_HOUR(value=group.value, position=group.position)
    elif longest.longest_us >= ODD_LATENCY_US:
        file = files[longest.part]
        where = ImportNoteTexts.LATENCY_IN_MINUTES(
            file=file, line=longest.longest_line, minutes=longest.longest_us / 60e6
        )
    else:
        return ""
    shape = log.shapes[file]
    unit, smaller = shape.latency_unit, {"s": "ms", "ms": "us"}.get(shape.latency_unit, "ns")
    return ImportNoteTexts.LONGEST_LATENCY(
        where=where, column=shape.name_of(LATENCY), read_in=UNIT_NAMES[unit], smaller=smaller, unit=unit
    )


def _host_notes(brokers: set[str], hosts: Mapping[str, str]) -> list[str]:
    unmapped = sorted(name for name in brokers if hosts and name not in hosts.values())
    if not unmapped:
        return []
    shown = ", ".join(unmapped[:NAMES_SHOWN]) + (" and more" if len(unmapped) > NAMES_SHOWN else "")
    return [ImportNoteTexts.HOSTS_NOT_IN_MAP(count=len(unmapped), hosts=shown)]


def _clock_notes(parts: Sequence[LogPart], found: Sequence[PartSummary], rows: int) -> list[str]:
    whole: dict[str, ClockWatch] = {}
    for part, summary in zip(parts, found, strict=True):
        watch = whole.setdefault(part.file, ClockWatch())
        watch.follow(ClockWatch(**summary.clocks), f"{part.file}, {part.first}")
    jumps = [jump for watch in whole.values() for jump in watch.jumps][:SHOWN]
    count = sum(watch.count for watch in whole.values())
    if count > max(SHOWN, MANY_JUMPS * rows):
        return [ImportNoteTexts.NOT_IN_TIME_ORDER()]
    return jumps + ([ImportNoteTexts.MORE_JUMPS(count=count - len(jumps))] if count > len(jumps) else [])
