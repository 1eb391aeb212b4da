"""A hunt: generations of schedules are run, misses are sorted by their causes, and each new case is made small.

Pure: whoever does the runs gives their outcomes. The same space, goals and seed give the same hunt.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from simulator.hunt.cases.found_case import FoundCase, likely_a_year
from simulator.hunt.drawn_values import Value
from simulator.hunt.goal import RUNS, Goal
from simulator.hunt.hunt_search import GENERATION, GUIDED, HuntSearch
from simulator.hunt.schedule import Schedule
from simulator.hunt.schedule_outcome import HuntOutcome
from simulator.hunt.shrink import Shrinking
from simulator.hunt.space import HuntSpace
from simulator.scenario import Scenario

CALM = Schedule()
OTHER_SEEDS = 4  # in which a case is run again

# Gives the outcome of each of some schedules, in order.
Runs = Callable[[Sequence[Schedule]], list[HuntOutcome]]
Missed = tuple[int, Schedule, Goal]  # number of the schedule, what is left of it, what it misses


@dataclass
class Hunt:
    """A hunt under way. done: schedules; by goal, how many of them missed it (`missed`), show that it is missed or
    holds (`judged`), or could be run and show neither (`unmeasured`); random_: of the random ones; marks: states that
    were reached.

    calm: the outcome without any added fault; goals: that it holds, all others are missed by the scenario itself.
    """

    scenario: Scenario
    space: HuntSpace
    goals: Sequence[Goal]
    runs: Runs
    seed: int = 1
    strategy: str = GUIDED
    on_case: Callable[[FoundCase], None] = lambda case: None
    done: int = 0
    random_done: int = 0
    cases: list[FoundCase] = field(default_factory=list)
    missed: Counter[str] = field(default_factory=Counter)
    judged: Counter[str] = field(default_factory=Counter)
    unmeasured: Counter[str] = field(default_factory=Counter)
    random_missed: Counter[str] = field(default_factory=Counter)
    random_judged: Counter[str] = field(default_factory=Counter)
    marks: Counter[str] = field(default_factory=Counter)
    refused: Counter[str] = field(default_factory=Counter)
    calm: HuntOutcome = field(default_factory=HuntOutcome)

    def __post_init__(self) -> None:
        self.search = HuntSearch(self.space, self.seed, self.strategy, self.holds_known)
        self._at = 0

    def begin(self, corpus: Sequence[Schedule] = ()) -> None:
        """Run the scenario as it is, then the schedules of a corpus, that a fixed case stays fixed."""
        self.calm = self.runs([CALM])[0]
        for goal in self.calm.missed([*self.goals, RUNS]):
            calm = self.calm
            self._add(FoundCase(0, goal, CALM, calm.values, 0, (), failure=calm.failure, at_least=calm.at_least))
        self.goals = [] if self.calm.failure else [one for one in self.goals if not self.calm.misses(one)]
        if corpus:
            found = self.runs(corpus)
            for place, (schedule, outcome) in enumerate(zip(corpus, found, strict=True)):
                for goal in outcome.missed(self.watched)[:1]:
                    self._add(self._case(place, schedule, goal, outcome, from_corpus=True))

    @property
    def watched(self) -> list[Goal]:
        """What schedules are held against: the goals, and that the simulator runs them."""
        return [*self.goals, RUNS]

    def step(self, most: int | None = None) -> None:
        """Run a generation of schedules; at most that many."""
        count = GENERATION if most is None else min(GENERATION, most)
        schedules = self.search.propose(count)
        origins = list(self.search.origins)
        outcomes = self.runs(schedules)
        misses: list[Missed] = []
        for number, (schedule, outcome, origin) in enumerate(zip(schedules, outcomes, origins, strict=True), self.done):
            missed = outcome.missed(self.watched)
            self._count(outcome, missed, is_random=origin != GUIDED)
            misses += [(number, schedule, goal) for goal in missed]
            if not missed and not outcome.refused:
                self._learn(schedule, outcome)
        self.done += count
        self._sort_out(misses)

    def _count(self, outcome: HuntOutcome, missed: Sequence[Goal], *, is_random: bool) -> None:
        self.marks.update(outcome.marks)
        judged = [] if outcome.refused else [str(RUNS), *(str(goal) for goal in self.goals if outcome.shows(goal))]
        self.missed.update(map(str, missed))
        self.judged.update(judged)
        if is_random:
            self.random_done += 1
            self.random_missed.update(map(str, missed))
            self.random_judged.update(judged)
        if outcome.refused:
            self.refused[outcome.refused] += 1
        elif not outcome.failure:
            self.unmeasured.update(str(goal) for goal in self.goals if not outcome.shows(goal))

    def _learn(self, schedule: Schedule, outcome: HuntOutcome) -> None:
        nearness = max((goal.nearness(outcome.values, self.calm.values) for goal in self.goals), default=0.0)
        signs = [sign for goal in self.goals for sign in goal.signs(outcome.values, self.calm.values)]
        self.search.take(schedule, outcome.marks, nearness, signs)

    def holds_known(self, schedule: Schedule) -> bool:
        """Whether a schedule holds a case, so that it may show nothing new."""
        return any(self._rest(case, schedule) is not None for case in self.cases)

    def _sort_out(self, misses: list[Missed]) -> None:
        """Count misses to known cases, and make a new case of each that is left when those are taken out."""
        while misses:
            known = [(one, self._known(one)) for one in misses]
            fresh = [one for one, case in known if case is None]
            rests = [(one, case) for one, case in known if case is not None]
            misses = self._after(rests)
            if fresh:
                self._shrink(fresh[0])
                misses = sorted([*misses, *fresh[1:]], key=lambda one: one[0])

    def _after(self, known: Sequence[tuple[Missed, FoundCase]]) -> list[Missed]:
        """What still misses when the part that is a known case is taken out."""
        rests = [rest for (_, schedule, _), case in known if (rest := self._rest(case, schedule)) is not None]
        outcomes = self.runs(rests)
        left = []
        for ((number, _, goal), case), rest, outcome in zip(known, rests, outcomes, strict=True):
            if outcome.misses(goal):
                left.append((number, rest, goal))
                continue
            case.met.add(number)
            case.meet(goal)
        return left

    def _known(self, missed: Missed) -> FoundCase | None:
        return next((case for case in self.cases if self._rest(case, missed[1]) is not None), None)

    def _rest(self, case: FoundCase, schedule: Schedule) -> Schedule | None:
        """A schedule without the strikes of a case, the longest of each, or without its settings if these are enough.

        None if it has not all of them.
        """
        left, own = sorted(schedule.strikes, key=lambda one: -one.length_us), self._settings(case)
        if not (case.pattern or own) or not own.items() <= dict(schedule.settings).items():
            return None
        for kind, role in case.pattern:
            fits = next((one for one in left if (one.kind, self.space.role(one)) == (kind, role)), None)
            if fits is None:
                return None
            left.remove(fits)
        kept = tuple(pair for pair in schedule.settings if case.pattern or pair[0] not in own)
        return Schedule(tuple(left), kept, schedule.dropped)

    def _settings(self, case: FoundCase) -> dict[str, Value]:
        """The settings of the space that a case has."""
        known = {key for key, _ in self.space.settings}
        return {key: value for key, value in case.schedule.settings if key in known}

    def _shrink(self, missed: Missed) -> None:
        number, schedule, goal = missed

        def still_misses(schedules: Sequence[Schedule]) -> list[bool]:
            return [outcome.misses(goal) for outcome in self.runs(schedules)]

        shrinking = Shrinking(self.space, self.scenario, schedule, still_misses)
        least = shrinking.run()
        case = self._case(number, least, goal, self.runs([least])[0])
        same = next((one for one in self.cases if self._is_same(one, case)), None)
        if same is None:
            self._add(case)
        else:
            same.met.add(number)
            same.meet(goal)

    def _is_same(self, one: FoundCase, other: FoundCase) -> bool:
        """Whether both are of the same faults; without any, of the same settings."""
        return one.pattern == other.pattern and bool(one.pattern or self._settings(one) == self._settings(other))

    def _case(
        self, number: int, schedule: Schedule, goal: Goal, outcome: HuntOutcome, *, from_corpus: bool = False
    ) -> FoundCase:
        seeds = [schedule.with_setting("seed", self.scenario.seed + more) for more in range(1, OTHER_SEEDS + 1)]
        again = sum(one.misses(goal) for one in self.runs(seeds))
        also = [str(one) for one in outcome.missed(self.goals) if one != goal]
        pattern = self.space.pattern(schedule.strikes)
        return FoundCase(
            0, goal, schedule, outcome.values, number, pattern, also, met={number}, seeds=(again + 1, OTHER_SEEDS + 1),
            a_year=likely_a_year(self.space, schedule.strikes), from_corpus=from_corpus, failure=outcome.failure,
            at_least=outcome.at_least,
        )  # fmt: skip

    def _add(self, case: FoundCase) -> None:
        case.number = len(self.cases) + 1
        self.cases.append(case)
        self.on_case(case)
