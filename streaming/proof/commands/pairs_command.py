"""`sendlab verify pairs`: every pair of recordings of one story, each predicted from the other alone."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Sequence
from pathlib import Path

from rich.progress import Progress

from streaming.errors import InputError
from streaming.files.whole_file import check_writable, write_whole
from streaming.installation.conf_files import conf_folder
from streaming.proof.pairs.pair_prediction import PairPrediction, plain, predict_pair
from streaming.proof.pairs.pairs import Pair, pairs_of
from streaming.proof.predictions.predicted import CHANCE_RUNS, RUNS, Predicted
from streaming.proof.texts.proof_texts import ProofTexts
from streaming.terminal.output_console import OutputConsole as Console

MARK = "<!-- what `sendlab verify pairs` writes begins here -->"
HEADINGS = ("from", "predicted", "faulty, %", "healthy, %", "failed", "first isolated after", "back after", "")
COLUMNS = ("share of attempts, broker", "share of attempts, healthy", "failed messages", "first avoidance", "return")
MARKDOWN = (".md", ".markdown")
ENDINGS = (".parquet", ".csv.gz", ".csv")


def recordings_in(folder: Path) -> list[str]:
    """Names of the recordings of a folder. Raises InputError."""
    if not folder.is_dir():
        raise InputError(ProofTexts.FOLDER_OF_RECORDINGS_EXPECTED().at(folder))
    names = {file.stem for file in folder.glob("*.json")}
    return sorted(name for name in names if any((folder / f"{name}{ending}").is_file() for ending in ENDINGS))


def predicted_pairs(folder: Path | None, runs: int | None, console: Console) -> list[PairPrediction]:
    """Every pair of a folder of recordings, by default of those in conf. Raises InputError for one without pairs."""
    folder = conf_folder() / "traces" if folder is None else folder
    pairs = pairs_of(recordings_in(folder))
    if not pairs:
        raise InputError(ProofTexts.NO_PAIRS().at(folder))
    found = []
    with Progress(console=console, transient=True) as bar:
        task = bar.add_task("pairs", total=len(pairs))
        for pair in pairs:
            found.append(predict_pair(pair, folder, runs))
            bar.advance(task)
    return found


def pairs_command(folder: Path | None, *, runs: int | None, out: Path | None, as_json: bool, console: Console) -> int:
    """Predict every pair and print it with the cause of each miss; 0.

    Raises InputError for a folder without pairs, and for a file `out` that is no Markdown.
    """
    if out is not None:
        check_writable(out)
        _above_tables(out)  # before the predictions, which take minutes
    found = predicted_pairs(folder, runs, Console(quiet=True) if as_json else console)
    if out is not None:
        text = f"{_above_tables(out)}{MARK}\n\n" + "\n".join(markdown(found, runs)) + "\n"
        write_whole(out, lambda spare: spare.write_text(text, encoding="utf-8"))
    if as_json:
        print(json.dumps([_document(one) for one in found], indent=1))
        return 0
    for line in markdown(found, runs):
        console.print(line, markup=False, highlight=False, soft_wrap=True)
    return 0


def _above_tables(out: Path) -> str:
    """What a page has before its tables. Raises InputError for a file that is no Markdown, which keeps what it has."""
    if not out.exists():
        return ""
    try:
        text = out.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        text = None
    if text is None or (MARK not in text and out.suffix not in MARKDOWN):
        raise InputError(ProofTexts.NO_PAGE().at(out))
    return text.partition(MARK)[0]


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
            "runs": len(each.of_runs),
            "central_low": plain(each.central[0]),
            "central_high": plain(each.central[1]),
            "ok": not each.is_missed,
            "verdict": each.verdict,
        }
        for each in one.figures
    ]
    names = {"from": one.pair.source.name, "predicted": one.pair.target.name}
    return names | {"judged": _judged(one), "figures": figures, "causes": list(one.causes)}


def _short(pair: Pair) -> tuple[str, str]:
    return f"{pair.source.release} {pair.source.setting}", f"{pair.target.release} {pair.target.setting}"


def markdown(found: Sequence[PairPrediction], runs: int | None) -> list[str]:
    """A row a prediction, then what chance decides, then what was missed and why."""
    good, chance = (sum(_judged(one) == judged for one in found) for judged in ("ok", "by chance"))
    between = sum(one.is_between for one in found if one.misses)
    lines: list[str] = [
        ProofTexts.PAIRS_WITHIN(good=good, pairs=len(found), runs=_runs(runs), chance=chance, between=between),
        "",
        f"| {' | '.join(HEADINGS)} |",
        f"|{'---|' * len(HEADINGS)}",
    ]
    lines += [_row(one) for one in found]
    by_chance = [line for one in found for line in _by_chance(one)]
    if by_chance:
        lines += ["", ProofTexts.PAIRS_BY_CHANCE(), "", *by_chance]
    missed = [one for one in found if one.misses]
    if missed:
        lines += ["", ProofTexts.PAIRS_MISSED(), ""]
        lines += [line for one in missed for line in _missed(one)]
    return lines


def _runs(runs: int | None) -> str:
    if runs:
        return ProofTexts.PAIRS_RUNS(runs=runs)
    return ProofTexts.PAIRS_RUNS_OF_CHANCE(runs=RUNS, chance=CHANCE_RUNS)


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
    cells = [", ".join(_cells(one.figures, begin)) or "-" for begin in COLUMNS]
    return f"| {' | '.join([*_short(one.pair), *cells, _judged(one)])} |"


def _judged(one: PairPrediction) -> str:
    if one.misses:
        return "between" if one.is_between else "misses"
    return "by chance" if one.is_by_chance else "ok"


def _by_chance(one: PairPrediction) -> Iterator[str]:
    source, target = _short(one.pair)
    parts = []
    for figure in one.figures:
        if figure.is_by_chance:
            each, (low, high) = figure.typical, (_shown(end, figure.typical.unit) for end in figure.central)
            text = ProofTexts.PAIR_BY_CHANCE(
                figure=each.figure, low=low, high=high, recorded=_shown(each.recorded, each.unit),
                verdict=figure.verdict.rpartition(" ")[2],
            )  # fmt: skip
            parts.append(text)
    if parts:
        yield f"* {target} from {source}: {'; '.join(parts)}."


def _missed(one: PairPrediction) -> Iterator[str]:
    source, target = _short(one.pair)
    parts = []
    for number, figure in enumerate(one.figures):
        each = figure.typical
        if figure.is_missed:
            later = _shown(one.going_on[number].typical.predicted, each.unit) if one.going_on else ""
            text = ProofTexts.PAIR_MISSED(
                figure=each.figure, predicted=_shown(each.predicted, each.unit),
                recorded=_shown(each.recorded, each.unit),
                going_on=ProofTexts.PAIRS_GOING_ON(predicted=later) if later else "",
            )  # fmt: skip
            parts.append(text)
    yield f"* {target} from {source}: {'; '.join(parts)}. Cause: {'; '.join(one.causes)}."
