"""`sendlab run --objective`: whether a scenario holds its objectives, over several seeds and not by chance in one."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import Console

from simulator.scenario import Scenario
from streaming.errors import InputError
from streaming.pipelines.reports import Reports
from streaming.texts.command_result_texts import CommandResultTexts
from streaming.texts.command_texts import CommandTexts

if TYPE_CHECKING:  # a run that nothing judges does not wait for what experiments need
    from simulator.experiments.result import ExperimentResult
    from simulator.experiments.study import RunKey
    from streaming.experiments.live_progress import LiveProgress

SEEDS = 8


@dataclass(frozen=True)
class JudgementAsked:
    """What a run is judged by: the command line's options, as they were given."""

    objectives: tuple[str, ...] = ()
    seeds: int | None = None
    reports: Reports = field(default_factory=Reports)

    def check(self, scenario: Scenario, unending: str | None) -> None:
        """Raise InputError for options that cannot be; `unending`: the one by which a run has no end of its own."""
        given = {"--seeds": self.seeds, "--junit": self.reports.junit, "--markdown": self.reports.markdown}
        if not self.objectives:
            for option in (name for name, value in given.items() if value is not None):
                raise InputError(CommandTexts.NEEDS_OBJECTIVE(option=option))
            return
        if unending is not None:
            raise InputError(CommandTexts.JUDGES_WHOLE_RUNS(option=unending))
        from streaming.pipelines.objective_options import check_measured

        for text in self.objectives:
            check_measured(text, scenario)
        self.reports.check()

    def judge(self, file: Path, scenario: Scenario, given: Mapping[str, str], console: Console) -> int:
        """Simulate the scenario with more seeds, print the verdict, write the reports: exit code 0, 1 or 4."""
        from simulator.experiments.experiment import UNCHANGED
        from simulator.experiments.experiment_file import parse_experiment
        from simulator.experiments.experiment_runner import experiment
        from streaming.commands.whatif_command import tell
        from streaming.experiments.live_progress import LiveProgress
        from streaming.experiments.runs_asked import code_of

        document = {
            "name": scenario.name, "scenario": file.name, "arms": {UNCHANGED: {}}, "seeds": self.seeds or SEEDS,
            "objectives": list(self.objectives),
        }  # fmt: skip
        text = "\n".join(f"{key}: {json.dumps(value, ensure_ascii=False)}" for key, value in document.items()) + "\n"
        loaded = parse_experiment(text, "--objective", file.parent, given)
        progress: LiveProgress | None = None

        def count(key: RunKey, result: ExperimentResult) -> None:
            nonlocal progress
            if progress is None:
                judging = CommandResultTexts.JUDGING(seeds=self.seeds or SEEDS)
                progress = LiveProgress(console, result, judging)
            messages = int(result.totals[key.arm].groups[:, 0].sum())
            progress.add([key], messages - progress.messages, len(result.study.wanted()))
            progress.show()

        try:
            result = experiment(loaded, on_run=count)
        finally:
            if progress is not None:
                progress.close()
        self.reports.write(result)
        tell(result, console)
        return code_of(result.holds)
