"""Faults that begin as a fork does: of brokers, consumers, transactional producers and name servers."""

from __future__ import annotations

from collections.abc import Mapping
from fnmatch import fnmatchcase
from typing import Any

from simulator.scenario import Scenario
from simulator.scenario.faults.fault_kinds import CONSUMER, CONTROLLER, KINDS, NAME_SERVER
from simulator.scenario.loading.overrides import parsed
from simulator.scenario.reading.scenario_error import ScenarioError, not_known
from state.texts import at

Fault = dict[str, Any]

OF_SERVERS = {NAME_SERVER: "name_server", CONTROLLER: "controller"}


def faults_now(
    scenario: Scenario, changes: Mapping[str, str], at_us: int, length_us: int
) -> tuple[list[Fault], dict[str, str]]:
    """The faults that the changes of an arm begin at `at_us`, as a scenario has them, and the other changes.

    Raises ScenarioError if a target is neither a broker nor a consumer of the scenario.
    """
    faults: list[Fault] = []
    others: dict[str, str] = {}
    for key, text in changes.items():
        if key in KINDS:
            faults.append(_fault(scenario, key, text, at_us, length_us))
        elif faults and key in KINDS[faults[-1]["kind"]].keys:
            faults[-1][key] = parsed(key, text)
        else:
            others[key] = text
    return faults, others


def _fault(scenario: Scenario, kind: str, text: str, at_us: int, length_us: int) -> Fault:
    target, _, length = (part.strip() for part in text.partition(" for "))
    when: Fault = {"at": f"{at_us}us"}
    if kind != "reset_offset":
        when["for"] = length or f"{length_us}us"
    return when | {_key(scenario, kind, target): target, "kind": kind}


def _key(scenario: Scenario, kind: str, target: str) -> str:
    """The key of a fault that names such a target."""
    if KINDS[kind].target in OF_SERVERS:
        return OF_SERVERS[KINDS[kind].target]
    brokers, consumers = list(scenario.brokers), [*scenario.consumers, *scenario.instances]
    is_broker, is_consumer = (_fits(target, names) for names in (brokers, consumers))
    if is_consumer and (KINDS[kind].target == CONSUMER or not is_broker):
        return "consumer"
    if is_broker:
        return "broker"
    known = consumers if KINDS[kind].target == CONSUMER else [*brokers, *consumers]
    what = "consumer" if KINDS[kind].target == CONSUMER else "broker or consumer"
    raise ScenarioError([at(kind, not_known(what, target, known))])


def _fits(target: str, names: list[str]) -> bool:
    return bool(names) and (target == "all" or any(fnmatchcase(name, target) for name in names))
