"""What the trial of a client's settings says: the few to choose among, each with figures, why, costs and Java."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from simulator.advice.advice_texts import AdviceTexts
from simulator.advice.candidates import AS_IT_IS, Candidate, pairs
from simulator.advice.client_candidates import grpc_only
from simulator.advice.cost_texts import NotCoveredTexts
from simulator.advice.group_candidates import GROUP_UNKNOWN, group_java
from simulator.advice.proxied_setters import producer_lines, proxy_lines
from simulator.advice.replica_candidates import REPLICAS_UNKNOWN, broker_conf
from simulator.advice.setters import java
from simulator.advice.standing import Criterion, Standing, WorseIn
from simulator.advice.trial import SEEDS_LEAST
from simulator.experiments.intervals import Interval, shows
from simulator.experiments.words import around, in_unit, number
from simulator.scenario import Scenario
from simulator.scenario.proxy_settings import ProxySettings
from state.texts import at, joined, listed

FORMAT = 1
UNKNOWN = (
    NotCoveredTexts.CONSUMERS(),
    NotCoveredTexts.NETWORK(),
    NotCoveredTexts.OTHER_CLIENTS(),
    NotCoveredTexts.WEIGHTS(),
    NotCoveredTexts.ROLLOUT(),
    NotCoveredTexts.OTHER_SETTINGS(beside=NotCoveredTexts.OUTSIDE_GROUND()),
)


def interval_text(found: Interval | None, criterion: Criterion) -> str:
    """`0.12 % ± 0.01`; `0 % (below 0.0004)` where these runs had none."""
    if found is None:
        return "not measured"
    if found.low is None or found.high is None or found.low == found.high:
        return in_unit(found.mean, criterion.unit)
    if not (math.isfinite(found.low) and math.isfinite(found.high)):
        return f"{in_unit(found.mean, criterion.unit)} ({number(found.low)} to {number(found.high)})"
    if found.mean == 0:
        return f"0 {criterion.unit} (below {number(found.high)})"
    return around(found.mean, found.half_width, criterion.unit)


def _about_hop(proxies: ProxySettings) -> str:
    """Whether the way over a proxy takes as long as it says is for the reader to measure."""
    is_measured = "hop" in proxies.model_fields_set
    return NotCoveredTexts.PROXY_THREADS() if is_measured else NotCoveredTexts.ASSUMED_HOP()


@dataclass(frozen=True)
class Pick:
    """One of the few. `gains` and `losses` are against the client as it is; `costs`: of its changes, whatever runs.

    not_shown_worse: the situations in which no figure is shown to be worse, and of how many runs each. java: what to
    paste; of replica sets lines of broker.conf.
    """

    name: str
    best_in: list[str]
    gains: list[str]
    losses: list[str]
    not_shown_worse: str
    costs: list[str]
    java: str
    holds: bool | None


@dataclass
class Advice:
    """The answer, from where the candidates stand."""

    standing: Standing
    interrupted: bool = False

    def __repr__(self) -> str:
        return "\n  ".join([f"<Advice for {self.standing.trial.scenario.name}:", *self.verdict]) + ">"

    @cached_property
    def picks(self) -> list[Pick]:
        """The few to choose among, the most balanced first."""
        return [self._pick(name, best_in) for name, best_in in self.standing.picked().items()]

    def _pick(self, name: str, best_in: list[str]) -> Pick:
        trial = self.standing.trial
        candidate = trial.candidates[name]
        standing_worse = self.standing.worse(name, AS_IT_IS)
        sides = {criterion: self.standing.side(name, AS_IT_IS, criterion) for criterion in self.standing.compared}
        return Pick(
            name,
            best_in,
            [self._against(name, criterion) for criterion, side in sides.items() if side < 0],
            [
                *(self._against(name, criterion) for criterion, side in sides.items() if side > 0),
                *(self._worse_in(name, one) for one in standing_worse if sides[one.criterion] <= 0),
            ],
            self._not_shown_worse(name, standing_worse),
            [at(change.name, change.costs) for change in candidate.changes],
            self._java(trial.scenario_of(candidate)),
            self.standing.holds(name) if self._objectives else None,
        )

    def _java(self, scenario: Scenario) -> str:
        trial = self.standing.trial
        if trial.replicas:
            return broker_conf(scenario, trial.scenario)
        if trial.group is not None:
            lines = [group_java(scenario, trial.scenario, trial.group)]
        else:
            lines = [] if grpc_only(scenario) else [java(scenario, trial.scenario)]
            lines += producer_lines(scenario, trial.scenario)
        return "\n".join([*lines, *proxy_lines(scenario.proxies, trial.scenario.proxies)])

    @property
    def unknown(self) -> Sequence[str]:
        """What the advice does not cover."""
        if self.standing.trial.replicas:
            return REPLICAS_UNKNOWN
        found = UNKNOWN if self.standing.trial.group is None else GROUP_UNKNOWN
        proxies = self.standing.trial.scenario.proxies
        return found if proxies is None else (*found, _about_hop(proxies))

    def _worse_in(self, name: str, found: WorseIn) -> str:
        """`failed when a broker is slow 0.116 % instead of 0.0495 %, which these runs do not show for sure`."""
        (after,) = [one.after for one in self.standing.trial.situations if one.name == found.situation]
        ours, theirs = (self.standing.figure(one, found.criterion, found.situation) for one in (name, AS_IT_IS))
        assert ours is not None
        assert theirs is not None
        unit = found.criterion.unit
        text = AdviceTexts.WORSE_AFTER(
            criterion=found.criterion.title,
            after=after,
            ours=in_unit(ours.mean, unit),
            theirs=in_unit(theirs.mean, unit),
        )
        return text if found.is_shown else AdviceTexts.NOT_FOR_SURE(difference=text)

    def _not_shown_worse(self, name: str, worse: list[WorseIn]) -> str:
        """`not shown worse in hang and kill, with 8 runs each`."""
        if name == AS_IT_IS:
            return ""
        shown = {one.situation for one in worse if one.is_shown}
        names = [one.name for one in self.standing.trial.situations if one.name not in shown]
        runs = len(self.standing.seeds(name) & self.standing.seeds(AS_IT_IS))  # a comparison is of the same seeds
        if not names:
            return AdviceTexts.WORSE_IN_ALL(runs=runs)
        return AdviceTexts.NOT_SHOWN_WORSE(situations=listed([one.replace("_", " ") for one in names]), runs=runs)

    def _against(self, name: str, criterion: Criterion) -> str:
        """`failed 0.1 % instead of 0.9 %, above all when a broker hangs (0.4 % instead of 3 %)`."""
        ours, theirs = self.standing.figure(name, criterion), self.standing.figure(AS_IT_IS, criterion)
        assert ours is not None
        assert theirs is not None
        figures = [in_unit(one.mean, criterion.unit) for one in (ours, theirs)]
        text = AdviceTexts.DIFFERENCE(criterion=criterion.title, ours=figures[0], theirs=figures[1])
        situations, way = self.standing.trial.situations, 1 if ours.mean > theirs.mean else -1
        apart = [self.standing.apart(name, AS_IT_IS, criterion, one.name) for one in situations]
        most = situations[
            max(range(len(apart)), key=lambda n: way * one.mean if (one := apart[n]) is not None else 0.0)
        ]
        own, other = (self.standing.figure(each, criterion, most.name) for each in (name, AS_IT_IS))
        whole = self.standing.apart(name, AS_IT_IS, criterion)
        if whole is not None and not shows(whole):
            return AdviceTexts.NOT_FOR_SURE(difference=text)
        if len(apart) == 1 or own is None or other is None:
            return text
        return AdviceTexts.ABOVE_ALL(
            difference=text, after=most.after, ours=number(own.mean), theirs=number(other.mean)
        )

    @property
    def _objectives(self) -> list[str]:
        return [str(one) for one in self.standing.study.loaded.experiment.objectives]

    @property
    def holds(self) -> bool | None:
        """Whether there are no objectives, or one of the few is shown to hold them all in every situation.

        None where nothing could be measured.
        """
        if not self._objectives and not self.picks:
            return None
        return not self._objectives or any(pick.holds for pick in self.picks)

    @property
    def verdict(self) -> list[str]:
        """The sentences, the most telling first."""
        return list(self._sentences())

    @property
    def is_preview(self) -> bool:
        """Whether there are too few runs to say that a setting is no worse."""
        return self.standing.trial.seeds < SEEDS_LEAST

    def _sentences(self) -> Iterator[str]:
        yield from self.opening
        for pick in self.picks:
            yield self._short(pick)
        yield from self.closing

    @property
    def opening(self) -> list[str]:
        """What comes before the few."""
        if not self.picks:
            return [self._why_nothing()]
        found: list[str] = []
        known = len(self.standing.known)
        if self.interrupted:
            found.append(AdviceTexts.PARTLY(settings=known, planned=len(self.standing.trial.candidates)))
        if self.is_preview:
            found.append(AdviceTexts.PREVIEW(seeds=self.standing.trial.seeds, least=SEEDS_LEAST))
        if [pick.name for pick in self.picks] == [AS_IT_IS] and not self.interrupted:
            found.append(AdviceTexts.KEEP(settings=known))
        return found

    def _why_nothing(self) -> str:
        standing = self.standing
        if not standing.known:
            return AdviceTexts.NO_RUN()
        if not standing.compared:
            return AdviceTexts.NOTHING_MEASURED(figures=listed([one.title for one in standing.criteria]))
        return AdviceTexts.NONE_OFFERED(settings=len(standing.known))

    @property
    def closing(self) -> list[str]:
        """What comes after the few."""
        return list(self._closing()) if self.picks else []

    def _closing(self) -> Iterator[str]:
        standing = self.standing
        situations, unbeaten = len(standing.trial.situations), len(standing.unbeaten())
        yield AdviceTexts.TRIED(settings=len(standing.known), situations=situations, unbeaten=unbeaten)
        by = standing.beaten_by.get(AS_IT_IS)
        if by is not None:
            worse = self._not_shown_worse(by, standing.worse(by, AS_IT_IS))
            yield AdviceTexts.DOMINATED(name=by, worse=worse)
        if standing.unmeasured:
            yield AdviceTexts.NOT_COMPARED(figures=listed([one.title for one in standing.unmeasured]))
        yield from self._about_objectives()

    @staticmethod
    def _short(pick: Pick) -> str:
        return AdviceTexts.PICK(
            name=pick.name,
            best_in=listed(pick.best_in),
            gains=joined("; ", ["", *pick.gains]),
            not_shown_worse=joined("; ", ["", pick.not_shown_worse]) if pick.not_shown_worse else "",
            losses=AdviceTexts.BUT(losses=joined("; ", pick.losses)) if pick.losses else "",
        )

    def _about_objectives(self) -> Iterator[str]:
        if not self._objectives:
            return
        what, fulfilling = listed(self._objectives), [name for name in self.standing.known if self.standing.holds(name)]
        if fulfilling:
            yield AdviceTexts.IN_EVERY(objectives=what, settings=len(fulfilling))
        else:
            yield AdviceTexts.IN_NONE(objectives=what)

    def next_round(self) -> list[Candidate]:
        """Pairs of changes that are worth a trial, from those that are unbeaten so far."""
        return pairs([self.standing.trial.candidates[name] for name in self.standing.unbeaten()])

    def _figures(self, name: str, situation: str | None = None) -> dict[str, Any]:
        found = {one.name: self.standing.figure(name, one, situation) for one in self.standing.criteria}
        return {each: one.as_json() for each, one in found.items() if one is not None}

    def as_json(self) -> dict[str, Any]:
        """Everything as plain values (docs/advice.md)."""
        standing, trial = self.standing, self.standing.trial
        unbeaten = standing.unbeaten()
        settings = {
            name: {
                "changes": trial.candidates[name].keys,
                "figures": self._figures(name),
                "situations": {one.name: self._figures(name, one.name) for one in trial.situations},
                "unbeaten": name in unbeaten,
                "beaten_by": standing.beaten_by.get(name),
                "holds": standing.holds(name) if self._objectives else None,
            }
            for name in standing.known
        }
        picks = [vars(pick) for pick in self.picks]
        return {
            "format": FORMAT, "name": trial.scenario.name, "verdict": self.verdict, "holds": self.holds,
            "interrupted": self.interrupted, "preview": self.is_preview, "objectives": self._objectives,
            "seeds": trial.seeds,
            "confidence": standing.confidence, "picks": picks, "settings": settings, "impossible": trial.impossible,
            "unknown": list(self.unknown),
        }  # fmt: skip
