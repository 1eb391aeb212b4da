"""The bare event loop, one core and no Spark, against a SimPy model of the same cluster."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from statistics import median
from time import perf_counter

from simulator.plan.compile import compile_scenario
from simulator.plan.run_plan import Plan
from simulator.plan.timetable import announced_in
from simulator.run.cell import Cell
from simulator.run.simulate import simulate
from simulator.scenario import Scenario
from simulator.workload import Arrivals, arrivals
from tests.bench.cluster import cluster
from tests.bench.measure import Context, Entry, interleaved, median_ratio
from tests.bench.peers.simpy_model import Model, Tally
from tests.bench.processes import in_a_process

SHARE_TOLERANCE = 0.01  # of all attempts
LATENCY_TOLERANCE = 0.03  # of the mean
SIMPY_WARM_S = 1.0


class Disagreement(Exception):
    """The two models do not do the same."""


def _window(plan: Plan, number: int) -> Arrivals:
    return arrivals(plan.cells[0].streams, plan.seed, number, plan.window_us, plan.duration_us)


def loop_sends_per_s(plan: Plan, tables: Sequence[str] = ()) -> tuple[float, float]:
    """Sends a second of one cell that puts out these tables: with the workload's generation, and of the loop alone."""
    cell = Cell(plan.cells[0], tables)
    sends, looping = 0, 0.0
    began = perf_counter()
    for window in range(plan.windows):
        events = _window(plan, window)
        announced = announced_in(plan.observations, window, plan.window_us)
        start = perf_counter()
        if len(announced):
            cell.observe(announced)
        cell.step(events, (window + 1) * plan.window_us)
        looping += perf_counter() - start
        sends += len(events)
    return sends / (perf_counter() - began), sends / looping


def settled_loop(seconds: float) -> tuple[float, float]:
    """The same of the benchmark's cluster that puts out no table, after a run that is not counted."""
    plan = compile_scenario(cluster(seconds, standstill=True))
    loop_sends_per_s(plan)
    return loop_sends_per_s(plan)


def simpy_sends_per_s(seconds: float, seed: int) -> float:
    """Messages a second of the SimPy model, once it has settled."""
    model = Model(cluster(seconds, standstill=True), seed)
    model.run(SIMPY_WARM_S)
    before = model.tally.messages
    began = perf_counter()
    model.run(seconds)
    return (model.tally.messages - before) / (perf_counter() - began)


def our_tally(scenario: Scenario) -> Tally:
    """What the SimPy model counts, of our own run."""
    result = simulate(scenario, tables=("attempts", "sends"))
    brokers = result.column("attempts", "broker")
    return Tally(
        messages=result.sends.num_rows,
        failed=int((result.column("sends", "result") != "SEND_OK").sum()),
        latency_ms=float(result.column("sends", "latency_us").sum()) / 1000,
        attempts={i: int((brokers == name).sum()) for i, name in enumerate(scenario.brokers)},
        retries=int((result.column("attempts", "attempt") > 1).sum()),
    )


def check_agreement(seconds: float, *, standstill: bool) -> dict[str, float]:
    """How far the two models differ. Raises Disagreement beyond the tolerances.

    After a standstill every thread sends what has piled up at once, and the mean latency differs from seed to seed
    by more than the tolerance; then only the shares are compared.
    """
    scenario = cluster(seconds, standstill=standstill)
    ours, theirs = our_tally(scenario), Model(scenario, seed=1).run(seconds)
    total, their_total = sum(ours.attempts.values()), sum(theirs.attempts.values())
    shares = [ours.attempts[b] / total - theirs.attempts.get(b, 0) / their_total for b in ours.attempts]
    share = max(map(abs, shares))
    mean, their_mean = ours.latency_ms / ours.messages, theirs.latency_ms / theirs.messages
    if share > SHARE_TOLERANCE or (not standstill and abs(mean / their_mean - 1) > LATENCY_TOLERANCE):
        raise Disagreement(
            f"the models differ: a broker's share by {share:.2%}, mean latency {mean:.3f} ms, SimPy {their_mean:.3f} ms"
        )
    name = "with_standstill" if standstill else "steady"
    return {
        f"{name}_share_difference": round(share, 5),
        f"{name}_mean_latency_ms": round(mean, 3),
        f"{name}_simpy_mean_latency_ms": round(their_mean, 3),
    }


def measure(context: Context) -> Iterator[Entry]:
    """The ratio of sends a second, one core each, once both models agree."""
    seconds, repetitions = (10.0, 1) if context.quick else (40.0, 7)
    context.tell("do both models agree?")
    agreement = check_agreement(seconds, standstill=False) | check_agreement(seconds, standstill=True)
    context.tell(f"in turn, {repetitions} times, ours in a new process each")
    alone: list[float] = []
    seed = iter(range(100, 100 + repetitions))

    def loop() -> float:
        both, looping = in_a_process(settled_loop, 2 * seconds)
        alone.append(looping)
        return both

    mine, simpy = interleaved(repetitions, loop, lambda: simpy_sends_per_s(6.0, next(seed)))
    yield Entry(
        "event_loop_vs_simpy", median_ratio(mine, simpy), "x",
        ours=f"{median(mine) / 1e6:.2f} M sends/s", peer=f"{median(simpy) / 1e3:.1f} k sends/s",
        more={
            "sends_per_s": round(median(mine)), "loop_alone_sends_per_s": round(median(alone)),
            "simpy_sends_per_s": round(median(simpy)), "ns_a_send": round(1e9 / median(mine)),
            "loop_alone_ns": round(1e9 / median(alone)), "simpy_ns": round(1e9 / median(simpy)),
            "repetitions": repetitions, **agreement,
        },
    )  # fmt: skip
