"""Keep what is measured of gRPC clients: `python -m streaming.proof.grpc.compact_producers FOLDER RECORDING...`."""

from __future__ import annotations

import re
import sys
from collections.abc import Collection, Iterable, Iterator, Sequence
from pathlib import Path

from streaming.proof.consumers.consumer_recording import SCRIPT, WARM_MS
from streaming.proof.consumers.recorded_transactions import GRPC_TRANSACTIONAL
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

HEADER = ("run", "server_release", "jdk", "brokers", "proxies", "topics", "fifo", "actions")
OF_TRANSACTIONS = ("tx", "local_end", "check", "end_tx")
UNUSED = ("offset", "key", "x")  # of a message; its broker is true in local mode alone
UNUSED_OF_DELIVERIES = ("b", "x")
IN_TRANSACTION = "-"  # in the key of a message: what its transaction came to, its number, how long that took
NUMBER = re.compile(r"\D")  # what a key has beside its number


def compact_producers(source: Path, folder: Path) -> Path:
    """Write what is measured of the recording that `source` (without suffix) names, in the same format."""
    about, rows = header_of(source), list(event_rows(source))
    programs = (GRPC_PRODUCER, GRPC_TRANSACTIONAL, PUSH, SIMPLE)
    own = {who: client for who, client in about["clients"].items() if client.get("program") in programs}
    clients = {who: client | _hangs_on(rows, who, about["proxies"]) for who, client in own.items()}
    header = {name: about[name] for name in HEADER if name in about}
    write_header(folder / f"{source.name}.json", header | {"clients": clients})
    is_local = any(proxy.get("proxyMode") == "local" for proxy in about["proxies"].values())
    topics = {client["topic"] for client in clients.values() if client["program"] == GRPC_TRANSACTIONAL}
    in_order = about.get("fifo", ())
    whole = [who for who, one in clients.items() if one["topic"] in topics or one.get("group") in in_order]
    return write_events(folder / f"{source.name}.csv.gz", _kept(rows, is_local, whole))


def _kept(rows: Iterable[EventRow], is_local: bool, whole: Collection[str]) -> Iterator[list[str]]:
    for row in rows:
        if row["event"] == "send":
            queue = row["queue"].partition(":")[0] if is_local else ""
            yield without({**row, "queue": queue}, UNUSED)
        elif row["who"] == SCRIPT or row["event"] in OF_TRANSACTIONS:
            yield without(row, ("x",) if row["event"] in OF_TRANSACTIONS else ())
        elif row["event"] == "consume" and int(row["time_ms"]) >= WARM_MS:
            if row["who"] in whole:
                key = row["key"] if IN_TRANSACTION in row["key"] else NUMBER.sub("", row["key"])
                yield without({**row, "key": key}, UNUSED_OF_DELIVERIES)
            else:
                queue, key = row["queue"].partition(":")[0], NUMBER.sub("", row["key"])
                yield without({**row, "queue": queue, "key": key}, (*UNUSED_OF_DELIVERIES, "offset"))


def _hangs_on(rows: Sequence[EventRow], who: str, proxies: Collection[str]) -> dict[str, str]:
    """The proxy that a client is connected to before its first message; in local mode it is to all."""
    seen = [row["x"] for row in rows if row["event"] == "conn" and row["who"] == who and int(row["time_ms"]) < 0]
    proxy = seen[-1].partition(":")[0] if seen else ""
    return {"proxy": proxy} if proxy in proxies else {}


if __name__ == "__main__":
    for name in sys.argv[2:]:
        print(compact_producers(Path(name), Path(sys.argv[1])))
