"""`sendlab calibrate`: a trace to a scenario that a person can read and edit, and how well it fits."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from pydantic import ValidationError
from rich.table import Table

from simulator.calibrate.broker_metrics import load_text
from simulator.calibrate.calibration import Calibration, calibrate
from simulator.calibrate.found_fault import FoundFault
from simulator.calibrate.goodness import FittedFigure, Goodness, goodness_of
from simulator.calibrate.scenario_text import scenario_text
from simulator.releases.ledger import NEWEST
from simulator.scenario.client_settings import ClientSettings
from simulator.scenario.loading.overrides import parsed
from simulator.scenario.loading.scenario_file import parse_scenario
from simulator.scenario.reading.scenario_error import did_you_mean
from state.texts import at, figure, sentence_of
from streaming.errors import InputError
from streaming.files.whole_file import make_folder_of, write_text_whole
from streaming.fitting.open_trace import open_trace
from streaming.importing.trace import Trace
from streaming.options.changes import overrides_of
from streaming.terminal.output_console import OutputConsole as Console
from streaming.terminal.working import working
from streaming.texts.command_result_texts import CommandResultTexts
from streaming.texts.command_texts import CommandTexts

RUNS = 5
MODES = ("sync", "async")
SHOWN_EVIDENCE = 12
DAY_US = 86_400_000_000


def checked_client(client: dict[str, Any], changes: Sequence[str], where: str) -> tuple[dict[str, Any], str | None]:
    """Keys of a client, those of `--set` over them, and the mode that `--set` says.

    Raises InputError and ScenarioError.
    """
    client, mode = dict(client), None
    known = [field.alias or own for own, field in ClientSettings.model_fields.items()]
    for key, text in overrides_of(changes).items():
        name = key.removeprefix("client.")
        if key == "producers.mode" and text in MODES:
            mode = text
        elif key == name or name not in known:
            near = did_you_mean(name, known) if key != name else ""
            raise InputError(CommandTexts.CLIENT_KEY_EXPECTED(near=near).at(f"--set {key}"))
        else:
            client[name] = parsed(key, text)
    try:
        ClientSettings.model_validate({"release": NEWEST, **client})
    except ValidationError as error:
        first = error.errors()[0]
        path = ".".join(["client", *map(str, first["loc"])])
        raise InputError(f"{where}: {path}: {first['msg'].removeprefix('Value error, ')}") from None
    return client, mode


@dataclass(frozen=True)
class FittedScenario:
    """A trace, what was fitted to it, the scenario as text, and how well its runs agree with the trace."""

    trace: Trace
    fit: Calibration
    text: str
    goodness: Goodness

    def __repr__(self) -> str:
        figures, misses = len(self.goodness.figures), len(self.goodness.misses)
        return CommandResultTexts.CALIBRATED_TO(trace=self.trace.about.name, within=figures - misses, figures=figures)


def fitted_scenario(path: Path, changes: Sequence[str], runs: int, source: str) -> FittedScenario:
    """Fit a scenario to a trace; `source` is its name in errors. Raises InputError."""
    trace = open_trace(path)
    client, mode = checked_client(trace.about.client, changes, trace.about.name)
    try:
        fit = calibrate(trace.attempts(), client, mode or trace.about.mode or "sync", trace.scrapes)
    except ValueError as error:
        raise InputError(at(path, sentence_of(error))) from None
    text = scenario_text(fit, trace.about.name, _zero(trace), wall_clock(trace))
    return FittedScenario(trace, fit, text, goodness_of(parse_scenario(text, source=source), fit.attempts, runs))


def check_new(files: Sequence[Path | None], *, fresh: bool) -> None:
    """Raise InputError for a file that exists already, unless it may be overwritten."""
    for file in files:
        if file is not None and file.exists() and not fresh:
            raise InputError(CommandTexts.ALREADY_THERE().at(file))


def write_fitted(fitted: FittedScenario, out: Path, report: Path | None) -> None:
    """Write the scenario, and the page of its goodness of fit."""
    _write(out, fitted.text)
    if report is not None:
        from streaming.report.fit.fit_page import fit_page

        trace = fitted.trace
        _write(report, fit_page(fitted.fit, fitted.goodness, trace.about.name, fitted.text, wall_clock(trace)))


def calibrate_command(
    path: Path, out: Path, *, changes: Sequence[str], report: Path | None, runs: int, as_json: bool, fresh: bool,
    console: Console,
) -> int:  # fmt: skip
    """Write the scenario, and tell how well it fits; 0 always: a bad fit is an answer.

    Raises InputError for a trace that cannot be read, settings that are wrong, and files that are there already.
    """
    check_new((out, report), fresh=fresh)
    with working(Console(quiet=True) if as_json else console, CommandResultTexts.CALIBRATING()):
        fitted = fitted_scenario(path, changes, runs, str(out))
    write_fitted(fitted, out, report)
    trace, fit, goodness = fitted.trace, fitted.fit, fitted.goodness
    if as_json:
        print(json.dumps(_document(trace, fit, goodness, out), indent=1))
    else:
        _tell(trace, fit, goodness, console)
        alone, both = CommandResultTexts.SCENARIO_WRITTEN, CommandResultTexts.SCENARIO_WRITTEN_TOO
        console.print(alone(out=out) if report is None else both(out=out, report=report), highlight=False)
    return 0


def _zero(trace: Trace) -> str | None:
    if trace.about.zero_us <= 0:
        return None
    moment = datetime.fromtimestamp(trace.about.zero_us / 1e6, UTC)
    return f"{moment:%Y-%m-%d %H:%M:%S}.{trace.about.zero_us // 1000 % 1000:03d} UTC"


def wall_clock(trace: Trace) -> Callable[[int], str] | None:
    """The wall-clock time, UTC, of a moment of the trace in microseconds; None for a log that starts at 0."""
    zero_us = trace.about.zero_us
    if zero_us <= 0:
        return None
    has_dates = (zero_us // DAY_US) != (zero_us + trace.about.duration_us) // DAY_US

    def clock(us: int) -> str:
        moment = datetime.fromtimestamp((zero_us + us) // 1_000_000, UTC)
        return f"{moment:{'%Y-%m-%d ' if has_dates else ''}%H:%M:%S}.{(zero_us + us) // 1000 % 1000:03d} UTC"

    return clock


def _write(path: Path, text: str) -> None:
    make_folder_of(path)
    write_text_whole(path, text)


def _found(finding: FoundFault, clock: Callable[[int], str] | None) -> dict[str, Any]:
    said = asdict(finding)
    if clock is not None:
        said |= {"at": clock(finding.at_us), "until": clock(finding.until_us)}
    return said | {"at_range_us": list(finding.at_range_us), "until_range_us": list(finding.until_range_us)}


def _document(trace: Trace, fit: Calibration, goodness: Goodness, out: Path) -> dict[str, Any]:
    return {
        "trace": trace.about.name,
        "scenario": str(out),
        "zero_us": trace.about.zero_us,
        "attempts": len(fit.attempts),
        "client": fit.client,
        "client_known": fit.client_known,
        "groups": [
            {
                "group": group.name, "producers": len(group.producers), "threads": group.threads,
                "rate_per_s": round(group.rate_per_s, 3), "arrivals": group.arrivals,
                "rates": [list(period) for period in fit.rates[group.name]],
            }
            for group in fit.groups
        ],
        "brokers": {name: {"answers": one.answers, "latency_us": one.latency_us} for name, one in fit.brokers.items()},
        "load": {name: asdict(one) | {"seen_percent": round(one.seen_percent, 1)} for name, one in fit.load.items()},
        "faults": [_found(finding, wall_clock(trace)) for finding in fit.findings],
        "fits": not goodness.misses,
        "figures": [asdict(figure) | {"ok": figure.is_met} for figure in goodness.figures],
    }  # fmt: skip


def _tell(trace: Trace, fit: Calibration, goodness: Goodness, console: Console) -> None:
    attempts = fit.attempts
    text = CommandResultTexts.CALIBRATED_TRACE(
        attempts=len(attempts), producers=len(attempts.producers), brokers=len(attempts.brokers),
        seconds=attempts.duration_us / 1e6,
    )  # fmt: skip
    console.print(text.at(f"[bold]{trace.about.name}[/bold]"), highlight=False)
    for sentence in trace.about.notes:
        console.print(sentence, style="yellow", highlight=False, markup=False)
    for name, load in fit.load.items():
        console.print(f"{name}: {load_text(load)}", highlight=False, markup=False, soft_wrap=True)
    if not fit.findings:
        console.print(CommandResultTexts.NO_FAULT_FOUND(), highlight=False)
    else:
        console.print(CommandResultTexts.FAULTS_FOUND(), style="bold")
    clock = wall_clock(trace)
    for one in fit.findings[:SHOWN_EVIDENCE]:
        at = f" ({clock(one.at_us)} to {clock(one.until_us)})" if clock is not None else ""
        text = CommandResultTexts.CALIBRATED_FAULT(
            broker=one.broker, kind=one.kind, text=one.text, at=at, sure=one.sure, evidence=one.evidence
        )
        console.print(text, highlight=False, markup=False, soft_wrap=True)
    if len(fit.findings) > SHOWN_EVIDENCE:
        console.print(CommandResultTexts.MORE_FAULTS(count=len(fit.findings) - SHOWN_EVIDENCE), highlight=False)
    console.print(_figures_table(goodness.figures))
    judged = sum(figure.tolerance is not None for figure in goodness.figures)
    misses = len(goodness.misses)
    text = CommandResultTexts.CALIBRATED_FIGURES(runs=len(goodness.runs), within=judged - misses, figures=judged)
    console.print(text, style="bold green" if not misses else "bold yellow", highlight=False)


def _figures_table(figures: Sequence[FittedFigure]) -> Table:
    table = Table(title="fitted and recorded", title_justify="left", box=None, pad_edge=False)
    for heading in ("figure", "fitted", "recorded", "±", "ok"):
        table.add_column(heading, justify="left" if heading in ("figure", "ok") else "right", no_wrap=True)
    for one in figures:
        ok = "" if one.tolerance is None else "[green]ok[/green]" if one.is_met else "[bold red]NO[/bold red]"
        limit = "" if one.tolerance is None else figure(one.tolerance)
        shown = (f"{one.fitted:,.2f} {one.unit}".strip(), f"{one.recorded:,.2f}", limit, ok)
        table.add_row(one.name, *shown)
    return table
