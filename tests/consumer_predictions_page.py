"""`make predictions`: recorded consumers, failovers and gRPC clients predicted again for their pages."""

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
from streaming.proof.failovers.failover_prediction import is_failover_recording, predicted_failover
from streaming.proof.grpc.grpc_prediction import is_grpc_recording, predicted_grpc
from streaming.proof.predictions.predicted import Predicted, counted
from tests.predictions_page import BEGIN, END, ROOT

SCENARIOS = {
    Path("conf/traces/consumers"): Path("conf/scenarios/live/consumers.yaml"),
    Path("conf/traces/failover"): Path("conf/scenarios/live/failover.yaml"),
    Path("conf/traces/grpc"): Path("conf/scenarios/live/grpc.yaml"),
}
# by the begin of a recording's name
OTHERS = {
    "ns-": Path("conf/scenarios/live/name-servers.yaml"),
    "grpc-local-": Path("conf/scenarios/live/grpc-local.yaml"),
}
TRACES = next(iter(SCENARIOS))
COLUMNS = 160
FAILOVER_RUNS = 79  # chance decides nearly all of their figures: the second least and greatest are the central 95 %
GRPC_RUNS = 20


def recordings(traces: Path = TRACES) -> list[str]:
    """Names of all recordings in a folder."""
    return sorted(file.stem for file in (ROOT / traces).glob("*.json"))


def scenario_of(traces: Path, name: str) -> Path:
    """The scenario that a recording is compared with."""
    return next((own for begin, own in OTHERS.items() if name.startswith(begin)), SCENARIOS[traces])


def _predicted(recording: ConsumerRecording, scenario: Path) -> Mapping[str, Sequence[Predicted]] | str:
    """The figures of its groups, or why it cannot be predicted."""
    try:
        if is_failover_recording(recording):
            return predicted_failover(recording, scenario, {}, FAILOVER_RUNS)
        if is_grpc_recording(recording):
            return predicted_grpc(recording, scenario, {}, GRPC_RUNS)
        groups = [group for group in recording.groups if recording.is_measured(group)]
        return {group: predicted_figures(recording, group, scenario, {}, None) for group in groups}
    except InputError as refused:
        return str(refused)


def page(found: Mapping[str, Mapping[str, Sequence[Predicted]] | str], traces: Path) -> str:
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
            load_consumer_recording(ROOT / traces / name), groups, Console(file=text, width=COLUMNS)
        )
        printed = [line.rstrip() for line in text.getvalue().splitlines()]
        lines += [
            "",
            "```",
            f"$ sendlab verify predictions {traces / name} {scenario_of(traces, name)}",
            *printed,
            "```",
        ]
    return "\n".join(lines)


def main(path: Path, traces: Path) -> int:
    """Write the page's part."""
    before, begin, rest = path.read_text(encoding="utf-8").partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        print(f"{path}: expected the marks {BEGIN} and {END}", file=sys.stderr)
        return 2
    found = {
        name: _predicted(load_consumer_recording(ROOT / traces / name), scenario_of(traces, name))
        for name in recordings(traces)
    }
    text = f"{before}{BEGIN}\n\n{page(found, traces)}\n\n{END}{after}"
    write_whole(path, lambda spare: spare.write_text(text, encoding="utf-8"))
    return 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), Path(sys.argv[2])))
