"""`python -m tests.bench.large`: what docs/scale.md says of very large runs, measured; `make bench` does not run them.

Each is a command as a user gives it, from its start to its end. The figures go to large.json, a line for each run by
its name, and from there into docs/scale.md. `--share 10` measures a tenth of each: of its producers, shards and seeds.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, NamedTuple

import psutil
import yaml

from tests.bench.cluster import cluster
from tests.bench.measure import ROOT, machine
from tests.bench.processes import memory_of, said, sendlab
from tests.bench.results import busy_percent, commit_now, now

FIGURES = Path(__file__).with_name("large.json")
PAGE = ROOT / "docs" / "scale.md"
BEGIN, END = "<!-- measured: begin -->\n", "<!-- measured: end -->\n"
POLL_S = 1.0
TOLD_EVERY_S = 30.0
MIB = 2**20
LATENCY = {"lognormal": {"p50": "1ms", "p99": "12ms"}}
HOUR_S = 3600


class Large(NamedTuple):
    """A command and its input. `sends`: how many messages it simulates, `says`: what is run, in words."""

    verb: str
    content: Mapping[str, Any]
    sends: int
    says: str
    options: tuple[str, ...] = ()


def _experiment(scenario: Mapping[str, Any], seeds: int) -> dict[str, Any]:
    return {"name": "large", "scenario": scenario, "arms": {"one": {}}, "seeds": seeds}


def _cluster(producers: int, threads: int, per_s: float, brokers: int, seconds: int) -> dict[str, Any]:
    """So many messages a second of all producers; strategy on, a topic of 8 queues on each broker."""
    return {
        "name": "large",
        "seed": 5,
        "duration": f"{seconds}s",
        "client": {"release": "4.9.8", "send_latency_fault_enable": True},
        "producers": {"count": producers, "threads": threads, "rate": f"{per_s / producers:.9f}/s"},
        "topics": {"orders": {"queues": 8}},
        "brokers": {"broker": {"count": brokers, "latency": LATENCY, "send_threads": 16}},
    }


def _one_experiment(share: int) -> Large:
    seconds, seeds = 600, max(1, round(167 / share))
    content = yaml.safe_load(cluster(seconds).to_yaml())
    says = f"an experiment of {seeds} runs of ten minutes: 100 producers, 8 brokers, 10,000 messages/s"
    return Large("whatif", _experiment(content, seeds), seeds * seconds * 10_000, says)


def _one_hour(share: int) -> Large:
    producers, per_s = 100_000 // share, 20_000 // share
    content = _cluster(producers, 1, per_s, 300, HOUR_S)
    says = f"an experiment of one run of an hour: {producers:,} producers, 300 brokers, {per_s:,} messages/s, one shard"
    return Large("whatif", _experiment(content, 1), per_s * HOUR_S, says, ("--engine", "plain"))


def _many_shards(share: int) -> Large:
    producers, per_s, cells, seconds = 1_000_000 // share, 278_000 // share, 400 // share, 600
    content = _cluster(producers, 4, per_s, 100, seconds) | {"cells": cells}
    says = (
        f"a job of ten minutes, every table: {producers:,} producers of 4 threads, 100 brokers, {per_s:,} messages/s, "
        f"{cells} shards"
    )
    minute = str(60 * per_s)
    return Large("run", content, per_s * seconds, says, ("--max-events", minute))


RUNS = {"sends_1e9": _one_experiment, "brokers_300_for_an_hour": _one_hour, "producers_1e6": _many_shards}


@dataclass(frozen=True)
class Measured:
    """A run that was measured. `cpu_s`: of all its processes; `other_percent`: of all cores, just before it."""

    says: str
    share: int
    sends: int
    took_s: float
    cpu_s: float
    peak_mib: int
    other_percent: float
    machine: str
    commit: str
    date: str


class _Spent:
    """What the processes below one have used, as far as was seen: CPU seconds by process, and the most memory."""

    def __init__(self, pid: int) -> None:
        self.pid, self.peak = pid, 0
        self._seconds: dict[tuple[int, float], float] = {}

    def look(self) -> None:
        """See what is there now."""
        try:
            members = [psutil.Process(self.pid), *psutil.Process(self.pid).children(recursive=True)]
        except psutil.Error:
            return
        for member in members:
            try:
                used = member.cpu_times()
                self._seconds[member.pid, member.create_time()] = used.user + used.system
            except psutil.Error:
                continue  # ended meanwhile
        self.peak = max(self.peak, sum(memory_of(self.pid).values()))

    @property
    def cpu_s(self) -> float:
        """CPU seconds of all of them."""
        return sum(self._seconds.values())


def expected_s(before: Measured | None, large: Large, cores: int) -> float | None:
    """Seconds on cores that have nothing else to do, by the CPU that it last took a message; fewer where that was of a
    share, which starts as long."""
    return None if before is None else before.cpu_s / before.sends * large.sends / cores


def so_far(name: str, took_s: float, cpu_s: float, peak_bytes: int, log: str) -> str:
    """A line of progress: the run's time, CPU and memory, and what its command printed last."""
    last = log.splitlines()[-1].strip() if log.strip() else ""
    return f"{name}: {_minutes(took_s)}, CPU {cpu_s:,.0f} s, {peak_bytes / MIB:,.0f} MiB  {last}".rstrip()


def measured(name: str, large: Large, share: int) -> Measured:
    """Run it, with a line of progress twice a minute. Raises RuntimeError with its last lines if it fails."""
    other = busy_percent()
    with tempfile.TemporaryDirectory(prefix="sendlab-large-", ignore_cleanup_errors=True) as scratch:
        folder = Path(scratch)
        file, log = folder / "large.yaml", folder / "log"
        file.write_text(yaml.safe_dump(dict(large.content), sort_keys=False))
        began = time.perf_counter()
        with sendlab([large.verb, str(file), "--out", str(folder / "out"), *large.options], log) as process:
            spent, told_s = _Spent(process.pid), 0.0
            while process.poll() is None:
                spent.look()
                time.sleep(POLL_S)
                if (took := time.perf_counter() - began) - told_s > TOLD_EVERY_S:
                    told_s = took
                    print(so_far(name, took, spent.cpu_s, spent.peak, said(log)), flush=True)
            took = time.perf_counter() - began
            if process.returncode:
                raise RuntimeError(f"sendlab {large.verb} ended with {process.returncode}:\n{said(log)}")
    return Measured(
        large.says, share, large.sends, round(took, 1), round(spent.cpu_s, 1), round(spent.peak / MIB),
        round(other, 1), machine(), commit_now(), now(),
    )  # fmt: skip


def stored(path: Path = FIGURES) -> dict[str, Measured]:
    """What was measured, by name."""
    if not path.exists():
        return {}
    return {name: Measured(**line) for name, line in json.loads(path.read_text()).items()}


def store(found: Mapping[str, Measured], path: Path = FIGURES) -> None:
    """Keep what was measured."""
    lines = {name: asdict(line) for name, line in found.items()}
    path.write_text(json.dumps(lines, indent=1, ensure_ascii=False) + "\n")


def _minutes(seconds: float) -> str:
    return f"{seconds:.0f} s" if seconds < 120 else f"{seconds / 60:.0f} min"


def _row(line: Measured) -> str:
    part = "" if line.share == 1 else f" (1/{line.share} of it)"
    beside = f", other work {line.other_percent:.0f} %" if line.other_percent >= 1 else ""
    cost = f"{line.cpu_s:,.0f} s, {line.cpu_s / line.sends * 1e6:.2f} us a message"
    return (
        f"| {line.says}{part} | {line.sends:,} | {_minutes(line.took_s)} | {cost} | {line.peak_mib:,} MiB |"
        f" {line.date}, {line.commit}{beside} |"
    )


def table(found: Mapping[str, Measured]) -> str:
    """The table of docs/scale.md."""
    head = "| what | messages | took | CPU of all processes | peak memory | when, commit |\n|---|---|---|---|---|---|\n"
    where = sorted({line.machine for line in found.values()})
    return (
        f"On {'; '.join(where) or 'no machine yet'}:\n\n"
        + head
        + "".join(f"{_row(found[name])}\n" for name in RUNS if name in found)
    )


def with_table(page: str, found: Mapping[str, Measured]) -> str:
    """The page with the table between its marks. Raises ValueError if it has none."""
    before, mark, rest = page.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not mark or not end:
        raise ValueError(f"docs/scale.md has no {BEGIN.strip()} and {END.strip()}")
    return f"{before}{BEGIN}{table(found)}{END}{after}"


def main(arguments: Sequence[str]) -> int:
    """Measure what is asked for and write docs/scale.md."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.large", description=__doc__)
    parser.add_argument("--only", nargs="+", choices=RUNS, default=list(RUNS), metavar="NAME", help=", ".join(RUNS))
    parser.add_argument("--share", type=int, default=1, metavar="N", help="measure 1/N of each")
    asked = parser.parse_args(arguments)
    for name in asked.only:
        large = RUNS[name](asked.share)
        seconds = expected_s(stored().get(name), large, os.cpu_count() or 1)
        print(
            f"{name}: {large.says}; {'no estimate' if seconds is None else f'at most about {_minutes(seconds)}'}",
            flush=True,
        )
        line = measured(name, large, asked.share)
        store(stored() | {name: line})
        print(_row(line), flush=True)
    PAGE.write_text(with_table(PAGE.read_text(), stored()))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
