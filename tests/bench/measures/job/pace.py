"""With `--pace 1x`: how long after its virtual time a decision can be read."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq

from tests.bench.measure import Context, Entry
from tests.bench.processes import said, sendlab

SCENARIO = "conf/scenarios/healthy.yaml"
SETTLED_S = 10  # after the first file: the job catches up with what was due while it started
PATIENCE_S = 120.0


def delays_s(out: Path) -> np.ndarray:
    """Seconds from the virtual end of each attempt until its file was there, once the job has caught up."""
    (note,) = out.rglob("pace.json")
    since_s = json.loads(note.read_text())["due_since_s"]
    files = [*(out / "attempts").rglob("[!._]*.parquet")]
    from_s = min(file.stat().st_ctime for file in files) - since_s + SETTLED_S
    found = []
    for file in files:
        ended_s = pq.read_table(file, columns=["end_us"], partitioning=None).column(0).to_numpy() / 1e6
        found.append((file.stat().st_ctime - since_s - ended_s)[ended_s >= from_s])
    return np.concatenate(found)


def measure(context: Context) -> Iterator[Entry]:
    """The 99th percentile of a job without an end that runs for a while."""
    counted_s = 8 if context.quick else 30
    out, log = context.scratch / "out", context.scratch / "log"
    context.tell(f"a job that keeps pace with the clock for {SETTLED_S + counted_s} s")
    arguments = ["run", SCENARIO, "--out", str(out), "--forever", "--pace", "1x"]
    with sendlab(arguments, log) as process:
        began = time.perf_counter()
        while not any((out / "attempts").rglob("[!._]*.parquet")):
            if process.poll() is not None or time.perf_counter() - began > PATIENCE_S:
                raise RuntimeError(f"sendlab run did not begin:\n{said(log)}")
            time.sleep(0.1)
        time.sleep(SETTLED_S + counted_s)
    found = delays_s(out)
    p50, p99 = (float(np.quantile(found, share)) for share in (0.5, 0.99))
    yield Entry(
        "paced_decision_visible_p99", p99, "s", ours=f"p99 {p99:.2f} s, p50 {p50:.2f} s",
        more={"p50_s": round(p50, 3), "most_s": round(float(found.max()), 3), "attempts": len(found)},
    )  # fmt: skip
