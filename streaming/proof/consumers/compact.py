"""Keep what is measured of recordings: `python -m streaming.proof.consumers.compact FOLDER RECORDING...`."""

from __future__ import annotations

import csv
import gzip
import io
import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from streaming.proof.consumers.consumer_recording import COLUMNS, SCRIPT, WARM_MS
from streaming.proof.consumers.recorded_transactions import TRANSACTIONAL

EVENTS = (
    "send", "consume", "done", "own", "reown", "release", "start_begin", "start_end", "port_open", "tx", "local_end",
    "check",
)  # fmt: skip
UNUSED = ("key", "x")  # of those events
HEADER = ("run", "server_release", "clients", "jdk", "brokers", "topics", "actions", "consume_timestamp")


def kept(rows: Iterator[dict[str, str]], unused: Sequence[str] = UNUSED) -> Iterator[list[str]]:
    """The rows that are measured, without what is not."""
    for row in rows:
        if int(row["time_ms"]) >= WARM_MS and (row["event"] in EVENTS or row["who"] == SCRIPT):
            yield ["" if name in unused else row[name] for name in COLUMNS]


def unused_in(about: Mapping[str, Any]) -> Sequence[str]:
    """Columns that nothing reads: keys lead from a message to its retries and to its transaction."""
    clients = about["clients"].values()
    keyed = any(
        client.get("failpct") or client.get("pop") or client.get("program") == TRANSACTIONAL for client in clients
    )
    return UNUSED[1:] if keyed else UNUSED


def compact(source: Path, folder: Path) -> Path:
    """Write the recording that `source` (without suffix) names to a folder, in the same format."""
    about = json.loads(source.with_name(f"{source.name}.json").read_text(encoding="utf-8"))
    text = io.StringIO()
    with gzip.open(source.with_name(f"{source.name}.csv.gz"), "rt", encoding="utf-8", newline="") as file:
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow(COLUMNS)
        writer.writerows(kept(csv.DictReader(file), unused_in(about)))
    found = folder / f"{source.name}.csv.gz"
    found.write_bytes(gzip.compress(text.getvalue().encode(), mtime=0))
    header = {name: about[name] for name in HEADER if name in about}
    found.with_name(f"{source.name}.json").write_text(json.dumps(header, indent=1) + "\n", encoding="utf-8")
    return found


def main(folder: Path, sources: Sequence[str]) -> None:
    """Compact recordings into a folder."""
    for source in map(Path, sources):
        print(compact(source, folder))


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:])
