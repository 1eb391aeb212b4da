"""`make predictions`: predicts every recording for docs/predictions.md, as `sendlab verify predictions` prints it."""

from __future__ import annotations

import io
import re
import sys
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console
from rich.progress import Progress

from streaming.files.whole_file import write_whole
from streaming.proof.commands.predictions_command import predictions, print_prediction
from streaming.proof.predictions.predicted import Predicted
from streaming.recording.recording import Recording, load_recording

BEGIN = "<!-- what `make predictions` writes begins here -->"
END = "<!-- what `make predictions` writes ends here -->"
ROOT = Path(__file__).resolve().parents[1]
TRACES, SCENARIOS = Path("conf/traces"), Path("conf/scenarios/live")
# The scenario of a recording is called as its story is, but for those of another's faults.
FAULTS_OF = {"s4": "s3", "s6mp": "s6"}
COLUMNS = 160
FIGURES = ("share of attempts, {}", "failed messages", "first avoidance of {}", "return of {}")


def story_of(recording: str) -> str:
    """The story of a recording: `live-5.3.3-s6mp` is of s6mp."""
    return recording.rpartition("-")[2]


def scenario_of(recording: str) -> Path:
    """The scenario that it is predicted with."""
    story = story_of(recording)
    return SCENARIOS / f"{FAULTS_OF.get(story, story)}.yaml"


def _order(recording: str) -> tuple[int, str, str]:
    story = story_of(recording)
    return int(re.sub(r"\D", "", story)), story, recording


def recordings() -> list[str]:
    """Names of all that have a scenario, by story."""
    return sorted((file.stem for file in (ROOT / TRACES).glob("live-*.json")), key=_order)


def _troubled(figures: Sequence[Predicted]) -> list[str]:
    begin = "return of "
    return [each.typical.figure.removeprefix(begin) for each in figures if each.typical.figure.startswith(begin)]


def _number(value: float, unit: str) -> str:
    if value == float("inf"):
        return "never"
    return f"{value:.2f}" if unit == "s" else f"{value:.1f}" if unit == "%" else f"{value:.0f}"


def row(recording: Recording, figures: Sequence[Predicted]) -> str:
    """A line of the table: predicted / recorded for the first broker in trouble."""
    by_name, (broker, *_) = {each.typical.figure: each.typical for each in figures}, _troubled(figures)
    cells = [recording.about["release"] + " " + story_of(recording.name), recording.about["description"]]
    for name in FIGURES:
        one = by_name[name.format(broker)]
        cells.append(f"{_number(one.predicted, one.unit)} / {_number(one.recorded, one.unit)}")
    return f"| {' | '.join([*cells, text_of(figures)])} |"


def text_of(figures: Sequence[Predicted]) -> str:
    """What a recording's line ends with: missed, by chance, or nothing if all is within tolerance."""
    if any(each.is_missed for each in figures):
        return "missed"
    return "by chance" if any(each.is_by_chance for each in figures) else ""


def page(found: Sequence[tuple[Recording, str, Sequence[Predicted]]]) -> str:
    """What stands between the marks: how many are met, a table of the brokers in trouble, and every figure."""
    ends = [text_of(figures) for _, _, figures in found]
    lines = [
        f"{ends.count('')} of {len(found)} recordings are predicted within tolerance in every figure. In "
        f"{ends.count('by chance')} more chance decides a figure,",
        f"and what was recorded is inside the runs. {ends.count('missed')} are missed. Predicted / recorded for the "
        "broker in trouble",
        "(the first, if there are several):",
        "",
        "| recording | | share of attempts, % | failed messages | first isolated, s | back after, s | |",
        "|---|---|---|---|---|---|---|",
        *(row(recording, figures) for recording, _, figures in found if _troubled(figures)),
    ]
    for recording, release, figures in found:
        scenario, text = scenario_of(recording.name), io.StringIO()
        console = Console(file=text, width=COLUMNS)
        print_prediction(recording, scenario, release, figures, console)
        printed = [line.rstrip() for line in text.getvalue().splitlines()]
        asked = f"$ sendlab verify predictions {TRACES / recording.name} {scenario}"
        lines += ["", "```", asked, *printed, "```"]
    return "\n".join(lines)


def main(path: Path) -> int:
    """Write the page's part; 1 if a figure is missed."""
    before, begin, rest = path.read_text(encoding="utf-8").partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        print(f"{path}: expected the marks {BEGIN} and {END}", file=sys.stderr)
        return 2
    found = []
    with Progress(transient=True) as bar:
        task = bar.add_task("recordings", total=len(recordings()))
        for name in recordings():
            recording = load_recording(str(ROOT / TRACES / name))
            release, figures = predictions(recording, scenario_of(name), {}, None)
            found.append((recording, release, figures))
            bar.advance(task)
    text = f"{before}{BEGIN}\n\n{page(found)}\n\n{END}{after}"
    write_whole(path, lambda spare: spare.write_text(text, encoding="utf-8"))
    return 1 if any(each.is_missed for _, _, figures in found for each in figures) else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
