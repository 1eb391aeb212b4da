"""A recording of consumers of live clusters: NAME.csv.gz, one event a line, and NAME.json about the set-up.

Columns: time_ms (of the recording's own zero), event, who, queue (broker:id), offset, key, a, b, c, x; what stands in
them depends on the event (conf/traces/consumers/README.md). Events before WARM_MS belong to the warm-up.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv as csv

from simulator.consumer.rules.delay_levels import DLQ_TOPIC_PREFIX
from streaming.errors import InputError
from streaming.proof.texts.proof_texts import ProofTexts

WARM_MS = -13_000
STOOD_STILL_MS = 1_000
START_MS = 250  # of start() in a JVM that is warm
COLUMNS = ("time_ms", "event", "who", "queue", "offset", "key", "a", "b", "c", "x")
SUFFIXES = (".csv.gz", ".json")
CONSUMER, PRODUCER = "Cons", "Prod"
BROADCAST = "broadcast"  # the header's `model` of clients that all read everything
SCRIPT = "script"  # who does what was done to the cluster
# What was done to a broker or a proxy: what ends it, and the kind of fault that it is in a scenario.
PROCESS_FAULTS = {"kill9": ("port_open", "kill"), "sigterm": ("port_open", "restart"), "sigstop": ("sigcont", "hang")}


@dataclass(frozen=True)
class Action:
    """Something that was done to a client or a broker: spawn, kill9, sigterm, sigstop, sigcont, port_open or start."""

    at_ms: int
    kind: str
    target: str


@dataclass(frozen=True)
class ConsumerRecording:
    """The events of one run, and what its header says."""

    name: str
    about: Mapping[str, Any]
    events: pa.Table

    def rows(self, *kinds: str) -> pa.Table:
        """The events of some kinds, by time."""
        return self.events.filter(pc.is_in(self.events["event"], pa.array(kinds, pa.string())))

    @cached_property
    def groups(self) -> Mapping[str, Sequence[str]]:
        """Instances of each consumer group, by its name; those that only read dead letters are none."""
        found: dict[str, list[str]] = {}
        for who, client in self.about["clients"].items():
            if client.get("program") == CONSUMER and not client["topic"].startswith(DLQ_TOPIC_PREFIX):
                found.setdefault(str(client["group"]), []).append(who)
        return found

    def client(self, who: str) -> Mapping[str, Any]:
        """The settings of a client. Raises KeyError for one that the header does not name."""
        client: Mapping[str, Any] = self.about["clients"][who]
        return client

    def is_measured(self, group: str) -> bool:
        """Whether the instances of a group share the messages: those of a broadcasting one do not."""
        return not any(self.client(who).get("model") == BROADCAST for who in self.groups[group])

    def pops(self, group: str) -> bool:
        """Whether a group pops."""
        return any(self.client(who).get("pop") for who in self.groups[group])

    @cached_property
    def starts_ms(self) -> Mapping[str, int]:
        """When consumers started: START_MS before start() returned, for a cold JVM takes longer; none that failed.

        Orderly ones when start() began, which starts the clock of their locks. Recordings that do not say when it
        returned say when it began, or their header does.
        """
        begun, ended = (
            {row["who"]: int(row["time_ms"]) for row in self.rows(kind).to_pylist()}
            for kind in ("start_begin", "start_end")
        )
        planned = {who: int(client.get("start", 0)) for who, client in self.about["clients"].items()}
        found = (planned if not begun else {}) | begun
        return {
            who: at_ms if self.client(who).get("mode") else max(at_ms, ended.get(who, at_ms) - START_MS)
            for who, at_ms in found.items()
            if not ended or who in ended
        }

    def service_ms(self, group: str) -> float:
        """How long the listener was at a message, on average, as clients noted it; else as their header says.

        A process that stood still meanwhile does not count.
        """
        planned = float(self.client(self.groups[group][0])["service"])
        rows = self.rows("consume", "done")
        rows = rows.filter(pc.is_in(rows["who"], pa.array(self.groups[group], pa.string())))
        pairs = rows.group_by(["who", "queue", "offset"], use_threads=False).aggregate(
            [("time_ms", "min"), ("time_ms", "max"), ("time_ms", "count"), ("event", "count_distinct")]
        )
        once = pc.and_(pc.equal(pairs["time_ms_count"], 2), pc.equal(pairs["event_count_distinct"], 2))
        took = pc.subtract(pairs["time_ms_max"], pairs["time_ms_min"])
        took = took.filter(pc.and_(once, pc.less(took, planned + STOOD_STILL_MS)))
        return float(pc.mean(took).as_py()) if len(took) else planned

    @cached_property
    def end_ms(self) -> int:
        """When everything was stopped."""
        ends = [action["time_ms"] for action in self.about["actions"] if action["action"] == "end"]
        return int(ends[0]) if ends else int(pc.max(self.events["time_ms"]).as_py())

    @cached_property
    def actions(self) -> Sequence[Action]:
        """What was done after the warm-up, by time; a consumer starts when its client says that it does."""
        rows = self.rows("spawn", "kill9", "sigterm", "sigstop", "sigcont").to_pylist()
        found = [Action(row["time_ms"], row["event"], row["queue"]) for row in rows if row["who"] == SCRIPT]
        found += [Action(row["time_ms"], "port_open", row["queue"]) for row in self.rows("port_open").to_pylist()]
        found += [Action(at_ms, "start", who) for who, at_ms in self.starts_ms.items()]
        return sorted((one for one in found if one.at_ms >= WARM_MS), key=lambda one: (one.at_ms, one.target))

    def until_ms(self, action: Action, end: str) -> int:
        """When what was done to a process ends, by the next action of that kind; else the recording's end."""
        later = (one.at_ms for one in self.actions if (one.kind, one.target) == (end, action.target))
        return next((at_ms for at_ms in later if at_ms > action.at_ms), self.end_ms)


def is_consumer_recording(path: Path) -> bool:
    """Whether a path names a recording of consumers: its header names clients, a producer's does not."""
    try:
        found = json.loads(_beside(path, ".json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return False
    return isinstance(found, dict) and isinstance(found.get("clients"), dict)


def load_consumer_recording(path: Path) -> ConsumerRecording:
    """The recording that a path names: its .csv.gz, its .json or the name without. Raises InputError."""
    events, header = _beside(path, ".csv.gz"), _beside(path, ".json")
    try:
        about = json.loads(header.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise InputError(ProofTexts.HEADER_UNREADABLE(why=error).at(header)) from error
    for key in ("clients", "actions", "brokers"):
        if key not in about:
            raise InputError(ProofTexts.HEADER_LACKS(key=key).at(header))
    try:
        table = csv.read_csv(
            events,
            convert_options=csv.ConvertOptions(
                column_types={name: pa.string() for name in COLUMNS} | {"time_ms": pa.int64(), "offset": pa.int64()}
            ),
        )
    except (OSError, pa.ArrowException) as error:
        raise InputError(ProofTexts.EVENTS_UNREADABLE(why=error).at(events)) from error
    if tuple(table.column_names) != COLUMNS:
        raise InputError(ProofTexts.COLUMNS_EXPECTED(columns=", ".join(COLUMNS)).at(f"{events}: line 1"))
    table = table.filter(pc.greater_equal(table["time_ms"], WARM_MS))
    return ConsumerRecording(_stem(path).name, about, table.sort_by("time_ms"))


def _stem(path: Path) -> Path:
    """The path without the suffix of a recording."""
    for suffix in SUFFIXES:
        if path.name.endswith(suffix):
            return path.with_name(path.name.removesuffix(suffix))
    return path


def _beside(path: Path, suffix: str) -> Path:
    stem = _stem(path)
    return stem.with_name(stem.name + suffix)
