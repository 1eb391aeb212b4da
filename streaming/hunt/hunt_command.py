"""`sendlab hunt`: search for the schedule of faults under which a scenario misses its objectives."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console

from simulator.hunt.cases.case_words import how_often
from simulator.hunt.hunt_file import LoadedHunt, load_hunt, load_rates
from simulator.hunt.hunt_search import STRATEGIES
from simulator.plan.compile import slug
from simulator.units import parse_duration_us
from state.texts import at, joined, listed, sentence_of
from streaming.errors import InputError, Interrupted
from streaming.files.whole_file import check_writable, write_text_whole
from streaming.hunt.hunt_junit import hunt_junit
from streaming.hunt.hunt_page import write_hunt_page
from streaming.hunt.run_hunt import HuntAsked, HuntResult, run_hunt
from streaming.installation.conf_files import conf_folder
from streaming.jobs.asked import folder_asked
from streaming.options.changes import checked_choice, overrides_of
from streaming.options.engine_choice import ENGINES, PLAIN, SPARK
from streaming.own_policies.settled import settle
from streaming.spark.java import require_spark
from streaming.spark.master import master_asked
from streaming.texts.experiment_texts import ExperimentTexts
from streaming.texts.hunt_run_texts import HuntRunTexts

RATES = "fault-rates.yaml"
SECONDS = 60.0  # of a hunt without an end
FOUND, NOT_MEASURED = 1, 4
CASES_PRINTED = 12


@dataclass(frozen=True)
class HuntOptions:
    """What the command line asks, as it was given."""

    path: Path
    objectives: Sequence[str] = ()
    schedules: int | None = None
    duration: str | None = None
    at_most: int | None = None
    seed: int = 1
    strategy: str = STRATEGIES[0]
    rates: Path | None = None
    corpus: Path | None = None
    out: Path | None = None
    changes: Sequence[str] = ()
    cores: int | None = None
    fresh: bool = False
    junit: Path | None = None
    engine: str | None = None
    master: str | None = None

    def asked(self) -> HuntAsked:
        """How far it goes, and what runs it. Raises InputError, and EnvironmentProblem without Spark or Java."""
        engine = self._engine()
        checked_choice(self.strategy, STRATEGIES, f"--strategy {self.strategy}")
        seconds = None if self.duration is None else seconds_asked(self.duration, "--for")
        if seconds is None and self.schedules is None:
            seconds = SECONDS
        return HuntAsked(self.schedules, seconds, self.seed, self.strategy, self.cores, self.corpus, self.fresh,
                         engine=engine, master=self.master)  # fmt: skip

    def _engine(self) -> str:
        """Plain, unless Spark or its master is named: one machine's cores need no Spark."""
        engine = self.engine or (PLAIN if self.master is None else SPARK)
        checked_choice(engine, ENGINES, f"--engine {engine}")
        if engine == PLAIN:
            if self.master is not None:
                raise InputError(ExperimentTexts.MASTER_WITHOUT_SPARK())
            return engine
        if self.cores is not None:
            raise InputError(HuntRunTexts.CORES_OF_PLAIN(cores=self.cores).at(f"--cores {self.cores}"))
        if self.master is not None:
            master_asked(self.master, "--master")
        require_spark()
        return engine

    def loaded(self) -> LoadedHunt:
        """The hunt. Raises ScenarioError."""
        rates = load_rates(self.rates or conf_folder() / RATES)
        given = overrides_of(self.changes)
        return load_hunt(self.path, rates, given=given, objectives=self.objectives, most=self.at_most)


def seconds_asked(text: str, where: str) -> float:
    """Seconds of a duration. Raises InputError."""
    try:
        found = parse_duration_us(text)
    except ValueError as error:
        raise InputError(at(f"{where} {text}", sentence_of(error))) from None
    if found <= 0:
        raise InputError(HuntRunTexts.DURATION_EXPECTED().at(f"{where} {text}"))
    return found / 1e6


def hunt_command(options: HuntOptions, console: Console) -> int:
    """Hunt, print and write what was found: exit code 0 (nothing), 1, or 4 where nothing was measured.

    Raises Interrupted after Ctrl-C, and EnvironmentProblem once what was found is written.
    """
    asked, junit = options.asked(), options.junit
    if junit is not None:
        check_writable(junit)
    settle(options.path, options.changes)
    loaded = options.loaded()
    name = Path("out") / f"hunt-{slug(loaded.name)}"
    out = name if options.out is None else folder_asked(options.out, "--out")
    result = run_hunt(loaded, asked, out, console)
    page = write_hunt_page(result, out)
    if junit is not None:
        write_text_whole(junit, hunt_junit(result))
    tell(result, out, console)
    console.print(HuntRunTexts.PAGE(file=page), markup=False, highlight=False, soft_wrap=True)
    if result.problem is not None:
        raise result.problem
    if result.interrupted:
        raise Interrupted(HuntRunTexts.STOPPED())
    if not result.cases and not result.ran:
        ((why, _),) = result.hunt.refused.most_common(1)
        raise InputError(HuntRunTexts.NONE_CAN_RUN(schedules=result.hunt.refused.total(), why=why))
    if result.cases:
        return FOUND
    return NOT_MEASURED if result.unknown else 0


def tell(result: HuntResult, out: Path, console: Console) -> None:
    """Print what came out."""
    console.print()
    for sentence in result.verdict:
        console.print(sentence, style="bold", markup=False, highlight=False, soft_wrap=True)
    for case in result.cases[:CASES_PRINTED]:
        seeds = HuntRunTexts.SEEDS(missed=case.seeds[0], seeds=case.seeds[1])
        console.print(f"\n{case.sentence}", markup=False, highlight=False, soft_wrap=True)
        also = HuntRunTexts.ALSO_MISSES(objectives=listed(list(case.also))) if case.also else ""
        others = HuntRunTexts.OTHERS_MISS(objectives=listed(case.others)) if case.others else ""
        often = HuntRunTexts.FREQUENCY(seeds=seeds, often=how_often(case.a_year), also=joined("", [also, others]))
        console.print(f"  {often}", style="dim", markup=False, highlight=False, soft_wrap=True)
        file = out / "cases" / f"{case.name}.yaml"
        console.print(f"  sendlab run {file}", markup=False, highlight=False, soft_wrap=True)
    if len(result.cases) > CASES_PRINTED:
        more = HuntRunTexts.MORE_CASES(count=len(result.cases) - CASES_PRINTED)
        console.print(f"\n{more}")
    if result.corpus:
        held = sum(one == "held" for one in result.corpus.values())
        corpus = HuntRunTexts.CORPUS_HELD(held=held, schedules=len(result.corpus))
        console.print(f"\n{corpus}", highlight=False)
    for sentence in [*result.left_out, *([f"{result.not_run}."] if result.not_run else [])]:
        console.print(f"\n{sentence}", style="dim", markup=False, highlight=False, soft_wrap=True)
    if result.never_reached:
        never = HuntRunTexts.NEVER_REACHED(states=", ".join(result.never_reached))
        console.print(f"\n{never}", style="dim", markup=False, highlight=False, soft_wrap=True)
