"""`sendlab counterfactuals`: every pair of recordings of one story, each predicted from the other alone."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Sequence
from pathlib import Path

from rich.console import Console
from rich.progress import Progress

from streaming.commands.replays.predict_command import Predicted
from streaming.counterfactuals.pair_prediction import PairPrediction, plain, predict_pair
from streaming.counterfactuals.pairs import Pair, pairs_of
from streaming.errors import InputError
from streaming.results.whole_file import check_writable, write_whole

MARK = "<!-- what `sendlab counterfactuals` writes begins here -->"
HEADINGS = ("from", "predicted", "in trouble, %", "healthy, %", "failed", "first avoided after", "back after", "")
ENDINGS = (".parquet", ".csv.gz", ".csv")


def recordings_in(folder: Path) -> list[str]:
    """Names of the recordings of a folder. Raises InputError."""
    if not folder.is_dir():
        raise InputError(f"{folder}: expected a folder of recordings such as conf/traces")
    names = {file.stem for file in folder.glob("*.json")}
    return sorted(name for name in names if any((folder / f"{name}{ending}").is_file() for ending in ENDINGS))


def counterfactuals_command(folder: Path, *, runs: int, out: Path | None, as_json: bool, console: Console) -> int:
    """Predict every pair; 0 always: a miss is told with its cause. Raises InputError for a folder without pairs."""
    pairs = pairs_of(recordings_in(folder))
    if not pairs:
        raise InputError(f"{folder}: no two recordings of the same story (live-RELEASE-STORY) under another client")
    if out is not None:
        check_writable(out)
    quiet = Console(quiet=True) if as_json else console
    found = []
    with Progress(console=quiet, transient=True) as bar:
        task = bar.add_task("pairs", total=len(pairs))
        for pair in pairs:
            found.append(predict_pair(pair, folder, runs))
            bar.advance(task)
    if out is not None:
        before = out.read_text(encoding="utf-8").partition(MARK)[0] if out.exists() else ""
        text = f"{before}{MARK}\n\n" + "\n".join(markdown(found, runs)) + "\n"
        write_whole(out, lambda spare: spare.write_text(text, encoding="utf-8"))
    if as_json:
        print(json.dumps([_document(one) for one in found], indent=1))
        return 0
    for line in markdown(found, runs):
        console.print(line, markup=False, highlight=False, soft_wrap=True)
    return 0


def _document(one: PairPrediction) -> dict[str, object]:
    figures = [
        {
            "figure": each.typical.figure,
            "unit": each.typical.unit,
            "predicted": plain(each.typical.predicted),
            "least": plain(each.least),
            "greatest": plain(each.greatest),
            "recorded": plain(each.typical.recorded),
            "tolerance": each.typical.tolerance,
            "ok": each.typical.is_met,
        }
        for each in one.figures
    ]
    names = {"from": one.pair.source.name, "predicted": one.pair.target.name}
    return names | {"judged": _judged(one), "figures": figures, "causes": list(one.causes)}


def _short(pair: Pair) -> tuple[str, str]:
    return f"{pair.source.release} {pair.source.setting}", f"{pair.target.release} {pair.target.setting}"


def markdown(found: Sequence[PairPrediction], runs: int) -> list[str]:
    """A row a prediction, then what was missed and why."""
    good = sum(not one.misses for one in found)
    between = sum(one.is_between for one in found if one.misses)
    lines = [
        f"{good} of {len(found)} predictions are within tolerance in every figure; {runs} runs each, predicted / "
        f"recorded. Of the others {between} have what was recorded between both ends of what their recording leaves "
        "open.",
        "",
        f"| {' | '.join(HEADINGS)} |",
        f"|{'---|' * len(HEADINGS)}",
    ]
    lines += [_row(one) for one in found]
    missed = [one for one in found if one.misses]
    if missed:
        lines += ["", "What is missed, and why:", ""]
        lines += [line for one in missed for line in _missed(one)]
    return lines


def _cells(figures: Sequence[Predicted], begin: str) -> Iterator[str]:
    for figure in figures:
        one = figure.typical
        if one.figure.startswith(begin):
            yield f"{_shown(one.predicted, one.unit)} / {_shown(one.recorded, one.unit)}"


def _shown(value: float, unit: str) -> str:
    if math.isinf(value):
        return "never"
    return f"{value:.2f} s" if unit == "s" else f"{value:.1f}" if unit == "%" else f"{value:.0f}"


def _row(one: PairPrediction) -> str:
    cells = [
        ", ".join(_cells(one.figures, begin)) or "-"
        for begin in (
            "share of attempts, broker", "share of attempts, healthy", "failed messages", "first avoidance", "return",
        )
    ]  # fmt: skip
    return f"| {' | '.join([*_short(one.pair), *cells, _judged(one)])} |"


def _judged(one: PairPrediction) -> str:
    return "ok" if not one.misses else "between" if one.is_between else "misses"


def _missed(one: PairPrediction) -> Iterator[str]:
    source, target = _short(one.pair)
    told = []
    for number, figure in enumerate(one.figures):
        each = figure.typical
        if not each.is_met:
            text = f"{each.figure} {_shown(each.predicted, each.unit)} instead of {_shown(each.recorded, each.unit)}"
            if one.going_on:
                text += f" ({_shown(one.going_on[number].typical.predicted, each.unit)} if the trouble went on)"
            told.append(text)
    yield f"* {target} from {source}: {'; '.join(told)}. Cause: {'; '.join(one.causes)}."
