"""How candidates stand to each other: what is compared, who is beaten in everything, and the few that are not."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from simulator.advice.advice_texts import AdviceTexts
from simulator.advice.candidates import AS_IT_IS
from simulator.advice.trial import Trial, arm_name
from simulator.experiments.intervals import Interval, difference, interval, shows
from simulator.experiments.study import Study
from simulator.scenario import Scenario

MOST_PICKED = 5
PART = 0.02
WORTH_A_CHOICE = 0.25  # the best by a criterion is one of the few if it is better by that part than those named before
HARMLESS = AdviceTexts.HARMLESS()


@dataclass(frozen=True)
class Criterion:
    """A figure that a candidate is judged by; less is better. `least`: a difference below it matters to nobody,
    nor one below PART of the greater figure. `is_rare`: per cent of messages, so that none in these runs is not never.
    """

    name: str
    title: str
    unit: str
    best: str  # what the candidate is called that has the least
    least: float
    of: Callable[[Mapping[str, float]], float | None]
    is_rare: bool = False


def _measure(name: str) -> Callable[[Mapping[str, float]], float | None]:
    return lambda run: run.get(name)


def _duplicates_percent(run: Mapping[str, float]) -> float | None:
    """Copies beyond the first, of all messages."""
    if "copies_per_message" not in run:
        return None
    without_copy = run["lost"] + run["lost_unseen"] + run["not_stored"]
    return max(round(100 * (run["copies_per_message"] - 1 + without_copy / run["messages"]), 9), 0.0)


CRITERIA = (
    Criterion("failed_percent", "failed", "%", "fewest failures", 0.001, _measure("failed_percent"), is_rare=True),
    Criterion("p99_ms", "p99", "ms", "lowest p99", 1.0, _measure("p99_ms")),
    Criterion(
        "duplicates_percent", "duplicates", "%", "fewest duplicates", 0.001, _duplicates_percent, is_rare=True,
    ),
    Criterion("max_queue_share_percent", "busiest queue", "%", "most even load", 0.1,
              _measure("max_queue_share_percent")),
)  # fmt: skip


class WorseIn(NamedTuple):
    """A figure that measured worse in a situation, and whether its runs show it."""

    situation: str
    criterion: Criterion
    is_shown: bool


def group_criteria(group: str) -> tuple[Criterion, ...]:
    """What settings of a consumer group are judged by."""
    rows = (
        ("consumed_twice_percent", "consumed twice", "%", "fewest consumed twice", 0.001),
        ("end_to_end_p99_ms", "end-to-end p99", "ms", "lowest p99", 1.0),
        ("lag_max", "greatest lag", "messages", "smallest backlog", 10.0),
    )
    return tuple(Criterion(*row, _measure(f"{row[0]}[{group}]")) for row in rows)


def _of_groups(run: Mapping[str, float], name: str) -> list[float]:
    """A measure of every consumer group that has it."""
    return [value for measure, value in run.items() if measure.startswith(f"{name}[")]


def _lost_percent(run: Mapping[str, float]) -> float | None:
    return round(100 * run["lost"] / run["messages"], 9) if "lost" in run else None


def _skipped_percent(run: Mapping[str, float]) -> float | None:
    """Skips of all groups, in per cent of the messages."""
    found = _of_groups(run, "skipped")
    return round(100 * sum(found) / run["messages"], 9) if found and run.get("messages") else None


def _latest(run: Mapping[str, float]) -> float | None:
    return max(_of_groups(run, "end_to_end_p99_ms"), default=None)


def replica_criteria(scenario: Scenario) -> tuple[Criterion, ...]:
    """What settings of replica sets are judged by: skipped and late messages where there are consumers."""
    lost = Criterion("lost_percent", "lost", "%", "fewest lost", 0.001, _lost_percent, is_rare=True)
    skipped = Criterion("skipped_percent", "skipped", "%", "fewest skipped", 0.001, _skipped_percent, is_rare=True)
    late = Criterion("end_to_end_p99_ms", "end-to-end p99", "ms", "lowest p99 until consumed", 1.0, _latest)
    failed, p99, *_ = CRITERIA
    gone = Criterion("no_master_s", "without a master", "s", "shortest without a master", 1.0, _measure("no_master_s"))
    return (lost, p99, failed, gone, *((skipped, late) if scenario.consumers else ()))


@dataclass
class Standing:
    """Candidates of a trial by what its runs measured."""

    trial: Trial
    study: Study

    @cached_property
    def criteria(self) -> Sequence[Criterion]:
        """What candidates are judged by: figures of the producers, of a group, or of replica sets."""
        if self.trial.replicas:
            return replica_criteria(self.trial.scenario)
        return CRITERIA if self.trial.group is None else group_criteria(self.trial.group)

    def runs(self, candidate: str, criterion: Criterion, situation: str | None = None) -> dict[int, float]:
        """A criterion by seed, in a situation or as the mean of all of them; seeds that all situations have."""
        found = []
        for name in self._names(situation):
            runs = self.study.runs_of(arm_name(candidate, name))
            values = {seed: criterion.of(run) for seed, run in runs.items()}
            found.append({seed: value for seed, value in values.items() if value is not None})
        both = set.intersection(*map(set, found)) if found else set()
        return {seed: sum(each[seed] for each in found) / len(found) for seed in sorted(both)}

    def figure(self, candidate: str, criterion: Criterion, situation: str | None = None) -> Interval | None:
        """A criterion of a candidate with its interval."""
        values = self.runs(candidate, criterion, situation)
        if criterion.is_rare and values and not any(values.values()):
            sent = [self._fewest_sent(candidate, seed, situation) for seed in values]
            return interval([0.0] * len(sent), "events", self.confidence, sent, scale=100)
        return interval(list(values.values()), "mean", self.confidence) if values else None

    def _fewest_sent(self, candidate: str, seed: int, situation: str | None) -> float:
        """Messages of a seed's runs, as if each situation had no more than the one with the fewest."""
        names = self._names(situation)
        return len(names) * min(self.study.runs_of(arm_name(candidate, name))[seed]["messages"] for name in names)

    def _names(self, situation: str | None) -> list[str]:
        return [situation] if situation is not None else [one.name for one in self.trial.situations]

    def apart(self, one: str, other: str, criterion: Criterion, situation: str | None = None) -> Interval | None:
        """By how much the criterion of one candidate is more than another's, paired by seed."""
        ours, theirs = self.runs(one, criterion, situation), self.runs(other, criterion, situation)
        both = [seed for seed in ours if seed in theirs]
        if not both:
            return None
        return difference([ours[s] for s in both], [theirs[s] for s in both], "mean", self.confidence)

    @property
    def confidence(self) -> float:
        """Of all intervals."""
        return float(self.study.loaded.experiment.confidence)

    def side(self, one: str, other: str, criterion: Criterion, situation: str | None = None) -> int:
        """-1: one is shown to be better than the other; 1: it measured worse, shown or not; 0: nothing that matters, or
        the criterion is not compared.
        """
        if criterion not in self.compared:
            return 0
        found, own = self.apart(one, other, criterion, situation), self.figure(other, criterion, situation)
        if found is None or own is None:
            return 0
        if abs(found.mean) < max(criterion.least, PART * max(own.mean, own.mean + found.mean)):
            return 0
        return 1 if found.mean > 0 else -1 if shows(found) else 0

    def worse(self, one: str, other: str) -> list[WorseIn]:
        """The figures and situations in which one measured worse than another."""
        found = []
        for situation in self._names(None):
            for criterion in self.criteria:
                if self.side(one, other, criterion, situation) == 1:
                    apart = self.apart(one, other, criterion, situation)
                    found.append(WorseIn(situation, criterion, apart is not None and shows(apart)))
        return found

    def beats(self, one: str, other: str) -> bool:
        """Whether one is shown to be better than the other in something, measured worse in no mean of the situations,
        and is not shown to be worse in any of them.
        """
        sides = {self.side(one, other, criterion) for criterion in self.criteria}
        return -1 in sides and 1 not in sides and not any(found.is_shown for found in self.worse(one, other))

    @cached_property
    def known(self) -> list[str]:
        """The candidates of which some seed was run in every situation, fewest changes first."""
        run = [name for name in self.trial.candidates if self.seeds(name)]
        return sorted(run, key=lambda name: len(self.trial.candidates[name].changes))

    def seeds(self, candidate: str) -> set[int]:
        """The seeds that were run in every situation."""
        return set.intersection(*(set(self.study.runs_of(arm_name(candidate, name))) for name in self._names(None)))

    @cached_property
    def unmeasured(self) -> list[Criterion]:
        """What could not be measured of some candidate in every situation: nobody is better or worse in it."""
        return [one for one in self.criteria if any(self.figure(name, one) is None for name in self.known)]

    @cached_property
    def compared(self) -> list[Criterion]:
        """What every candidate has a figure of."""
        return [one for one in self.criteria if one not in self.unmeasured]

    @cached_property
    def beaten_by(self) -> dict[str, str]:
        """Who beats a candidate, or is its equal with fewer changes; a candidate that is missing is not beaten."""
        return self._beaten(self.known)

    def _beaten(self, names: Sequence[str]) -> dict[str, str]:
        """The same among those candidates alone, fewest changes first."""
        found: dict[str, str] = {}
        for place, name in enumerate(names):
            rivals = [other for other in names if other != name and self.beats(other, name)]
            alike = [other for other in names[:place] if other not in found and self._alike(name, other)]
            if rivals or alike:
                found[name] = min(rivals, key=self._place) if rivals else alike[0]
        return found

    def _alike(self, one: str, other: str) -> bool:
        """Whether neither measured worse than the other in anything, shown or not."""
        both = ((one, other), (other, one))
        return not any(self.side(*pair, criterion) for pair in both for criterion in self.criteria)

    def _place(self, name: str) -> float:
        return self.ranks[name]

    @cached_property
    def ranks(self) -> dict[str, float]:
        """Sum of a candidate's places by each criterion that is compared: the least is the most balanced."""
        sums = dict.fromkeys(self.known, 0.0)
        for criterion in self.compared:
            means = {name: self._mean(name, criterion) for name in self.known}
            order = sorted(set(means.values()))
            for name, mean in means.items():
                sums[name] += order.index(mean)
        return sums

    def _mean(self, name: str, criterion: Criterion) -> float:
        found = self.figure(name, criterion)
        assert found is not None  # as of every criterion that is compared
        return found.mean

    def unbeaten(self) -> list[str]:
        """The candidates that nobody beats, the most balanced first."""
        found = [name for name in self.known if name not in self.beaten_by]
        return sorted(found, key=self._place)

    def holds(self, name: str) -> bool | None:
        """Whether a candidate is shown to hold every objective in every situation; None if these runs cannot tell."""
        objectives = self.study.loaded.experiment.objectives
        held = [self.study.holds(arm_name(name, one.name), objectives) for one in self.trial.situations]
        return False if False in held else None if None in held else True

    def _bounded(self, pool: Sequence[str]) -> list[str]:
        """Those of which every figure has an end in all runs. Where none has, those that are as good as now in all.

        A group that does not work off its backlog can do well in another figure just because it does less.
        """
        found = [name for name in pool if not any(self._has_no_end(name, one) for one in self.criteria)]
        return found or [n for n in pool if not any(self.side(n, AS_IT_IS, one) == 1 for one in self.criteria)]

    def _has_no_end(self, name: str, criterion: Criterion) -> bool:
        return any(map(math.isinf, self.runs(name, criterion).values()))

    def picked(self) -> dict[str, list[str]]:
        """The few to choose among, by name, with what each is best in; of those that hold the objectives, if any do."""
        pool = self.unbeaten()
        if self.study.loaded.experiment.objectives and (fulfilling := [n for n in self.known if self.holds(n)]):
            beaten = self._beaten(fulfilling)
            pool = sorted((name for name in fulfilling if name not in beaten), key=self._place)
        pool = self._bounded(pool)
        if not pool or not self.compared:
            return {}
        found: dict[str, list[str]] = {}
        harmless = [name for name in pool if self.beats(name, AS_IT_IS)]
        if harmless:
            found[harmless[0]] = [HARMLESS]
        found.setdefault(pool[0], []).append("most balanced")
        for criterion in self.compared:
            best = min(pool, key=lambda name: (self._mean(name, criterion), self._place(name)))
            if math.isinf(self._mean(best, criterion)):
                continue
            least = min(self._mean(name, criterion) for name in found)
            if best in found or self._mean(best, criterion) < (1 - WORTH_A_CHOICE) * least:
                found.setdefault(best, []).append(criterion.best)
        return dict(list(found.items())[:MOST_PICKED])
