"""Why a message of a gRPC producer went to its queue: what a proxy knows of brokers, and what it does not."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from simulator.scenario import Scenario
from simulator.units import format_duration
from streaming.clock import virtual_time
from streaming.explain.find_attempt import Asked, Found, messages_of, where
from streaming.explain.texts.explain_texts import ExplainTexts
from streaming.outputs.dataset import RunOutput
from streaming.report.fault_times import consumer_of, scenario_of

STANDS_STILL = ("hang", "pause")
# faults with which routes change, at once or when the name servers notice
CHANGES_ROUTES = (
    "kill", "restart", "rolling_restart", "power_loss", "disk_loss", "silent_death", "master_lost", "wipe_permission",
    "read_only", "queues", "scale_in", "scale_out",
)  # fmt: skip


def client_words(output: RunOutput, found: Found) -> str:
    """The gRPC client of the attempt's producer, as the scenario has it."""
    scenario, producer = scenario_of(output), found.row["producer"]
    first = 0
    for group in scenario.producers if scenario is not None else ():
        if first <= producer < first + group.count and group.grpc is not None:
            return ExplainTexts.PROXY_CLIENT(library=group.grpc.language.library, release=group.grpc.release)
        first += group.count
    return ExplainTexts.PROXY_UNKNOWN_CLIENT()


def attempts_over(output: RunOutput, message: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The rows of `proxied_attempts` of a message, by attempt; none where that table was not written."""
    names = {name: message[name] for name in ("producer", "thread", "topic", "send_seq")}
    columns = ("attempt", "proxy", "broker", "begin_us", "end_us", "outcome")
    rows = [row for batch in output.batches("proxied_attempts", columns, where(names)) for row in batch.to_pylist()]
    return sorted(rows, key=lambda row: int(row["attempt"]))


def unreached_message(output: RunOutput, asked: Asked) -> dict[str, Any] | None:
    """The row of `sends` of a message whose attempt was asked for by number and reached no broker, None otherwise."""
    if asked.send_seq is None:
        return None
    names = {"producer": asked.producer, "thread": asked.thread, "topic": asked.topic, "send_seq": asked.send_seq}
    found = messages_of(output, names)
    if len(found) != 1:
        return None
    over = {row["attempt"]: row["broker"] for row in attempts_over(output, found[0])}
    return found[0] if over.get(asked.attempt, "") is None else None


def unreached_lines(rows: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """A sentence about each attempt that asked no broker."""
    for row in rows:
        if row["broker"] is None:
            over = ExplainTexts.PROXY_UNREACHED_OVER(proxy=row["proxy"]) if row["proxy"] else ""
            took_ms = (row["end_us"] - row["begin_us"]) / 1000
            yield ExplainTexts.PROXY_UNREACHED(
                attempt=row["attempt"], over=over, outcome=row["outcome"], took_ms=took_ms
            )


def proxy_lines(output: RunOutput, found: Found) -> Iterator[str]:
    """Sentences about the choice: the proxy, the fault that strikes the broker then, and the attempts before."""
    row, scenario = found.row, scenario_of(output)
    is_local = scenario is not None and scenario.proxies is not None and scenario.proxies.is_local
    over = attempts_over(output, row)
    own = next((each["proxy"] for each in over if each["attempt"] == row["attempt"]), None)
    if own is not None and not is_local:
        yield ExplainTexts.PROXY_OVER(proxy=own)
    yield from unreached_lines(over)
    for fault in output.about["faults"]:
        is_now = fault["at_us"] <= row["begin_us"] < fault["until_us"]
        if fault["broker"] == row["broker"] and is_now and not consumer_of(fault):
            when = f"{virtual_time(fault['at_us'])} to {virtual_time(fault['until_us'])}"
            yield f"{fault['label']} ({when}): {_why_chosen(scenario, fault['kind'])}"
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
    if kind not in CHANGES_ROUTES:
        return ExplainTexts.PROXY_UNAWARE()
    return ExplainTexts.PROXY_AGE(age=format_duration(own.topic_route_service_cache_refresh_us))
