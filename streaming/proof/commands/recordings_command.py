"""`sendlab verify recordings`: does the model decide as the recorded producers did?"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa
from rich.table import Table

from simulator.replay.replay_codes import KINDS
from streaming.commands.replays.replay_command import print_events, print_place, print_recording, replay_document
from streaming.flow.recording_feed import Replay
from streaming.jobs.job import Job
from streaming.jobs.replay_job import Replayed, replay_asked, run_replay
from streaming.proof.recordings.agreement import SHOWN_DIFFERENCES, Agreement, Difference, compare
from streaming.proof.texts.proof_texts import ProofTexts
from streaming.terminal.output_console import OutputConsole as Console

ROW_OF_POSITION = re.compile(r", row (\d+)$")


@dataclass(frozen=True, repr=False)
class VerifiedRecording(Replayed):
    """A replay of a recording, and how its decisions agree with the recorded ones."""

    agreement: Agreement


def verified(trace: Path, *, out: Path | None, fresh: bool = False) -> VerifiedRecording:
    """Verify a recording, resuming in the folder `out`. Raises as `recordings_command` does."""
    job, replay = replay_asked(trace)
    return _verified(job, replay, out, fresh=fresh, console=Console(quiet=True))


def _verified(job: Job, replay: Replay, out: Path | None, *, fresh: bool, console: Console) -> VerifiedRecording:
    done = run_replay(job, replay, out, fresh=fresh, console=console)
    agreement = compare(replay.recording, done.decisions, _refused_rows(done.rejects))
    return VerifiedRecording(done.events, done.decisions, done.rejects, agreement)


def recordings_command(trace: Path, *, out: Path | None, as_json: bool, console: Console, fresh: bool = False) -> int:
    """Replay a recording and compare every decision; 1 if one differs, else 0. Resumes in the folder `out`.

    Raises InputError for a recording that cannot be read, EnvironmentProblem, Interrupted.
    """
    job, replay = replay_asked(trace)
    quiet = Console(quiet=True) if as_json else console
    print_recording(job, replay, quiet)
    found = _verified(job, replay, out, fresh=fresh, console=quiet)
    agreement = found.agreement
    if as_json:
        document = replay_document(replay, found, out) | {
            "agrees": agreement.is_full,
            "agreement": [vars(line) for line in agreement.lines],
            "exact_timeouts": agreement.exact_timeouts,
            "different": agreement.different,
            "differences": [vars(difference) for difference in agreement.differences],
        }
        print(json.dumps(document, indent=1, default=str))
    else:
        print_events(found, console)
        _print_agreement(agreement, console)
        determined, agree = agreement.total("determined"), agreement.total("agree")
        percent = _percent(agree, determined)
        verdict = ProofTexts.AGREEMENT(agree=agree, determined=determined, percent=percent).at(replay.recording.name)
        console.print(verdict, style="bold green" if agreement.is_full else "bold red", highlight=False)
        print_place(out, console)
    return 0 if agreement.is_full else 1


def _refused_rows(rejects: pa.Table) -> list[int]:
    found = (ROW_OF_POSITION.search(position) for position in rejects.column("position").to_pylist())
    return [int(match[1]) for match in found if match]


def _percent(agree: int, determined: int) -> str:
    if not determined:
        return "-"
    # Never rounded up to 100.
    return "100 %" if agree == determined else f"{int(agree / determined * 1e4) / 100:.2f} %"


def _agreement_table(agreement: Agreement) -> Table:
    table = Table(title="agreement: decisions that the recording determines", title_justify="left")
    for heading in ("producer", "kind", "determined", "agree", "%", "undetermined"):
        table.add_column(heading, justify="left" if heading == "kind" else "right")
    for line in agreement.lines:
        counts = (f"{line.determined:,}", f"{line.agree:,}", _percent(line.agree, line.determined), f"{line.open:,}")
        table.add_row(str(line.producer), line.kind, *counts)
    table.add_section()
    for kind in KINDS:
        determined, agree = agreement.total("determined", kind), agreement.total("agree", kind)
        counts = (f"{determined:,}", f"{agree:,}", _percent(agree, determined), f"{agreement.total('open', kind):,}")
        table.add_row("all", kind, *counts)
    return table


def _print_difference(difference: Difference, console: Console) -> None:
    console.print(f"row {difference.row}, {difference.kind}", style="bold red", highlight=False)
    said = "  ".join(f"{name}={value}" for name, value in difference.recorded.items())
    console.print(f"  recorded row: {said}", markup=False, highlight=False)
    for name, (expected, got) in difference.fields.items():
        console.print(f"  {name}: expected {expected}, got {got}", markup=False, highlight=False)


def _print_agreement(agreement: Agreement, console: Console) -> None:
    console.print(_agreement_table(agreement))
    if timeouts := agreement.total("determined", "timeout"):
        text = ProofTexts.TIMEOUTS_KNOWN(exact=agreement.exact_timeouts, timeouts=timeouts)
        console.print(text, style="dim", highlight=False)
    if agreement.total("open"):
        console.print(ProofTexts.UNDETERMINED(), style="dim")
    if agreement.different:
        shown = min(agreement.different, SHOWN_DIFFERENCES)
        console.print()
        console.print(ProofTexts.DECISIONS_DIFFER(count=agreement.different, shown=shown), highlight=False)
        for difference in agreement.differences:
            _print_difference(difference, console)
