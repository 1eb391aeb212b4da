"""The cluster that the benchmarks run: 100 producers of 4 threads, 8 brokers of 8 queues, 10,000 messages/s.

Seven brokers are alike and one is slower; on request one stands still for a second, which fills the hand-off queues,
has fast failure clear its send queue and many producers avoid it for a while. Every put takes the commit log's lock.
"""

from __future__ import annotations

from typing import Any

import yaml

from simulator.scenario import Scenario, parse_scenario

MESSAGES_PER_S = 10_000
APPEND = {"base": "10us", "per_kib": "2us"}
ALIKE = {"latency": {"lognormal": {"p50": "1ms", "p99": "12ms"}}, "send_threads": 8, "append": APPEND}
SLOWER = {"latency": {"lognormal": {"p50": "2ms", "p99": "24ms"}}, "send_threads": 16, "append": APPEND}


def cluster_text(seconds: float, *, cells: int = 1, standstill: bool = False, seed: int = 11) -> str:
    """The scenario over that much virtual time, as YAML."""
    content: dict[str, Any] = {
        "name": "bench",
        "seed": seed,
        "duration": f"{round(seconds * 1000)}ms",
        "cells": cells,
        "client": {"release": "4.9.8", "send_latency_fault_enable": True},
        "producers": {"count": 100, "threads": 4, "rate": f"{MESSAGES_PER_S // 100}/s"},
        "topics": {"orders": {"queues": 8}},
        "brokers": {f"broker-{n}": ALIKE if n < 8 else SLOWER for n in range(1, 9)},
    }
    if standstill:
        content["faults"] = [{"at": "5s", "for": "1s", "broker": "broker-7", "kind": "hang"}]
    return yaml.safe_dump(content, sort_keys=False)


def cluster(seconds: float, *, cells: int = 1, standstill: bool = False, seed: int = 11) -> Scenario:
    """The same, read."""
    return parse_scenario(cluster_text(seconds, cells=cells, standstill=standstill, seed=seed))
