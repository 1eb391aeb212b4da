"""A standalone cluster of two workers on loopback gives the rows of one process, and so does what `make dist` packed.

    make cluster                                        run, whatif, and spark-submit of dist/sendlab-env.tar.gz

The packed one runs with nothing of this checkout in reach: its driver in a folder that holds the unpacked archive, its
workers with what spark-submit gives them.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path

import yaml

from simulator.experiments.experiment_file import parse_experiment
from simulator.experiments.experiment_runner import experiment
from simulator.run.simulate import simulate
from simulator.scenario import parse_scenario
from streaming.spark.spark_home import installed_spark
from tests.house.tree import ROOT
from tests.simulator.hashed import hashes_of
from tests.simulator.small import fault, text_of
from tests.streaming.cluster.standalone import StandaloneCluster, standalone_cluster
from tests.streaming.lives import SENDLAB, hashes_by_duckdb

SCENARIO = text_of(
    name="cluster",
    duration="60s",
    cells=4,
    producers={"count": 16, "threads": 2, "rate": "30/s", "arrivals": "poisson"},
    faults=[fault("hang", "9s", "6s"), fault("slow", "30s", "20s", "c", factor=40)],
)
EXPERIMENT = {
    "name": "cluster",
    "scenario": yaml.safe_load(SCENARIO),
    "grid": {"client.release": ["4.9.8", "5.3.3"]},
    "seeds": 6,
}
ARCHIVE = ROOT / "dist" / "sendlab-env.tar.gz"
PATIENCE_S = 900.0
OURS = ("PYTHONPATH", "VIRTUAL_ENV", "PYSPARK_PYTHON", "SPARK_HOME")
NOTHING_OF_OURS = {name: value for name, value in os.environ.items() if name not in OURS}
CHECKOUT = os.environ | {"PYTHONPATH": str(ROOT)}


def ran(command: list[str], folder: Path, environment: Mapping[str, str]) -> None:
    """Run a command to its end. Exits with what it said last if it failed."""
    done = subprocess.run(
        command, cwd=folder, capture_output=True, text=True, timeout=PATIENCE_S, env=dict(environment)
    )
    if done.returncode:
        sys.exit(f"{' '.join(command)}\nended with {done.returncode}:\n{(done.stdout + done.stderr)[-4000:]}")


def same(what: str, found: object, expected: object) -> None:
    """Say that both are the same; exit with 1 if not."""
    if found != expected:
        sys.exit(f"{what}: other than without a cluster:\n{found}\n{expected}")
    print(f"{what}: the same as without a cluster", flush=True)


def by_run(cluster: StandaloneCluster, folder: Path, expected: dict[str, str]) -> None:
    """`sendlab run --master`."""
    out = folder / "run"
    asked = ["run", str(folder / "cluster.yaml"), "--out", str(out), "--master", cluster.url, "--max-events", "5000"]
    ran([SENDLAB, *asked], ROOT, CHECKOUT)
    same("sendlab run --master", hashes_by_duckdb(out), expected)


def by_whatif(cluster: StandaloneCluster, folder: Path, _expected: dict[str, str]) -> None:
    """`sendlab whatif --master`."""
    text = yaml.safe_dump(EXPERIMENT)
    (folder / "experiment.yaml").write_text(text)
    asked = ["whatif", str(folder / "experiment.yaml"), "--out", str(folder / "whatif"), "--master", cluster.url]
    ran([SENDLAB, *asked], ROOT, CHECKOUT)
    alone = experiment(parse_experiment(text, "cluster")).as_json()
    stored = json.loads((folder / "whatif" / "result.json").read_text())
    same("sendlab whatif --master", stored, json.loads(json.dumps(alone)))


def by_submit(cluster: StandaloneCluster, folder: Path, expected: dict[str, str]) -> None:
    """spark-submit with the archive, as docs/scale.md has it."""
    home, out = folder / "submitting", folder / "submitted"
    (home / "env").mkdir(parents=True)
    ran(["tar", "-xzf", str(ARCHIVE), "-C", "env"], home, NOTHING_OF_OURS)
    given = home / "env" / "share" / "sendlab" / "submit"
    command = [
        str(installed_spark() / "bin" / "spark-submit"), "--master", cluster.url,
        "--properties-file", str(given / "spark.properties"), "--archives", f"{ARCHIVE}#env",
        str(given / "sendlab.py"), "run", str(folder / "cluster.yaml"), "--out", str(out), "--max-events", "5000",
    ]  # fmt: skip
    ran(command, home, NOTHING_OF_OURS)
    same("spark-submit", hashes_by_duckdb(out), expected)


def main() -> None:
    """One after the other, on one cluster."""
    if not ARCHIVE.exists():
        sys.exit(f"{ARCHIVE} is missing: make dist")
    expected = hashes_of(simulate(parse_scenario(SCENARIO)).tables)
    ways: tuple[Callable[[StandaloneCluster, Path, dict[str, str]], None], ...] = (by_run, by_whatif, by_submit)
    with tempfile.TemporaryDirectory(prefix="sendlab-cluster-") as name:
        folder = Path(name)
        (folder / "cluster.yaml").write_text(SCENARIO)
        with standalone_cluster(folder, workers=2) as cluster:
            for way in ways:
                print(f"{way.__doc__}", flush=True)
                way(cluster, folder, expected)


if __name__ == "__main__":
    main()
