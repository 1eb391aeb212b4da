"""What very many producers cost a run that counts its totals: 100,000 against 10 at the same total rate."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from statistics import median
from typing import NamedTuple

import yaml

from tests.bench.measure import Context, Entry, interleaved
from tests.bench.measures.loop.scaling import MESSAGES_PER_S, grown_text

FEW, MANY = 10, 100_000
# In all, or one a producer: ten threads alone cannot send that much, and their messages would only wait in line.
THREADS = 1_000
A_RUN = """
import resource, sys
from time import process_time
import yaml
from simulator.run.run_totals import total_run
from simulator.scenario import parse_scenario

def cpu_s(scenario):
    began = process_time()
    total_run(scenario)
    return process_time() - began

def peak_mib():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024

warm, measured = (parse_scenario(text) for text in yaml.safe_load_all(sys.stdin))
cpu_s(warm)
before = peak_mib()
set_up_s = cpu_s(measured.model_copy(update={"duration_us": 1_000}))
print(cpu_s(measured), set_up_s, peak_mib() - before)
"""
A_CELL = """
import sys
from simulator.plan.compile import compile_scenario
from simulator.run.cell import Cell
from simulator.scenario import parse_scenario
arrays = Cell(compile_scenario(parse_scenario(sys.stdin.read())).cells[0], ())._store.arrays
print(sum(array.nbytes for array in arrays.values()))
"""


class _Run(NamedTuple):
    """CPU seconds of a run, those of one of a millisecond, and the MiB of memory that it added to its process."""

    run_s: float
    set_up_s: float
    mib: float


def _text(producers: int, seconds: int) -> str:
    content = yaml.safe_load(grown_text(FEW, 8, seconds))
    threads = max(1, THREADS // producers)
    content["producers"] = {"count": producers, "threads": threads, "rate": f"{MESSAGES_PER_S / producers:g}/s"}
    return yaml.safe_dump(content)


def _cell_bytes(producers: int) -> int:
    """What a cell knows and remembers before its first event."""
    printed = _text(producers, 1)
    return int(
        subprocess.run([sys.executable, "-c", A_CELL], input=printed, capture_output=True, text=True, check=True).stdout
    )


def _run(producers: int, seconds: int) -> _Run:
    """A run in a process of its own, after a small one that has loaded everything."""
    printed = yaml.safe_dump_all([_text(FEW, 1), _text(producers, seconds)], default_style="|")
    done = subprocess.run([sys.executable, "-c", A_RUN], input=printed, capture_output=True, text=True, check=True)
    return _Run(*map(float, done.stdout.split()))


def measure(context: Context) -> Iterator[Entry]:
    """Processes in turn; CPU time, so that it matters less what else the machine does."""
    seconds, many, repetitions = (5, 1_000, 1) if context.quick else (600, MANY, 3)
    context.tell(f"{FEW} and {many:,} producers for {seconds} s")
    few_runs: list[_Run] = []
    many_runs: list[_Run] = []
    few_s, many_s = interleaved(
        repetitions, lambda: _kept(few_runs, _run(FEW, seconds)), lambda: _kept(many_runs, _run(many, seconds))
    )
    sends = seconds * MESSAGES_PER_S
    ours, peer = (f"{median(took) / sends * 1e9:.0f} ns of CPU a send" for took in (many_s, few_s))
    yield Entry(
        "whatif_10_to_100000_producers", median(a / b for a, b in zip(many_s, few_s, strict=True)), "x", ours, peer,
        more={"virtual_s": seconds, "cpu_s": [round(median(took), 2) for took in (few_s, many_s)]},
    )  # fmt: skip
    set_up_s, mib = (median(column) for column in list(zip(*many_runs, strict=True))[1:])
    yield Entry(
        "set_up_of_100000_producers", set_up_s, "s", f"{set_up_s:.2f} s of CPU and {mib:.0f} MiB",
        more={"mib": round(mib), "mib_of_10": round(median(run.mib for run in few_runs))},
    )  # fmt: skip

    fewer = many // 2
    each = (_cell_bytes(many) - _cell_bytes(fewer)) / (many - fewer)
    yield Entry("bytes_of_an_idle_producer", each, "B", f"{each:.0f} B in its cell's memory")


def _kept(runs: list[_Run], run: _Run) -> float:
    runs.append(run)
    return run.run_s
