"""Why a message of a gRPC producer went to its queue: what a proxy knows of brokers, and what it does not."""

from __future__ import annotations

from collections.abc import Iterator

from simulator.scenario import Scenario
from simulator.units import format_duration
from streaming.clock import virtual_time
from streaming.explain.find_attempt import Found
from streaming.explain.texts.explain_texts import ExplainTexts
from streaming.outputs.dataset import RunOutput
from streaming.report.fault_times import scenario_of

STANDS_STILL = ("hang", "pause")
AWAY = ("kill", "restart", "rolling_restart", "power_loss", "disk_loss")


def client_words(output: RunOutput, found: Found) -> str:
    """The gRPC client of the attempt's producer, as the scenario has it."""
    scenario, producer = scenario_of(output), found.row["producer"]
    first = 0
    for group in scenario.producers if scenario is not None else ():
        if first <= producer < first + group.count and group.grpc is not None:
            return ExplainTexts.PROXY_CLIENT(release=group.grpc.release)
        first += group.count
    return ExplainTexts.PROXY_UNKNOWN_CLIENT()


def proxy_lines(output: RunOutput, found: Found) -> Iterator[str]:
    """Sentences about the choice: the fault that strikes the broker then, and the attempt before."""
    row, scenario = found.row, scenario_of(output)
    for fault in output.about["faults"]:
        if fault["broker"] == row["broker"] and fault["at_us"] <= row["begin_us"] < fault["until_us"]:
            when = f"{virtual_time(fault['at_us'])} to {virtual_time(fault['until_us'])}"
            yield f"{fault['label']} ({when}): {_why_chosen(scenario, fault['kind'])}"
    is_local = scenario is not None and scenario.proxies is not None and scenario.proxies.is_local
    place = next((n for n, one in enumerate(found.attempts) if one["attempt"] == row["attempt"]), 0)
    if place > 0:
        before = found.attempts[place - 1]
        text = ExplainTexts.LOCAL_BEFORE if is_local else ExplainTexts.PROXY_BEFORE
        yield text(broker=before["broker"])


def _why_chosen(scenario: Scenario | None, kind: str) -> str:
    if scenario is None or scenario.proxies is None:
        return ExplainTexts.PROXY_UNAWARE()
    own = scenario.proxies
    if own.is_local:
        return ExplainTexts.LOCAL_NOT_ISOLATED()
    if own.send_latency_enable:
        return ExplainTexts.PROXY_MEASURES()
    if kind in STANDS_STILL:
        return ExplainTexts.PROXY_BLIND()
    if kind not in AWAY:
        return ExplainTexts.PROXY_UNAWARE()
    return ExplainTexts.PROXY_AGE(age=format_duration(own.topic_route_service_cache_refresh_us))
