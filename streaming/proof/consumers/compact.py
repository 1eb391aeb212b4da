"""Keep what is measured of recordings: `python -m streaming.proof.consumers.compact FOLDER RECORDING...`."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from streaming.proof.consumers.consumer_recording import SCRIPT, WARM_MS
from streaming.proof.consumers.recorded_transactions import TRANSACTIONAL
from streaming.proof.consumers.recording_files import (
    EventRow,
    event_rows,
    header_of,
    without,
    write_events,
    write_header,
)

WHOLE = "members"  # of hung brokers: whom they list
EVENTS = (
    "send", "consume", "done", "own", "reown", "release", "start_begin", "start_end", "port_open", "tx", "local_end",
    "check", WHOLE,
)  # fmt: skip
UNUSED = ("key", "x")  # of those events
HEADER = ("run", "server_release", "clients", "jdk", "brokers", "topics", "actions", "consume_timestamp")


def kept(rows: Iterable[EventRow], events: Sequence[str], unused: Sequence[str] = ()) -> Iterator[list[str]]:
    """The rows that are measured, without what is not."""
    for row in rows:
        if int(row["time_ms"]) >= WARM_MS and (row["event"] in events or row["who"] == SCRIPT):
            yield without(row, () if row["event"] == WHOLE else unused)


def unused_in(about: Mapping[str, Any]) -> Sequence[str]:
    """Columns that nothing reads: keys lead from a message to its retries and to its transaction."""
    clients = about["clients"].values()
    keyed = any(
        client.get("failpct") or client.get("pop") or client.get("program") == TRANSACTIONAL for client in clients
    )
    return UNUSED[1:] if keyed else UNUSED


def compact(source: Path, folder: Path) -> Path:
    """Write the recording that `source` (without suffix) names to a folder, in the same format."""
    about = header_of(source)
    write_header(folder / f"{source.name}.json", {name: about[name] for name in HEADER if name in about})
    return write_events(folder / f"{source.name}.csv.gz", kept(event_rows(source), EVENTS, unused_in(about)))


if __name__ == "__main__":
    for name in sys.argv[2:]:
        print(compact(Path(name), Path(sys.argv[1])))
