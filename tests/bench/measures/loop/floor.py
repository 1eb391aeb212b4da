"""What this machine gives: nanoseconds of a cache line that is waited for or fetched before, and of a wrong guess."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from time import process_time_ns

import numba
import numpy as np

from simulator.plan.compile import compile_scenario
from simulator.plan.run_plan import Plan
from simulator.run.cell import Cell
from tests.bench.cluster import cluster
from tests.bench.measure import Context, Entry
from tests.bench.measures.loop.own_policy import cpu_ns_a_send

LINE = 8  # numbers of 64 bits
SIZES = {"32 KiB": 2**15, "1 MiB": 2**20, "16 MiB": 2**24, "256 MiB": 2**28}
STEPS = 2_000_000
ROUNDS = 5


@numba.njit
def _follow(lines: np.ndarray, steps: int) -> int:
    place = 0
    for _ in range(steps):
        place = lines[place]
    return place


@numba.njit
def _gather(lines: np.ndarray, places: np.ndarray) -> int:
    total = 0
    for place in places:
        total += lines[place]
    return total


@numba.njit
def _choose(bits: np.ndarray, seen: np.ndarray) -> int:
    total = 1
    for bit in bits:
        if bit:  # the store keeps this a branch: it cannot become a conditional move
            seen[total & 1] += 1
        total += 1
    return total


def _least_ns(work: Callable[[], object], count: int) -> float:
    work()
    found = []
    for _ in range(ROUNDS):
        began = process_time_ns()
        work()
        found.append((process_time_ns() - began) / count)
    return min(found)


def _ring(size: int, draw: np.random.Generator) -> np.ndarray:
    """A walk through every line of so many bytes in a random order, each holding the place of the next."""
    order = draw.permutation(size // 8 // LINE) * LINE
    lines = np.zeros(size // 8, np.int64)
    lines[order] = np.roll(order, -1)
    return lines


def _kib(plan: Plan) -> int:
    """What a cell knows and remembers."""
    return round(sum(part.values.nbytes for part in Cell(plan.cells[0], ())._parts().values()) / 1024)


def measure(context: Context) -> Iterator[Entry]:
    """Figures without a bound, and the loop's own beside them."""
    draw = np.random.default_rng(5)
    steps = STEPS // 20 if context.quick else STEPS
    waited, fetched = {}, {}
    for name, size in SIZES.items():
        context.tell(f"random lines of {name}")
        lines = _ring(size, draw)
        places = draw.integers(0, size // 8 // LINE, steps) * LINE
        waited[name] = round(_least_ns(lambda lines=lines: _follow(lines, steps), steps), 2)
        fetched[name] = round(_least_ns(lambda lines=lines, places=places: _gather(lines, places), steps), 2)
    context.tell("branches")
    known, drawn = np.zeros(steps, np.int64), draw.integers(0, 2, steps)
    seen = np.zeros(2, np.int64)
    wrong = (_least_ns(lambda: _choose(drawn, seen), steps) - _least_ns(lambda: _choose(known, seen), steps)) * 2
    context.tell("the loop")
    plan = compile_scenario(cluster(2 if context.quick else 20, standstill=True))
    send = min(cpu_ns_a_send(plan) for _ in range(1 if context.quick else 7))
    found = ", ".join(f"{name} {ns:g}" for name, ns in waited.items())
    yield Entry(
        "machine_floor", send, "ns of CPU a send", ours=f"{send:.0f} ns, no table put out",
        peer=f"a line that is waited for: {found} ns; a branch guessed wrong: {wrong:.1f} ns",
        more={
            "line_waited_ns": waited, "line_fetched_before_ns": fetched, "wrong_branch_ns": round(wrong, 2),
            "wrong_branches": round(send / wrong, 1), "kib": _kib(plan),
        },
    )  # fmt: skip
