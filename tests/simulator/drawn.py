"""Scenarios drawn by hypothesis: several cells, groups, topics, faults, releases and kinds of arrivals."""

from __future__ import annotations

from typing import Any

import yaml
from hypothesis import strategies as st

from simulator.scenario.faults.fault_kinds import CONSUMER, CONTROLLER, KINDS, NAME_SERVER

RELEASES = ("4.2.0", "4.8.0", "4.9.3", "4.9.7", "4.9.8", "5.0.0", "5.1.0", "5.1.3", "5.1.4", "5.3.3")
LATENCIES = (
    {"constant": "2ms"},
    {"uniform": {"min": "0us", "max": "30ms"}},
    {"exponential": {"mean": "5ms"}},
    {"lognormal": {"p50": "1ms", "p99": "60ms"}},
)


SIZES = ("1KiB", {"uniform": {"min": "1KiB", "max": "9KiB"}}, {"lognormal": {"p50": "1KiB", "p99": "40KiB"}})
SOURCE = """
def choose(queues, message, arg):
    return (message.number // 3 + (arg or 0)) % (len(queues) + 1)
"""
WAYS: tuple[dict[str, Any], ...] = (
    *({"mode": "sync"}, {"mode": "async"}, {"mode": "async", "selector": "random"}, {"mode": "oneway"}),
    *({"batch": 3}, {"selector": "random"}, {"mode": "oneway", "selector": "machine_room"}),
    {"selector": {"function": "own.py:choose", "source": SOURCE}},
    {"mode": "async", "selector": {"function": "own.py:choose", "source": SOURCE}},
)
NETWORKS: tuple[list[dict[str, Any]], ...] = (
    *([], [], [{"each_way": "2ms"}]),
    [{"producers": "g0", "requests": {"exponential": {"mean": "9ms"}}}, {"broker": "broker-a", "answers": "40ms"}],
    [{"requests": {"uniform": {"min": "0us", "max": "700ms"}}, "answers": "1ms"}],
)
# What a kind needs besides at, for and its target.
OWN_KEYS = {
    "slow": {"factor": [0.5, 3, 200]},
    "code": {"response_code": ["SYSTEM_BUSY", "SYSTEM_ERROR", "NO_PERMISSION"]},
    "status": {"send_status": ["FLUSH_DISK_TIMEOUT", "SLAVE_NOT_AVAILABLE"]},
    "pause": {"every": ["2500ms", "3s"]},
    "packet_loss": {"probability": [0.1, 0.6], "rto": ["5ms", "200ms"]},
    "partition": {"producers": ["g0", "all"]},
    "slow_link": {"delay": ["3ms", "900ms", "4s"], "producers": ["g0", "all"], "ways": ["answers", "requests", "both"]},
    "name_server_slow": {"delay": ["3ms", "900ms", "4s"]},
    "name_server_cut": {"producers": ["g0"]},
    "read_only": {"topic": ["orders"]},
    "queues": {"topic": ["orders"], "queues": [1, 7]},
    "rolling_restart": {"each": ["100ms", "1s"], "pause": ["0s", "300ms"]},
    "restart": {"graceful": [True, False]},
    "scale_in": {"drain": ["0s", "700ms"]},
}


def _fault(draw: Any, brokers: list[str], batches: bool) -> dict[str, Any]:
    kinds = {name for name, kind in KINDS.items() if kind.target != CONSUMER} - ({"power_loss"} if batches else set())
    kind = draw(st.sampled_from(sorted(kinds)))
    begin_ms, length_ms = draw(st.integers(0, 3000)), draw(st.integers(1, 2500))
    fault: dict[str, Any] = {"at": f"{begin_ms}ms", "for": f"{length_ms}ms", "kind": kind}
    if KINDS[kind].target == NAME_SERVER:
        own = {key: draw(st.sampled_from(values)) for key, values in OWN_KEYS.get(kind, {}).items()}
        return fault | own | {"name_server": draw(st.sampled_from([1, "all"]))}
    if KINDS[kind].target == CONTROLLER:
        return fault | {"controller": draw(st.sampled_from([1, "all"]))}
    fault["broker"] = draw(st.sampled_from([*brokers, "all"]))
    if kind == "slow" and draw(st.booleans()):
        return fault | {"latency": draw(st.sampled_from(LATENCIES)), "ramp": "1ms"}
    if kind == "slave_lag" and draw(st.booleans()):
        return fault | {"copied_bytes_per_s": draw(st.sampled_from(["100B", "8KiB", "1GiB"]))}
    return fault | {key: draw(st.sampled_from(values)) for key, values in OWN_KEYS.get(kind, {}).items()}


def _messages(draw: Any, batches: bool) -> dict[str, Any]:
    if draw(st.booleans()):
        return {}
    return {
        "keys": {"count": draw(st.integers(1, 9)), "skew": draw(st.sampled_from(["uniform", "zipf 1.3"]))},
        "check_order": draw(st.booleans()) and not batches,
        "message_bytes": draw(st.sampled_from(SIZES)),
        "compress_ratio": 0.5,
    }


def _topic(draw: Any, batches: bool) -> dict[str, Any]:
    if draw(st.integers(0, 4)) == 0:
        return {"auto_create": True}
    return {"queues": draw(st.integers(1, 3)), **_messages(draw, batches)}


def _broker(draw: Any) -> dict[str, Any]:
    broker = {
        "latency": draw(st.sampled_from(LATENCIES)),
        "send_threads": draw(st.integers(1, 3)),
        "send_queue": draw(st.sampled_from([1, 5, 1000])),
        "release": draw(st.sampled_from(RELEASES)),
        "fast_failure": draw(st.booleans()),
    }
    if draw(st.booleans()):
        broker["append"] = {"base": "3ms", "per_kib": "1ms"}
    if draw(st.booleans()):
        broker |= {"flush": "sync", "flush_latency": draw(st.sampled_from(LATENCIES)), "sync_flush_timeout": "20ms"}
    elif draw(st.booleans()):
        broker["transient_store_pool"] = True
    if draw(st.booleans()):
        broker |= {"role": "sync_master", "slaves": draw(st.integers(0, 3))}
        broker["slave_latency"] = draw(st.sampled_from(LATENCIES))
        if broker["slaves"] and draw(st.booleans()):
            broker["slave_latency_of_replica"] = {str(1 + broker["slaves"]): draw(st.sampled_from(LATENCIES))}
        if broker["slaves"] and broker["release"].startswith("5") and draw(st.booleans()):
            rate = draw(st.sampled_from(["8KiB", "100MiB"]))
            broker |= {"ha_flow_control_enable": True, "max_ha_transfer_byte_in_second": rate}
    return broker


def _client(draw: Any) -> dict[str, Any]:
    release = draw(st.sampled_from(RELEASES))
    client = {
        "release": release,
        "send_latency_fault_enable": draw(st.booleans()),
        "retry_times_when_send_failed": draw(st.integers(0, 3)),
        "retry_another_broker_when_not_store_ok": draw(st.booleans()),
        "retry_times_when_send_async_failed": draw(st.integers(0, 2)),
        "async_sender_threads": draw(st.integers(1, 2)),
        "max_message_size": draw(st.sampled_from(["4MiB", "8KiB"])),
        "send_msg_timeout": draw(st.sampled_from(["30ms", "400ms", "3s"])),
        "connect_timeout": draw(st.sampled_from(["300ms", "3s"])),
        "poll_name_server_interval": draw(st.sampled_from(["500ms", "30s"])),
        "poll_phase": draw(st.sampled_from(["spread", "aligned"])),
    }
    if release in ("5.0.0", "5.1.0", "5.1.3", "5.1.4", "5.3.3") and draw(st.booleans()):
        client["enable_backpressure_for_async_mode"] = True
        client["back_pressure_for_async_send_num"] = 10
    elif release in ("5.1.4", "5.3.3") and draw(st.booleans()):
        client["auto_batch"] = True
        client["batch_max_delay"] = draw(st.sampled_from(["1ms", "10ms", "200ms"]))
        client["batch_max_bytes"] = draw(st.sampled_from(["1KiB", "32KiB"]))
        client["total_batch_max_bytes"] = draw(st.sampled_from(["3KiB", "32MiB"]))
    if release in ("5.1.4", "5.3.3"):
        client["start_detector_enable"] = draw(st.booleans())
    return client


def _arriving(draw: Any) -> dict[str, Any]:
    return {
        "rate": f"{draw(st.sampled_from([3, 20, 70]))}/s",
        "arrivals": draw(st.sampled_from(["poisson", "uniform", "steady"])),
        "when_blocked": draw(st.sampled_from(["queue", "skip"])),
        "hand_off_queue": draw(st.sampled_from([1, 3, 1000])),
    }


def _closed_loop(draw: Any) -> dict[str, Any]:
    return {"arrivals": "closed", "think": draw(st.sampled_from(["15ms", {"exponential": {"mean": "30ms"}}]))}


def _own_client(draw: Any) -> dict[str, Any]:
    return {
        "release": draw(st.sampled_from(RELEASES)),
        "send_latency_fault_enable": draw(st.booleans()),
        "retry_times_when_send_failed": draw(st.integers(0, 3)),
        "async_sender_threads": draw(st.integers(1, 3)),
    }


def _group(draw: Any, number: int, topics: list[str], release: str) -> dict[str, Any]:
    client = _own_client(draw) if draw(st.integers(0, 2)) == 0 else {}
    release = client.get("release", release)
    way = draw(st.sampled_from(WAYS))
    if way.get("mode") == "async" and release != "4.2.0" and draw(st.booleans()):
        way = {"mode": "async", "batch": 4}
    return {
        "group": f"g{number}",
        "count": draw(st.integers(2, 4)),
        "threads": draw(st.integers(1, 3)),
        **(_closed_loop(draw) if draw(st.integers(0, 3)) == 0 else _arriving(draw)),
        "topics": draw(st.lists(st.sampled_from(topics), min_size=1, unique=True)),
        **way,
        **({"client": client} if client else {}),
    }


@st.composite
def scenarios(draw: Any) -> str:
    """YAML of a scenario of a few thousand sends at most."""
    brokers = [f"broker-{letter}" for letter in "abcd"[: draw(st.integers(1, 4))]]
    topics = ["orders", "clicks"][: draw(st.integers(1, 2))]
    client = _client(draw)
    batches = "auto_batch" in client
    return yaml.safe_dump(
        {
            "name": "drawn",
            "seed": draw(st.integers(0, 2**63 - 1)),
            "duration": f"{draw(st.integers(900, 4200))}ms",
            "window": draw(st.sampled_from(["100ms", "250ms", "1s"])),
            "cells": draw(st.integers(1, 2)),
            "network": draw(st.sampled_from(NETWORKS)),
            "client": client,
            "producers": [_group(draw, number, topics, client["release"]) for number in range(draw(st.integers(1, 2)))],
            "topics": {
                "orders": {"queues": draw(st.integers(1, 3)), **_messages(draw, batches)},
                **{name: _topic(draw, batches) for name in topics[1:]},
            },
            "brokers": {name: _broker(draw) for name in brokers},
            "faults": [_fault(draw, brokers, batches) for _ in range(draw(st.integers(0, 4)))],
            "name_servers": {"count": draw(st.integers(1, 2)), "release": draw(st.sampled_from(["4.9.8", "5.3.3"]))},
        }
    )
