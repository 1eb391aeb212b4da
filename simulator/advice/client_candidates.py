"""The client kinds that are tried where a cluster has proxies, and what a gRPC client and its proxies can change.

A remoting client that leaves its proxies leaves the last user's proxies with nobody: the scenario is without them then,
and without the faults that strike them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import yaml

from simulator.advice.candidates import Candidate, Change
from simulator.advice.cost_texts import CostTexts
from simulator.advice.situations import BEGIN, USUAL_DURATION, Situation
from simulator.releases.grpc_release import NEWEST_GRPC
from simulator.releases.proxy_release import PROXIES
from simulator.scenario import Scenario
from simulator.units import format_duration

KIND = "client kind"
ATTEMPTS = (1, 5)
TIMEOUTS_MS = (1_000, 10_000)
ROUTES_US = 5_000_000
OF_ALL = CostTexts.OF_ALL_CLIENTS()


def client_candidates(scenario: Scenario) -> list[Candidate]:
    """What producers over proxies can change, each alone; none where the cluster has no proxies."""
    if scenario.proxies is None:
        return []
    return [Candidate((change,)) for change in (*_kinds(scenario), *_of_clients(scenario), *proxy_changes(scenario))]


def remoting_only(scenario: Scenario) -> bool:
    """Whether no producer sends over a proxy."""
    return all(own.grpc is None for own in scenario.producers)


def grpc_only(scenario: Scenario) -> bool:
    """Whether every producer sends over a proxy, so that settings of the remoting client change nothing."""
    return all(own.grpc is not None for own in scenario.producers)


def _kinds(scenario: Scenario) -> Iterator[Change]:
    over = [i for i, own in enumerate(scenario.producers) if own.grpc is not None]
    direct = [i for i, own in enumerate(scenario.producers) if own.grpc is None]
    if over:
        keys: dict[str, Any] = {f"producers.{i}.grpc": None for i in over}
        if all(own.grpc is None for own in scenario.consumers.values()):
            keys |= {"proxies": None}
        costs = CostTexts.ANOTHER_LIBRARY()
        release = scenario.client.release
        for is_on in (False, True):
            name = f"remoting client {release}, strategy {'on' if is_on else 'off'}"
            yield Change(KIND, name, keys | {"client.send_latency_fault_enable": is_on}, costs)
    if direct:
        keys = {f"producers.{i}.grpc": {"release": NEWEST_GRPC} for i in direct}
        costs = CostTexts.ANOTHER_LIBRARY_AND_LOAD()
        yield Change(KIND, f"gRPC client {NEWEST_GRPC}", keys, costs)


def _of_clients(scenario: Scenario) -> Iterator[Change]:
    over = {i: own.grpc for i, own in enumerate(scenario.producers) if own.grpc is not None}
    again = {i: grpc for i, grpc in over.items() if grpc.language.max_attempts > 1}
    for count in ATTEMPTS if again else ():
        if any(grpc.max_attempts != count for grpc in again.values()):
            costs = CostTexts.MORE_TIME_OUTS() if count > 1 else CostTexts.FAILURES_OF_CALLERS()
            name = "one attempt" if count == 1 else f"{count} attempts"
            yield Change("attempts", name, _each(again, "max_attempts", count), costs)
    for ms in TIMEOUTS_MS if over else ():
        if any(grpc.request_timeout_ms != ms for grpc in over.values()):
            costs = CostTexts.CUT_OFF_TWICE() if ms < 3_000 else CostTexts.LONG_WAITS()
            text = format_duration(ms * 1000)
            yield Change("request time-out", f"request time-out {text}", _each(over, "request_timeout", text), costs)


def _each(groups: Mapping[int, object], key: str, value: object) -> dict[str, Any]:
    return {f"producers.{i}.grpc.{key}": value for i in groups}


def proxy_changes(scenario: Scenario) -> Iterator[Change]:
    """What those who run the proxies can change, where somebody sends over them, each alone."""
    own = scenario.proxies
    if own is None or own.is_local:
        return
    if not remoting_only(scenario) and PROXIES[own.release].measures and not own.send_latency_enable:
        keys = {"proxies.send_latency_enable": True, "proxies.start_detector_enable": True}
        yield Change("proxies measure", "proxies measure brokers", keys, OF_ALL)
    if not remoting_only(scenario) and own.topic_route_service_cache_refresh_us > ROUTES_US:
        text = format_duration(ROUTES_US)
        costs = CostTexts.MORE_QUESTIONS(whose=OF_ALL)
        route_keys = {"proxies.topic_route_service_cache_refresh": text}
        yield Change("proxies' routes", f"routes of proxies {text}", route_keys, costs)
    if own.count > 1 and not own.lists_all:
        keys = {"proxies.use_endpoint_port_from_request": True}
        yield Change("proxies' ports", "ports of the request", keys, OF_ALL)


def proxy_situations(scenario: Scenario) -> list[Situation]:
    """A proxy is killed, and one hangs; none where the cluster has no proxies of their own."""
    if scenario.proxies is None or scenario.proxies.is_local:
        return []
    first = scenario.proxies.names[0]

    def alone(kind: str, length: str, after: str) -> Situation:
        faults = [{"at": BEGIN, "for": length, "kind": kind, "proxy": first}]
        return Situation(f"proxy {kind}", after, {"duration": USUAL_DURATION, "faults": faults})

    return [alone("kill", "40s", "when a proxy is killed"), alone("hang", "30s", "when a proxy hangs")]


def without_faults_of_proxies(scenario: Scenario, keys: Mapping[str, Any]) -> dict[str, Any]:
    """The changes of a scenario; of one that loses its proxies also the faults that are left."""
    if "proxies" not in keys or keys["proxies"] is not None:
        return dict(keys)
    faults = keys["faults"] if "faults" in keys else yaml.safe_load(scenario.to_yaml()).get("faults", [])
    return dict(keys) | {"faults": [fault for fault in faults if "proxy" not in fault]}
