"""What is known of an experiment so far, and which runs it wants next: pure, whoever does the runs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from simulator.experiments.experiment_file import LoadedExperiment
from simulator.experiments.experiment_measures import MEASURES, plain
from simulator.experiments.intervals import Interval, difference, interval
from simulator.experiments.objective import Objective
from simulator.experiments.search import Search, search
from simulator.scenario import Scenario

UNDECIDED_FACTOR = 4  # an undecided step of a search gets this many times the runs, before it counts as missed
GROWTH = 1.5  # runs of an arm grow by this factor while its intervals are too wide

Measured = Mapping[str, float]


@dataclass(frozen=True)
class RunKey:
    """One run of an experiment."""

    arm: str
    seed: int


@dataclass
class Study:
    """An experiment under way. `values`: arm -> seed -> measure -> value."""

    loaded: LoadedExperiment
    values: dict[str, dict[int, Measured]] = field(default_factory=dict)
    _searched: dict[str, Scenario] = field(default_factory=dict)

    def take(self, arm: str, seed: int, measured: Measured) -> None:
        """Note what a run measured."""
        self.values.setdefault(arm, {})[seed] = measured

    def scenario(self, arm: str) -> Scenario:
        """The scenario of an arm or of a searched value, with the first seed."""
        if arm in self.loaded.arms:
            return self.loaded.arms[arm]
        if arm not in self._searched:
            self._searched[arm] = self.loaded.searched(arm.partition("=")[2])
        return self._searched[arm]

    def scenario_of_run(self, arm: str, seed: int) -> Scenario:
        """The scenario of one run, with its own seed: who is elected, and whom a fault strikes, hang on that."""
        return self.scenario(arm).model_copy(update={"seed": seed})

    def seeds(self, arm: str, runs: int) -> list[int]:
        """The seeds of an arm's first runs: all arms share them."""
        first = self.scenario(arm).seed
        return [first + number for number in range(runs)]

    def runs_of(self, arm: str) -> dict[int, Measured]:
        """What is known of an arm, by seed, in the order of the seeds, without gaps."""
        known = self.values.get(arm, {})
        seeds = self.seeds(arm, len(known))
        return {seed: known[seed] for seed in seeds if seed in known}

    def wanted(self) -> list[RunKey]:
        """The runs to do next, the seeds in turn over the arms; empty when the experiment has its answer."""
        missing = self._missing({arm: self._runs_wanted(arm) for arm in self.loaded.arms})
        return missing or self._missing(self._search_wants())

    def _missing(self, runs: Mapping[str, int]) -> list[RunKey]:
        most = max(runs.values(), default=0)
        seeds = {arm: self.seeds(arm, count) for arm, count in runs.items()}
        keys = [RunKey(arm, own[i]) for i in range(most) for arm, own in seeds.items() if i < len(own)]
        return [key for key in keys if key.seed not in self.values.get(key.arm, {})]

    def _runs_wanted(self, arm: str) -> int:
        experiment, known = self.loaded.experiment, len(self.runs_of(arm))
        precision = experiment.precision
        if precision is None or known < experiment.runs_at_first:
            return experiment.runs_at_first
        if not self.too_wide(arm) or known >= precision.runs:
            return known
        return min(max(int(known * GROWTH), known + 2), precision.runs)

    def too_wide(self, arm: str) -> list[str]:
        """The measures of an arm whose intervals are wider than the asked precision."""
        precision = self.loaded.experiment.precision
        found = []
        for name, (width, relative) in (precision.widths if precision is not None else {}).items():
            own = self.interval(arm, name)
            if own is None or own.half_width > (abs(own.mean) * width / 100 if relative else width):
                found.append(name)
        return found

    def column(self, arm: str, measure: str) -> list[float]:
        """The values of a measure, one a run that has it."""
        return [run[measure] for run in self.runs_of(arm).values() if measure in run]

    def measures(self, arm: str) -> list[str]:
        """The measures that some run of an arm has, in the order of MEASURES."""
        return list(dict.fromkeys(name for run in self.runs_of(arm).values() for name in run))

    def interval(self, arm: str, measure: str, confidence: float | None = None) -> Interval | None:
        """The interval of a measure of an arm over the runs that have it, None if none has."""
        values, about = self.column(arm, measure), MEASURES[plain(measure)]
        if not values:
            return None
        bracket = measure[len(plain(measure)) :]
        per = about.per + bracket
        exposure = [run[per] for run in self.runs_of(arm).values() if measure in run and per in run]
        sure = self.loaded.experiment.confidence if confidence is None else confidence
        return interval(values, about.kind, sure, exposure, about.scale)

    def unmeasured(self, arm: str, measure: str) -> int:
        """How many runs of an arm could not be measured by a measure."""
        return len(self.runs_of(arm)) - len(self.column(arm, measure))

    def difference(self, arm: str, measure: str) -> Interval | None:
        """The interval of an arm's differences to the base, paired by seed.

        None if they share no run that could be measured, or if one could be in one of both arms only.
        """
        ours, theirs = self.runs_of(arm), self.runs_of(self.loaded.experiment.base_arm)
        shared = [seed for seed in ours if seed in theirs]
        both = [seed for seed in shared if measure in ours[seed] and measure in theirs[seed]]
        if not both or any((measure in ours[seed]) != (measure in theirs[seed]) for seed in shared):
            return None
        kind, sure = MEASURES[plain(measure)].kind, self.loaded.experiment.confidence
        return difference([ours[s][measure] for s in both], [theirs[s][measure] for s in both], kind, sure)

    def holds(self, arm: str, objectives: Iterable[Objective], confidence: float | None = None) -> bool | None:
        """Whether all objectives are shown to hold; False if one is shown not to; None if these runs cannot tell.

        Runs that could not be measured by an objective cannot tell.
        """
        verdicts = []
        for objective in objectives:
            found = self.interval(arm, objective.measure, confidence)
            is_whole = found is not None and not self.unmeasured(arm, objective.measure)
            verdicts.append(objective.holds(found) if found is not None and is_whole else None)
        return False if False in verdicts else None if None in verdicts else True

    def searched_arm(self, value: str) -> str:
        """The name of the arm that a searched value makes."""
        find = self.loaded.experiment.find
        assert find is not None
        return f"{find.key}={value}"

    def search(self) -> Search | None:
        """Where the search stands, None if nothing is searched."""
        find = self.loaded.experiment.find
        if find is None:
            return None
        values = find.values()

        def known(number: int) -> bool | None:
            arm = self.searched_arm(values[number])
            if len(self.runs_of(arm)) < self._runs_of_step(arm):
                return None
            return self.holds(arm, find.such_that, find.confidence) is True

        return search(len(values), known, smallest=find.smallest is not None)

    def _runs_of_step(self, arm: str) -> int:
        experiment, known = self.loaded.experiment, len(self.runs_of(arm))
        find, first = experiment.find, experiment.runs_at_first
        limit = experiment.precision.runs if experiment.precision is not None else UNDECIDED_FACTOR * first
        if find is None or known < first:
            return first
        undecided = self.holds(arm, find.such_that, find.confidence) is None
        return min(2 * known, limit) if undecided and known < limit else known

    def _search_wants(self) -> dict[str, int]:
        state, find = self.search(), self.loaded.experiment.find
        if state is None or find is None:
            return {}
        arms = [self.searched_arm(find.values()[number]) for number in state.wanted]
        return {arm: self._runs_of_step(arm) for arm in arms}

    def found_arm(self) -> str | None:
        """The arm of the search's answer, None without one."""
        state, find = self.search(), self.loaded.experiment.find
        if state is None or find is None or state.wanted or state.answer is None:
            return None
        return self.searched_arm(find.values()[state.answer])

    def all_arms(self) -> Sequence[str]:
        """The arms that were asked for, then the searched values in the order in which they were tried."""
        state, find = self.search(), self.loaded.experiment.find
        tried = [self.searched_arm(find.values()[number]) for number in state.tried] if state and find else []
        return [*self.loaded.arms, *(arm for arm in tried if arm not in self.loaded.arms)]

    def shown_arms(self) -> list[str]:
        """The arms to hold beside each other: those that were asked for, a search's answer and the value beside it."""
        state, find, arms = self.search(), self.loaded.experiment.find, list(self.loaded.arms)
        if state is not None and find is not None and not state.wanted:
            values, outward = find.values(), -1 if find.smallest else 1
            easiest = len(values) - 1 if find.smallest else 0
            shown = [easiest] if state.answer is None else [state.answer, state.answer + outward]
            arms += [self.searched_arm(values[number]) for number in shown if number in state.tried]
        return [arm for arm in dict.fromkeys(arms) if self.runs_of(arm)]
