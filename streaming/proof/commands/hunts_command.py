"""`sendlab verify hunts`: hunt public incidents without their faults, on the broken and on the fixed release."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path

from rich.console import Console
from rich.table import Table

from simulator.hunt.hunt_file import load_rates
from simulator.hunt.hunt_search import GUIDED, RANDOM
from simulator.proof.hunted_incidents import HuntedIncident, load_hunted_incidents
from streaming.errors import InputError
from streaming.files.whole_file import write_text_whole
from streaming.hunt.hunt_command import RATES
from streaming.hunt.pool_engine import pool_of
from streaming.installation.conf_files import conf_folder
from streaming.proof.hunted import HuntedFinding, hunted, until_first
from streaming.proof.texts.proof_texts import ProofTexts
from streaming.texts.output_texts import OutputTexts

SCHEDULES, RARE_SCHEDULES, SEEDS = 128, 1024, 5
FAILED = 1
MARKS = "<!-- hunts -->", "<!-- end of hunts -->"


def hunts_command(
    names: Sequence[str], *, schedules: int, seed: int, cores: int | None, compare: bool, as_json: bool,
    out: Path | None, console: Console,
) -> int:  # fmt: skip
    """Hunt, print what was found, update the page; exit code 1 on a miss. Raises ScenarioError and InputError."""
    page = None if out is None else page_around(out)
    catalogue, rare = _catalogue("incidents", names), _catalogue("rare") if compare else []
    found, firsts, rare_firsts = [], {}, {}
    with pool_of(cores) as pool:
        for incident in catalogue:
            finding = hunted(incident, schedules, seed, pool)
            found.append(finding)
            if not as_json:
                console.print(line_of(finding), highlight=False, markup=False, soft_wrap=True)
            if compare:
                firsts[incident.name] = until_first(incident.sides["faulty"], schedules, pool, SEEDS)
        for one in rare:
            if not names or one.name in names:
                rare_firsts[one.name] = until_first(one.sides["faulty"], RARE_SCHEDULES, pool, SEEDS)
    if as_json:
        print(json.dumps([{**one.as_json(), "until_first": firsts.get(one.incident.name)} for one in found], indent=1))
    else:
        ok = sum(one.is_as_expected for one in found)
        console.print(ProofTexts.HUNTS_COUNTED(ok=ok, hunts=len(found)), highlight=False)
        if compare:
            console.print(comparison(firsts, schedules))
            if rare_firsts:
                console.print(comparison(rare_firsts, RARE_SCHEDULES))
    if out is not None and page is not None:
        lines = [*markdown(found, schedules), *(compared_lines(firsts, schedules) if compare else ())]
        lines += rare_lines(rare_firsts) if rare_firsts else ()
        write_text_whole(out, f"{page[0]}{MARKS[0]}\n\n" + "\n".join(lines) + f"\n\n{MARKS[1]}{page[1]}")
    return 0 if all(one.is_as_expected for one in found) else FAILED


def _catalogue(name: str, names: Sequence[str] = ()) -> list[HuntedIncident]:
    """The hunts of a file of conf/hunts."""
    conf = conf_folder()
    return load_hunted_incidents(
        conf / "hunts" / f"{name}.yaml", conf / "incidents", load_rates(conf / RATES), names
    )  # fmt: skip


def page_around(file: Path) -> tuple[str, str]:
    """What stands before and after the tables of a page. Raises InputError."""
    try:
        text = file.read_text(encoding="utf-8")
    except OSError as error:
        raise InputError(OutputTexts.UNREADABLE(why=error.strerror or error).at(f"--out {file}")) from error
    if any(text.count(mark) != 1 for mark in MARKS):
        raise InputError(ProofTexts.PAGE_EXPECTED(first=MARKS[0], last=MARKS[1]).at(f"--out {file}"))
    before, _, rest = text.partition(MARKS[0])
    return before, rest.partition(MARKS[1])[2]


def line_of(finding: HuntedFinding) -> str:
    """A finding in a line."""
    broken, fixed, releases = finding.broken, finding.fixed, finding.incident.releases
    word = "ok" if finding.is_as_expected else "NO"
    first = "not found" if broken.first is None else f"schedule {broken.first}: {broken.sentence}"
    after = f"none in {fixed.schedules}" if fixed.first is None else f"schedule {fixed.first}: {fixed.sentence}"
    name = finding.incident.name
    return f"{word}  {name}\n    broken {releases['faulty']}: {first}\n    fixed  {releases['mended']}: {after}"


def markdown(found: Sequence[HuntedFinding], schedules: int) -> Iterator[str]:
    """The findings as a table of a page."""
    ok = sum(one.is_as_expected for one in found)
    yield ProofTexts.HUNTS_FOUND(ok=ok, incidents=len(found))
    yield ProofTexts.HUNTS_TRIED(schedules=schedules)
    yield ""
    yield "| incident | broken | found at schedule | what | fixed | found there |"
    yield "|---|---|--:|---|---|---|"
    for one in found:
        first = "-" if one.broken.first is None else str(one.broken.first)
        after = "nothing" if one.fixed.first is None else one.fixed.sentence
        broken, fixed = one.incident.releases["faulty"], one.incident.releases["mended"]
        sides = f"{broken} | {first} | {one.broken.sentence or 'nothing'} | {fixed} | {after}"
        yield f"| {one.incident.name} | {sides} |"


def _middle(values: Sequence[int], schedules: int) -> str:
    middle = sorted(values)[len(values) // 2]
    missing = sum(value > schedules for value in values)
    shown = f"over {schedules}" if middle > schedules else str(middle)
    return shown + (f" ({missing} of {len(values)} not found)" if missing else "")


def compared_lines(firsts: dict[str, dict[str, list[int]]], schedules: int) -> Iterator[str]:
    """Guided and random search as a table of a page."""
    yield ""
    yield ProofTexts.HUNTS_UNTIL(seeds=SEEDS, schedules=schedules)
    yield ""
    yield "| incident | random | guided |"
    yield "|---|--:|--:|"
    for name, own in firsts.items():
        yield f"| {name} | {_middle(own[RANDOM], schedules)} | {_middle(own[GUIDED], schedules)} |"


def rare_lines(firsts: dict[str, dict[str, list[int]]]) -> Iterator[str]:
    """The same where a find is rare, each seed for itself."""
    yield ""
    yield ProofTexts.HUNTS_RARE()
    yield ProofTexts.HUNTS_OF_SEEDS(seeds=SEEDS, schedules=RARE_SCHEDULES)
    yield ""
    yield "| incident | random | guided |"
    yield "|---|---|---|"
    for name, own in firsts.items():
        cells = [", ".join(_first(value) for value in own[strategy]) for strategy in (RANDOM, GUIDED)]
        yield f"| {name} | {cells[0]} | {cells[1]} |"


def _first(schedules: int) -> str:
    return f"{schedules:,}" if schedules <= RARE_SCHEDULES else "not found"


def comparison(firsts: dict[str, dict[str, list[int]]], schedules: int) -> Table:
    """Guided and random search for a terminal."""
    table = Table(title=f"schedules until the first case, median of {SEEDS} seeds", title_justify="left", box=None)
    for name in ("incident", RANDOM, GUIDED):
        table.add_column(name, justify="left" if name == "incident" else "right")
    for name, own in firsts.items():
        table.add_row(name, *(_middle(own[strategy], schedules) for strategy in (RANDOM, GUIDED)))
    return table
