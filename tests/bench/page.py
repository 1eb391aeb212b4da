"""`python -m tests.bench.page`: docs/benchmarks.md and README's figure from results.json and lines.yaml."""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from tests.bench.bounds import is_as_asked, is_met, lines, reason_of, text_of_bound
from tests.bench.measure import ROOT
from tests.bench.results import Run, stored

PAGE = ROOT / "docs" / "benchmarks.md"
README = ROOT / "README.md"
SPEED = r"\*\*[\d.]+ M\*\*( sends/s are simulated on one core)"
NOTES = Path(__file__).with_name("notes.md")
ADDED_UP = {
    "event_mode_parts": ("The CPU of an attempt on its way to Parquet", "parts_ns", "ns"),
    "experiment_parts": ("A run of an experiment on all cores", "parts_ms", "core ms"),
}
BELOW_ITS_PARTS = (
    "The parts were measured in a process alone, where they took more than in the whole: the negative part is that"
    " difference, and no part is given as a reason."
)
HEAD = """# Benchmarks

`make bench` measured all of this in one run:

- {machine}
- commit {commit}, {dates}
- before a measure began, other work took at most {busiest:.1f} % of the cores

The two sides of a ratio are measured in turn, and the ratio is the median of neighbours. A test fails if this page or
the README differ from that run ([tests/bench/results.json](../tests/bench/results.json)).

"asked" is the bound that was asked for. "held" is the bound that the program is held to: the same, or what is reached.

| measure | asked | held | measured |
|---|---|---|---|
"""
FOOT = """
How each is measured: [tests/bench/README.md](../tests/bench/README.md). `python -m tests.bench.page` writes this page.
"""


def text_of(line: Mapping[str, Any]) -> str:
    """The value of a line with its unit and both sides."""
    both = " against ".join(text for text in (line["ours"], line.get("peer", "")) if text)
    if line["unit"] != "x" and not line.get("peer"):
        return both
    return f"{line['value']:.2f}{'' if line['unit'] == 'x' else ' '}{line['unit']} ({both})"


def _dates(run: Run) -> str:
    began, *resumed = run.began or (run.date,)
    again = f", resumed at {' and '.join(resumed)}" if resumed else ""
    return f"{began} to {run.date}{again}"


def _each_date(run: Run) -> str:
    """When each measure was taken, of a run that was put together from several."""
    if len(run.began) < 2 or not run.dates:
        return ""
    rows = [f"| `{measure}` | {date} | {run.busy_percent[measure]:.1f} % |" for measure, date in run.dates.items()]
    head = "\n## When each was measured\n\n| measure | date | other work |\n|---|---|---|\n"
    return head + "\n".join(rows) + "\n"


def _row(run: Run, line: Mapping[str, Any]) -> str:
    missed = "" if is_met(line) else ", **missed**"
    measure = line.get("measure", "")
    busy = f", **busy**: other work took {run.busy_percent[measure]:.0f} %" if run.is_busy(measure) else ""
    about = lines()[line["name"]]
    asked, held = (text_of_bound(bound, line["unit"]) for bound in (about.asked, about.required))
    return f"| {about.says} | {asked} | {held} | {text_of(line)}{missed}{busy} |"


def _not_reached(measured: Sequence[Mapping[str, Any]]) -> str:
    """Every line that is not as asked, or breaks the bound that holds."""
    short = [line for line in measured if not (is_as_asked(line) and is_met(line))]
    if not short:
        return "\nEvery bound holds, as it was asked.\n"
    by_name = {line["name"]: line for line in measured if not _is_below_its_parts(line)}
    missed = sum(not is_met(line) for line in short)
    return (
        "\n## What was asked and is not reached\n\n"
        f"{len(short)} of {len(measured)} lines; {missed} of them break the bound that is held (**missed**)."
        " A reason stands where a figure of this run shows it.\n\n"
        + "\n".join(f"- {_shortfall(line, by_name)}." for line in short)
        + "\n"
    )


def _shortfall(line: Mapping[str, Any], by_name: Mapping[str, Mapping[str, Any]]) -> str:
    about, reason = lines()[line["name"]], reason_of(line, by_name)
    asked, held = (text_of_bound(bound, line["unit"]) for bound in (about.asked, about.required))
    missed = "" if is_met(line) else ", **missed**"
    because = f": {reason}" if reason else ""
    bounds = f"asked {asked}, held {held}" if about.is_weakened else f"asked and held {held}"
    return f"{about.says}: {bounds}, measured {text_of(line)}{missed}{because}"


def _is_below_its_parts(line: Mapping[str, Any]) -> bool:
    """Whether the parts of a line, measured alone, took more than all of it: they are no reason for anything then."""
    own = ADDED_UP.get(line["name"])
    return own is not None and min(line[own[1]].values()) < 0


def _added_up(measured: Mapping[str, Mapping[str, Any]]) -> str:
    found = ""
    for name, (title, key, unit) in ADDED_UP.items():
        parts = dict(measured[name][key])
        whole = measured[name].get("whole_ns", sum(parts.values()))
        if whole > sum(parts.values()):
            parts["Spark's own: its sockets, the fixed cost of a micro-batch"] = whole - sum(parts.values())
        rows = [f"| {part} | {value:,.0f} | {value / whole:.0%} |" for part, value in parts.items()]
        found += f"\n## {title}\n\n| part | {unit} | share |\n|---|---|---|\n" + "\n".join(rows) + "\n"
        found += f"| all of it | {whole:,.0f} | |\n"
        if _is_below_its_parts(measured[name]):
            found += f"\n{BELOW_ITS_PARTS}\n"
    return found


def _machine(line: Mapping[str, Any]) -> str:
    rows = [
        f"| {size} | {line['line_waited_ns'][size]:g} | {line['line_fetched_before_ns'][size]:g} |"
        for size in line["line_waited_ns"]
    ]
    return (
        "\n## What this machine gives\n\n"
        "Nanoseconds for a random line of 64 bytes, by the size of the memory it lies in:\n\n"
        "| memory | waited for | fetched ahead |\n|---|---|---|\n" + "\n".join(rows) + "\n\n"
        f"A branch that is guessed wrong takes {line['wrong_branch_ns']:g} ns. A send of the loop takes"
        f" {line['value']:.0f} ns with 100 producers.\n"
    )


def page(run: Run, measured: Sequence[Mapping[str, Any]]) -> str:
    """The whole page. Raises KeyError for a line of which lines.yaml says nothing."""
    by_name = {line["name"]: line for line in measured}
    rows = [_row(run, line) for line in measured]
    head = HEAD.format(machine=run.machine, commit=run.commit, dates=_dates(run), busiest=run.busiest_percent)
    parts = (_not_reached(measured), _added_up(by_name), _machine(by_name["machine_floor"]), _each_date(run))
    return head + "\n".join(rows) + "\n" + "".join(parts) + "\n" + NOTES.read_text() + FOOT


def with_speed(readme: str, measured: Sequence[Mapping[str, Any]]) -> str:
    """README with the measured speed of the loop. Raises ValueError if it says none."""
    (speed,) = (line["sends_per_s"] for line in measured if line["name"] == "event_loop_vs_simpy")
    text, count = re.subn(SPEED, rf"**{speed / 1e6:.1f} M**\1", readme)
    if count != 1:
        raise ValueError(f"README.md has {count} lines with the loop's speed, expected 1")
    return text


def main() -> int:
    """Write the page, and the figure in README."""
    run, measured = stored()
    PAGE.write_text(page(run, measured))
    README.write_text(with_speed(README.read_text(), measured))
    return 0


if __name__ == "__main__":
    sys.exit(main())
