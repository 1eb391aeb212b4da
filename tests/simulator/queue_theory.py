"""Queues with an exact answer, and a broker that is fed as one: what test_theory.py compares."""

from __future__ import annotations

import math
from dataclasses import dataclass
from decimal import Decimal, localcontext

import numpy as np
import yaml

from simulator.compiled.jit import entry, ready
from simulator.compiled.records import Cells
from simulator.engine.broker.service import serve
from simulator.engine.memory.world import World
from simulator.kernel.latency import service_us
from simulator.kernel.randomness import mix
from simulator.plan.compile import compile_text
from simulator.run.cell import Cell
from simulator.workload import NO_ARRIVALS

MEAN_US = 10_000
BINS = 4096
BIN_US = 1_000


@dataclass(frozen=True)
class Queue:
    """M/M/c, or with `fixed` service times M/D/1, of that utilisation; times in mean service times."""

    servers: int
    utilisation: float
    fixed: bool = False

    @property
    def name(self) -> str:
        """Kendall's notation."""
        return f"M/{'D' if self.fixed else 'M'}/{self.servers}"

    @property
    def waits(self) -> float:
        """Probability of waiting: Erlang C."""
        c, load = self.servers, self.servers * self.utilisation
        blocked = 1.0
        for n in range(1, c + 1):
            blocked = load * blocked / (n + load * blocked)
        return blocked / (1 - self.utilisation * (1 - blocked))

    @property
    def mean_wait(self) -> float:
        """Pollaczek-Khinchine for M/D/1, Erlang C for M/M/c."""
        mean = self.waits / (self.servers * (1 - self.utilisation))
        return mean / 2 if self.fixed else mean

    def waited_at_most(self, wait: float) -> float:
        """P(W <= wait): exponential above 0 for M/M/c, Erlang's alternating sum for M/D/1."""
        rho = self.utilisation
        if not self.fixed:
            return 1 - self.waits * math.exp(-self.servers * (1 - rho) * wait)
        with localcontext() as context:
            context.prec = 60 + int(wait)  # the terms reach e to that power and cancel
            load, total, term_of = Decimal(rho), Decimal(0), Decimal(wait)
            for k in range(int(wait) + 1):
                x = load * (term_of - k)
                total += (-x) ** k / math.factorial(k) * x.exp() if k else x.exp()
            return float((1 - load) * total)


@entry
def feed(world: World, counts: Cells, customers: int, seed: int, gap_us: float) -> None:
    """Feed broker 0 with Poisson arrivals; counts: waits by bin, then sum, number without a wait, end of the last."""
    send, edges = world.attempts[0], world.latencies[world.brokers[0].latency].edges
    send.broker = 0
    at = 0.0
    for i in range(customers):
        first, other = mix(np.uint64(seed + 2 * i)), mix(np.uint64(seed + 2 * i + 1))
        at -= math.log((np.float64(np.int64(first >> np.uint64(12))) + 0.5) / 4503599627370496.0) * gap_us
        now_us = np.int64(at)
        word = np.int64(other >> np.uint64(32))
        end_us = serve(world, send, now_us, word, 0)
        wait_us = end_us - now_us - service_us(edges, word)
        counts[min(wait_us // 1000, BINS - 1)] += 1
        counts[BINS] += wait_us
        if wait_us == 0:
            counts[BINS + 1] += 1
        counts[BINS + 2] = max(counts[BINS + 2], end_us)


@dataclass(frozen=True)
class Measured:
    """What a fed broker did, in mean service times."""

    mean_wait: float
    distance: float


def broker_cell(queue: Queue) -> Cell:
    """A cell whose one broker is that queue."""
    latency = {"constant": "10ms"} if queue.fixed else {"exponential": {"mean": "10ms"}}
    broker = {"latency": latency, "send_threads": queue.servers, "fast_failure": False, "send_queue": 100_000}
    text = {
        "name": queue.name, "duration": "1s", "client": {"release": "4.9.8"}, "producers": {"count": 1, "rate": "1/s"},
        "topics": {"t": {"queues": 1}}, "brokers": {"b": broker},
    }  # fmt: skip
    return Cell(compile_text(yaml.safe_dump(text)).cells[0])


def measure(queue: Queue, customers: int, seeds: int = 1) -> Measured:
    """Mean wait and Kolmogorov-Smirnov distance of the waits of so many customers, over some seeds."""
    ready(feed)
    counts = np.zeros(BINS + 3, np.int64)
    gap_us = MEAN_US / (queue.servers * queue.utilisation)
    for seed in range(seeds):
        cell = broker_cell(queue)
        cell.step(NO_ARRIVALS, 0)  # now there is a record to send with
        feed(cell.world, Cells.of(counts), customers, (seed + 1) << 40, gap_us)
    total = customers * seeds
    below = np.cumsum(counts[:BINS]) / total
    edges = range(4, 1000, 5) if queue.fixed else range(BINS - 1)
    found = [abs(below[i] - queue.waited_at_most((i + 1) * BIN_US / MEAN_US)) for i in edges]
    found.append(abs(counts[BINS + 1] / total - queue.waited_at_most(0.0)))
    return Measured(counts[BINS] / total / MEAN_US, max(found))
