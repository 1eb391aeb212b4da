"""A policy of one's own, as `sendlab policy new` writes it, against built-in parts of the same kind."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from statistics import median
from time import process_time_ns

from rich.console import Console

from simulator.plan.compile import compile_scenario
from simulator.plan.run_plan import Plan
from simulator.plan.timetable import announced_in
from simulator.run.cell import Cell
from simulator.scenario import parse_scenario
from simulator.workload import arrivals
from streaming.own_policies.policy_command import new_command
from tests.bench.cluster import cluster_text
from tests.bench.measure import Context, Entry, interleaved, median_ratio

FILE = "mine.py"
BUILT_IN = {"choose": "p2c_peak_ewma", "avoid": "failure_accrual"}
REPETITIONS = 9


def plan_with(parts: dict[str, str], seconds: float, folder: Path) -> Plan:
    """The plan of the benchmarks' cluster under a policy; files of policies lie in `folder`."""
    changes = {"client.send_latency_fault_enable": False, "client.policy": parts}
    return compile_scenario(parse_scenario(cluster_text(seconds), overrides=changes, folder=folder))


def cpu_ns_a_send(plan: Plan) -> float:
    """CPU of the event loop for a send, no table put out, its arrivals drawn before."""
    cell, windows = Cell(plan.cells[0], ()), range(plan.windows)
    events = [arrivals(plan.cells[0].streams, plan.seed, n, plan.window_us, plan.duration_us) for n in windows]
    announced = [announced_in(plan.observations, n, plan.window_us) for n in windows]
    began = process_time_ns()
    for number in windows:
        if len(announced[number]):
            cell.observe(announced[number])
        cell.step(events[number], (number + 1) * plan.window_us)
    return (process_time_ns() - began) / sum(map(len, events))


def measure(context: Context) -> Iterator[Entry]:
    """The one line of this measure: both parts together, and each beside the built-in of the other kind."""
    new_command(context.scratch / FILE, Console(quiet=True))
    seconds = 2.0 if context.quick else 20.0
    asked = {"both": {"choose": FILE, "avoid": FILE}, **{kind: BUILT_IN | {kind: FILE} for kind in BUILT_IN}}
    plans = [plan_with(parts, seconds, context.scratch) for parts in (BUILT_IN, *asked.values())]
    context.tell("compiling")
    for plan in plans:
        cpu_ns_a_send(plan)
    context.tell("in turn")
    sides: list[Callable[[], float]] = [lambda plan=plan: cpu_ns_a_send(plan) for plan in plans]
    theirs, *ours = interleaved(3 if context.quick else REPETITIONS, *sides)
    ratios = {name: median_ratio(theirs, own) for name, own in zip(asked, ours, strict=True)}
    yield Entry(
        "own_policy_vs_built_in",
        ratios["both"],
        "x",
        f"{median(ours[0]):.0f} ns CPU a send",
        f"{median(theirs):.0f} ns with {' and '.join(BUILT_IN.values())}",
        more={f"{kind}_alone": round(ratios[kind], 3) for kind in BUILT_IN},
    )
