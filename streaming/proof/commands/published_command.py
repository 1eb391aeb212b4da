"""`sendlab verify published`: figures that others measured, and the same of the simulation."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from itertools import groupby
from pathlib import Path

from rich.progress import Progress

from simulator.fit.measured_point import FittedPoint
from streaming.errors import InputError
from streaming.files.whole_file import check_writable, write_whole
from streaming.proof.published.producer_grid import (
    KIB,
    THREADS,
    grid_figures,
    left_out,
    of_scenario,
    published_points,
    simulated,
)
from streaming.proof.published.published_figure import FITTED, PREDICTED, PublishedFigure
from streaming.proof.published.single_broker import broker_away, delay_levels, disk_reads, one_broker
from streaming.proof.texts.proof_texts import ProofTexts
from streaming.terminal.output_console import OutputConsole as Console

BEGIN = "<!-- what `sendlab verify published` writes begins here -->"
END = "<!-- what `sendlab verify published` writes ends here -->"
HEAD = (
    "| threads | body | queues | published/s | simulated/s | published ms | simulated ms | figure | |\n"
    "|---|---|---|---|---|---|---|---|---|"
)
BROKERS = (one_broker, broker_away, delay_levels, disk_reads)


def compared(console: Console) -> tuple[list[FittedPoint], list[PublishedFigure]]:
    """The cells of producer.sh, fitted and then left out one by one, and the figures of single brokers."""
    with Progress(console=console, transient=True) as bar:
        task = bar.add_task("published figures", total=2 + len(BROKERS))
        points = published_points()
        cells = of_scenario(points)
        bar.advance(task)
        cells += left_out(points)
        figures = []
        for table in BROKERS:
            bar.advance(task)
            figures += table()
    return cells, figures


def published_figures(console: Console) -> list[PublishedFigure]:
    """Every published figure beside the simulated one."""
    cells, figures = compared(console)
    return grid_figures(cells) + figures


def published_command(*, out: Path | None, as_json: bool, console: Console) -> int:
    """Print every figure, or update the tables of the page `out`; 1 if a fitted figure is missed, else 0.

    Raises InputError for a page without both marks.
    """
    if out is not None:
        check_writable(out)
        _around_tables(out)  # before the simulations, which take a minute
    cells, brokers = compared(Console(quiet=True) if as_json else console)
    figures = grid_figures(cells) + brokers
    text = "\n\n".join([*_grid(cells), *([_curve()] if out is not None else ()), *_tables(brokers)])
    if out is not None:
        before, after = _around_tables(out)
        page = f"{before}{BEGIN}\n\n{text}\n\n{END}{after}"
        write_whole(out, lambda spare: spare.write_text(page, encoding="utf-8"))
    if as_json:
        print(json.dumps([asdict(figure) | {"ok": figure.is_within} for figure in figures], indent=1))
    else:
        console.print(text, markup=False, highlight=False, soft_wrap=True)
        within = sum(figure.is_within for figure in figures)
        console.print()
        console.print(ProofTexts.FIGURES_WITHIN(within=within, figures=len(figures)), highlight=False)
    return 1 if any(figure.use == FITTED and not figure.is_within for figure in figures) else 0


def _around_tables(out: Path) -> tuple[str, str]:
    """What a page has before and after its tables. Raises InputError for a file without both marks."""
    try:
        before, begin, rest = out.read_text(encoding="utf-8").partition(BEGIN)
    except (OSError, UnicodeDecodeError):
        before, begin, rest = "", "", ""
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise InputError(ProofTexts.TABLES_EXPECTED(begin=BEGIN, end=END).at(out))
    return before, after


def _verdict(is_within: bool) -> str:
    return "within" if is_within else "missed"


def _row(each: FittedPoint) -> str:
    point = each.point
    cells = [
        str(point.threads), f"{point.message_bytes // KIB} KiB", str(point.queues), f"{point.per_s:,.0f}",
        f"{each.per_s:,.0f} ({each.throughput_ratio - 1:+.1%})", f"{point.response_ms:.3f}",
        f"{each.response_ms:.3f} ({each.response_ratio - 1:+.1%})", FITTED if each.is_fitted else PREDICTED,
        _verdict(each.is_within),
    ]  # fmt: skip
    return f"| {' | '.join(cells)} |"


def _grid(cells: Sequence[FittedPoint]) -> Iterator[str]:
    fitted, apart = ([each for each in cells if each.is_fitted == is_fitted] for is_fitted in (True, False))
    yield ProofTexts.FITTED_TO_ALL()
    yield "\n".join([HEAD, *map(_row, fitted)])
    within = sum(each.is_within for each in apart)
    yield ProofTexts.EACH_CELL(within=within, cells=len(apart))
    yield "\n".join([HEAD, *map(_row, apart)])


def _curve() -> str:
    sizes, queues = (KIB, 3 * KIB), (8, 16)
    head = " | ".join(f"{size // KIB} KiB, {q} queues" for size in sizes for q in queues)
    rows = []
    for threads in THREADS:
        cells = [simulated(threads, size, q) for size in sizes for q in queues]
        rows.append(f"| {threads} | " + " | ".join(f"{per_s:,.0f}/s, {ms:.3f} ms" for per_s, ms in cells) + " |")
    return "\n".join([ProofTexts.OTHER_THREADS(), "", f"| threads | {head} |", "|---|---|---|---|---|", *rows])


def _tables(figures: Sequence[PublishedFigure]) -> Iterator[str]:
    for table, found in groupby(figures, lambda figure: figure.table):
        rows = list(found)
        yield f"### {table}"
        head = f"| {rows[0].unit} | published | simulated | figure | |\n|---|---|---|---|---|"
        yield "\n".join([head, *map(_line, rows)])


def _line(figure: PublishedFigure) -> str:
    off = f" ({figure.simulated / figure.published - 1:+.1%})" if figure.published else ""
    found = f"{figure.published:,.0f} | {figure.simulated:,.0f}{off} | {figure.use} | {_verdict(figure.is_within)}"
    return f"| {figure.what} | {found} |"
