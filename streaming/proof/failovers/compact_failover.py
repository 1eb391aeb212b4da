"""Keep what is measured of failovers: `python -m streaming.proof.failovers.compact_failover FOLDER NAME...`."""

from __future__ import annotations

import csv
import gzip
import io
import sys
from collections.abc import Sequence
from pathlib import Path

from streaming.proof.consumers.consumer_recording import COLUMNS, SCRIPT, WARM_MS

EVENTS = ("send", "attempt", "consume", "controller", "route", "epoch", "start_begin", "start_end", "port_open")


def compact(source: Path, folder: Path) -> Path:
    """Write the events of a recording that are measured to a folder, and its header as it is."""
    text = io.StringIO()
    with gzip.open(source.with_name(f"{source.name}.csv.gz"), "rt", encoding="utf-8", newline="") as file:
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow(COLUMNS)
        for row in csv.DictReader(file):
            if int(row["time_ms"]) >= WARM_MS and (row["event"] in EVENTS or row["who"] == SCRIPT):
                writer.writerow([row[name] for name in COLUMNS])
    found = folder / f"{source.name}.csv.gz"
    found.write_bytes(gzip.compress(text.getvalue().encode(), mtime=0))
    found.with_name(f"{source.name}.json").write_bytes(source.with_name(f"{source.name}.json").read_bytes())
    return found


def main(folder: Path, sources: Sequence[str]) -> None:
    """Compact recordings into a folder."""
    for source in map(Path, sources):
        print(compact(source, folder))


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:])
