"""The arms of an experiment beside each other in a terminal: columns while they fit, else rows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.markup import escape
from rich.table import Table

from simulator.experiments.study import Study
from simulator.experiments.words import OF_CONSUMERS, OF_LATER, plus_minus
from simulator.units import some

SHOWN = (
    "failed_percent",
    "mean_ms",
    "p99_ms",
    "p999_ms",
    "attempts_per_message",
    "copies_per_message",
    "lost",
    "lost_unseen",
    "not_stored",
)
NAME_MOST = 32  # letters of an arm's name in one line
GAP = 2

Grid = list[tuple[str, list[str]]]  # a title and its cells


def arms_tables(study: Study, width: int) -> Iterator[Table]:
    """Tables no wider than `width` letters, where that can be: the measures are parted where arms are rows.

    None where no run of any arm has ended.
    """
    arms = [arm for arm in study.all_arms() if study.runs_of(arm)]
    if not arms:
        return
    columns: Grid = []
    groups = study.scenario(arms[0]).consumers
    for measure in (*SHOWN, *OF_LATER, *(f"{name}[{group}]" for group in groups for name in OF_CONSUMERS)):
        found = [study.interval(arm, measure) for arm in arms]
        if any(found):
            columns.append((measure, ["-" if one is None else plus_minus(one, measure) for one in found]))
    runs = [len(study.runs_of(arm)) for arm in arms]
    turned = [
        (f"{arm}\n{some(count, 'run')}", [cells[place] for _, cells in columns])
        for place, (arm, count) in enumerate(zip(arms, runs, strict=True))
    ]
    if _width_of([("", [measure for measure, _ in columns]), *turned]) <= width:
        yield _table("measure", [measure for measure, _ in columns], turned)
        return
    columns.insert(0, ("runs", [str(count) for count in runs]))
    room = width - min(NAME_MOST, max(map(len, arms))) - GAP
    for part in _parts(columns, room):
        yield _table("arm", arms, part)


def _parts(columns: Grid, room: int) -> Iterator[Grid]:
    part: Grid = []
    for column in columns:
        if part and _width_of([*part, column]) > room:
            yield part
            part = []
        part.append(column)
    yield part


def _width_of(columns: Grid) -> int:
    return sum(
        max(len(line) for text in (title, *cells) for line in text.split("\n")) + GAP for title, cells in columns
    )


def _table(corner: str, names: Sequence[str], columns: Grid) -> Table:
    table = Table(box=None, padding=(0, GAP, 0, 0), title_justify="left")
    table.add_column(corner, overflow="fold", max_width=NAME_MOST)
    for title, _ in columns:
        table.add_column(escape(title), justify="right", no_wrap=True)
    for place, name in enumerate(names):
        table.add_row(escape(name), *(cells[place] for _, cells in columns))  # lag_max[GROUP] is no markup
    return table
