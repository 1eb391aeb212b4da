"""Where the time of an experiment goes on all cores: its parts, what Spark takes, and cores that wait."""

from __future__ import annotations

import os
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from statistics import median
from time import perf_counter, process_time
from typing import TYPE_CHECKING

import yaml

from simulator.experiments.experiment_measures import MeasuredRun, measures_of
from simulator.plan.compile import compile_scenario
from simulator.run.cell import Cell
from simulator.run.driver import drive
from simulator.run.run_totals import Totals, queue_ids, total_on
from simulator.scenario import Scenario
from streaming.spark.session import close_session, open_session
from tests.bench.cluster import cluster
from tests.bench.measure import Context, Entry, interleaved
from tests.bench.measures.job.parts import cpu_of_all_s
from tests.bench.measures.whatif.experiments import CORES, RUNS, experiment_of, seconds_of
from tests.bench.processes import in_a_process

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

ROUNDS, STARTS = 3, 3


def _planned_s(scenario: Scenario) -> float:
    began = process_time()
    compile_scenario(scenario)
    return process_time() - began


def _set_up_s(scenario: Scenario) -> float:
    plan = compile_scenario(scenario)
    began = process_time()
    Cell(plan.cells[0], (), uses_up=True)
    return process_time() - began


def _looped_s(scenario: Scenario) -> float:
    """Arrivals and the loop, nothing counted."""
    plan = compile_scenario(scenario)
    cell = Cell(plan.cells[0], (), uses_up=True)
    began = process_time()
    for _ in drive(plan, cell):
        pass
    return process_time() - began


def _counted_s(scenario: Scenario, kept: list[Totals]) -> float:
    """The same with everything counted that an experiment counts, the digest too."""
    plan = compile_scenario(scenario)
    cell = Cell(plan.cells[0], (), uses_up=True)
    began = process_time()
    kept.append(total_on(plan, cell, queue_ids(scenario), 0))
    return process_time() - began


def _lasting_s(scenario: Scenario, totals: Totals) -> float:
    """On its way to the driver and into measures."""
    began = process_time()
    there = Totals.unpacked(totals.packed(), len(scenario.topics), len(scenario.brokers))
    measures_of(MeasuredRun(there, scenario, 0))
    return process_time() - began


def parts_of_a_run(scenario: Scenario, rounds: int) -> dict[str, float]:
    """Milliseconds of CPU of one run by part, one process alone."""
    kept: list[Totals] = []
    _counted_s(scenario, kept)
    sides = [partial(side, scenario) for side in (_planned_s, _set_up_s, _looped_s)]
    reported = partial(_lasting_s, scenario, kept[0])
    planned, set_up, looped, counted, said = (
        median(found) * 1e3 for found in interleaved(rounds, *sides, partial(_counted_s, scenario, kept), reported)
    )
    return {
        "planning": planned, "set-up of its memory": set_up, "arrivals and the loop": looped,
        "counting and the digest": counted - looped, "totals sent and measured": said,
    }  # fmt: skip


def _of_several_starts(scenario: Scenario, rounds: int, starts: int) -> dict[str, float]:
    """The median of several processes, one after the other."""
    found = [in_a_process(parts_of_a_run, scenario, rounds) for _ in range(starts)]
    return {part: median(each[part] for each in found) for part in found[0]}


def _whole(spark: SparkSession, plain: dict[str, object], runs: int, out: Path) -> tuple[float, float]:
    """Seconds of an experiment, and of CPU of all its processes."""
    before, began = cpu_of_all_s(), perf_counter()
    seconds_of(spark, experiment_of(plain, runs), out)
    return perf_counter() - began, cpu_of_all_s() - before


def measure(context: Context) -> Iterator[Entry]:
    """Core milliseconds a run; the parts add up to the time of the experiment on all cores."""
    seconds, runs, rounds = (5, 8, 1) if context.quick else (120, RUNS, ROUNDS)
    scenario = cluster(seconds, standstill=True)
    context.tell("part by part")
    parts = _of_several_starts(scenario, rounds, 1 if context.quick else STARTS)
    folder = context.scratch / "experiment_parts"
    folder.mkdir()
    plain = yaml.safe_load(scenario.to_yaml())
    spark = open_session(folder / "spark", partitions=1)
    try:
        context.tell("a first experiment, not counted")
        _whole(spark, plain, CORES, folder / "warm")
        context.tell(f"{runs} runs")
        took_s, cpu_s = _whole(spark, plain, runs, folder / "runs")
    finally:
        close_session(spark)
    core_ms = took_s * CORES / runs * 1e3
    parts["Spark's processes, the driver, and what cores at work together slow each other"] = cpu_s / runs * 1e3 - sum(
        parts.values()
    )
    parts["cores that wait"] = core_ms - cpu_s / runs * 1e3
    rounded = {name: round(ms, 1) for name, ms in parts.items()}
    yield Entry(
        "experiment_parts", core_ms, "core ms a run", ours=", ".join(f"{name} {ms:g}" for name, ms in rounded.items()),
        more={"parts_ms": rounded, "runs": runs, "cores": os.cpu_count()},
    )  # fmt: skip
