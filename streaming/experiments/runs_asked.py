"""What `sendlab whatif` and `sendlab advise` are asked alike, and how both end."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console

from simulator.experiments.experiment_file import LoadedExperiment
from simulator.experiments.result import ExperimentResult
from streaming.errors import InputError, Interrupted
from streaming.experiments.plain_experiment import run_plain_experiment
from streaming.experiments.run_experiment import run_experiment
from streaming.jobs.asked import folder_asked
from streaming.options.changes import checked_choice
from streaming.options.engine_choice import PLAIN, SPARK
from streaming.own_policies.settled import settle
from streaming.spark.java import require_spark
from streaming.spark.master import master_asked
from streaming.texts.experiment_texts import ExperimentTexts

FORMATS = ("html", "md")
CANNOT_TELL = 4  # exit code: these runs neither show the objectives to hold nor to be missed


@dataclass(frozen=True)
class RunsAsked:
    """How many runs are to be run and reported: the command line's options, as they were given."""

    out: Path | None
    changes: Sequence[str]
    master: str | None
    page: str
    fresh: bool
    console: Console
    engine: str = SPARK

    def check(self, path: Path) -> None:
        """Raise InputError for an option that cannot be, or for a policy file of `path` that is not fine."""
        checked_choice(self.page, FORMATS, f"--format {self.page}")
        if self.master is not None:
            if self.engine == PLAIN:
                raise InputError(ExperimentTexts.MASTER_WITHOUT_SPARK())
            master_asked(self.master, "--master")
        if self.engine != PLAIN:
            require_spark()
        settle(path, self.changes)

    def run(self, loaded: LoadedExperiment, out: Path, *, fresh: bool) -> ExperimentResult:
        """Run what is missing of an experiment with the engine that was asked for."""
        if self.engine == PLAIN:
            return run_plain_experiment(loaded, out, self.console, fresh=fresh)
        return run_experiment(loaded, out, self.console, master=self.master, fresh=fresh)

    def folder(self, otherwise: str) -> Path:
        """The folder for what comes out; `otherwise`: its name in out/ if none is given. Raises InputError."""
        return Path("out") / otherwise if self.out is None else folder_asked(self.out, "--out")

    def end(self, written: Path, *, interrupted: bool, holds: bool | None) -> int:
        """Print where the page is: exit code 0, 1 (objectives missed) or 4 (cannot tell). Raises Interrupted."""
        self.console.print(f"page: {written}", markup=False, highlight=False, soft_wrap=True)
        if interrupted:
            raise Interrupted(ExperimentTexts.STOPPED())
        return code_of(holds)


def code_of(holds: bool | None) -> int:
    """The exit code of whether objectives hold."""
    return CANNOT_TELL if holds is None else 0 if holds else 1
