"""A figure over all runs of a prediction, and whether it is as recorded.

The tolerance is for what the model does not know. Where chance decides a figure, the model's own runs are further apart
than that: if more than one in twenty of them, taken for the recording, would be missed, then so would be a recording of
a perfectly known cluster. Such a figure is compared with the runs' distribution instead: the recording is one draw
more, and must lie within the central 95 % of the runs. Of n runs these are the k-th least to the k-th greatest with
k = (n + 1) / 40. Between them another draw of the same distribution lies with probability 1 - 2 k / (n + 1), whatever
the distribution. 199 runs make k a whole number, 5; with fewer than 79 runs it is the whole range.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from simulator.scenario import Scenario
from state.texts import joined
from streaming.proof.predictions.predict_scenario import with_seeds
from streaming.proof.predictions.prediction import Compared
from streaming.proof.texts.proof_texts import ProofTexts

RUNS = 20
CHANCE_RUNS = 199  # where chance decides a figure
BRANCH_SEEDS = 5  # so many times the runs that are wanted are simulated at most to have them on one branch
CHANCE_LEAST = 0.05  # of the runs out of the tolerance of what is typical of them
OUTSIDE_ONE_IN = 40  # draws of one distribution lies below its central 95 %, and one above

WITHIN, MISSED = "within tolerance", "missed"
INSIDE, OUTSIDE = "by chance: inside", "by chance: outside"


@dataclass(frozen=True)
class Predicted:
    """A figure over all runs: `typical` of them against the recording, and the figure of every run, rising."""

    typical: Compared
    of_runs: tuple[float, ...]

    @property
    def least(self) -> float:
        """The least figure of a run."""
        return self.of_runs[0]

    @property
    def greatest(self) -> float:
        """The greatest figure of a run."""
        return self.of_runs[-1]

    @property
    def central(self) -> tuple[float, float]:
        """Where the central 95 % of the runs begin and end."""
        place = max((len(self.of_runs) + 1) // OUTSIDE_ONE_IN, 1)
        return self.of_runs[place - 1], self.of_runs[-place]

    @property
    def up_to_recorded(self) -> float:
        """The part of the runs with at most the recorded figure, 0..1."""
        return sum(value <= self.typical.recorded for value in self.of_runs) / len(self.of_runs)

    @property
    def is_by_chance(self) -> bool:
        """Whether more than one in twenty of the runs is itself out of the tolerance of what is typical of them."""
        one = self.typical
        apart = sum(
            not Compared(one.figure, one.unit, one.predicted, value, one.tolerance).is_met for value in self.of_runs
        )
        return apart > CHANCE_LEAST * len(self.of_runs)

    @property
    def verdict(self) -> str:
        """One of WITHIN, INSIDE, OUTSIDE and MISSED."""
        if not self.is_by_chance:
            return WITHIN if self.typical.is_met else MISSED
        low, high = self.central
        return INSIDE if low <= self.typical.recorded <= high else OUTSIDE

    @property
    def is_missed(self) -> bool:
        """Whether the recording is neither within the tolerance nor, where chance decides, inside the runs."""
        return self.verdict in (MISSED, OUTSIDE)

    def quantile(self, part: float) -> float:
        """The figure that this part of the runs, 0..1, has at most; one that a run had."""
        return self.of_runs[max(int(np.ceil(part * len(self.of_runs))), 1) - 1]


@dataclass(frozen=True)
class Branch(Predicted):
    """What chance decides first, over all runs; the figures beside it are those of runs in which it is as recorded."""

    @property
    def as_recorded(self) -> int:
        """How many runs took the recorded branch."""
        return self.of_runs.count(self.typical.recorded)

    @property
    def is_by_chance(self) -> bool:
        """It always is."""
        return True


def summed_up(figures: Sequence[Compared]) -> Predicted:
    """One figure of several runs: the mean of a share or a number, the median of a time (it may be never)."""
    first = figures[0]
    values = sorted(figure.predicted for figure in figures)
    typical = values[len(values) // 2] if first.unit == "s" else float(np.mean(values))
    return Predicted(Compared(first.figure, first.unit, typical, first.recorded, first.tolerance), tuple(values))


def over_runs(
    scenario: Scenario, runs: int | None, compared_in: Callable[[Scenario], Sequence[Compared]]
) -> list[Predicted]:
    """Every figure that `compared_in` gives of a run, over that many seeds.

    None: 20, and 199 if chance decides one of the figures.
    """
    found = [compared_in(one) for one in with_seeds(scenario, runs or RUNS)]
    figures = [summed_up(each) for each in zip(*found, strict=True)]
    if runs is None and any(figure.is_by_chance for figure in figures):
        found += [compared_in(one) for one in with_seeds(scenario, CHANCE_RUNS)[RUNS:]]
        figures = [summed_up(each) for each in zip(*found, strict=True)]
    return figures


def over_branch(
    scenario: Scenario, runs: int | None, compared_in: Callable[[Scenario], tuple[Compared, Sequence[Compared]]]
) -> list[Predicted]:
    """What `compared_in` says that a run's branch is, over all runs, and every figure over those on the recorded one.

    More seeds are run until so many are on it, but at most BRANCH_SEEDS times as many. If none is, all count.
    """
    branches, on_it, others = list[Compared](), list[Sequence[Compared]](), list[Sequence[Compared]]()

    def run_until(wanted: int) -> list[Predicted]:
        for one in with_seeds(scenario, BRANCH_SEEDS * wanted)[len(branches) :]:
            if len(on_it) >= wanted:
                break
            branch, figures = compared_in(one)
            branches.append(branch)
            (on_it if branch.predicted == branch.recorded else others).append(figures)
        return [summed_up(each) for each in zip(*(on_it or others), strict=True)]

    figures = run_until(runs or RUNS)
    if runs is None and any(figure.is_by_chance for figure in figures):
        figures = run_until(CHANCE_RUNS)
    split = summed_up(branches)
    return [Branch(split.typical, split.of_runs), *figures]


def counted(figures: Sequence[Predicted]) -> str:
    """How many figures are what, in words."""
    verdicts = [figure.verdict for figure in figures]
    missed = sum(figure.is_missed for figure in figures)
    parts = [ProofTexts.FIGURES_COUNTED(within=verdicts.count(WITHIN), figures=len(verdicts))]
    if INSIDE in verdicts:
        parts.append(ProofTexts.FIGURES_BY_CHANCE(count=verdicts.count(INSIDE)))
    if missed:
        parts.append(ProofTexts.FIGURES_MISSED(count=missed))
    return joined(", ", parts)
