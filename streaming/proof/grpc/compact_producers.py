"""Keep what is measured of gRPC producers: `python -m streaming.proof.grpc.compact_producers FOLDER RECORDING...`."""

from __future__ import annotations

import csv
import gzip
import io
import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from streaming.proof.consumers.consumer_recording import COLUMNS, SCRIPT
from streaming.proof.grpc.producer_set_up import GRPC_PRODUCER

HEADER = ("run", "server_release", "jdk", "brokers", "proxies", "topics", "actions")
UNUSED = ("queue", "offset", "key", "x")  # of a message


def compact_producers(source: Path, folder: Path) -> Path:
    """Write the producers' side of the recording that `source` (without suffix) names, in the same format."""
    about = json.loads(source.with_name(f"{source.name}.json").read_text(encoding="utf-8"))
    with gzip.open(source.with_name(f"{source.name}.csv.gz"), "rt", encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(COLUMNS)
    for row in rows:
        if row["event"] == "send":
            writer.writerow(["" if name in UNUSED else row[name] for name in COLUMNS])
        elif row["who"] == SCRIPT:
            writer.writerow([row[name] for name in COLUMNS])
    found = folder / f"{source.name}.csv.gz"
    found.write_bytes(gzip.compress(text.getvalue().encode(), mtime=0))
    header = {name: about[name] for name in HEADER if name in about}
    own = {who: client for who, client in about["clients"].items() if client.get("program") == GRPC_PRODUCER}
    header["clients"] = {who: client | _hangs_on(rows, who) for who, client in own.items()}
    found.with_name(f"{source.name}.json").write_text(json.dumps(header, indent=1) + "\n", encoding="utf-8")
    return found


def _hangs_on(rows: Sequence[Mapping[str, Any]], who: str) -> dict[str, str]:
    """The proxy that a client is connected to before its first message."""
    seen = [row["x"] for row in rows if row["event"] == "conn" and row["who"] == who and int(row["time_ms"]) < 0]
    return {"proxy": seen[-1].partition(":")[0]} if seen and seen[-1] else {}


if __name__ == "__main__":
    for name in sys.argv[2:]:
        print(compact_producers(Path(name), Path(sys.argv[1])))
