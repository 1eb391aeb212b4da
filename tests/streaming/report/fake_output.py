"""A made-up output folder with the shape of a real one, small enough for unit tests."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from state.tables import TABLES

SECOND = 1_000_000


def about(**changes: Any) -> dict[str, Any]:
    """The content of a run.json: 3 brokers, 8 producers, broker-b hangs from 1:00 to 2:00 of 5:00."""
    fault = {
        "at_us": 60 * SECOND,
        "until_us": 120 * SECOND,
        "broker": "broker-b",
        "kind": "hang",
        "value": None,
    }
    return {
        "sendlab": "1.0.0",
        "run": "main",
        "scenario_name": "broker-b hangs for a minute",
        "description": "Three brokers, one of them stops answering.",
        "release": "4.9.8",
        "strategy": True,
        "seed": 7,
        "duration_us": 300 * SECOND,
        "clock_us": 300 * SECOND,
        "window_us": SECOND,
        "cells": 1,
        "finished": True,
        "events": {"generated": 0, "handled": 0, "rejected": 0, "skipped": 0},
        "wall_s": 2.5,
        "brokers": ["broker-a", "broker-b", "broker-c"],
        "topics": ["orders"],
        "producer_groups": [{"group": "orders-producer", "first": 0, "count": 8, "threads": 2}],
        "faults": [{**fault, "label": "broker-b hang"}],
        "scenario_yaml": "name: broker-b hangs for a minute\nseed: 7\n",
    } | changes


def write_run(folder: Path, **changes: Any) -> Path:
    """Write a run.json without tables."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "run.json").write_text(json.dumps(about(**changes)))
    return folder


def write_table(folder: Path, table: str, rows: dict[str, Any], block: int = 0, run: str = "main") -> None:
    """Write rows (column -> values, or one value for all) as one Parquet file; other columns are zero."""
    size = max(len(value) for value in rows.values() if not isinstance(value, str | int | float))
    filled = {}
    for column in TABLES[table].columns:
        text = pa.types.is_dictionary(column.type) or pa.types.is_string(column.type)
        value = rows.get(column.name, "-" if text else 0)
        filled[column.name] = [value] * size if isinstance(value, str | int | float) else value
    arrays = [pa.array(filled[field.name]).cast(field.type) for field in TABLES[table].schema]
    target = folder / table / f"run={run}"
    target.mkdir(parents=True, exist_ok=True)
    pq.write_table(pa.Table.from_arrays(arrays, schema=TABLES[table].schema), target / f"b{block:08d}-p0000.parquet")


def write_output(folder: Path, sends: int = 20_000, seed: int = 1, **changes: Any) -> Path:
    """Write a whole output: attempts of all brokers, timeouts and fault items around every fault."""
    settings = about(**changes)
    brokers, end_us = settings["brokers"], settings["clock_us"]
    producers = sum(group["count"] for group in settings["producer_groups"])
    random = np.random.default_rng(seed)
    begin = np.sort(random.integers(0, end_us, sends))
    producer = random.integers(0, producers, sends)
    broker = random.integers(0, len(brokers), sends)
    latency = (random.lognormal(0.5, 0.8, sends) * 1000).astype(np.int64) + 200
    timed_out = np.zeros(sends, dtype=bool)
    for fault in settings["faults"]:
        index = brokers.index(fault["broker"])
        hit = (broker == index) & (begin >= fault["at_us"]) & (begin < fault["until_us"])
        if settings["strategy"]:
            avoided = hit & (random.random(sends) < 0.85)
            broker[avoided] = (index + random.integers(1, len(brokers), avoided.sum())) % len(brokers)
            hit &= ~avoided
        timed_out |= hit
    latency[timed_out] = 3_000_000
    again = np.flatnonzero(timed_out)
    second = (broker[again] + 1) % len(brokers)
    names, seq = np.array(brokers), np.arange(sends)
    end = begin + latency
    attempts = {
        "producer": np.r_[producer, producer[again]],
        "topic": settings["topics"][0],
        "send_seq": np.r_[seq, seq[again]],
        "attempt": np.r_[np.ones(sends, int), np.full(len(again), 2)],
        "broker": names[np.r_[broker, second]],
        "begin_us": np.r_[begin, end[again]],
        "end_us": np.r_[end, end[again] + 2000],
        "outcome": np.r_[np.where(timed_out, "RemotingTimeoutException", "SEND_OK"), np.full(len(again), "SEND_OK")],
    }
    done = end + np.where(timed_out, 2000, 0)
    failed = np.zeros(sends, dtype=bool)
    failed[again[::10]] = True
    firsts = np.array([group["first"] for group in settings["producer_groups"]])
    groups = np.array([group["group"] for group in settings["producer_groups"]])
    copies = np.where(failed, 0, 1 + (timed_out & (random.random(sends) < 0.3)))
    rows = {
        "producer": producer,
        "topic": settings["topics"][0],
        "send_seq": seq,
        "producer_group": groups[np.searchsorted(firsts, producer, side="right") - 1],
        "arrival_us": begin,
        "begin_us": begin,
        "end_us": done,
        "latency_us": done - begin,
        "result": np.where(failed, "RemotingTimeoutException", "SEND_OK"),
        "acknowledged": ~failed,
        "attempts": 1 + timed_out,
        "broker": names[broker],
        "copies_stored": copies,
        "copies_kept": copies,
        "lost": failed,
        "mode": "sync",
        "messages": 1,
    }
    events = dict.fromkeys(("generated", "handled"), sends) | {"rejected": 0, "skipped": 0}
    write_run(folder, **(changes | {"events": changes.get("events", events)}))
    for block, part in enumerate(np.array_split(np.arange(len(attempts["producer"])), 3)):
        write_table(folder, "attempts", _rows(attempts, part), block)
    write_table(folder, "sends", rows)
    write_windows(folder, attempts, settings)
    if settings["strategy"] and timed_out.any():
        _write_fault_items(folder, producer[again], broker[again], end[again], names)
    return folder


def write_windows(folder: Path, attempts: dict[str, Any], settings: dict[str, Any]) -> None:
    """Write the windows of attempts (columns as in `write_table`)."""
    import pandas as pd

    frame = pd.DataFrame(attempts)
    frame["window_start_us"] = frame["end_us"] // settings["window_us"] * settings["window_us"]
    frame["ms"] = (frame["end_us"] - frame["begin_us"]) / 1000
    frame["ok"] = frame["outcome"] == "SEND_OK"
    groups = frame.groupby(["window_start_us", "broker"])
    size = groups.size()
    columns = {"attempts": size, "successes": groups["ok"].sum(), "failures": size - groups["ok"].sum()}
    columns |= {
        "retries": groups["attempt"].agg(lambda attempt: (attempt > 1).sum()),
        "max_ms": groups["ms"].max(),
    }
    columns |= {name: groups["ms"].quantile(q) for name, q in (("p50_ms", 0.5), ("p99_ms", 0.99), ("p999_ms", 0.999))}
    table = pd.DataFrame(columns).reset_index()
    rows = {name: table[name].to_numpy() for name in table.columns}
    write_table(folder, "windows", rows | {"window_us": settings["window_us"], "topic": settings["topics"][0]})


def _write_fault_items(folder: Path, producer: Any, broker: Any, at: Any, names: Any) -> None:
    order = np.argsort(at, kind="stable")
    producer, broker, at = producer[order], broker[order], at[order]
    rows = {
        "producer": producer,
        "broker": names[broker],
        "at_us": at,
        "change_seq": np.arange(len(at)),
        "current_latency_ms": 3000,
        "start_timestamp_ms": at // 1000 + 30_000,
        "reachable": np.ones(len(at), dtype=bool),
        "available": np.zeros(len(at), dtype=bool),
    }
    write_table(folder, "fault_items", rows)


def _rows(columns: dict[str, Any], index: Any) -> dict[str, Any]:
    return {name: value if isinstance(value, str) else value[index] for name, value in columns.items()}
