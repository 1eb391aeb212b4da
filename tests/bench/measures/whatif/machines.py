"""`sendlab whatif` on two workers of a standalone cluster against one, and what two plain processes give here."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from statistics import median
from time import perf_counter

import yaml

from simulator.experiments.experiment_file import LoadedExperiment, parse_experiment
from streaming import whatif
from streaming.spark.session import close_session, open_session
from tests.bench.cluster import cluster, cluster_text
from tests.bench.measure import Context, Entry, interleaved, median_ratio
from tests.bench.plain_loops import plain_loops
from tests.streaming.cluster.standalone import standalone_cluster

MESSAGES_PER_S = 10_000


def _experiment(seconds: int, runs: int) -> LoadedExperiment:
    content = {"name": "bench", "scenario": yaml.safe_load(cluster(seconds).to_yaml()), "arms": {"one": {}}}
    return parse_experiment(yaml.safe_dump(content | {"seeds": runs}), "bench")


def _sends_per_s(url: str, cores: int, seconds: int, runs: int, folder: Path) -> float:
    """Sends a second of an experiment on so many workers; session and first runs not counted."""
    folder.mkdir(parents=True)
    spark = open_session(folder / "spark", master=url, partitions=1, more={"spark.cores.max": str(cores)})
    try:
        whatif(_experiment(2, 4 * cores), folder / "warm", spark=spark)
        began = perf_counter()
        whatif(_experiment(seconds, runs), folder / "runs", spark=spark)
        return runs * seconds * MESSAGES_PER_S / (perf_counter() - began)
    finally:
        close_session(spark)


def measure(context: Context) -> Iterator[Entry]:
    """The ratio of sends a second; in turn."""
    seconds, runs, repetitions = (5, 8, 1) if context.quick else (120, 40, 2)
    folder, turn = context.scratch / "machines", iter(range(100))
    folder.mkdir()
    with standalone_cluster(folder, workers=2) as two:
        context.tell("one worker and two, in turn with one plain process and two")
        one_worker, two_workers, one_process, two_processes = interleaved(
            repetitions,
            lambda: _sends_per_s(two.url, 1, seconds, runs, folder / f"turn-{next(turn)}"),
            lambda: _sends_per_s(two.url, 2, seconds, runs, folder / f"turn-{next(turn)}"),
            lambda: plain_loops(1, cluster_text(seconds), 3),
            lambda: plain_loops(2, cluster_text(seconds), 3),
        )
    plain = median_ratio(two_processes, one_process)
    yield Entry(
        "whatif_two_workers_vs_one", median_ratio(two_workers, one_worker), "x",
        ours=f"{median(two_workers) / 1e6:.2f} M sends/s", peer=f"{median(one_worker) / 1e6:.2f} M sends/s",
        more={"two_plain_processes_vs_one": round(plain, 3), "runs": runs},
    )  # fmt: skip
