"""`sendlab verify incidents`: the public reports, what the model shows of each, faulty against mended."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rich.console import Console, JustifyMethod
from rich.table import Table

from simulator.proof.incidents import Finding, Loaded, load_incidents, run_incident
from simulator.proof.incidents.incident import Expected
from streaming.installation.conf_files import conf_folder
from streaming.proof.texts.proof_texts import ProofTexts

SIDE_WORDS = {"faulty": "broken", "mended": "fixed"}


def shown_number(value: float, unit: str) -> str:
    """A figure as people read it."""
    if math.isnan(value):
        return "nothing"
    if math.isinf(value):
        return "never"
    text = f"{value:,.2f}".rstrip("0").rstrip(".") if unit else f"{value:,.0f}"
    return f"{text} {unit}".rstrip()


def shown_expectation(expected: Expected, unit: str) -> tuple[str, str]:
    """The reported or derived value, and the tolerance."""
    if expected.value is not None and expected.tolerance is not None:
        exact = expected.tolerance == 0 or math.isinf(expected.value)
        return shown_number(expected.value, unit), "exact" if exact else f"±{expected.tolerance:g}"
    low, high = expected.bounds
    bounds = [f"at least {shown_number(low, unit)}"] if low > 0 else []
    bounds += [f"at most {shown_number(high, unit)}"] if not math.isinf(high) else []
    return " and ".join(bounds), ""


def _plain(value: float | None) -> float | str | None:
    return str(value) if value is not None and not math.isfinite(value) else value


def _finding_document(finding: Finding) -> dict[str, Any]:
    expected = finding.expected.model_dump(exclude_none=True)
    return {
        "side": finding.side,
        "release": finding.release,
        "figure": finding.figure,
        "unit": finding.unit,
        "expected": {key: _plain(value) for key, value in expected.items()},
        "measured": _plain(finding.measured),
        "ok": finding.is_as_expected,
    }


def _print_list(catalogue: Sequence[Loaded], as_json: bool, console: Console) -> None:
    if as_json:
        said = [
            {"incident": one.name, "title": one.incident.title, "references": list(one.incident.references)}
            for one in catalogue
        ]
        print(json.dumps(said, indent=1))
        return
    for one in catalogue:
        line = f"[bold]{one.name:24}[/bold] {one.incident.title}  [dim]{one.incident.references[0]}[/dim]"
        console.print(line, highlight=False, soft_wrap=True)


def _rows(findings: Sequence[Finding]) -> list[tuple[str, ...]]:
    """A row a figure of a side; releases that show the same to the shown digit share one."""
    rows: dict[tuple[str, ...], list[str]] = {}
    for finding in findings:
        value, tolerance = shown_expectation(finding.expected, finding.unit)
        ok = "[green]ok[/green]" if finding.is_as_expected else "[bold red]NO[/bold red]"
        shown = (finding.figure, value, tolerance, shown_number(finding.measured, finding.unit), ok)
        rows.setdefault((finding.side, *shown), []).append(finding.release)
    return [(side, ", ".join(releases), *shown) for (side, *shown), releases in rows.items()]


def findings_table(findings: Sequence[Finding]) -> Table:
    """What was expected and measured of one incident."""
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    for heading, width in (("side", 8), ("release", 20), ("figure", 33), ("expected", 15), ("±", 6), ("measured", 9)):
        justify: JustifyMethod = "right" if heading in ("expected", "±", "measured") else "left"
        table.add_column(heading, justify=justify, min_width=width)
    table.add_column("ok", min_width=2)
    for row in _rows(findings):
        table.add_row(f"  {SIDE_WORDS[row[0]]}", *row[1:])
    return table


def incidents_command(
    names: Sequence[str], *, listed: bool, as_json: bool, console: Console, folder: Path | None = None
) -> int:
    """Run incidents and print what was expected and measured; 1 if a figure is out of its tolerance, else 0.

    Raises ScenarioError, one sentence, for an incident that does not exist or cannot be read.
    """
    catalogue = load_incidents(folder or conf_folder() / "incidents", names)
    if listed:
        _print_list(catalogue, as_json, console)
        return 0
    findings = [finding for one in catalogue for finding in run_incident(one)]
    wrong = sum(not finding.is_as_expected for finding in findings)
    if as_json:
        document = [
            {
                "incident": one.name,
                "title": one.incident.title,
                "references": list(one.incident.references),
                "ok": all(found.is_as_expected for found in findings if found.incident == one.name),
                "figures": [_finding_document(found) for found in findings if found.incident == one.name],
            }
            for one in catalogue
        ]
        print(json.dumps({"ok": wrong == 0, "incidents": document}, indent=1))
    else:
        for one in catalogue:
            console.print(f"[bold]{one.name}[/bold]  {one.incident.title}", highlight=False)
            console.print(f"[dim]{', '.join(one.incident.references)}[/dim]", highlight=False)
            console.print(findings_table([found for found in findings if found.incident == one.name]))
            console.print()
        incidents, figures = len(catalogue), len(findings)
        text = ProofTexts.INCIDENTS_WITHIN(incidents=incidents, figures=figures)
        if wrong:
            text = ProofTexts.INCIDENTS_OUT(incidents=incidents, figures=figures, wrong=wrong)
        console.print(text, highlight=False)
    return 1 if wrong else 0
