"""What can go wrong in a cluster: the scenario's own faults, and a usual set that every cluster meets one day."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from simulator.kernel.latency import mean_us
from simulator.scenario import Scenario
from simulator.scenario.faults.fault_values import FACTOR_MAX

OWN = "its own faults"
USUAL_DURATION = "3m"
BEGIN = "40s"
TOO_MUCH = 1.3  # of what all brokers can serve, is asked of them in the overload
LEAST_FACTOR = 2.0
SLOW_FACTOR = 40
RESTARTED_MOST = 3


@dataclass(frozen=True)
class Situation:
    """Something that goes wrong. `changes`: keys of the scenario; `after`: its words in a sentence, `when ...`."""

    name: str
    after: str
    changes: Mapping[str, Any] = field(default_factory=dict)


def overload_factor(scenario: Scenario) -> float:
    """How much slower all brokers must become to be asked for more than they can serve."""
    asked_per_s = scenario.expected_messages / (scenario.duration_us / 1e6)
    served_per_s = sum(b.threads / (mean_us(b.latency.service_table_us()) / 1e6) for b in scenario.brokers.values())
    return min(max(round(TOO_MUCH * served_per_s / asked_per_s, 1), LEAST_FACTOR), float(FACTOR_MAX))


def usual_situations(scenario: Scenario) -> list[Situation]:
    """Each of the usual faults alone, in a cluster that is well otherwise; which broker is struck, the seed draws."""

    def alone(name: str, after: str, **fault: Any) -> Situation:
        return Situation(name, after, {"duration": USUAL_DURATION, "faults": [{"at": BEGIN, "kind": name, **fault}]})

    one, factor = {"any": 1}, overload_factor(scenario)
    restarted = "all" if len(scenario.brokers) <= RESTARTED_MOST else {"any": RESTARTED_MOST}
    overload = [{"at": BEGIN, "for": "30s", "kind": "slow", "factor": factor, "broker": "all"}]
    return [
        alone("hang", "when a broker hangs", **{"for": "30s"}, broker=one),
        alone("kill", "when a broker is killed", **{"for": "40s"}, broker=one),
        alone("slow", "when a broker is slow", **{"for": "40s"}, broker=one, factor=SLOW_FACTOR),
        Situation("overload", "in an overload", {"duration": USUAL_DURATION, "faults": overload}),
        alone("rolling_restart", "in a rolling restart", broker=restarted, each="10s", pause="20s"),
    ]


def situations_of(scenario: Scenario, which: str) -> list[Situation]:
    """The situations that `own`, `usual` or `both` names; `both` leaves out own faults where there are none."""
    own = [Situation(OWN, "under the scenario's own faults")] if which != "usual" else []
    if which == "both" and not scenario.faults:
        own = []
    return own + (usual_situations(scenario) if which != "own" else [])
