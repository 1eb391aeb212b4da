"""A recording as a run: its plan, and its rows as blocks of events, with what the recording says of the clock."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from heapq import heappop, heappush
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa

from simulator import codes
from simulator.plan.compile import slug
from simulator.releases.producer_release import CLIENTS, client_of
from simulator.replay import recording_rows
from simulator.replay.replay_plan import ReplayPlan, ReplaySettings, RouteObject, Senders
from streaming.flow.blocks import END, RECORDING, Block, encode
from streaming.recording.recording import ASYNC_OUTCOMES, HAND_OVER, OUTCOMES, Recording, load_recording, spelled
from streaming.recording.recording_clock import SEND, THROWN, async_readings, clock_readings
from streaming.texts.flow_texts import FlowTexts

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
    async_rules_of: str = ""  # the release whose asynchronous send path is followed
    ignore_hand_over: bool = False

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
        raise ValueError(FlowTexts.QUEUE_LIST_UNREADABLE())
    nums = {m[1]: (int(m[2]), bool(int(m[3]) & WRITE_PERMISSION)) for m in writes if m}
    return RouteObject(tuple((m[1], int(m[2])) for m in queues if m), nums)


def _shifted(durations: tuple[int, ...], classes: int) -> tuple[int, ...]:
    last = len(durations) - 1
    return tuple(durations[min(max(place - classes, 0), last)] for place in range(len(durations)))


def settings_of(about: Mapping[str, Any], variation: Variation) -> ReplaySettings:
    """The producer's configuration as recorded, with the variation's differences."""
    limit = about.get("sendMsgMaxTimeoutPerRequest")
    is_async = about["mode"] == "async"
    settings = ReplaySettings(
        release=about["release"],
        strategy_on=about["sendLatencyFaultEnable"],
        send_msg_timeout_ms=about["sendMsgTimeout"],
        retry_times=about["retryTimesWhenSendAsyncFailed" if is_async else "retryTimesWhenSendFailed"],
        retry_not_store_ok=about["retryAnotherBrokerWhenNotStoreOK"],
        max_timeout_per_request_ms=-1 if limit is None else int(limit),
        detector_on=about["startDetectorEnable"],
        latency_max_ms=tuple(about["latencyMax"]),
        not_available_duration_ms=_shifted(tuple(about["notAvailableDuration"]), variation.shift_penalties),
        epoch_ms=about["t0_epoch_ms"],
        updates_table=not variation.ignore_fault_table,
        hands_over=not variation.ignore_hand_over,
        async_rules_of=variation.async_rules_of,
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


def _slots(frame: pd.DataFrame) -> pd.Series:
    """For every row of a message a number that no other message has between its first row and its last."""
    of = frame[frame["event"] != "route"].groupby(SEND, sort=False).ngroup()
    place = pd.Series(np.arange(len(of)), of.index).groupby(of)
    first, last = place.min().to_numpy(), place.max().to_numpy()
    slot = np.zeros(len(first), np.int64)
    busy: list[tuple[int, int]] = []  # (last row, slot)
    free: list[int] = []
    for message in np.argsort(first):
        while busy and busy[0][0] < first[message]:
            heappush(free, heappop(busy)[1])
        slot[message] = heappop(free) if free else len(busy)
        heappush(busy, (int(last[message]), int(slot[message])))
    return pd.Series(slot[of.to_numpy()], of.index).reindex(frame.index, fill_value=0)


def _async_senders(frame: pd.DataFrame, routes: Mapping[Any, RouteObject], slots: pd.Series) -> Senders:
    """Every thread has a counter on every route object that it selects from."""
    senders = _senders(frame, routes)
    selects = frame[frame["event"] == "select"]
    keys = selects[["producer", "thread", "topic", "route"]].drop_duplicates().sort_values(["producer", "thread"])
    views = tuple((int(p), int(t), str(topic)) for p, t, topic, _ in keys.itertuples(index=False))
    return replace(
        senders,
        topics=tuple(sorted(set(frame["topic"]))),
        views=views,
        view_routes=tuple(int(route) for route in keys["route"]),
        slots=int(slots.max()) + 1,
    )


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


def _events(frame: pd.DataFrame, problem: np.ndarray, recording: Recording, slots: pd.Series | None) -> pa.Table:
    """The columns of simulator.replay.recording_rows, and run_us."""
    sound = frame[problem == None]  # noqa: E711
    events = frame[["event", "run_us", "producer", "thread", "topic", "send_seq", "seed", "reset_to", "route"]].copy()
    events["row"] = recording.rows.column("row").to_numpy()
    events["clock_least_ms"] = frame["ms_pre"]
    events["clock_most_ms"] = frame["ms_post"].fillna(frame["ms_pre"])
    release = recording.about["release"]
    if slots is None:
        events = events.join(clock_readings(sound)).assign(cost_least_ms=np.nan, cost_most_ms=np.nan, slot=np.nan)
    else:
        read_before = CLIENTS[release].reads_cost_before_update
        events = events.join(async_readings(sound, read_before)).join(slots.rename("slot"))
    events["hand_over"] = frame["detail"].eq(HAND_OVER)
    events["thrown"] = frame["detail"].str.startswith(THROWN, na=False)
    for name in ("broker", "queue_id", "steps"):
        events[f"fits_{name}"] = frame[name]
    events["outcome"] = frame["outcome"].map(OUTCOMES | ASYNC_OUTCOMES)
    status = frame["outcome"].map(codes.SEND_STATUS_CODES)
    plain = frame["outcome"].eq("SEND_OK").map({True: 0, False: codes.NO_CODE})
    events["response_code"] = status.fillna(frame["response_code"]).fillna(plain)
    events["latency_ms"] = frame["latency_ms"]
    starts = frame["item_start_ms"]
    moves_always = not CLIENTS[release].has_reset_index
    events["fits_start_ms"] = starts.fillna(frame["ms_pre"]) if moves_always else starts
    columns = {}
    for name in (*recording_rows.NUMBERS, *recording_rows.SENDER, "slot", "run_us"):
        values = events[name].to_numpy(np.float64, na_value=np.nan)
        # Everything here is far below 2**53, so a float holds it exactly.
        columns[name] = pa.array(np.nan_to_num(values).astype(np.int64), mask=np.isnan(values))
    for name in recording_rows.NAMES:
        columns[name] = pa.array(events[name], pa.string(), from_pandas=True).dictionary_encode()
    columns["problem"] = pa.array(problem.tolist(), pa.string())
    record = recording.rows.column("record").to_pylist()
    for place in np.flatnonzero(problem != None):  # noqa: E711
        record[place] = record[place] or spelled(recording.rows, int(place))
    columns["record"] = pa.array(record, pa.string())
    return pa.table(columns)


@cache
def replay_of(spec: str) -> Replay:
    """A recording made ready, once a process. Raises InputError."""
    variation = Variation.of(spec)
    recording = load_recording(variation.path)
    frame = recording.rows.drop_columns(["row", "problem", "record"]).to_pandas()
    problem = np.array(recording.rows.column("problem").to_pylist(), object)
    routes = _routes(frame, problem)
    digest = recording.digest
    if variation != Variation(variation.path):
        digest += "".join(f"-{value}" for name, value in vars(variation).items() if name != "path")
    sound = frame[problem == None]  # noqa: E711
    slots = _slots(sound) if recording.about["mode"] == "async" else None
    plan = ReplayPlan(
        run=slug(recording.name),
        digest=digest,
        settings=settings_of(recording.about, variation),
        senders=_senders(sound, routes) if slots is None else _async_senders(sound, routes, slots),
        routes=routes,
    )
    return Replay(recording, plan, _events(frame, problem, recording, slots))


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
