"""How long a user of a set-up machine waits until `sendlab run` shows its first decision."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from statistics import median

from tests.bench.measure import Context, Entry
from tests.bench.processes import said, sendlab

SCENARIO = "conf/scenarios/quickstart.yaml"
PATIENCE_S = 180.0
POLL_S = 0.02


def seconds_to_first_decision(out: Path, log: Path) -> float:
    """From the start of the command until a file of `attempts` has its name. Raises RuntimeError if none comes."""
    began = time.perf_counter()
    with sendlab(["run", SCENARIO, "--out", str(out)], log) as process:
        while time.perf_counter() - began < PATIENCE_S:
            if any((out / "attempts").glob("run=*/[!._]*.parquet")):
                return time.perf_counter() - began
            if process.poll() is not None:
                break
            time.sleep(POLL_S)
    raise RuntimeError(f"sendlab run gave no decision:\n{said(log)}")


def measure(context: Context) -> Iterator[Entry]:
    """The median, after one run that is not counted and leaves everything compiled."""
    folder = context.scratch / "first_decision"
    folder.mkdir()
    repetitions = 1 if context.quick else 3
    context.tell("a run that is not counted, so that everything is compiled")
    seconds_to_first_decision(folder / "warm", folder / "log")
    context.tell(f"{repetitions} times")
    found = [seconds_to_first_decision(folder / f"out{i}", folder / "log") for i in range(repetitions)]
    yield Entry(
        "first_decision_visible", median(found), "s", ours=f"{median(found):.1f} s",
        more={"seconds": [round(s, 2) for s in found]},
    )  # fmt: skip
