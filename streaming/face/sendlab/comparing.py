"""Many runs: arms side by side, a grid of settings, advice."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sendlab.given import NO_CHANGES, Changes, Given, experiment_given, plain, scenario_given, texts_of
from simulator.experiments.experiment_file import LoadedExperiment
from simulator.experiments.experiment_runner import experiment as in_this_process
from simulator.experiments.result import ExperimentResult
from simulator.plan.compile import slug
from simulator.scenario import Scenario
from streaming.terminal.output_console import OutputConsole as Console

if TYPE_CHECKING:
    from simulator.advice.advice import Advice

SWEEP_SEEDS = 20
ExperimentGiven = LoadedExperiment | str | Path | Mapping[str, Any]


def experiment(experiment: ExperimentGiven, *, set: Changes = NO_CHANGES, seeds: int | None = None) -> ExperimentResult:
    """Run an experiment to its answer in this process: nothing is written, nothing needs Spark.

    `experiment`: a path, the name of an example, YAML text or a dict. Raises ScenarioError and InputError.

        print("\\n".join(sendlab.experiment("release-under-a-hang", seeds=8).verdict))
    """
    return in_this_process(experiment_given(experiment, set, seeds))


def whatif(
    experiment: ExperimentGiven,
    *,
    out: str | Path | None = None,
    set: Changes = NO_CHANGES,
    seeds: int | None = None,
    engine: str | None = None,
    fresh: bool = False,
) -> ExperimentResult:
    """Run an experiment as `sendlab whatif` does: its runs, result.json and page go to the folder `out`.

    `engine`: spark (all cores) or plain (one core, no Java), by default spark where it is installed; `out`: default
    out/NAME; the same call resumes. Raises ScenarioError, InputError and EnvironmentProblem.

        sendlab.whatif("release-under-a-hang", out="out/releases").measures.to_pandas()
    """
    from streaming.commands.whatif_command import write_page
    from streaming.experiments.folder import ExperimentFolder

    loaded = experiment_given(experiment, set, seeds)
    folder = ExperimentFolder(Path("out") / slug(loaded.experiment.name) if out is None else Path(out))
    result: ExperimentResult = _asked(folder.path, engine, fresh).run(loaded, folder.path, fresh=fresh)
    folder.write_result(result)
    write_page(result, folder, "html")
    return result


def sweep(
    scenario: Given, grid: Mapping[str, Sequence[Any]], *, seeds: int = SWEEP_SEEDS, set: Changes = NO_CHANGES
) -> ExperimentResult:
    """Compare every combination of some keys' values in this process: an arm for each, all with the same seeds.

    Raises ScenarioError and InputError.

        sendlab.sweep("quickstart", {"client.release": ["4.9.8", "5.3.3"]}, seeds=8).plot("p99_ms")
    """
    base = scenario_given(scenario, set)
    own = plain({key: list(values) for key, values in grid.items()})
    with _as_file(base) as file:
        document = {"name": f"{base.name}: {', '.join(grid)}", "scenario": str(file), "grid": own, "seeds": seeds}
        return in_this_process(experiment_given(document))


def advise(
    scenario: Given,
    *,
    objective: Sequence[str] = (),
    faults: str = "both",
    group: str | None = None,
    replicas: bool = False,
    out: str | Path | None = None,
    seeds: int = 8,
    set: Changes = NO_CHANGES,
    engine: str | None = None,
    fresh: bool = False,
) -> Advice:
    """Try the client settings that a team can change, and list the few to choose from.

    `faults`: usual, own (the scenario's) or both; `group`: a consumer group, to try its settings; `replicas`: try who
    takes over from a master instead; `out`: default out/advice-NAME, with the page. Raises ScenarioError, InputError
    and EnvironmentProblem.

        sendlab.advise("quickstart", objective=["p99_ms < 200"]).verdict
    """
    from simulator.advice.trial import trial_of
    from streaming.advice.advice_page import write_advice
    from streaming.advice.advise_command import check_advice
    from streaming.advice.run_advice import run_advice

    check_advice(faults, objective)
    base = scenario_given(scenario)
    folder = Path("out") / f"advice-{slug(base.name)}" if out is None else Path(out)
    with _as_file(base) as file:
        trial = trial_of(
            file, faults, given=texts_of(set), objectives=objective, seeds=seeds, group=group, replicas=replicas
        )
        advice = run_advice(trial, folder, _asked(folder, engine, fresh))
    write_advice(advice, folder, "html")
    return advice


def _asked(out: Path, engine: str | None, fresh: bool) -> Any:
    from streaming.experiments.runs_asked import RunsAsked
    from streaming.options.changes import checked_choice
    from streaming.options.engine_choice import ENGINES, engine_asked

    if engine is not None:
        checked_choice(engine, ENGINES, f"engine={engine!r}")
    quiet = Console(quiet=True)
    return RunsAsked(out, (), None, "html", fresh, quiet, engine_asked(engine, quiet))


class _as_file(ExitStack):
    """A scenario as a file, for what reads files, while it is needed."""

    def __init__(self, scenario: Scenario) -> None:
        super().__init__()
        self.scenario = scenario

    def __enter__(self) -> Path:  # type: ignore[override]
        folder = Path(self.enter_context(tempfile.TemporaryDirectory(prefix="sendlab-")))
        file = folder / "scenario.yaml"
        file.write_text(self.scenario.to_yaml(), encoding="utf-8")
        return file
