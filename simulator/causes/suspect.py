"""One thing that may have caused what happened in a run, and the scenario without it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from simulator.causes.texts.suspect_texts import WithoutTexts
from simulator.scenario import Scenario

Removal = Callable[[Scenario], Scenario]


@dataclass(frozen=True)
class Suspect:
    """A suspect: its id, what it is in words, when it is at work, and how a scenario is without it.

    id: F1, F2, ... for the faults in the order of the scenario; `rate GROUP M:SS`; `threads GROUP`; `send_threads
    BROKER`; `poison GROUP`; `fails GROUP`; `hot_queue TOPIC`; `autoscale GROUP`; `client`. `invisible GROUP` is for
    listeners that take longer than its invisible time, `backlog GROUP` for one that starts behind. Of proxies:
    `routes`, `unmeasured`, `one_host`, `renewal GROUP`. Of transactional producers: `unknown GROUP` for local
    transactions that end in unknown, `immunity GROUP` for those that take longer than its check_immunity_time. Of
    brokers: `escape` for enable_remote_escape.
    stretches: [from_us, until_us) of virtual time, in order.
    only: the kinds of consequences that it can be a cause of, None for all. places: those that it can happen to.
    detail: the detail that such a consequence has, "" for any.
    """

    id: str
    text: str
    stretches: tuple[tuple[int, int], ...]
    remove: Removal
    only: tuple[str, ...] | None = None
    without: str = ""
    places: tuple[str, ...] | None = None
    detail: str = ""

    @property
    def from_us(self) -> int:
        """When it is first at work."""
        return self.stretches[0][0]

    @property
    def label(self) -> str:
        """What is said before its counterfactual figure: "without F1"."""
        return self.without or WithoutTexts.SUSPECT(suspect=self.id)

    def overlaps(self, from_us: int, until_us: int) -> bool:
        """Whether it is at work in a stretch of virtual time."""
        return any(begin < until_us and until > from_us for begin, until in self.stretches)

    def can_cause(self, kind: str, place: str, detail: str = "") -> bool:
        """Whether it can be a cause of a kind of consequence at a place, with a detail."""
        of_kind = (self.only is None or kind in self.only) and self.detail in ("", detail)
        return of_kind and (self.places is None or place in self.places)


def scenario_without(scenario: Scenario, suspects: Sequence[Suspect]) -> Scenario:
    """The scenario with suspects left out: same seed, and same draws for all that stays."""
    for suspect in suspects:
        scenario = suspect.remove(scenario)
    return scenario
