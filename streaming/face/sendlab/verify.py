"""Is the model right? Comparisons with real clients, recordings and public reports.

import sendlab
all(result.is_exact for result in sendlab.verify.golden("tests/golden"))
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from sendlab.given import NO_CHANGES, Changes, options_of, path_given, texts_of
from sendlab.recorded_logs import trace_given
from streaming.installation.extras import naming_extras
from streaming.terminal.output_console import OutputConsole as Console

if TYPE_CHECKING:
    from simulator.proof.incidents import Finding
    from streaming.proof.commands.golden_command import GoldenResult
    from streaming.proof.commands.recordings_command import VerifiedRecording
    from streaming.proof.pairs.pair_prediction import PairPrediction
    from streaming.proof.predictions.predicted import Predicted
    from streaming.proof.published.published_figure import PublishedFigure

__all__ = ["golden", "incidents", "pairs", "predictions", "published", "recordings"]


@naming_extras
def golden(*paths: str | Path, release: str | None = None) -> list[GoldenResult]:
    """Compare recorded cases with the model, decision by decision: a result for each release and kind.

    `paths`: files or folders; `release`: the client to compare, by default that of each case. Raises InputError.
    """
    from streaming.proof.commands.golden_command import compare

    return compare(paths, release)


@naming_extras
def recordings(recording: str | Path, *, out: str | Path | None = None, fresh: bool = False) -> VerifiedRecording:
    """Replay a recording and compare its decisions with the recorded ones; `.agreement.is_full` if none differs.

    `out`: folder for the decisions; the same call resumes. Raises InputError and EnvironmentProblem.
    """
    from streaming.proof.commands.recordings_command import verified

    return verified(trace_given(recording), out=None if out is None else Path(out), fresh=fresh)


@naming_extras
def predictions(
    recording: str | Path, scenario: str | Path, *, runs: int | None = None, set: Changes = NO_CHANGES
) -> dict[str, list[Predicted]]:
    """Simulate the set-up of a recording: figures by consumer group, or under the recording's name for producers.

    `runs`: default 20, 199 where chance decides. Raises InputError and ScenarioError.
    """
    from streaming.proof.consumers.consumer_recording import is_consumer_recording

    path, file = trace_given(recording), path_given(scenario)
    if is_consumer_recording(path):
        from streaming.proof.commands.consumers_command import predicted_groups

        return predicted_groups(path, file, options_of(set), runs)[1]
    from streaming.proof.commands.predictions_command import predictions as predicted
    from streaming.recording.recording import load_recording

    recorded = load_recording(str(path.resolve()))
    return {recorded.name: predicted(recorded, file, texts_of(set), runs)[1]}


@naming_extras
def pairs(folder: str | Path | None = None, *, runs: int | None = None) -> list[PairPrediction]:
    """Predict each recording from one of another release alone, with the causes of what is missed.

    `folder`: recordings, default conf/traces. Raises InputError for one without pairs.
    """
    from streaming.proof.commands.pairs_command import predicted_pairs

    return predicted_pairs(None if folder is None else Path(folder), runs, Console(quiet=True))


@naming_extras
def incidents(*names: str, catalogue: str | Path | None = None) -> list[Finding]:
    """Reproduce public incident reports, by default all: a finding for each figure of each release.

    `catalogue`: a folder of incidents, default the bundled one. Raises ScenarioError.
    """
    from simulator.proof.incidents import load_incidents, run_incident
    from streaming.installation.conf_files import conf_folder

    folder = conf_folder() / "incidents" if catalogue is None else Path(catalogue)
    return [finding for one in load_incidents(folder, names) for finding in run_incident(one)]


@naming_extras
def published() -> list[PublishedFigure]:
    """Simulate what others measured and published: each figure with its tolerance, and whether it is within.

    [figure.what for figure in sendlab.verify.published() if not figure.is_within]
    """
    from streaming.proof.commands.published_command import published_figures

    return published_figures(Console(quiet=True))
