"""A job without an end, as fast as it can: memory, open files, batches and state must not grow.

    make soak                                           30 minutes
    python -m tests.endurance.soak --minutes 3

After a warm-up of a third, the middle third is compared with the last: medians may differ by 5 % and no more. Of the
workers' memory means may: half of the looks meet a worker in a task, and a median is then one of two values by chance.
"""

from __future__ import annotations

import argparse
import json
import math
import shutil
import statistics
import sys
import time
import urllib.request
from contextlib import suppress
from pathlib import Path

import psutil
from prometheus_client.parser import text_string_to_metric_families

from streaming.kafka.brokers.local_broker import free_ports
from tests.simulator.small import fault, text_of
from tests.streaming.lives import Life

SCENARIO = text_of(
    name="soak",
    cells=2,
    producers={"count": 2000, "threads": 4, "rate": "20/s", "arrivals": "poisson"},
    faults=[fault("hang", "20s", "20s", every="30d")],
    brokers={name: {"latency": {"lognormal": {"p50": "1ms", "p99": "20ms"}}, "send_threads": 24} for name in "abcdef"},
)
EVENTS = 400_000
LOOK_EVERY_S = 3.0
LEAST_LOOKS = 15
LONGEST = 3  # times the minutes asked for
CLOCK, SETTLED_S = "virtual_time_seconds", 100
BATCH = "batch_duration_seconds"
MOST_GROWTH = 0.05
IN_TURNS = "workers_mb"  # a worker has 20 MB more in a task than between two
WANTED_SENDS_A_MINUTE = 200e6 / 30


def measured(life: Life, port: int) -> dict[str, float]:
    """MB and open files of the driver, the JVM and the workers; what the job's metrics say of batches and state."""
    found: dict[str, float] = {}
    jvm, workers = life.family("java"), life.family("pyspark.")
    for name, processes in (("driver", [psutil.Process(life.process.pid)]), ("jvm", jvm), ("workers", workers)):
        alive = [process for process in processes if process.is_running()]
        found[f"{name}_mb"] = sum(process.memory_info().rss for process in alive) / 1e6
        found[f"{name}_files"] = float(sum(process.num_fds() for process in alive))
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics", timeout=20) as answer:
        families = text_string_to_metric_families(answer.read().decode())
    samples = {sample.name: sample.value for family in families for sample in family.samples}
    names = (CLOCK, "sends_total", "state_bytes", f"{BATCH}_sum", f"{BATCH}_count")
    return found | {name: samples[f"sendlab_{name}"] for name in names if f"sendlab_{name}" in samples}


def soaked(out: Path, minutes: float) -> list[dict[str, float]]:
    """Looks at a job, in order, from when its fault is over to the end of those minutes; it is ended then.

    Raises RuntimeError with the job's words if it ends before, or if the machine is too slow to say anything.
    """
    shutil.rmtree(out, ignore_errors=True)
    out.mkdir(parents=True)
    (scenario := out / "soak.yaml").write_text(SCENARIO)
    (port,) = free_ports(1)
    life = Life(
        out / "job.log", "run", scenario, "--out", out / "job", "--forever", "--metrics-port", port,
        "--max-events", EVENTS, "--tables", "windows,fault_items", "--keep", "1h", PYTHONPATH=".",
    )  # fmt: skip
    series: list[dict[str, float]] = []
    began = time.monotonic()
    try:
        while (lasts_s := time.monotonic() - began) < minutes * 60 or len(series) < LEAST_LOOKS:
            if lasts_s > LONGEST * minutes * 60:
                raise RuntimeError(f"too slow: {len(series)} looks at the settled job, {LEAST_LOOKS} are needed")
            time.sleep(LOOK_EVERY_S)
            if life.ended:
                raise RuntimeError(f"the job ended: {life.said}")
            with suppress(OSError, psutil.Error):
                look = measured(life, port)
                series += [look] if look.get(CLOCK, 0) >= SETTLED_S else []
    finally:
        life.end()
    (out / "series.json").write_text(json.dumps(series))
    return series


def growth(series: list[dict[str, float]]) -> dict[str, tuple[float, float]]:
    """Of every figure what it was in the middle third and in the last: medians; of workers and micro-batches means."""
    third = len(series) // 3
    parts = series[third : 2 * third], series[2 * third :]
    names = [name for name in series[0] if name.endswith(("_mb", "_files")) or name == "state_bytes"]
    found = {}
    for name in names:
        middle_of = statistics.fmean if name == IN_TURNS else statistics.median
        middle, last = (middle_of(look[name] for look in part) for part in parts)
        found[name] = (middle, last)
    return found | {"batch_s": (_batch_s(parts[0]), _batch_s(parts[1]))}


def _batch_s(part: list[dict[str, float]]) -> float:
    """Mean length of the micro-batches between the first look and the last; not a number without any."""
    spent, count = (part[-1][name] - part[0][name] for name in (f"{BATCH}_sum", f"{BATCH}_count"))
    return spent / count if count else math.nan


def main() -> None:
    """Run, measure, and tell what grew."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--minutes", type=float, default=30.0)
    parser.add_argument("--out", type=Path, default=Path("out/soak"))
    asked = parser.parse_args()
    try:
        series = soaked(asked.out, asked.minutes)
    except RuntimeError as error:
        sys.exit(str(error))
    sends, wanted = series[-1]["sends_total"], WANTED_SENDS_A_MINUTE * asked.minutes
    print(f"{sends / 1e6:,.0f} M sends in {asked.minutes:.1f} min; {wanted / 1e6:,.0f} M are wanted")
    grown = []
    for name, (middle, last) in growth(series).items():
        part = last / middle - 1 if middle else 0.0
        print(f"{name:14} {middle:14,.1f} {last:14,.1f} {part:+8.1%}")
        grown += [name] if part > MOST_GROWTH else []
    if grown:
        sys.exit(f"grew by more than {MOST_GROWTH:.0%}: {', '.join(grown)}")
    if sends < wanted:
        sys.exit("too few sends")


if __name__ == "__main__":
    main()
