"""A hunt from its folder's outcomes to its end: a number of schedules, or a time, or Ctrl-C."""

from __future__ import annotations

import tempfile
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.console import Console

from simulator.hunt.cases.case_words import how_often
from simulator.hunt.cases.found_case import FoundCase
from simulator.hunt.drawn_values import Value
from simulator.hunt.goal import RUNS, Goal
from simulator.hunt.hunt import Hunt
from simulator.hunt.hunt_file import LoadedHunt
from simulator.hunt.hunt_search import GUIDED
from simulator.hunt.schedule import scenario_with
from simulator.units import some
from state.texts import joined
from streaming.errors import EnvironmentProblem
from streaming.hunt.corpus import add_to_corpus, read_corpus
from streaming.hunt.hunt_engine import HuntEngine
from streaming.hunt.hunt_folder import HuntFolder, identity
from streaming.hunt.hunt_progress import HuntProgress
from streaming.hunt.hunt_runs import HuntRuns, HuntStopped, Remembered
from streaming.hunt.pool_engine import pool_of
from streaming.options.engine_choice import PLAIN
from streaming.problems import disk_problem
from streaming.runner.stop_signals import StopSignals
from streaming.texts.hunt_run_texts import HuntRunTexts

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


@dataclass(frozen=True)
class HuntAsked:
    """How far a hunt goes, and what runs it. schedules, seconds: at most, None for no end.

    processes: of the plain engine, else threads of this process; spark: an open session, else one at `master`.
    """

    schedules: int | None = None
    seconds: float | None = None
    seed: int = 1
    strategy: str = GUIDED
    cores: int | None = None
    corpus: Path | None = None
    fresh: bool = False
    processes: bool = True
    engine: str = PLAIN
    master: str | None = None
    spark: SparkSession | None = None

    @contextmanager
    def running(self, folder: Path, stop: StopSignals) -> Iterator[HuntEngine]:
        """The engine. `folder`: for the log of a session of its own. Raises EnvironmentProblem."""
        if self.engine == PLAIN:
            with pool_of(self.cores, processes=self.processes) as pool:
                yield pool
            return
        from streaming.hunt.spark_engine import spark_of

        with spark_of(self.spark, folder, self.master, stop.listen) as engine:
            yield engine


@dataclass
class HuntResult:
    """What came out. corpus: what became of its files' schedules, by their names; added: to the corpus.

    interrupted: it was stopped before its end; problem: what ended it after cases were found.
    """

    loaded: LoadedHunt
    hunt: Hunt
    runs: int
    messages: int
    took_s: float
    interrupted: bool = False
    corpus: Mapping[str, str] = field(default_factory=dict)
    added: int = 0
    problem: EnvironmentProblem | None = None

    def __repr__(self) -> str:
        head = f"<Hunt of {self.loaded.scenario.name}: schedules {self.ran:,}, cases {len(self.cases):,}"
        return "\n  ".join([head, *(case.sentence for case in self.cases)]) + ">"

    @property
    def ran(self) -> int:
        """How many schedules were run, without those that the scenario cannot have."""
        return self.hunt.done - self.hunt.refused.total()

    @property
    def cases(self) -> list[FoundCase]:
        """The found cases, the most likely first; those whose rate is not known come last."""
        return sorted(self.hunt.cases, key=lambda case: (case.a_year is None, -(case.a_year or 0.0), case.number))

    def scenario_of(self, case: FoundCase) -> str:
        """The scenario of a case as YAML, with its sentence and how often it happens in comments."""
        text = self.loaded.scenario.to_yaml()
        made = scenario_with(text, case.schedule, name=f"{self.loaded.scenario.name}: {case.name}"[:200])
        of_seeds = HuntRunTexts.SEEDS(missed=case.seeds[0], seeds=case.seeds[1])
        seeds = HuntRunTexts.MISSES_SEEDS(objective=case.goal, seeds=of_seeds)
        lines = [f"{case.sentence}.", f"{seeds} {how_often(case.a_year).capitalize()}.", *case.because[:2]]
        return "".join(f"# {line}\n" for line in lines) + made.to_yaml()

    @property
    def verdict(self) -> list[str]:
        """What came out, a sentence each."""
        hunt = self.hunt
        tried = some(self.ran, "schedule")
        if not self.ran and not hunt.cases:
            return [HuntRunTexts.NONE_TRIED(objectives=", ".join(map(str, self.loaded.goals)))]
        if not hunt.cases:
            held = ", ".join(str(goal) for goal in self.loaded.goals if goal not in self.unknown)
            return [*([HuntRunTexts.NONE_MISSES(tried=tried, objectives=held)] if held else []), *self._unmeasured()]
        failing = sum(bool(case.failure) for case in hunt.cases)
        failed = [HuntRunTexts.RUNS_FAILED(cases=some(failing, "case"))] if failing else []
        shares = [
            HuntRunTexts.MISSED_BY_CHANCE(
                percent=100 * hunt.random_missed[str(goal)] / hunt.random_judged[str(goal)], objective=goal
            )
            for goal in hunt.goals
            if hunt.random_missed[str(goal)]
        ]
        cases = HuntRunTexts.TRIED(schedules=tried, cases=some(len(hunt.cases), "case"))
        return [cases, *shares, *self._unmeasured(), *failed]

    @property
    def unknown(self) -> list[Goal]:
        """Goals that none of the schedules that were run could measure."""
        return [goal for goal in self.loaded.goals if self.ran and self.hunt.unmeasured[str(goal)] >= self.ran]

    def _unmeasured(self) -> list[str]:
        """What schedules that were run could not measure, a sentence an objective."""
        counts, tried = self.hunt.unmeasured, some(self.ran, "schedule")
        return [
            HuntRunTexts.NEVER_MEASURED(measure=goal.measure, objective=goal)
            if goal in self.unknown
            else HuntRunTexts.NOT_MEASURED_IN(
                unmeasured=counts[str(goal)], tried=tried, measure=goal.measure, objective=goal
            )
            for goal in self.loaded.goals
            if counts[str(goal)]
        ]

    @property
    def not_run(self) -> str:
        """How many schedules the scenario cannot have, and why, the most frequent reasons first; empty if none."""
        found = self.hunt.refused.most_common()
        if not found:
            return ""
        whys = [HuntRunTexts.REASON(why=why, count=count) for why, count in found[:REASONS]]
        others = sum(count for _, count in found[REASONS:])
        whys += [HuntRunTexts.OF_OTHER_REASONS(count=others)] if others else []
        schedules = some(self.hunt.refused.total(), "schedule")
        return HuntRunTexts.NOT_RUN(schedules=schedules, whys=joined("; ", whys))

    @property
    def left_out(self) -> list[str]:
        """What the scenario cannot have although there is somebody to strike: a sentence for each reason."""
        found: dict[str, list[str]] = {}
        for one in self.loaded.space.left_out:
            if one.places:
                places = places_text(one.target, one.places)
                found.setdefault(one.why, []).append(HuntRunTexts.LEFT_OUT_KIND(kind=one.kind, places=places))
        return [HuntRunTexts.LEFT_OUT(what=joined(", ", kinds), why=why) for why, kinds in found.items()]

    @property
    def goals(self) -> list[Goal]:
        """The goals of the hunt, and that the simulator runs where it once did not."""
        return [*self.loaded.goals, *([RUNS] if any(case.failure for case in self.cases) else [])]

    @property
    def never_reached(self) -> list[str]:
        """States that matter and that no schedule reached."""
        return [name for name in STATES if name not in self.hunt.marks]

    def as_json(self) -> dict[str, Any]:
        """Everything as plain values (docs/hunting.md)."""
        hunt = self.hunt
        return {
            "name": self.loaded.name, "objectives": list(map(str, self.loaded.goals)), "seed": hunt.seed,
            "strategy": hunt.strategy, "schedules": hunt.done, "random_schedules": hunt.random_done,
            "runs": self.runs, "messages": self.messages, "took_s": round(self.took_s, 1),
            "interrupted": self.interrupted, "verdict": self.verdict,
            "missed": dict(hunt.missed), "random_missed": dict(hunt.random_missed),
            "unmeasured": dict(hunt.unmeasured),
            "states": dict(hunt.marks.most_common()), "never_reached": self.never_reached,
            "refused": dict(hunt.refused), "left_out": [one._asdict() for one in self.loaded.space.left_out],
            "corpus": dict(self.corpus), "cases": [one.as_json() for one in self.cases],
        }  # fmt: skip


REASONS = 4  # of schedules that cannot be run, each with its number
NAMES = 4  # of places
STATES = (
    "failures", "losses", "retries", "duplicates", "waits", "isolation", "several isolated", "fallback", "no owner",
    "two owners", "skipped", "missed", "consumed again", "dead letters", "election", "expiry",
)  # fmt: skip


def places_text(target: str, places: Sequence[Value]) -> str:
    """Places as a scenario names them: `broker: broker-a, broker-b`."""
    names = f"{target.replace('_', ' ')}: {', '.join(map(str, places[:NAMES]))}"
    return names if len(places) <= NAMES else HuntRunTexts.MORE_PLACES(names=names, count=len(places) - NAMES)


def run_hunt(loaded: LoadedHunt, asked: HuntAsked, out: Path | None, console: Console) -> HuntResult:
    """Hunt, and write what comes out to the folder `out`, if there is one: each case as it is found, so that neither
    Ctrl-C nor a kill loses one.

    Raises InputError (the folder is another's, or in use) and EnvironmentProblem (cannot be written, or what runs the
    schedules ended before a case was found; the result has one that came later).
    """
    folder = None if out is None else HuntFolder(out)
    wanted = identity(loaded, asked.seed, asked.strategy)
    try:
        with nullcontext() if folder is None else folder.claimed(wanted, fresh=asked.fresh):
            result = _run_claimed(loaded, asked, folder, console)
    except OSError as error:
        raise disk_problem(error, out or Path()) from error
    return result


def _run_claimed(loaded: LoadedHunt, asked: HuntAsked, folder: HuntFolder | None, console: Console) -> HuntResult:
    memory = Remembered(None if folder is None else folder.outcomes)
    known = memory.read()
    if known:
        console.print(HuntRunTexts.THERE_ALREADY(runs=some(known, "run")), style="dim", highlight=False)
    stop, log = StopSignals(), Path(tempfile.gettempdir()) if folder is None else folder.path
    with stop.listening(), asked.running(log, stop) as engine:
        text = loaded.scenario.to_yaml()
        wanted = list(dict.fromkeys(name for goal in loaded.goals for name in goal.needs()))
        runs = HuntRuns(text, wanted, memory, stop.asked, engine)
        result = _hunted(loaded, asked, runs, stop.asked, console, folder)
    memory.close()
    if folder is not None:
        folder.write_cases({case.name: result.scenario_of(case) for case in result.cases})
        folder.write_result(result.as_json())
    if asked.corpus is not None:
        result.added = add_to_corpus(asked.corpus, result.cases)
    return result


def _hunted(
    loaded: LoadedHunt, asked: HuntAsked, runs: HuntRuns, stop: threading.Event, console: Console,
    folder: HuntFolder | None,
) -> HuntResult:  # fmt: skip
    def keep(case: FoundCase) -> None:
        if folder is not None:
            folder.write_case(case.name, result.scenario_of(case))
        progress.found(case)

    progress = HuntProgress(console)
    hunt = Hunt(loaded.scenario, loaded.space, loaded.goals, runs, asked.seed, asked.strategy, on_case=keep)
    corpus = {} if asked.corpus is None else read_corpus(asked.corpus, loaded.space)
    result = HuntResult(loaded, hunt, 0, 0, 0.0)
    began = time.monotonic()
    try:
        hunt.begin([*corpus.values()])
        result.corpus = {name: _now(loaded, runs, schedule) for name, schedule in corpus.items()}
        while not _is_over(hunt, asked, began):
            hunt.step(None if asked.schedules is None else asked.schedules - hunt.done)
            progress.show(hunt, runs)
        _prove(hunt, runs)
    except HuntStopped:
        result.interrupted = True
    except EnvironmentProblem as problem:
        if not hunt.cases:
            raise
        result.interrupted, result.problem = True, problem
    finally:
        progress.close()
    result.interrupted = result.interrupted or stop.is_set()
    result.runs, result.messages, result.took_s = runs.runs, runs.messages, time.monotonic() - began
    return result


def _prove(hunt: Hunt, runs: HuntRuns) -> None:
    """Give the cases what is proven of them."""
    run = [case for case in hunt.cases if not case.failure]
    for case, because in zip(run, runs.causes([case.schedule for case in run]), strict=True):
        case.because = because


def _now(loaded: LoadedHunt, runs: HuntRuns, schedule: Any) -> str:
    """What became of a schedule of the corpus: missed, held, or why that is not known."""
    outcome = runs([schedule])[0]
    if outcome.refused or outcome.missed([*loaded.goals, RUNS]):
        return outcome.refused or "missed"
    unmeasured = [goal.measure for goal in loaded.goals if not outcome.shows(goal)]
    return HuntRunTexts.NOT_MEASURED(measures=", ".join(unmeasured)) if unmeasured else "held"


def _is_over(hunt: Hunt, asked: HuntAsked, began: float) -> bool:
    if not hunt.goals:
        return True
    if asked.schedules is not None and hunt.done >= asked.schedules:
        return True
    # compiling alone may take longer than was asked for, and a hunt without a schedule says nothing
    return asked.seconds is not None and hunt.done > 0 and time.monotonic() - began >= asked.seconds
