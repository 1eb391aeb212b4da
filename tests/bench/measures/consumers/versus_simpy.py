"""100 producers, 8 brokers x 8 queues and 16 instances x 20 threads, everything consumed, against a SimPy model."""

from __future__ import annotations

from collections.abc import Callable
from statistics import median
from time import process_time
from typing import Any

import yaml

from simulator.plan.compile import compile_scenario
from simulator.plan.run_plan import Plan
from simulator.run.cell import Cell
from simulator.run.simulate import simulate
from simulator.scenario import Scenario, parse_scenario
from simulator.workload import arrivals
from tests.bench.cluster import cluster_text
from tests.bench.measure import Context, Entry, interleaved, median_ratio
from tests.bench.measures.loop.event_loop import SIMPY_WARM_S, Disagreement
from tests.bench.peers.simpy_consumers import ConsumedModel
from tests.bench.processes import in_a_process

COUNT_TOLERANCE = 0.01
LATENCY_TOLERANCE = 0.03  # of the mean from the store until consumed
GROUP: dict[str, Any] = {"topic": "orders", "count": 16, "threads": 20, "service": {"constant": "20ms"}}


def consumed_cluster(seconds: float, seed: int = 11) -> Scenario:
    """The benchmark's cluster with a group that keeps up."""
    content = yaml.safe_load(cluster_text(seconds, seed=seed)) | {"consumers": {"billing": GROUP}}
    return parse_scenario(yaml.safe_dump(content, sort_keys=False))


def ours_per_s(plan: Plan) -> float:
    """Sends and consumptions a second of one cell that puts out no table, with the workload's generation."""
    cell = Cell(plan.cells[0], ())
    machine, sends = cell.consumers, 0
    assert machine is not None
    began = process_time()
    for window in range(plan.windows):
        events = arrivals(plan.cells[0].streams, plan.seed, window, plan.window_us, plan.duration_us)
        cell.step(events, (window + 1) * plan.window_us)
        sends += len(events)
    return (sends + int(machine.world.clock.consumed)) / (process_time() - began)


def parts_ns(seconds: float) -> dict[str, float]:
    """CPU nanoseconds a message of arrivals, of its send and of its consumption, of a settled cell."""
    plan = compile_scenario(consumed_cluster(seconds))
    ours_per_s(plan)
    cell = Cell(plan.cells[0], ())
    machine, sends, drawing, stepping = cell.consumers, 0, 0.0, 0.0
    assert machine is not None
    took: list[float] = []
    setattr(machine, "step", _timed(machine.step, took))  # noqa: B010
    for window in range(plan.windows):
        began = process_time()
        events = arrivals(plan.cells[0].streams, plan.seed, window, plan.window_us, plan.duration_us)
        drawn = process_time()
        cell.step(events, (window + 1) * plan.window_us)
        drawing, stepping, sends = drawing + drawn - began, stepping + process_time() - drawn, sends + len(events)
    parts = {"arrival": drawing, "send": stepping - sum(took), "consumption": sum(took)}
    return {part: round(seconds * 1e9 / sends) for part, seconds in parts.items()}


def _timed(work: Callable[..., Any], took: list[float]) -> Callable[..., Any]:
    def timed(*arguments: Any) -> Any:
        began = process_time()
        found = work(*arguments)
        took.append(process_time() - began)
        return found

    return timed


def settled_per_s(seconds: float) -> float:
    """The same of the benchmark's cluster, after a run that is not counted."""
    plan = compile_scenario(consumed_cluster(seconds))
    ours_per_s(plan)
    return ours_per_s(plan)


def simpy_per_s(seconds: float, seed: int) -> float:
    """The same of the SimPy model, once it has settled."""
    model = ConsumedModel(consumed_cluster(seconds), seed)
    model.run(SIMPY_WARM_S)
    before = model.tally.messages + model.reading.consumed
    began = process_time()
    model.run(seconds)
    return (model.tally.messages + model.reading.consumed - before) / (process_time() - began)


def check_agreement(seconds: float) -> dict[str, float]:
    """Both models consume as much, and as late. Raises Disagreement beyond the tolerances."""
    scenario = consumed_cluster(seconds)
    run = simulate(scenario, tables=("consumed",))
    took_ms = (run.column("consumed", "end_us") - run.column("consumed", "stored_us")) / 1000
    model = ConsumedModel(scenario, seed=1)
    model.run(seconds)
    theirs = model.reading
    count, mean, their_mean = len(took_ms), float(took_ms.mean()), theirs.took_ms / theirs.consumed
    if abs(count / theirs.consumed - 1) > COUNT_TOLERANCE or abs(mean / their_mean - 1) > LATENCY_TOLERANCE:
        text = f"consumed {count} in {mean:.3f} ms, SimPy {theirs.consumed} in {their_mean:.3f} ms"
        raise Disagreement(f"the models differ: {text}")
    return {"mean_ms": round(mean, 3), "simpy_mean_ms": round(their_mean, 3)}


def versus_simpy(context: Context) -> Entry:
    """The ratio of sends and consumptions a second, one core each, once both models agree."""
    seconds, repetitions = (10.0, 1) if context.quick else (40.0, 7)
    context.tell("do both models consume alike?")
    agreement = check_agreement(10.0)
    context.tell(f"in turn, {repetitions} times, ours in a new process each")
    seed = iter(range(100, 100 + repetitions))
    mine, simpy = interleaved(
        repetitions, lambda: in_a_process(settled_per_s, seconds), lambda: simpy_per_s(4.0, next(seed))
    )
    return Entry(
        "consumers_vs_simpy", median_ratio(mine, simpy), "x",
        ours=f"{median(mine) / 1e6:.2f} M sends + consumptions/s", peer=f"{median(simpy) / 1e3:.1f} k/s",
        more={
            "per_s": round(median(mine)), "simpy_per_s": round(median(simpy)), **agreement,
            "parts_ns": in_a_process(parts_ns, seconds), "simpy_ns": round(2e9 / median(simpy)),
        },
    )  # fmt: skip
