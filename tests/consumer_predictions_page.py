"""`make predictions`: recorded consumers predicted anew for docs/predictions-consumers.md."""

from __future__ import annotations

import io
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from rich.console import Console

from streaming.errors import InputError
from streaming.files.whole_file import write_whole
from streaming.proof.commands.consumers_command import print_group_predictions
from streaming.proof.consumers.consumer_recording import ConsumerRecording, load_consumer_recording
from streaming.proof.consumers.group_prediction import predicted_figures
from streaming.proof.predictions.predicted import Predicted, counted
from tests.predictions_page import BEGIN, END, ROOT

TRACES, SCENARIO = Path("conf/traces/consumers"), Path("conf/scenarios/live/consumers.yaml")
COLUMNS = 160


def recordings() -> list[str]:
    """Names of all recordings of consumers."""
    return sorted(file.stem for file in (ROOT / TRACES).glob("*.json"))


def _predicted(recording: ConsumerRecording) -> Mapping[str, Sequence[Predicted]] | str:
    """The figures of its groups, or why it cannot be predicted."""
    try:
        groups = [group for group in recording.groups if recording.is_measured(group)]
        return {group: predicted_figures(recording, group, SCENARIO, {}, None) for group in groups}
    except InputError as refused:
        return str(refused)


def page(found: Mapping[str, Mapping[str, Sequence[Predicted]] | str]) -> str:
    """What stands between the marks: a line a group, the recordings that are refused, and every figure."""
    lines = ["| recording | group | |", "|---|---|---|"]
    lines += [
        f"| {name} | {group} | {counted(figures)} |"
        for name, groups in found.items()
        if not isinstance(groups, str)
        for group, figures in groups.items()
    ]
    if refused := [f"- {said}" for said in found.values() if isinstance(said, str)]:
        lines += ["", "Not predicted:", "", *refused]
    for name, groups in found.items():
        if isinstance(groups, str):
            continue
        text = io.StringIO()
        print_group_predictions(
            load_consumer_recording(ROOT / TRACES / name), groups, Console(file=text, width=COLUMNS)
        )
        printed = [line.rstrip() for line in text.getvalue().splitlines()]
        lines += ["", "```", f"$ sendlab verify predictions {TRACES / name} {SCENARIO}", *printed, "```"]
    return "\n".join(lines)


def main(path: Path) -> int:
    """Write the page's part."""
    before, begin, rest = path.read_text(encoding="utf-8").partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        print(f"{path}: expected the marks {BEGIN} and {END}", file=sys.stderr)
        return 2
    found = {name: _predicted(load_consumer_recording(ROOT / TRACES / name)) for name in recordings()}
    text = f"{before}{BEGIN}\n\n{page(found)}\n\n{END}{after}"
    write_whole(path, lambda spare: spare.write_text(text, encoding="utf-8"))
    return 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
