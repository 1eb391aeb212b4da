"""Keep what is measured of gRPC clients: `python -m streaming.proof.grpc.compact_producers FOLDER RECORDING...`."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from streaming.proof.consumers.consumer_recording import SCRIPT, WARM_MS
from streaming.proof.consumers.recording_files import (
    EventRow,
    event_rows,
    header_of,
    without,
    write_events,
    write_header,
)
from streaming.proof.grpc.consumer_set_up import PUSH, SIMPLE
from streaming.proof.grpc.producer_set_up import GRPC_PRODUCER

HEADER = ("run", "server_release", "jdk", "brokers", "proxies", "topics", "actions")
UNUSED = ("queue", "offset", "key", "x")  # of a message
UNUSED_OF_DELIVERIES = ("offset", "b", "x")
NUMBER = re.compile(r"\D")  # what a key has beside its number


def compact_producers(source: Path, folder: Path) -> Path:
    """Write what is measured of the recording that `source` (without suffix) names, in the same format."""
    about, rows = header_of(source), list(event_rows(source))
    programs = (GRPC_PRODUCER, PUSH, SIMPLE)
    own = {who: client for who, client in about["clients"].items() if client.get("program") in programs}
    clients = {who: client | _hangs_on(rows, who) for who, client in own.items()}
    header = {name: about[name] for name in HEADER if name in about}
    write_header(folder / f"{source.name}.json", header | {"clients": clients})
    return write_events(folder / f"{source.name}.csv.gz", _kept(rows))


def _kept(rows: Iterable[EventRow]) -> Iterator[list[str]]:
    for row in rows:
        if row["event"] == "send" or row["who"] == SCRIPT:
            yield without(row, UNUSED if row["event"] == "send" else ())
        elif row["event"] == "consume" and int(row["time_ms"]) >= WARM_MS:
            queue, key = row["queue"].partition(":")[0], NUMBER.sub("", row["key"])
            yield without({**row, "queue": queue, "key": key}, UNUSED_OF_DELIVERIES)


def _hangs_on(rows: Sequence[EventRow], who: str) -> dict[str, str]:
    """The proxy that a client is connected to before its first message."""
    seen = [row["x"] for row in rows if row["event"] == "conn" and row["who"] == who and int(row["time_ms"]) < 0]
    return {"proxy": seen[-1].partition(":")[0]} if seen and seen[-1] else {}


if __name__ == "__main__":
    for name in sys.argv[2:]:
        print(compact_producers(Path(name), Path(sys.argv[1])))
