"""`sendlab import metrics`: what brokers say of themselves, put beside the attempts of a trace."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc
from rich.console import Console

from streaming.errors import InputError
from streaming.importing.exporter_format import USED, Exposition
from streaming.importing.trace import is_trace, read_trace
from streaming.importing.trace_metrics import METRICS, has_metrics, write_metrics
from streaming.texts.command_texts import CommandTexts

SHOWN = 5


def import_metrics(
    files: Sequence[Path], out: Path, hosts: Mapping[str, str], *, as_json: bool, fresh: bool, console: Console
) -> int:
    """Put the samples of the files into the trace `out`; 0. Raises InputError."""
    if not is_trace(out):
        raise InputError(CommandTexts.METRICS_WITHOUT_TRACE().at(out))
    if has_metrics(out) and not fresh:
        raise InputError(CommandTexts.METRICS_ALREADY().at(out))
    exposition = Exposition(hosts)
    for file in files:
        exposition.read(file)
    samples, rejected = exposition.table(), exposition.rejected()
    if not len(samples):
        why = f"; {rejected.column('reason')[0].as_py()}" if len(rejected) else f"; expected {USED[0]} and others"
        raise InputError(CommandTexts.NO_USABLE_SAMPLE(why=why).at(f"{files[0]}"))
    write_metrics(out, samples, rejected)
    notes = _notes(out, samples, len(rejected), exposition.jumps)
    notes = ([exposition.sums] if exposition.sums else []) + notes
    if as_json:
        print(
            json.dumps({"out": str(out), "samples": len(samples), "rejects": len(rejected), "notes": notes}, indent=1)
        )
        return 0
    brokers, scrapes = (pc.count_distinct(samples.column(name)).as_py() for name in ("broker", "at_us"))
    console.print(
        f"{len(samples):,} samples of {brokers} brokers in {scrapes:,} scrapes imported, {len(rejected):,} rejected",
        highlight=False,
    )
    for sentence in notes:
        console.print(sentence, style="yellow", highlight=False, markup=False, soft_wrap=True)
    console.print(f"metrics in {out / METRICS}", highlight=False)
    return 0


def _notes(out: Path, samples: pa.Table, rejects: int, jumps: list[str]) -> list[str]:
    trace = read_trace(out)
    known = {name for name in pc.unique(trace.table.column("broker")).to_pylist() if name is not None}
    others = sorted(set(pc.unique(samples.column("broker")).to_pylist()) - known)
    notes = jumps[:SHOWN] + ([f"and {len(jumps) - SHOWN} more jumps"] if len(jumps) > SHOWN else [])
    if others:
        shown = ", ".join(others[:SHOWN]) + (" and more" if len(others) > SHOWN else "")
        notes.append(f"{len(others)} brokers of the metrics are not in the trace, a hosts map may name them: {shown}")
    begin, end = (function(samples.column("at_us")).as_py() for function in (pc.min, pc.max))
    zero = trace.about.zero_us
    if end < zero or begin > zero + trace.about.duration_us:
        notes.append("no scrape lies within the time of the trace; check clocks and time zones")
    if rejects:
        notes.append(
            f"{rejects:,} lines rejected; the table rejects of the trace lists them with file, line and reason"
        )
    return notes
