"""A recording as a run: its plan, and its rows as blocks of events, with what the recording says of the clock."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa

from simulator import codes
from simulator.client.releases import CLIENTS, client_of
from simulator.compile import slug
from simulator.replay import intake
from simulator.replay.plan import ReplayPlan, ReplaySettings, RouteObject, Senders
from streaming.blocks import END, RECORDING, Block, encode
from streaming.errors import InputError
from streaming.recording import OUTCOMES, Recording, load_recording, spelled
from streaming.recording_clock import clock_readings

ROWS_A_STEP = 5_000
WRITE_PERMISSION = 2
QUEUE = re.compile(r"(.+):(\d+)")
WRITES = re.compile(r"(.+)=w(\d+):p(\d+)")


@dataclass(frozen=True)
class Variation:
    """The same recording through another client: what a comparison must notice. Spelled as a JSON object."""

    path: str
    release: str | None = None
    ignore_fault_table: bool = False
    shift_penalties: int = 0  # classes by which notAvailableDuration is off

    @classmethod
    def of(cls, spec: str) -> Variation:
        """From the spec of a run: a path, or a JSON object with the path and what is different."""
        return cls(**json.loads(spec)) if spec.startswith("{") else cls(spec)


def route_object(detail: str) -> RouteObject:
    """The queue list and write queues in a route row's detail. Raises ValueError if it says something else."""
    listed, _, written = detail.partition("|")
    queues = [QUEUE.fullmatch(part) for part in listed.split()]
    writes = [WRITES.fullmatch(part) for part in written.split()]
    if not all(queues) or not all(writes):
        raise ValueError("the queue list cannot be read")
    nums = {m[1]: (int(m[2]), bool(int(m[3]) & WRITE_PERMISSION)) for m in writes if m}
    return RouteObject(tuple((m[1], int(m[2])) for m in queues if m), nums)


def _shifted(durations: tuple[int, ...], classes: int) -> tuple[int, ...]:
    last = len(durations) - 1
    return tuple(durations[min(max(place - classes, 0), last)] for place in range(len(durations)))


def settings_of(about: Mapping[str, Any], variation: Variation) -> ReplaySettings:
    """The producer's configuration as recorded, with the variation's differences."""
    limit = about.get("sendMsgMaxTimeoutPerRequest")
    settings = ReplaySettings(
        release=about["release"],
        strategy_on=about["sendLatencyFaultEnable"],
        send_msg_timeout_ms=about["sendMsgTimeout"],
        retry_times=about["retryTimesWhenSendFailed"],
        retry_not_store_ok=about["retryAnotherBrokerWhenNotStoreOK"],
        max_timeout_per_request_ms=-1 if limit is None else int(limit),
        detector_on=about["startDetectorEnable"],
        latency_max_ms=tuple(about["latencyMax"]),
        not_available_duration_ms=_shifted(tuple(about["notAvailableDuration"]), variation.shift_penalties),
        epoch_ms=about["t0_epoch_ms"],
        updates_table=not variation.ignore_fault_table,
    )
    if variation.release is None:
        return settings
    other = client_of(variation.release)
    return replace(
        settings,
        release=other.release,
        latency_max_ms=other.latency_max_ms,
        not_available_duration_ms=_shifted(other.not_available_duration_ms, variation.shift_penalties),
    )


@dataclass(frozen=True)
class Replay:
    """A recording made ready: its plan and its events, a row each."""

    recording: Recording
    plan: ReplayPlan
    events: pa.Table


def _routes(frame: pd.DataFrame, problem: np.ndarray) -> dict[tuple[int, str, int], RouteObject]:
    routes = {}
    for place in np.flatnonzero((frame["event"] == "route").to_numpy() & (problem == None)):  # noqa: E711
        row = frame.iloc[place]
        try:
            routes[int(row["producer"]), str(row["topic"]), int(row["route"])] = route_object(row["detail"])
        except ValueError as error:
            problem[place] = f"route: {error}"
    return routes


def _senders(frame: pd.DataFrame, routes: Mapping[Any, RouteObject]) -> Senders:
    named = {name for route in routes.values() for name in (*(queue[0] for queue in route.queues), *route.writes)}
    keys = frame[["producer", "thread", "topic"]].drop_duplicates().sort_values(["producer", "thread", "topic"])
    views = tuple((int(p), int(t), str(topic)) for p, t, topic in keys.itertuples(index=False))
    return Senders(
        brokers=tuple(sorted(named)),
        topics=tuple(sorted({topic for _, _, topic in views})),
        producers=tuple(sorted({p for p, _, _ in views})),
        threads=tuple(sorted({(p, t) for p, t, _ in views})),
        views=views,
    )


def _events(frame: pd.DataFrame, problem: np.ndarray, recording: Recording) -> pa.Table:
    """The columns of simulator.replay.intake, and run_us."""
    sound = frame[problem == None]  # noqa: E711
    events = frame[["event", "run_us", "producer", "thread", "topic", "send_seq", "seed", "reset_to", "route"]].copy()
    events["row"] = recording.rows.column("row").to_numpy()
    events["clock_least_ms"] = frame["ms_pre"]
    events["clock_most_ms"] = frame["ms_post"].fillna(frame["ms_pre"])
    events = events.join(clock_readings(sound))
    for name in ("broker", "queue_id", "steps"):
        events[f"fits_{name}"] = frame[name]
    events["outcome"] = frame["outcome"].map(OUTCOMES)
    status = frame["outcome"].map(codes.SEND_STATUS_CODES)
    plain = frame["outcome"].eq("SEND_OK").map({True: 0, False: codes.NO_CODE})
    events["response_code"] = status.fillna(frame["response_code"]).fillna(plain)
    events["latency_ms"] = frame["latency_ms"]
    starts = frame["item_start_ms"]
    moves_always = not CLIENTS[recording.about["release"]].has_reset_index
    events["fits_start_ms"] = starts.fillna(frame["ms_pre"]) if moves_always else starts
    columns = {}
    for name in (*intake.NUMBERS, *intake.SENDER, "run_us"):
        values = events[name].to_numpy(np.float64, na_value=np.nan)
        # Everything here is far below 2**53, so a float holds it exactly.
        columns[name] = pa.array(np.nan_to_num(values).astype(np.int64), mask=np.isnan(values))
    for name in intake.NAMES:
        columns[name] = pa.array(events[name], pa.string(), from_pandas=True).dictionary_encode()
    columns["problem"] = pa.array(problem.tolist(), pa.string())
    record = recording.rows.column("record").to_pylist()
    for place in np.flatnonzero(problem != None):  # noqa: E711
        record[place] = record[place] or spelled(recording.rows, int(place))
    columns["record"] = pa.array(record, pa.string())
    return pa.table(columns)


@lru_cache(maxsize=4)
def replay_of(spec: str) -> Replay:
    """A recording made ready, once a process. Raises InputError."""
    variation = Variation.of(spec)
    recording = load_recording(variation.path)
    if recording.about["mode"] != "sync":
        raise InputError(f"{recording.path}: asynchronous recordings cannot be replayed yet; they come later")
    frame = recording.rows.drop_columns(["row", "problem", "record"]).to_pandas()
    problem = np.array(recording.rows.column("problem").to_pylist(), object)
    routes = _routes(frame, problem)
    digest = recording.digest
    if variation != Variation(variation.path):
        digest += f"-{variation.release}-{int(variation.ignore_fault_table)}-{variation.shift_penalties}"
    plan = ReplayPlan(
        run=slug(recording.name),
        digest=digest,
        settings=settings_of(recording.about, variation),
        senders=_senders(frame[problem == None], routes),  # noqa: E711
        routes=routes,
    )
    return Replay(recording, plan, _events(frame, problem, recording))


class RecordingFeed:
    """The rows of a recording, a fixed number a step."""

    def __init__(self, replay: Replay, rows_a_step: int = ROWS_A_STEP) -> None:
        self.replay = replay
        self.rows_a_step = rows_a_step

    @property
    def steps(self) -> int:
        """Steps with rows, and the end."""
        return -(-self.replay.events.num_rows // self.rows_a_step) + 1

    @property
    def cells(self) -> int:
        """One: the producers of a recording are few."""
        return 1

    @property
    def window_us(self) -> int:
        """Mean time of the recording that a step takes."""
        return max(self.duration_us // max(self.steps - 1, 1), 1)

    @property
    def duration_us(self) -> int:
        """Time of the last row."""
        return max(pa.compute.max(self.replay.events.column("run_us")).as_py() or 0, 1)

    def events_per_step(self) -> float:
        """Rows of a step."""
        return float(self.rows_a_step)

    def blocks(self, cell: int, first: int, last: int) -> Iterator[Block]:
        """Blocks for steps [first, last), in order."""
        run, end = self.replay.plan.run, self.steps - 1
        for step in range(first, min(last, end)):
            rows = self.replay.events.slice(step * self.rows_a_step, self.rows_a_step).combine_chunks()
            yield Block(run, cell, step, RECORDING, rows.num_rows, encode(rows))
        if first <= end < last:
            yield Block(run, cell, end, END, 0, b"")
