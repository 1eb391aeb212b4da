"""`sendlab fit`: a cluster fitted to your own table of throughput and response times."""

from __future__ import annotations

from pathlib import Path

from rich.console import Console
from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

from simulator.fit.fitted_cluster import Around
from simulator.fit.fitting import fit_cluster, predicted
from simulator.fit.measured_point import points_to_fit
from state.texts import at, sentence_of
from streaming.errors import InputError
from streaming.files.whole_file import check_writable, write_whole
from streaming.fitting.fit_text import points_table, scenario_text
from streaming.fitting.point_file import read_points
from streaming.texts.command_result_texts import CommandResultTexts
from streaming.texts.command_texts import CommandTexts


def fit_command(file: Path, out: Path, around: Around, *, queues: int, everything: bool, console: Console) -> None:
    """Fit, write the scenario to `out` and print every point. Raises InputError for points that cannot be fitted."""
    if out.exists():
        raise InputError(CommandTexts.FILE_EXISTS(out=out))
    check_writable(out)
    points = read_points(file, queues)
    seen = points if everything else points_to_fit(points)
    columns = (SpinnerColumn(), TextColumn("{task.description}"), TimeElapsedColumn())
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task(CommandResultTexts.FIT_RUNS(seen=len(seen), points=len(points)))

        def show(number: int, distance: float) -> None:
            text = CommandResultTexts.FIT_TRIED(seen=len(seen), points=len(points), clusters=number, distance=distance)
            bar.update(task, description=text)

        try:
            fit = fit_cluster(seen, around, show)
        except ValueError as error:
            raise InputError(at(file, sentence_of(error))) from None
        bar.update(task, description=CommandResultTexts.FIT_SIMULATES())
        found = predicted(fit, around, points, seen)
    text = scenario_text(f"cluster of {file.name}", fit, around, found)
    write_whole(out, lambda spare: spare.write_text(text, encoding="utf-8"))
    console.print(points_table(found))
    for text in fit.assumed:
        console.print(CommandResultTexts.FIT_ASSUMED(what=text))
    left_out = [each for each in found if not each.is_fitted]
    if left_out:
        within = sum(each.is_within for each in left_out)
        console.print(CommandResultTexts.FIT_LEFT_OUT(within=within, points=len(left_out)))
    else:
        console.print(CommandResultTexts.FIT_OF_ALL())
    console.print(CommandResultTexts.FIT_WRITTEN(out=out), soft_wrap=True)
