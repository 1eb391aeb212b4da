"""How long a user of a set-up machine waits until `sendlab run` shows its first decision."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from statistics import median

from tests.bench.measure import Context, Entry
from tests.bench.processes import said, sendlab

SCENARIO = "conf/scenarios/quickstart.yaml"
PATIENCE_S = 180.0
# What is done once a file of the checkpoint is there, in their order.
MARKS = {
    "modules and the scenario": ".lock",
    "the JVM and its session": "owner.json",
    "the query and its source": "spark/metadata",
    "the first plan": "spark/offsets/0",
}
LAST = "the first micro-batch"
POLL_S = 0.02


def seconds_to_first_decision(out: Path, log: Path) -> dict[str, float]:
    """From the start of the command until a file of `attempts` has its name, by part. RuntimeError if none comes."""
    began, since = time.perf_counter(), time.time()
    with sendlab(["run", SCENARIO, "--out", str(out)], log) as process:
        while time.perf_counter() - began < PATIENCE_S:
            found = next((out / "attempts").glob("run=*/[!._]*.parquet"), None)
            if found is not None:
                return parts_until(since, [*(out / "_checkpoint" / mark for mark in MARKS.values()), found])
            if process.poll() is not None:
                break
            time.sleep(POLL_S)
    raise RuntimeError(f"sendlab run gave no decision:\n{said(log)}")


def parts_until(since: float, marks: Sequence[Path]) -> dict[str, float]:
    """Seconds from one file to the next."""
    times = [since, *(mark.stat().st_ctime for mark in marks)]
    return dict(zip((*MARKS, LAST), (later - one for one, later in pairwise(times)), strict=True))


def measure(context: Context) -> Iterator[Entry]:
    """The median, after one run that is not counted and leaves everything compiled."""
    folder = context.scratch / "first_decision"
    folder.mkdir()
    repetitions = 1 if context.quick else 3
    context.tell("a run that is not counted, so that everything is compiled")
    seconds_to_first_decision(folder / "warm", folder / "log")
    context.tell(f"{repetitions} times")
    found = [seconds_to_first_decision(folder / f"out{i}", folder / "log") for i in range(repetitions)]
    seconds = [sum(parts.values()) for parts in found]
    parts = {part: round(median(one[part] for one in found), 2) for part in found[0]}
    yield Entry(
        "first_decision_visible", median(seconds), "s", ours=f"{median(seconds):.1f} s",
        more={"seconds": [round(s, 2) for s in seconds], "parts_s": parts},
    )  # fmt: skip
