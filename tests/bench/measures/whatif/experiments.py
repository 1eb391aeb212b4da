"""Experiments through Spark: against SimPy and the bare loop, to the finished page, and as they grow."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import TYPE_CHECKING, Any

import yaml

from simulator.experiments.experiment_file import LoadedExperiment, parse_experiment
from streaming import whatif
from streaming.spark.session import close_session, open_session
from tests.bench.cluster import cluster, cluster_text
from tests.bench.measure import Context, Entry, interleaved, median_ratio
from tests.bench.measures.loop.event_loop import simpy_sends_per_s
from tests.bench.plain_loops import plain_loops
from tests.bench.processes import said, sendlab

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

CORES = os.cpu_count() or 1
RUNS = 40
MESSAGES_PER_S = 10_000
TEN_MINUTES = """
name: four arms of ten minutes
scenario:
  duration: DURATION
  client: {release: 4.9.8, send_latency_fault_enable: true}
  producers: {count: 50, threads: 4, rate: 20/s}
  topics: {orders: {queues: 8}}
  brokers: {broker: {count: 3, latency: {lognormal: {p50: 1ms, p99: 12ms}}}}
  faults: [{at: 2s, for: 1s, broker: broker-2, kind: hang}]
grid: {client.release: [4.8.0, 4.9.8, 5.1.4, 5.3.3]}
"""


def experiment_of(scenario: dict[str, Any], seeds: int) -> LoadedExperiment:
    text = yaml.safe_dump({"name": "bench", "scenario": scenario, "arms": {"one": {}}, "seeds": seeds})
    return parse_experiment(text, "bench")


def seconds_of(spark: SparkSession, loaded: LoadedExperiment, out: Path) -> float:
    began = perf_counter()
    whatif(loaded, out, spark=spark)
    return perf_counter() - began


def _page_s(folder: Path, seconds: int, seeds: int, *more: str) -> float:
    """Seconds of `sendlab whatif`, from the command to the page; without --fresh it takes the runs that are there."""
    file = folder / "ten-minutes.yaml"
    file.write_text(TEN_MINUTES.replace("DURATION", f"{seconds}s"))
    began = perf_counter()
    arguments = ["whatif", str(file), "--out", str(folder / "page"), "--seeds", str(seeds), *more]
    with sendlab(arguments, folder / "log") as process:
        if process.wait(900):
            raise RuntimeError(f"sendlab whatif failed:\n{said(folder / 'log')}")
    return perf_counter() - began


def measure(context: Context) -> Iterator[Entry]:
    """All of them; Spark's start is only in the one that ends with a page."""
    seconds, runs, repetitions = (5, 8, 1) if context.quick else (120, RUNS, 3)
    folder = context.scratch / "experiments"
    folder.mkdir()
    plain = yaml.safe_load(cluster(seconds, standstill=True).to_yaml())
    text, times = cluster_text(seconds, standstill=True), 1 if context.quick else 6
    started = perf_counter()
    spark = open_session(folder / "spark", partitions=1)
    started = perf_counter() - started
    try:
        context.tell("a first experiment, not counted")
        seconds_of(spark, experiment_of(plain, CORES), folder / "warm")
        context.tell(f"{runs} runs, in turn with the bare loop on every core and SimPy")
        sends = runs * seconds * MESSAGES_PER_S
        turn = iter(range(repetitions))
        ours, loop, simpy = interleaved(
            repetitions,
            lambda: sends / seconds_of(spark, experiment_of(plain, runs), folder / f"runs-{next(turn)}"),
            lambda: plain_loops(CORES, text, times),
            lambda: simpy_sends_per_s(6.0, 5),
        )
        context.tell("one run, a hundred, a thousand")
        counts = (1, 20, 60) if context.quick else (1, 100, 1_000)
        small = yaml.safe_load(cluster(5).to_yaml())
        each = [seconds_of(spark, experiment_of(small, n), folder / f"many-{n}") / n for n in counts]
    finally:
        stopping = perf_counter()
        close_session(spark)
        stopping = perf_counter() - stopping
    found = f"{median(ours) / 1e6:.2f} M sends/s"
    yield Entry(
        "whatif_vs_simpy", median_ratio(ours, simpy), "x", ours=found,
        peer=f"{median(simpy) / 1e3:.1f} k sends/s",
        more={"runs": runs, "sends_per_s": round(median(ours))},
    )  # fmt: skip
    yield Entry(
        "whatif_vs_bare_loop", median_ratio(ours, loop), "x", ours=found, peer=f"{median(loop) / 1e6:.2f} M sends/s",
        more={"cores": CORES},
    )  # fmt: skip
    yield Entry(
        "whatif_cost_of_a_run", each[2] / each[1], "x", ours=f"{each[2] * 1e3:.0f} ms of {counts[2]:,}",
        peer=f"{each[1] * 1e3:.0f} ms of {counts[1]}, {each[0] * 1e3:.0f} ms of one",
        more={"ms_a_run": {str(n): round(took * 1e3, 1) for n, took in zip(counts, each, strict=True)}},
    )  # fmt: skip
    context.tell("four arms of ten minutes, to the page")
    length, seeds = (20, 2) if context.quick else (600, 20)
    page_s = min(_page_s(folder, length, seeds, "--fresh") for _ in range(min(repetitions, 2)))
    without_runs_s = min(_page_s(folder, length, seeds) for _ in range(repetitions))
    arms = parse_experiment(TEN_MINUTES.replace("DURATION", f"{length}s"), "bench").arms
    loops = [plain_loops(CORES, scenario.to_yaml(), 1) for scenario in arms.values()]
    spark_s = started + stopping
    least = sum(seeds * length * 1_000 / rate for rate in loops) + spark_s
    yield Entry(
        "whatif_to_the_page", page_s / least, "x", f"{page_s:.1f} s", f"{least:.1f} s",
        more={"without_runs_s": round(without_runs_s, 2), "spark_s": round(spark_s, 2)},
    )  # fmt: skip
