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
from streaming.texts.import_note_texts import ImportNoteTexts

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
        expected = CommandTexts.METRIC_EXPECTED(such=USED[0])
        why = rejected.column("reason")[0].as_py() if len(rejected) else expected
        raise InputError(CommandTexts.NO_USABLE_SAMPLE(why=f"; {why}").at(f"{files[0]}"))
    write_metrics(out, samples, rejected)
    notes = _notes(out, samples, len(rejected), exposition.jumps)
    notes = ([exposition.sums] if exposition.sums else []) + notes
    if as_json:
        print(
            json.dumps({"out": str(out), "samples": len(samples), "rejects": len(rejected), "notes": notes}, indent=1)
        )
        return 0
    brokers, scrapes = (pc.count_distinct(samples.column(name)).as_py() for name in ("broker", "at_us"))
    text = ImportNoteTexts.SAMPLES(samples=len(samples), brokers=brokers, scrapes=scrapes, rejected=len(rejected))
    console.print(text, highlight=False)
    for sentence in notes:
        console.print(sentence, style="yellow", highlight=False, markup=False, soft_wrap=True)
    console.print(ImportNoteTexts.METRICS_IN(folder=out / METRICS), highlight=False)
    return 0


def _notes(out: Path, samples: pa.Table, rejects: int, jumps: list[str]) -> list[str]:
    trace = read_trace(out)
    known = {name for name in pc.unique(trace.table.column("broker")).to_pylist() if name is not None}
    others = sorted(set(pc.unique(samples.column("broker")).to_pylist()) - known)
    notes = jumps[:SHOWN]
    if len(jumps) > SHOWN:
        notes.append(ImportNoteTexts.MORE_JUMPS(count=len(jumps) - SHOWN))
    if others:
        shown = ", ".join(others[:SHOWN]) + (" and more" if len(others) > SHOWN else "")
        notes.append(ImportNoteTexts.BROKERS_NOT_IN_TRACE(count=len(others), brokers=shown))
    begin, end = (function(samples.column("at_us")).as_py() for function in (pc.min, pc.max))
    zero = trace.about.zero_us
    if end < zero or begin > zero + trace.about.duration_us:
        notes.append(ImportNoteTexts.NO_SCRAPE_IN_TIME())
    if rejects:
        notes.append(ImportNoteTexts.LINES_REJECTED(count=rejects))
    return notes
