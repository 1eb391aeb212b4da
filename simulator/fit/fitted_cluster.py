"""A cluster whose figures are fitted, as a scenario, and what a closed loop gets out of it."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import yaml

from simulator.fit.measured_point import Point
from simulator.run.simulate import simulate
from simulator.scenario import parse_scenario

P99_SIGMAS = 2.3263478740408408  # of a normal distribution
WARM_UP_US, END_US = 500_000, 2_000_000
KIB = 1024


@dataclass(frozen=True)
class Around:
    """What is not fitted: brokers, their send threads, the client's release."""

    brokers: int = 1
    send_threads: int = 1
    release: str = "4.9.8"


@dataclass(frozen=True)
class Figures:
    """What is fitted, in whole microseconds: the service that holds a send thread (median and 99th percentile of a
    lognormal), the part of it that grows with the size (append), and the wait that holds none, which may grow, too.
    """

    service_p50_us: int
    service_p99_us: int
    append_base_us: int
    append_per_kib_us: int
    wait_us: int
    wait_per_kib_us: int = 0

    @property
    def sigma(self) -> float:
        """Of the service time's logarithm."""
        return math.log(self.service_p99_us / self.service_p50_us) / P99_SIGMAS

    @property
    def service_mean_us(self) -> float:
        """Mean of the lognormal, before what the append adds to short ones."""
        return self.service_p50_us * math.exp(self.sigma**2 / 2)


def cluster_of(figures: Figures, around: Around, point: Point, *, duration_us: int = END_US) -> Mapping[str, Any]:
    """The scenario of a point, as plain values."""
    broker: dict[str, Any] = {
        "count": around.brokers,
        "release": around.release,
        "send_threads": around.send_threads,
        "latency": {"lognormal": {"p50": f"{figures.service_p50_us}us", "p99": f"{figures.service_p99_us}us"}},
        "role": "sync_master",
        "slaves": 1,
        "slave_latency": {"constant": f"{figures.wait_us}us"},
    }
    if figures.wait_per_kib_us:
        broker["slave_latency_per_kib"] = f"{figures.wait_per_kib_us}us"
    if figures.append_base_us or figures.append_per_kib_us:
        broker["append"] = {"base": f"{figures.append_base_us}us", "per_kib": f"{figures.append_per_kib_us}us"}
    return {
        "name": "fitted cluster",
        "seed": 1,
        "duration": f"{duration_us}us",
        "client": {"release": around.release},
        "producers": {"count": 1, "threads": point.threads, "arrivals": "closed", "think": "0us"},
        "topics": {"bench": {"queues": point.queues, "message_bytes": f"{point.message_bytes}B"}},
        "brokers": {"broker": broker},
    }


def measured_in(figures: Figures, around: Around, point: Point) -> tuple[float, float]:
    """Sends a second and mean response time in ms of the simulated point, its first half second left out."""
    scenario = parse_scenario(yaml.safe_dump(cluster_of(figures, around, point)))
    sends = simulate(scenario, tables=("sends",))
    end_us, latency_us = (sends.column("sends", name).astype(np.int64) for name in ("end_us", "latency_us"))
    settled = (end_us >= WARM_UP_US) & (end_us < END_US)
    per_s = float(np.count_nonzero(settled)) / ((END_US - WARM_UP_US) / 1e6)
    return per_s, float(latency_us[settled].mean()) / 1000 if per_s else math.inf
