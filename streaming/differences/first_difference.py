"""The first decision in which two runs differ: both attempts, and what made the difference."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
import yaml

from simulator.releases.producer_release import CLIENTS
from simulator.scenario.reading.nested_keys import key_differences
from state.texts import Text
from streaming.differences.run_difference_texts import RunDifferenceTexts
from streaming.explain.texts.explain_texts import ExplainTexts
from streaming.outputs.dataset import RunOutput
from streaming.texts.command_result_texts import CommandResultTexts

KEY = ["producer", "thread", "topic", "send_seq", "attempt"]
WHEN = ["begin_us", *KEY]
CHOSEN = ["broker", "queue_id"]
CAME_OUT = ["end_us", "outcome", "response_code", "will_retry"]
COLUMNS = [*WHEN, *CHOSEN, *CAME_OUT, "pick_reason"]
STRETCHES = 40  # a run is read in so many parts: memory does not grow with what is alike
STRETCH_LEAST_US = 10_000_000

COUNTER, FAULT_ITEM, ROUTE, RULE, DRAW, BROKER = "counter", "fault item", "route", "rule", "draw", "broker"


@dataclass(frozen=True)
class FirstDifference:
    """Both attempts (None where a run made none) and why: a cause, and it in words. settings: keys that differ."""

    one: dict[str, Any] | None
    other: dict[str, Any] | None
    cause: str
    why: str


def settings_apart(one: RunOutput, other: RunOutput) -> dict[str, tuple[Any, Any]]:
    """Keys of the two scenarios that differ, with both values."""
    apart = key_differences(*(yaml.safe_load(output.about["scenario_yaml"]) for output in (one, other)))
    return {key: (ours, theirs) for key, ours, theirs in apart if key.partition(".")[0] not in ("name", "description")}


def first_difference(one: RunOutput, other: RunOutput) -> FirstDifference | None:
    """The first attempt, by when it began, that is not the same in both; None if there is none.

    Counters that only start at other values make every queue differ: then it is the first attempt that another rule
    chose, or that ended otherwise, if there is one.
    """
    started: FirstDifference | None = None
    for begin_us, until_us in _stretches(one, other):
        ours, theirs = (_attempts(output, begin_us, until_us) for output in (one, other))
        if started is None:
            place = _first_unlike(ours, theirs)
            if place is None:
                continue
            found = _explained(one, other, _row(ours, place), _row(theirs, place))
            if found.cause != COUNTER:
                return found
            started = found
        pair = _first_of_another_rule(ours, theirs)
        if pair is not None:
            found = _of_pair(one, other, *pair)
            return replace(found, why=RunDifferenceTexts.STARTED(why=found.why))
    rules = [_rule(output) for output in (one, other)]
    if started is not None and rules[0] != rules[1]:
        before = f"{started.why[0].upper()}{started.why[1:]}"
        why = RunDifferenceTexts.NOT_SHOWN(ours=rules[0], theirs=rules[1], before=before)
        return replace(started, cause=RULE, why=why)
    return started


def _stretches(one: RunOutput, other: RunOutput) -> Iterator[tuple[int, int]]:
    end_us = max(int(output.about["duration_us"]) for output in (one, other)) + 1
    stretch_us = max(STRETCH_LEAST_US, -(-end_us // STRETCHES))
    for begin_us in range(0, end_us, stretch_us):
        yield begin_us, begin_us + stretch_us if begin_us + stretch_us < end_us else 1 << 62


def _first_of_another_rule(ours: pd.DataFrame, theirs: pd.DataFrame) -> tuple[dict[str, Any], dict[str, Any]] | None:
    """The first attempt of the same message in both that another rule chose, or that ended otherwise at its broker."""
    both = ours.merge(theirs, on=KEY, suffixes=("", "_other")).sort_values(WHEN, ignore_index=True)
    ended = (both["broker"] == both["broker_other"]) & (both["outcome"] != both["outcome_other"])
    unlike = np.flatnonzero((both["pick_reason"] != both["pick_reason_other"]) | ended)
    if not len(unlike):
        return None
    row = both.iloc[int(unlike[0])].to_dict()
    first = {name: row[name] for name in COLUMNS}
    return first, {name: row[name if name in KEY else f"{name}_other"] for name in COLUMNS}


def _of_pair(one: RunOutput, other: RunOutput, ours: dict[str, Any], theirs: dict[str, Any]) -> FirstDifference:
    if ours["pick_reason"] != theirs["pick_reason"]:
        return FirstDifference(ours, theirs, *_of_choice(one, other, ours, theirs))
    because = _because(settings_apart(one, other), ("brokers", "faults", "client"))
    why = RunDifferenceTexts.ANSWERED_OTHERWISE(broker=ours["broker"], because=because)
    return FirstDifference(ours, theirs, BROKER, why)


def _attempts(output: RunOutput, begin_us: int, until_us: int) -> pd.DataFrame:
    parts = []
    for batch in output.batches("attempts", COLUMNS):
        at = batch.column("begin_us")
        part = batch.filter(pc.and_(pc.greater_equal(at, begin_us), pc.less(at, until_us)))
        if part.num_rows:
            parts.append(pa.table(part))
    table = pa.concat_tables(parts) if parts else pa.table({name: [] for name in COLUMNS})
    plain = {name: _plain(table.column(name)) for name in COLUMNS}
    return pa.table(plain).to_pandas().sort_values(WHEN, ignore_index=True)


def _plain(column: pa.ChunkedArray) -> pa.ChunkedArray:
    plain = column.cast(pa.string()) if pa.types.is_dictionary(column.type) else column
    return plain if plain.null_count == 0 or not pa.types.is_integer(plain.type) else pc.fill_null(plain, -1)


def _first_unlike(ours: pd.DataFrame, theirs: pd.DataFrame) -> int | None:
    least = min(len(ours), len(theirs))
    unlike = (ours[COLUMNS][:least] != theirs[COLUMNS][:least]).any(axis=1).to_numpy().nonzero()[0]
    if len(unlike):
        return int(unlike[0])
    return None if len(ours) == len(theirs) else least


def _row(rows: pd.DataFrame, place: int) -> dict[str, Any] | None:
    return None if place >= len(rows) else rows.iloc[place].to_dict()


def _explained(
    one: RunOutput, other: RunOutput, ours: dict[str, Any] | None, theirs: dict[str, Any] | None
) -> FirstDifference:
    if ours is None or theirs is None or [ours[key] for key in WHEN] != [theirs[key] for key in WHEN]:
        early = min((row for row in (ours, theirs) if row is not None), key=lambda row: [row[name] for name in WHEN])
        only = RunDifferenceTexts.ONLY_FIRST if early is ours else RunDifferenceTexts.ONLY_SECOND
        ours, theirs = (row if row is early else None for row in (ours, theirs))
        return FirstDifference(ours, theirs, DRAW, _of_arrival(one, other, early, only))
    if [ours[name] for name in CHOSEN] != [theirs[name] for name in CHOSEN]:
        return FirstDifference(ours, theirs, *_of_choice(one, other, ours, theirs))
    apart = settings_apart(one, other)
    if _begins(apart, "seed"):
        return FirstDifference(ours, theirs, DRAW, RunDifferenceTexts.SEEDS_OF_SERVICE())
    because = _because(apart, ("brokers", "faults", "client", "topics"))
    return FirstDifference(ours, theirs, BROKER, RunDifferenceTexts.ANOTHER_RESULT(because=because))


def _of_arrival(one: RunOutput, other: RunOutput, row: Mapping[str, Any], only: Text) -> str:
    apart = settings_apart(one, other)
    if _begins(apart, "seed"):
        return RunDifferenceTexts.SEEDS_OF_ARRIVALS()
    attempt = "a further attempt" if row["attempt"] > 1 else "an attempt"
    return only(attempt=attempt, because=_because(apart, ("producers", "client", "brokers", "faults")))


def _of_choice(one: RunOutput, other: RunOutput, ours: Mapping[str, Any], theirs: Mapping[str, Any]) -> tuple[str, str]:
    held, held_there = (_items(output, ours["producer"], ours["begin_us"]) for output in (one, other))
    now_ms = int(ours["begin_us"]) // 1000
    for broker in sorted({*held, *held_there}):
        before, after = (items.get(broker) for items in (held, held_there))
        if before != after:
            first, second = (_item(broker, item, now_ms) for item in (before, after))
            return FAULT_ITEM, RunDifferenceTexts.FAULT_ITEMS_DIFFER(ours=first, theirs=second)
    apart = settings_apart(one, other)
    if routes := [key for key in apart if key.partition(".")[0] in ("topics", "name_servers")]:
        return ROUTE, RunDifferenceTexts.ROUTES_DIFFER(route=_key_apart(routes[0], apart[routes[0]]))
    if ours["pick_reason"] != theirs["pick_reason"]:
        return RULE, RunDifferenceTexts.ANOTHER_RULE(
            ours=ours["pick_reason"], theirs=theirs["pick_reason"], because=_because(apart, ("client",))
        )
    if _begins(apart, "seed"):
        return DRAW, RunDifferenceTexts.SEEDS_OF_COUNTERS()
    return COUNTER, RunDifferenceTexts.COUNTERS_DIFFER(because=_because(apart, ("client", "producers")))


def _rule(output: RunOutput) -> str:
    """The releases of a run's producers and the names of their rules that choose a queue."""
    found: dict[str, None] = {}
    for group in output.about["producer_groups"]:
        release, strategy = (group.get(name, output.about[name]) for name in ("release", "strategy"))
        client = CLIENTS.get(str(release))
        rule = client and (client.select_on if strategy else client.select_off)
        by = getattr(rule, "__name__", rule)
        found[RunDifferenceTexts.RULE_OF_RELEASE(release=release, rule=by) if rule else str(release)] = None
    return " and ".join(found)


def _items(output: RunOutput, producer: int, before_us: int) -> dict[str, tuple[int, int, bool]]:
    """What the producer holds against each broker just before that moment: latency, startTimestamp, reachable."""
    found: dict[str, tuple[int, int, bool]] = {}
    names = [
        "producer",
        "broker",
        "at_us",
        "change_seq",
        "current_latency_ms",
        "start_timestamp_ms",
        "reachable",
        "removed",
    ]
    rows = []
    for batch in output.batches("fault_items", names):
        own = pc.and_(pc.equal(batch.column("producer"), producer), pc.less(batch.column("at_us"), before_us + 1))
        rows += batch.filter(own).to_pylist()
    for row in sorted(rows, key=lambda row: row["change_seq"]):
        if row["removed"]:
            found.pop(row["broker"], None)
        else:
            found[row["broker"]] = row["current_latency_ms"], row["start_timestamp_ms"], row["reachable"]
    return found


def _item(broker: str, item: tuple[int, int, bool] | None, now_ms: int) -> str:
    if item is None:
        return CommandResultTexts.NO_FAULT_ITEM(broker=broker)
    latency_ms, start_ms, reachable = item
    isolated, known = CommandResultTexts.ISOLATED_UNTIL, CommandResultTexts.NOT_ISOLATED
    until = isolated(until_s=start_ms / 1000) if start_ms > now_ms else known()
    reach = "" if reachable else ExplainTexts.NOT_REACHABLE()
    return CommandResultTexts.FAULT_ITEM(broker=broker, isolated=until, latency_ms=latency_ms, reach=reach)


def _begins(apart: Mapping[str, Any], key: str) -> bool:
    return any(name.partition(".")[0] == key for name in apart)


def _because(apart: Mapping[str, tuple[Any, Any]], rooms: tuple[str, ...]) -> str:
    parts = [_key_apart(key, values) for key, values in apart.items() if key.partition(".")[0] in rooms]
    return f": {'; '.join(parts[:2])}" if parts else ""


def _key_apart(key: str, values: tuple[Any, Any]) -> str:
    return RunDifferenceTexts.KEY_IS(key=key, ours=values[0], theirs=values[1])
