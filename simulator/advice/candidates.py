"""The settings that a producer team can really change, and which of them are tried together.

Every release is a ground, with the strategy off and on; each further change is tried alone on the grounds of the
present and of the newest release. What turns out to be unbeaten there is tried in pairs.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import combinations
from typing import Any

from simulator.advice.cost_texts import CostTexts
from simulator.codes import SYSTEM_BUSY
from simulator.releases.ledger import NEWEST, RELEASES
from simulator.releases.producer_release import CLIENTS
from simulator.scenario import Scenario
from simulator.units import format_duration

AS_IT_IS = "as it is"
GROUNDS = ("release", "strategy", "mode")  # topics of what further changes are tried on
PAIRS_MOST = 12
PATIENT_MS = 60_000  # tables that isolate for longer than this have a shorter one to compare with


@dataclass(frozen=True)
class Change:
    """One thing that a team can change. `topic`: what of; two changes of one topic exclude each other."""

    topic: str
    name: str
    keys: Mapping[str, Any]
    costs: str


@dataclass(frozen=True)
class Candidate:
    """Changes that are tried together; none is the client as it is."""

    changes: tuple[Change, ...] = ()

    @property
    def name(self) -> str:
        """`5.3.3, strategy on, retries 5`."""
        return ", ".join(change.name for change in self.changes) or AS_IT_IS

    @property
    def keys(self) -> dict[str, Any]:
        """The keys of the scenario that it changes."""
        merged: dict[str, Any] = reduce(lambda before, one: before | dict(one.keys), self.changes, {})
        return merged

    @property
    def ground(self) -> tuple[Change, ...]:
        """Its release and strategy, or who takes over from a master."""
        return tuple(change for change in self.changes if change.topic in GROUNDS)

    def plus(self, *changes: Change) -> Candidate:
        """This one with further changes."""
        return Candidate((*self.changes, *changes))


def _client(key: str, value: Any) -> dict[str, Any]:
    return {f"client.{key}": value}


def _releases(scenario: Scenario) -> Iterator[Change | None]:
    own = scenario.client.release
    of_line = [release for release in RELEASES if release.partition(".")[0] == own.partition(".")[0]]
    yield None
    for release in dict.fromkeys((of_line[-1], NEWEST)):
        if release != own:
            costs = CostTexts.ANOTHER_VERSION(own=own, other=release)
            yield Change("release", release, _client("release", release), costs)


def _strategies(scenario: Scenario) -> Iterator[Change | None]:
    yield None
    is_on = scenario.client.send_latency_fault_enable
    costs = CostTexts.FOUND_OUT_AGAIN() if is_on else CostTexts.UNEVEN_LOAD()
    yield Change(
        "strategy", f"strategy {'off' if is_on else 'on'}", _client("send_latency_fault_enable", not is_on), costs
    )


def _tables(release: str) -> Iterator[Change]:
    costs = CostTexts.OWN_FIGURES()
    if CLIENTS[release].not_available_duration_ms[-1] > PATIENT_MS:
        keys = _client("latency_max", ["50ms", "100ms", "550ms", "1s", "2s", "3s", "15s"])
        keys |= _client("not_available_duration", ["0ms", "0ms", "5s", "10s", "20s", "30s", "30s"])
        yield Change("tables", "tables of 30 s at most", keys, costs)
    else:
        keys = _client("latency_max", ["50ms", "100ms", "550ms", "1800ms", "3s", "5s", "15s"])
        keys |= _client("not_available_duration", ["0ms", "0ms", "5s", "20s", "30s", "60s", "60s"])
        yield Change("tables", "tables of up to 60 s", keys, costs)


def _modes(scenario: Scenario) -> set[str]:
    return {group.mode for group in scenario.producers}


def _retries(scenario: Scenario) -> Iterator[Change]:
    client, modes = scenario.client, _modes(scenario)
    keys = {"sync": "retry_times_when_send_failed", "async": "retry_times_when_send_async_failed"}
    used = [key for mode, key in keys.items() if mode in modes]
    for times in (0, 2, 5) if used else ():
        if any(getattr(client, key) != times for key in used):
            costs = CostTexts.FAILURES_OF_CALLERS() if times == 0 else CostTexts.FURTHER_REQUESTS()
            yield Change("retries", f"retries {times}", {f"client.{key}": times for key in used}, costs)


def _timeouts(scenario: Scenario) -> Iterator[Change]:
    for ms in (1_000, 3_000, 10_000):
        if ms != scenario.client.send_msg_timeout_ms:
            costs = CostTexts.LONG_WAITS() if ms > 3_000 else CostTexts.CUT_OFF()
            text = format_duration(ms * 1000)
            yield Change("time-out", f"time-out {text}", _client("send_msg_timeout", text), costs)


def _caps(scenario: Scenario, release: str) -> Iterator[Change]:
    if not CLIENTS[release].has_max_timeout_per_request:
        return
    for ms in (300, 1_000):
        if ms != scenario.client.send_msg_max_timeout_per_request_ms:
            costs = CostTexts.CUT_OFF_AND_STORED()
            text = format_duration(ms * 1000)
            keys = _client("send_msg_max_timeout_per_request", text)
            yield Change("cap", f"{text} a request at most", keys, costs)


def _retry_codes(scenario: Scenario, release: str) -> Iterator[Change]:
    own, rules = set(scenario.client.retry_response_codes), CLIENTS[release]
    is_retried = SYSTEM_BUSY in rules.retry_codes or SYSTEM_BUSY in own
    if "sync" in _modes(scenario) and rules.retry_codes_extensible and not is_retried:
        costs = CostTexts.MORE_IN_AN_OVERLOAD()
        keys = _client("retry_response_codes", sorted({SYSTEM_BUSY, *own}))
        yield Change("retry codes", "retry SYSTEM_BUSY", keys, costs)


def _detectors(scenario: Scenario, release: str, strategy_on: bool) -> Iterator[Change]:
    if strategy_on and CLIENTS[release].has_detector and not scenario.client.detects:
        costs = CostTexts.PROBES()
        yield Change("detector", "detector on", _client("start_detector_property", True), costs)


def _back_pressure(scenario: Scenario, release: str) -> Iterator[Change]:
    has_it, is_on = CLIENTS[release].has_back_pressure, scenario.client.enable_backpressure_for_async_mode
    if "async" in _modes(scenario) and has_it and not is_on:
        costs = CostTexts.BLOCKED_CALLERS()
        keys = _client("enable_backpressure_for_async_mode", True)
        yield Change("back-pressure", "async back-pressure", keys, costs)


def _further(scenario: Scenario, release: str, strategy_on: bool) -> Iterator[Change]:
    if strategy_on:
        yield from _tables(release)
    yield from _detectors(scenario, release, strategy_on)
    yield from _retries(scenario)
    yield from _retry_codes(scenario, release)
    yield from _timeouts(scenario)
    yield from _caps(scenario, release)
    yield from _back_pressure(scenario, release)


def first_candidates(scenario: Scenario) -> list[Candidate]:
    """The client as it is, every ground, and each further change alone on those of the present and newest release."""
    found = []
    for release in _releases(scenario):
        for strategy in _strategies(scenario):
            ground = Candidate(tuple(change for change in (release, strategy) if change is not None))
            found.append(ground)
            number = scenario.client.release if release is None else release.name
            strategy_on = scenario.client.send_latency_fault_enable != (strategy is not None)
            if number in (scenario.client.release, NEWEST):
                found += [ground.plus(change) for change in _further(scenario, number, strategy_on)]
    return found


def pairs(good: Sequence[Candidate]) -> list[Candidate]:
    """Two further changes on one ground that are both good alone, the best pairs first; at most PAIRS_MOST."""
    alone = [(one, [change for change in one.changes if change not in one.ground]) for one in good]
    found: dict[str, Candidate] = {}
    for (first, own), (second, others) in combinations([each for each in alone if len(each[1]) == 1], 2):
        (change,), (other,) = own, others
        if first.ground == second.ground and change.topic != other.topic:
            both = Candidate(first.ground).plus(*sorted((change, other), key=lambda one: one.topic))
            found.setdefault(both.name, both)
    return list(found.values())[:PAIRS_MOST]


def by_name(candidates: Iterable[Candidate]) -> dict[str, Candidate]:
    """The candidates by their names, each once."""
    return {candidate.name: candidate for candidate in candidates}
