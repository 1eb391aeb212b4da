"""The policy of a scenario's client as the event loop has it: its rules, and the records of every producer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from simulator.codes import OWN, PICK_REASON_NAMES
from simulator.compiled.records import Array, size_of
from simulator.engine.memory.settings import Settings
from simulator.policies.avoid import nobody
from simulator.policies.catalogue import PARTS
from simulator.policies.choose.random_queue import choose_random
from simulator.policies.policy import PolicyPart, PolicyRules
from simulator.policies.retry.parts import retry_at_once
from simulator.scenario.policy.own_policy import is_own, part_named
from simulator.scenario.policy.policy_settings import PolicySettings, parameters

NOTED = {"sent": nobody.nothing_sent, "ended": nobody.nothing_ended}
WITHOUT = {  # what a part's rules are where it has none, or where there is no policy
    "choose": NOTED | {"choose": choose_random},
    "avoid": NOTED | {"allowed": nobody.allow_all, "tick": nobody.no_tick, "heartbeat": nobody.no_heartbeat},
    "retry": NOTED
    | {
        "retry": retry_at_once,
        "wait": nobody.no_wait,
        "hedge": nobody.no_hedge,
        "may_hedge": nobody.always_hedge,
    },
}


@dataclass(frozen=True)
class PolicyPlan:
    """rules: by kind of part and name. cells: of one record of each kind. records: those of all producers, by region.

    per_broker: the part that avoids has a record for each broker; tick_us: how often its time is over, 0 never;
    heartbeats: it hears then which brokers answer.
    """

    rules: Mapping[str, Mapping[str, Any]]
    records: Mapping[str, Array]
    cells: Mapping[str, int] = field(default_factory=dict)
    per_broker: bool = False
    tick_us: int = 0
    heartbeats: bool = False
    reason: int = 0
    is_on: bool = False

    def fill_rules(self, to: PolicyRules) -> None:
        """Put the rules of its parts where the event loop calls them."""
        for kind, own in self.rules.items():
            for name, one in own.items():
                setattr(getattr(to, kind), name, one)

    def fill(self, settings: Settings) -> None:
        """Put into a cell's settings what the event loop needs of it."""
        settings.policy_on, settings.policy_reason = int(self.is_on), self.reason
        settings.choose_cells, settings.avoid_cells = self.cells.get("choose", 0), self.cells.get("avoid", 0)
        settings.retry_cells, settings.policy_tick_us = self.cells.get("retry", 0), self.tick_us
        settings.avoid_per_broker, settings.policy_heartbeats = int(self.per_broker), int(self.heartbeats)


def _record(part: PolicyPart, values: Mapping[str, Any], brokers: int) -> Array:
    cells = np.zeros(size_of(part.state) + part.behind(brokers), np.int64)
    part.start(part.state.at(cells), brokers, **values)
    return cells


def policy_plan(settings: PolicySettings | None, producers: int, brokers: int) -> PolicyPlan:
    """The plan of a policy for so many producers; without a policy nothing that is ever called."""
    if settings is None:
        nothing = {f"{kind}_records": np.empty(0, np.int64) for kind in PARTS}
        return PolicyPlan(WITHOUT, nothing | {"in_flight": np.empty(0, np.int64), "allowed": np.empty(0, np.int64)})
    rules, records, cells, per_broker, tick_us, heartbeats = {}, {}, {}, False, 0, False
    for kind in PARTS:
        ((name, written),) = getattr(settings, kind).items()
        part = part_named(kind, name, written)
        values = parameters(part, written)
        record = _record(part, values, brokers)
        rules[kind], cells[kind] = {**WITHOUT[kind], **part.rules}, len(record)
        records[f"{kind}_records"] = np.tile(record, producers * (brokers if part.per_broker else 1))
        if kind == "avoid":
            per_broker, tick_us = part.per_broker, int(values.get(part.tick, 0))
            heartbeats = "heartbeat" in part.rules
    records["in_flight"], records["allowed"] = np.zeros(producers * brokers, np.int64), np.zeros(brokers, np.int64)
    chosen_by = next(iter(settings.choose))
    reason = PICK_REASON_NAMES.index(OWN if is_own(chosen_by) else chosen_by)
    return PolicyPlan(rules, records, cells, per_broker, tick_us, heartbeats, reason, is_on=True)
