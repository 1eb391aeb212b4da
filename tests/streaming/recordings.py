"""Recordings for tests: those kept in conf/traces, and small ones written by hand."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterable, Mapping
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
from rich.console import Console

from streaming.flow.recording_feed import ROWS_A_STEP, RecordingFeed, replay_of
from streaming.flow.run_spec import RunSpec
from streaming.jobs.job import Job, Options
from streaming.jobs.steppers import stepper_of
from streaming.proof.recordings.agreement import Agreement, compare
from streaming.recording.recording import COLUMNS

TRACES = Path(__file__).resolve().parents[2] / "conf" / "traces"
MODES = {path.stem: json.loads(path.read_text())["mode"] for path in TRACES.glob("*.json")}
SYNC = sorted(name for name, mode in MODES.items() if mode == "sync")
ASYNC = sorted(name for name, mode in MODES.items() if mode == "async")

ABOUT = {
    "release": "4.9.8", "mode": "sync", "sendLatencyFaultEnable": True, "sendMsgTimeout": 3000,
    "retryTimesWhenSendFailed": 2, "retryAnotherBrokerWhenNotStoreOK": False, "startDetectorEnable": False,
    "sendMsgMaxTimeoutPerRequest": None, "latencyMax": [50, 100, 550, 1000, 2000, 3000, 15000],
    "notAvailableDuration": [0, 0, 30000, 60000, 120000, 180000, 600000], "t0_epoch_ms": 1_700_000_000_000,
}  # fmt: skip
ASYNC_ABOUT = ABOUT | {"mode": "async", "retryTimesWhenSendAsyncFailed": 2}
DETAIL = "broker-a:0 broker-a:1 broker-b:0 broker-b:1|broker-a=w2:p6 broker-b=w2:p6"


def row(event: str, run_us: int, **values: object) -> str:
    """A line of a recording."""
    given = {"event": event, "run_us": run_us, "producer": 0, "thread": 1, "topic": "orders", **values}
    return ",".join(str(given.get(name, "")) for name in COLUMNS)


def send(seq: int, run_us: int, queue: tuple[str, int], seed: int | str = "") -> list[str]:
    """A send that is stored by the first attempt, 2 ms from `run_us` on."""
    ms, key = run_us // 1000, {"send_seq": seq, "attempt": 1, "broker": queue[0]}
    us = [run_us + part for part in (100, 1100, 1200, 1300)]
    return [
        row("select", us[0], **key, queue_id=queue[1], ms_pre=ms, seed=seed, steps=1, route=0),
        row("attempt_end", us[1], **key, queue_id=queue[1], latency_ms=1, start_us=us[0] + 50, cost_us=900,
            timeout_ms=3000, outcome="SEND_OK", after="return"),
        row("fault_update", us[2], **key, ms_pre=ms + 1, latency_ms=1, isolation=0),
        row("send_end", us[3], **key, queue_id=queue[1], start_us=run_us + 50, cost_us=1250, outcome="SEND_OK"),
    ]  # fmt: skip


def small_rows() -> list[str]:
    """A route and three sends through its first queues."""
    route = row("route", 0, route=0, ms_pre=0, detail=DETAIL)
    queues = [("broker-a", 1), ("broker-b", 0), ("broker-b", 1)]
    sends = [send(n, 10_000 * (n + 1), queue, 0 if n == 0 else "") for n, queue in enumerate(queues)]
    return [route, *(line for lines in sends for line in lines)]


def async_rows() -> list[str]:
    """A route and an asynchronous send of 4.9.8: a refused connect, retried by the sending thread, then stored."""
    key = {"send_seq": 0}
    one, two = key | {"attempt": 1, "broker": "broker-a"}, key | {"attempt": 2, "broker": "broker-b"}
    after = {"thread": 2}
    return [
        row("route", 0, route=0, ms_pre=0, detail=DETAIL),
        row("select", 10_100, **one, queue_id=1, ms_pre=10, seed=0, steps=1, route=0),
        row("attempt_end", 12_300, **one, queue_id=1, latency_ms=2, start_us=10_150, cost_us=2_100, timeout_ms=3000,
            outcome="RemotingConnectException", after="retry", detail="thrown connect to <broker-a> failed"),
        row("fault_update", 12_350, **one, ms_pre=12, latency_ms=2, isolation=1, item_start_ms=600_012, detail="throw"),
        row("select", 12_400, **two, last_broker="broker-a", queue_id=0, ms_pre=12, steps=1, route=0),
        row("fault_update", 12_600, **one, ms_pre=12, latency_ms=2, isolation=0, detail="handover"),
        row("attempt_end", 13_500, **two, **after, queue_id=1, latency_ms=1, start_us=12_450, cost_us=1_000,
            timeout_ms=2998, outcome="SEND_OK", after="cb_ok"),
        row("send_end", 13_600, **two, **after, queue_id=1, start_us=10_050, cost_us=3_500, outcome="SEND_OK"),
        row("fault_update", 13_700, **two, **after, ms_pre=13, latency_ms=1, isolation=0, detail="cb"),
    ]  # fmt: skip


def write(folder: Path, lines: Iterable[str], about: Mapping[str, object] = ABOUT, name: str = "small") -> Path:
    """Write a recording as the recorder does; gives the path of its rows."""
    path = folder / f"{name}.csv.gz"
    path.write_bytes(gzip.compress("".join(f"{line}\n" for line in (",".join(COLUMNS), *lines)).encode()))
    (folder / f"{name}.json").write_text(json.dumps(dict(about)))
    return path


def spec_of(name: str, **changes: object) -> str:
    """The spec of a kept recording, through another client if there are changes."""
    path = str(TRACES / f"{name}.parquet")
    return json.dumps({"path": path, **changes}) if changes else path


def replayed(spec: str, cuts: Iterable[int] = (), rows_a_step: int = ROWS_A_STEP) -> dict[str, pa.Table]:
    """The tables of a recording, in micro-batches that end at the steps `cuts`, each from the stored state."""
    feed, stored = RecordingFeed(replay_of(spec), rows_a_step), None
    tables: dict[str, list[pa.Table]] = {"decisions": [], "rejects": []}
    ends = [*cuts, feed.steps]
    for first, last in zip([0, *ends], ends, strict=False):
        stepper = stepper_of(RunSpec("r", "recording", spec), 0, stored, ())
        for name, table in stepper.run(reversed(list(feed.blocks(0, first, last)))):
            tables[name].append(table)
        stored = stepper.snapshot()
    return {name: pa.concat_tables(parts) if parts else pa.table({}) for name, parts in tables.items()}


def verified(spec: str, refused: Iterable[int] = ()) -> Agreement:
    """The comparison of a recording with its replay."""
    return compare(replay_of(spec).recording, replayed(spec)["decisions"], refused)


def run_without_spark(job: Job, options: Options, console: Console) -> None:
    """Write what the job of a recording leaves, without Spark."""
    for name, table in replayed(job.run.spec.spec).items():
        if table.num_rows:
            folder = options.out / name / f"run={job.run.spec.run}"
            folder.mkdir(parents=True)
            pq.write_table(table, folder / "b0.parquet")
    options.out.mkdir(exist_ok=True)
    events = dict.fromkeys(("generated", "handled", "rejected", "skipped"), 0)
    (options.out / "run.json").write_text(json.dumps({"sendlab": "1", "events": events}))
