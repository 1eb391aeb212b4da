"""Whether a run of two hours of virtual time needs more memory than one of ten minutes."""

from __future__ import annotations

import shutil
import time
from collections.abc import Iterator
from pathlib import Path
from statistics import median

import yaml

from tests.bench.measure import Context, Entry, interleaved
from tests.bench.processes import memory_of, said, sendlab

SHORT_S, LONG_S = 600, 7200
MIB = 2**20
POLL_S = 0.25
PATIENCE_S = 1800.0


def scenario_text() -> str:
    """Twenty producers, a thousand messages a second, and a broker that stands still for a second every ten minutes."""
    broker = {"latency": {"lognormal": {"p50": "1ms", "p99": "12ms"}}, "send_threads": 4}
    content = {
        "name": "memory",
        "seed": 3,
        "duration": "10m",
        "client": {"release": "4.9.8", "send_latency_fault_enable": True},
        "producers": {"count": 20, "threads": 4, "rate": "50/s"},
        "topics": {"orders": {"queues": 8}},
        "brokers": dict.fromkeys(("broker-a", "broker-b", "broker-c", "broker-d"), broker),
        "faults": [{"at": "1m", "for": "1s", "every": "10m", "broker": "broker-b", "kind": "hang"}],
    }
    return yaml.safe_dump(content, sort_keys=False)


def peak(scenario: Path, seconds: int, out: Path, log: Path) -> dict[str, int]:
    """Largest sum of bytes over the processes of a run, with its parts at that moment."""
    most = {"jvm": 0, "python": 0}
    arguments = ["run", str(scenario), "--out", str(out), "--for", f"{seconds}s"]
    began = time.perf_counter()
    with sendlab(arguments, log) as process:
        while process.poll() is None and time.perf_counter() - began < PATIENCE_S:
            most = max(most, memory_of(process.pid), key=lambda parts: sum(parts.values()))
            time.sleep(POLL_S)
        if process.poll() != 0:
            raise RuntimeError(f"sendlab run did not end well:\n{said(log)}")
    shutil.rmtree(out)
    return most


def measure(context: Context) -> Iterator[Entry]:
    """The ratio of the peaks, long to short."""
    folder = context.scratch / "peak_memory"
    folder.mkdir()
    scenario = folder / "memory.yaml"
    scenario.write_text(scenario_text())
    short_s, long_s = (60, 300) if context.quick else (SHORT_S, LONG_S)
    repetitions = 1 if context.quick else 2
    parts: dict[int, list[dict[str, int]]] = {short_s: [], long_s: []}

    def side(seconds: int) -> float:
        context.tell(f"{seconds} s of virtual time")
        found = peak(scenario, seconds, folder / f"out{seconds}", folder / "log")
        parts[seconds].append(found)
        return sum(found.values()) / MIB

    short, long = interleaved(repetitions, lambda: side(short_s), lambda: side(long_s))
    yield Entry(
        "peak_memory_growth", median(long) / median(short), "x",
        ours=f"{median(long):,.0f} MiB", peer=f"{median(short):,.0f} MiB",
        more={
            f"{name}_mib_{seconds}s": round(median(p[name] for p in parts[seconds]) / MIB)
            for seconds in parts for name in ("jvm", "python")
        },
    )  # fmt: skip
