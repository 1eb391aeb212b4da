"""The plan of the cell that a golden case runs in: one producer with one thread, whose transport is a script."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from simulator.client.faults.fault_item import FaultTable
from simulator.client.routes.default_route import default_route
from simulator.client.routes.queue_list import TopicRoute
from simulator.compiled.records import size_of
from simulator.compiled.region_store import put_column
from simulator.engine.memory.client_kind import ClientKind
from simulator.engine.memory.routes import NOT_ASKED, NOT_EXISTING, NOTHING_KNOWN, Poller
from simulator.engine.memory.sender_thread import Producer
from simulator.engine.routes.addresses import FIRST_CLEAN_US
from simulator.engine.routes.route_polls import FIRST_POLL_US
from simulator.plan.compile import compile_scenario
from simulator.plan.route_plan import RoutePlan
from simulator.plan.run_plan import CellPlan
from simulator.releases.producer_release import Client
from simulator.scenario import Scenario
from streaming.proof.golden.golden_case import START_MS, route_of

NO_LIMIT = -1


def scripted_plan(
    client: Client, brokers: Sequence[str], topics: Sequence[str], keys: Mapping[str, Any], *,
    is_async: bool, routes: RoutePlan | None = None,
) -> CellPlan:  # fmt: skip
    """One cell of one thread whose sends meet a script; `keys`: of the client besides its release.

    What takes a producer time beside what is recorded takes none: a time-out is noticed when it is due, a refusal at
    once, an asynchronous message is sent by its caller's thread, and a callback runs on it.
    """
    mode = "async" if is_async else "sync"
    scenario = Scenario.model_validate(
        {
            "name": "golden",
            "seed": 0,
            "duration": "1h",
            "window": "1m",
            "client": {"release": client.release, "send_latency_fault_enable": True, **keys},
            "producers": [{"group": "recorded", "count": 1, "rate": "1/s", "mode": mode, "topics": {topics[0]: 1}}],
            "topics": {name: {} for name in topics},
            "brokers": {name: {"latency": {"constant": "1ms"}} for name in brokers},
        }
    )
    in_order = {name: scenario.brokers[name] for name in brokers}  # their numbers are those of the recording
    scenario = scenario.model_copy(update={"brokers": in_order})
    plan = compile_scenario(scenario, routes=routes, client=client).cells[0]
    settings = plan.settings
    settings.scripted = settings.connections_on = 1
    settings.timeout_notice_us, settings.timeout_spread_us = 0, 1
    settings.refusal_us, settings.refusal_spread_us = 0, 1
    kind_of(plan).async_senders = 0
    _put(plan, "producers", Producer, first_scan_us=0, scan_period_us=1, callback_views=0, pool_threads=1)
    _put(plan, "producers", Producer, heartbeat_us=FIRST_CLEAN_US)
    _put(plan, "pollers", Poller, phase_us=FIRST_POLL_US)
    return plan


def kind_of(plan: CellPlan) -> ClientKind:
    """The settings of the only client."""
    return ClientKind.at(plan.cluster["client_kinds"].reshape(-1))


def _put(plan: CellPlan, region: str, record: type[Any], **fields: int) -> None:
    """Write fields of the only record of a region."""
    for name, value in fields.items():
        put_column(record, plan.cluster[region].reshape(-1, size_of(record)), name, value)


def case_plan(case: Mapping[str, Any], client: Client, *, is_async: bool) -> CellPlan:
    """The plan of a case of messages."""
    routes = _routes_of(case, client)
    retries = "retry_times_when_send_async_failed" if is_async else "retry_times_when_send_failed"
    settings = {
        "send_msg_timeout": f"{case['to']}ms",
        retries: case["rt"],
        "latency_max": [f"{ms}ms" for ms in case["lm"]],
        "not_available_duration": [f"{ms}ms" for ms in case["nd"]],
        "retry_another_broker_when_not_store_ok": bool(case["ns"]),
    }
    topics = [f"topic-{number}" for number in range(len(routes.timelines[0]))]
    plan = scripted_plan(client, case["names"], topics, settings, is_async=is_async, routes=routes)
    _fill_settings(plan, case)
    _put(plan, "producers", Producer, refusals_reported=1)  # a recording's transport reports once
    faults = FaultTable.at(plan.memory.cells, plan.memory.faults)
    faults.counter.random, faults.penalty.shuffles = case["w0"], 0  # what is drawn was recorded
    known = np.full(len(topics), NOT_ASKED)
    known[len(case["routes"]) :] = NOTHING_KNOWN
    return replace(plan, known_routes=known)


def _fill_settings(plan: CellPlan, case: Mapping[str, Any]) -> None:
    """What a scenario does not say so."""
    settings, client = plan.settings, kind_of(plan)
    client.max_timeout_per_request_ms = NO_LIMIT if case["mp"] is None else case["mp"]
    settings.detector_on = client.detector_on = case["det"]
    settings.timeout_notice_us = 1000 * case["ov"]
    client.go_away_is_send_failure = 0  # the script stands above the channel, which would see that code


def _routes_of(case: Mapping[str, Any], client: Client) -> RoutePlan:
    """What the case's name server delivers; the last topic may be that of the create-topic key."""
    versions: list[TopicRoute] = []

    def number_of(route: TopicRoute) -> int:
        """Of a version; a route that a client sees no change in has the same number."""
        found = next((n for n, known in enumerate(versions) if route.is_same(known)), len(versions))
        if found == len(versions):
            versions.append(route)
        return found

    key_route = None if case["tbw"] is None else route_of(case["tbw"], None, case["names"])
    timelines, defaults = [], dict[int, dict[int, int]]()
    for topic, steps in enumerate(case["routes"]):
        timeline = [(0, NOT_EXISTING)]
        for since_ms, queue_datas in steps:
            version = NOT_EXISTING
            if queue_datas is not None:
                version = number_of(route_of(queue_datas, None, case["names"]))
            elif key_route is not None:
                default = number_of(default_route(key_route))
                version = len(versions)
                versions.append(key_route)  # of a topic that no broker has: the key's route says how it would begin
                defaults.setdefault(topic, {})[version] = default
            timeline.append(((START_MS + since_ms) * 1000, version))
        timelines.append(timeline)
    if key_route is not None and client.keeps_create_topic_key:
        timelines.append([(0, NOT_EXISTING), (START_MS * 1000, number_of(key_route))])
    return RoutePlan(versions, [timelines], defaults)
