"""A job without an end, as fast as it can: memory, open files, batches and state must not grow.

    make soak                                           30 minutes
    python -m tests.endurance.soak --minutes 3

After a warm-up of a third, the middle third is compared with the last: medians may differ by 5 % and no more.
"""

from __future__ import annotations

import argparse
import json
import shutil
import statistics
import sys
import time
import urllib.request
from pathlib import Path

import psutil
from prometheus_client.parser import text_string_to_metric_families

from tests.simulator.small import fault, text_of
from tests.streaming.lives import Life

SCENARIO = text_of(
    name="soak",
    cells=2,
    producers={"count": 2000, "threads": 4, "rate": "20/s", "arrivals": "poisson"},
    faults=[fault("hang", "1m", "20s", every="30d")],
    brokers={name: {"latency": {"lognormal": {"p50": "1ms", "p99": "20ms"}}, "send_threads": 24} for name in "abcdef"},
)
PORT = 9471
LOOK_EVERY_S = 3.0
MOST_GROWTH = 0.05
WANTED_SENDS_A_MINUTE = 200e6 / 30


def measured(life: Life) -> dict[str, float]:
    """MB and open files of the driver, the JVM and the workers; what the job's metrics say of batches and state."""
    found: dict[str, float] = {}
    jvm, workers = life.family("java"), life.family("pyspark.daemon")
    for name, processes in (("driver", [psutil.Process(life.process.pid)]), ("jvm", jvm), ("workers", workers)):
        alive = [process for process in processes if process.is_running()]
        found[f"{name}_mb"] = sum(process.memory_info().rss for process in alive) / 1e6
        found[f"{name}_files"] = float(sum(process.num_fds() for process in alive))
    with urllib.request.urlopen(f"http://127.0.0.1:{PORT}/metrics", timeout=20) as answer:
        families = text_string_to_metric_families(answer.read().decode())
    samples = {sample.name: sample.value for family in families for sample in family.samples}
    names = ("sends_total", "state_bytes", "batch_duration_seconds_sum", "batch_duration_seconds_count")
    return found | {name: samples[f"sendlab_{name}"] for name in names if f"sendlab_{name}" in samples}


def growth(series: list[dict[str, float]], name: str) -> tuple[float, float]:
    """Medians of the middle and the last third."""
    third = len(series) // 3
    middle, last = ([look[name] for look in part] for part in (series[third : 2 * third], series[2 * third :]))
    return statistics.median(middle), statistics.median(last)


def main() -> None:
    """Run, measure, and tell what grew."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--minutes", type=float, default=30.0)
    parser.add_argument("--out", type=Path, default=Path("out/soak"))
    asked = parser.parse_args()
    shutil.rmtree(asked.out, ignore_errors=True)
    asked.out.mkdir(parents=True)
    scenario = asked.out / "soak.yaml"
    scenario.write_text(SCENARIO)
    life = Life(
        asked.out / "job.log", "run", scenario, "--out", asked.out / "job", "--forever", "--metrics-port", PORT,
        "--max-events", 2_000_000, "--tables", "windows,fault_items", "--keep", "1h", PYTHONPATH=".",
    )  # fmt: skip
    series: list[dict[str, float]] = []
    began = time.monotonic()
    try:
        while time.monotonic() - began < asked.minutes * 60:
            time.sleep(LOOK_EVERY_S)
            if life.ended:
                sys.exit(f"the job ended: {life.said}")
            try:
                look = measured(life)
            except (OSError, psutil.Error):
                continue
            if "state_bytes" in look:
                batches = max(look["batch_duration_seconds_count"], 1)
                series.append(look | {"batch_s": look["batch_duration_seconds_sum"] / batches})
    finally:
        life.end()
    (asked.out / "series.json").write_text(json.dumps(series))
    if len(series) < 9:
        sys.exit("too short: fewer than nine looks at the running job")
    minutes, sends = (time.monotonic() - began) / 60, series[-1]["sends_total"]
    print(f"{sends / 1e6:,.0f} M sends in {minutes:.1f} min; {WANTED_SENDS_A_MINUTE * minutes / 1e6:,.0f} M are wanted")
    names = [name for name in series[0] if name.endswith(("_mb", "_files")) or name in ("state_bytes", "batch_s")]
    grown = []
    for name in names:
        middle, last = growth(series, name)
        part = last / middle - 1 if middle else 0.0
        print(f"{name:14} {middle:14,.1f} {last:14,.1f} {part:+8.1%}")
        grown += [name] if part > MOST_GROWTH else []
    if grown:
        sys.exit(f"grew by more than {MOST_GROWTH:.0%}: {', '.join(grown)}")
    if sends < WANTED_SENDS_A_MINUTE * minutes:
        sys.exit("too few sends")


if __name__ == "__main__":
    main()
