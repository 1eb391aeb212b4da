"""A proof under way: what stands out in a run, what was left out so far, and which runs it wants next.

Pure: whoever does the runs gives their figures.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from simulator.causes.consequence import Consequence
from simulator.causes.consequences import consequences_of
from simulator.causes.judgement import Key, causes_of, likely, pairs_of, possible_causes
from simulator.causes.measuring import measured
from simulator.causes.merged import merged
from simulator.causes.run_figures import RunFigures, figures_of
from simulator.causes.suspect import Suspect, scenario_without
from simulator.causes.suspects import suspects_of
from simulator.scenario import Scenario

BASE: Key = ()
CHANCE_US = 30_000_000  # for which a broker's part of the load may differ by chance
NOT_ADDED = ("backlog", "late_delays", "load", "hot_queue")  # figures that are no counts


@dataclass
class Proof:
    """The proof of a scenario's run. `sizes`: by what was left out, the size of each of `found`."""

    scenario: Scenario
    suspects: list[Suspect] = field(default_factory=list)
    found: list[Consequence] | None = None
    sizes: dict[Key, list[float]] = field(default_factory=dict)
    bin_us: int = 0

    def __post_init__(self) -> None:
        self.suspects = suspects_of(self.scenario)

    def scenario_of(self, key: Key) -> Scenario:
        """The scenario without the suspects of a key."""
        return scenario_without(self.scenario, [one for one in self.suspects if one.id in key])

    def wanted(self) -> list[Key]:
        """The runs to do next: the run itself, then without each suspect, then without pairs; [] at the end."""
        if self.found is None:
            return [BASE]
        singles = self._missing([(one.id,) for one in self._ordered()])
        return singles or self._missing([pair for about in self._unexplained() for pair in self._pairs(about)])

    def runs_in_all(self) -> tuple[int, int]:
        """The runs without suspects that it takes at least, done ones among them, and those that it takes at most.

        Which pairs are left out turns out when each suspect was.
        """
        later = [] if self.found is None else self._missing([(one.id,) for one in self._ordered()])
        later += self._missing([pair for about in self.found or () for pair in self._pairs(about)])
        return len(self.sizes) + len([key for key in self.wanted() if key != BASE]), len({*self.sizes, *later})

    def take(self, key: Key, figures: RunFigures) -> None:
        """Take the figures of a run."""
        if key == BASE:
            self.found, self.bin_us = consequences_of(figures, self.scenario, self.suspects), figures.bin_us
        else:
            self.sizes[key] = [measured(figures, about) for about in self.found or ()]

    def groups_blocked(self) -> list[str]:
        """The orderly groups without max_reconsume_times of which deliveries failed: whose message blocks a queue?"""
        groups = {one.place for one in self.found or () if one.kind == "failed_deliveries" and not one.detail}
        own = self.scenario.consumers
        return sorted(
            name for name in groups
            if own[name].mode.in_place and own[name].max_reconsume_times < 0 and own[name].fails_always is not None
        )  # fmt: skip

    def name_blocking(self, group: str, text: str) -> None:
        """Say which message of a group blocks a queue."""
        self.found = [
            replace(one, detail=text) if (one.kind, one.place) == ("failed_deliveries", group) else one
            for one in self.found or ()
        ]

    def answer(self) -> list[Consequence]:
        """What is known so far, the most costly first: proven where the runs are done, else not tested."""
        judged = [self._judged(about, self._sizes_of(place)) for place, about in enumerate(self.found or ())]
        named = [one for one in merged(self._uncut(judged)) if not _is_chance(one)]
        return sorted(named, key=lambda one: one.rank)

    def _uncut(self, judged: list[Consequence]) -> list[Consequence]:
        """Pieces of an episode together again where the suspect at which they were cut is no cause of the later one."""
        found: list[Consequence] = []
        for one in judged:
            last = found[-1] if found else None
            if last is None or not self._is_needless(last, one):
                found.append(one)
                continue
            sizes = {key: size + one.sizes[key] for key, size in last.sizes.items()}
            whole = replace(
                last if last.size >= one.size else one, from_us=last.from_us, until_us=one.until_us,
                size=last.size + one.size, detail=last.detail or one.detail,
            )  # fmt: skip
            found[-1] = self._judged(whole, sizes)
        return found

    def _is_needless(self, last: Consequence, one: Consequence) -> bool:
        """Whether two pieces are neighbours, and the cut between them shows nothing."""
        if (last.kind, last.place, last.until_us) != (one.kind, one.place, one.from_us) or one.kind in NOT_ADDED:
            return False
        begun = [
            suspect.id for suspect in self.suspects
            if any(one.from_us <= begin < one.from_us + self.bin_us for begin, _ in suspect.stretches)
        ]  # fmt: skip
        return not set(begun) & set(one.because) and last.proven and one.proven

    def _ordered(self) -> list[Suspect]:
        """The suspects that can be the cause of something, those of the most costly first."""
        found: dict[str, Suspect] = {}
        for about in sorted(self.found or (), key=lambda one: one.rank):
            found |= {one.id: one for one in possible_causes(about, self.suspects) if one.id not in found}
        return list(found.values())

    def _missing(self, keys: Sequence[Key]) -> list[Key]:
        return [key for key in dict.fromkeys(keys) if key not in self.sizes]

    def _pairs(self, about: Consequence) -> list[Key]:
        return pairs_of(about, self.suspects)

    def _unexplained(self) -> list[Consequence]:
        found = enumerate(self.found or ())
        return [about for place, about in found if not causes_of(about, self._sizes_of(place), self.suspects)[0]]

    def _sizes_of(self, place: int) -> dict[Key, float]:
        return {key: own[place] for key, own in self.sizes.items()}

    def _judged(self, about: Consequence, sizes: dict[Key, float]) -> Consequence:
        causes, either = causes_of(about, sizes, self.suspects)
        tried = all((one.id,) in sizes for one in possible_causes(about, self.suspects))
        tried = tried and (bool(causes) or all(pair in sizes for pair in self._pairs(about)))
        without = {key[0]: size for key, size in sizes.items() if len(key) == 1}
        if causes:
            pair = {" and ".join(causes): sizes[causes]} if either else {}
            own = replace(about, because=causes, without=without | pair, each_would_do=either, proven=True)
        else:
            because = () if tried else likely(about, self.suspects, without)
            own = replace(about, because=because, without=without, each_would_do=False, proven=tried)
        return replace(own, sizes=sizes)


def _is_chance(one: Consequence) -> bool:
    """Whether it is a part of the load that differed for a moment, and goes on to do so whatever is left out."""
    return one.kind == "load" and not one.because and one.until_us - one.from_us < CHANCE_US


def prove(scenario: Scenario, *, runs: int | None = None) -> Proof:
    """Run a scenario again without each of its suspects, one run after the other.

    runs: how many runs at most, None for all; what was not reached is not tested.
    """
    proof, left = Proof(scenario), runs
    while keys := proof.wanted():
        for key in keys:
            if left == 0:
                return proof
            proof.take(key, figures_of(proof.scenario_of(key)))
            left = None if left is None else left - 1
    return proof
