"""A recording as the records of RocketMQ's message trace that its client would have written (TraceDataEncoder)."""

from __future__ import annotations

import gzip
import sys
from datetime import UTC, datetime
from pathlib import Path

from streaming.importing.recording_format import trace_of_recording

PORTS = {"broker-a": 20911, "broker-b": 20921, "broker-c": 20931}
HOSTS = {f"127.0.0.1:{port}": broker for broker, port in PORTS.items()}
PROCESS = 0x1F40
RECORDS_A_MESSAGE = 100


def message_id(send_begin_ms: int, counter: int) -> str:
    """MessageClientIDSetter: address, process, class loader, ms of the month, counter."""
    moment = datetime.fromtimestamp(send_begin_ms / 1000, UTC)
    month_ms = int(datetime(moment.year, moment.month, 1, tzinfo=UTC).timestamp()) * 1000
    return f"7F000001{PROCESS:04X}18B4AAC2{send_begin_ms - month_ms:08X}{counter % 65536:04X}"


def pub(begin_ms: int, cost_ms: int, group: str, topic: str, broker: str, message: str, success: bool = True) -> str:
    """One Pub record."""
    address, stored = f"127.0.0.1:{PORTS[broker]}", f"7F000001{PORTS[broker]:08X}{begin_ms:016X}"
    fields = ("Pub", begin_ms, "DefaultRegion", group, topic, message, "null", "null", address, 128, cost_ms, 0, stored)
    return "\x01".join(map(str, fields)) + f"\x01{str(success).lower()}\x02"


def pubs_of(recording: Path) -> list[str]:
    """The records of a recording, in the order in which the attempts ended: only what was answered well."""
    table = trace_of_recording(recording).table.to_pandas()
    counters = {message: number for number, message in enumerate(table["message"].unique())}
    table["end_us"] = table["begin_us"] + table["latency_us"]
    answered = table[table["outcome"] == "SEND_OK"].sort_values("end_us", kind="stable")
    return [
        pub(
            row.begin_us // 1000, row.end_us // 1000 - row.begin_us // 1000, f"shop-{int(row.producer)}", row.topic,
            row.broker, message_id(int(row.send_begin_us) // 1000, counters[row.message]),
        )
        for row in answered.itertuples()
    ]  # fmt: skip


def dump_of(recording: Path) -> str:
    """The text of its trace messages, one a line."""
    records = pubs_of(recording)
    messages = [records[i : i + RECORDS_A_MESSAGE] for i in range(0, len(records), RECORDS_A_MESSAGE)]
    return "".join("".join(message) + "\n" for message in messages)


if __name__ == "__main__":
    with gzip.GzipFile(sys.argv[2], "wb", mtime=0) as file:
        file.write(dump_of(Path(sys.argv[1])).encode())
