"""The lag of the consumer groups of a job that runs: what its newest windows say."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

COLUMNS = ["window_start_us", "consumer_group", "lag"]


def group_lags(out: Path, run: str) -> dict[str, int] | None:
    """Messages stored and not consumed yet, by group, at the end of its newest window.

    Only the newest file is read: a run with consumers has one cell, and every window has a row for each group.
    None: no window is written, or none can be read now.
    """
    files = [file for file in (out / "consumer_windows" / f"run={run}").glob("*.parquet") if file.name[0] != "."]
    if not files:
        return None
    try:
        with pq.ParquetFile(max(files)) as file:
            rows = file.read(columns=COLUMNS).to_pylist()
    except (OSError, pa.ArrowInvalid):  # removed or replaced since it was listed
        return None
    in_order = sorted(rows, key=lambda row: row["window_start_us"])
    lags = {row["consumer_group"]: row["lag"] for row in in_order}
    return dict(sorted(lags.items())) or None
