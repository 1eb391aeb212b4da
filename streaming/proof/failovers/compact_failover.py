"""Keep what is measured of failovers: `python -m streaming.proof.failovers.compact_failover FOLDER NAME...`."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

from streaming.proof.consumers.compact import kept
from streaming.proof.consumers.recording_files import event_rows, write_events

EVENTS = (
    "send", "attempt", "consume", "controller", "ctl_leader", "route", "epoch", "start_begin", "start_end", "port_open"
)  # fmt: skip


def compact_failover(source: Path, folder: Path) -> Path:
    """Write the events of a recording that are measured to a folder, and its header as it is."""
    shutil.copyfile(source.with_name(f"{source.name}.json"), folder / f"{source.name}.json")
    return write_events(folder / f"{source.name}.csv.gz", kept(event_rows(source), EVENTS))


if __name__ == "__main__":
    for name in sys.argv[2:]:
        print(compact_failover(Path(name), Path(sys.argv[1])))
