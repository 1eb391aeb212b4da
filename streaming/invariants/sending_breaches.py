"""What attempts, messages, fault items and windows of producers never break."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pyarrow as pa

from streaming.invariants.breach import Breach, breaches
from streaming.invariants.row_columns import NONE, alike, alike_in_both, fall, followers, is_any, real, whole
from streaming.invariants.run_facts import RunFacts

MESSAGE = ("cell", "producer", "thread", "topic", "send_seq")


def sending_breaches(tables: Mapping[str, pa.Table], facts: RunFacts) -> list[Breach]:
    """What the rows of producers break."""
    attempts, sends = tables["attempts"], tables["sends"]
    return [
        *_attempts(attempts, facts), *_sends(sends), *_attempts_of_sends(attempts, sends, facts),
        *_fault_items(tables["fault_items"]), *_windows(tables["windows"], attempts),
    ]  # fmt: skip


def _attempts(rows: pa.Table, facts: RunFacts) -> list[Breach]:
    begin, end, number = whole(rows, "begin_us"), whole(rows, "end_us"), whole(rows, "attempt")
    before, after = followers(alike(rows, *MESSAGE), number)
    last = np.ones(rows.num_rows, np.bool_)
    last[before] = False
    seen = ~is_any(rows, "producer_group", facts.proxied)  # what meets no broker has no row
    gap = after[(number[after] != number[before] + 1) & seen[after]]
    return breaches("attempts", rows, {
        "begin_us < 0": begin < 0,
        "end_us < begin_us": end < begin,
        "latency_us != end_us - begin_us": whole(rows, "latency_us") != end - begin,
        "attempt < 1": number < 1,
        "attempt is there twice": after[number[after] == number[before]],
        "attempt leaves one out": gap,
        "will_retry, and is the last": last & seen & (whole(rows, "will_retry") == 1),
        "begins before its predecessor": after[begin[after] < begin[before]],
    })  # fmt: skip


def _sends(rows: pa.Table) -> list[Breach]:
    arrival, begin, end = (whole(rows, name) for name in ("arrival_us", "begin_us", "end_us"))
    stored, kept, seq = (whole(rows, name) for name in ("copies_stored", "copies_kept", "send_seq"))
    acknowledged, lost = whole(rows, "acknowledged") == 1, whole(rows, "lost") == 1
    before, after = followers(alike(rows, *MESSAGE[:-1]), seq)
    first = np.ones(rows.num_rows, np.bool_)
    first[after] = False
    began = begin != NONE
    return breaches("sends", rows, {
        "arrival_us < 0": arrival < 0,
        "begin_us < arrival_us": began & (begin < arrival),
        "end_us < arrival_us": end < arrival,
        "end_us < begin_us": began & (end < begin),
        "latency_us != end_us - arrival_us": whole(rows, "latency_us") != end - arrival,
        "send_seq does not begin at 0": first & (seq != 0),
        "send_seq is there twice": after[seq[after] == seq[before]],
        "send_seq leaves one out": after[seq[after] > seq[before] + 1],
        "copies_kept > copies_stored": kept > stored,
        "copies_kept < 0": kept < 0,
        "lost differs from its copies": lost != (acknowledged & (kept == 0)),
        "attempts < 0": whole(rows, "attempts") < 0,
        "messages < 1": whole(rows, "messages") < 1,
    })  # fmt: skip


def _attempts_of_sends(attempts: pa.Table, sends: pa.Table, facts: RunFacts) -> list[Breach]:
    mine, owner = alike_in_both(attempts, sends, *MESSAGE)
    size = int(max(mine.max(initial=-1), owner.max(initial=-1))) + 1
    rows = np.bincount(mine, minlength=size)[owner]
    place = np.full(size, -1)
    place[owner] = np.arange(sends.num_rows)
    row = place[mine]
    known = row >= 0
    begin, end, of_attempt = whole(sends, "begin_us"), whole(sends, "end_us"), whole(attempts, "end_us")
    in_turn = known & is_any(sends, "mode", {"sync"})[row] if sends.num_rows else known
    count, proxied = whole(sends, "attempts"), is_any(sends, "producer_group", facts.proxied)
    return [
        *breaches("sends", sends, {"attempts differ from their rows": np.where(proxied, count < rows, count != rows)}),
        *breaches("attempts", attempts, {
            "attempt of no message": ~known,
            "attempt begins before its message": known & (whole(attempts, "begin_us") < begin[row]),
            "attempt ends after its message": in_turn & (of_attempt > end[row]),
        } if sends.num_rows else {"attempt of no message": ~known}),
    ]  # fmt: skip


def _fault_items(rows: pa.Table) -> list[Breach]:
    at, seq = whole(rows, "at_us"), whole(rows, "change_seq")
    before, after = followers(alike(rows, "cell", "producer"), seq)
    return breaches("fault_items", rows, {
        "at_us < 0": at < 0,
        "change_seq leaves one out": after[seq[after] != seq[before] + 1],
        "at_us goes back": after[at[after] < at[before]],
        "current_latency_ms < 0": whole(rows, "current_latency_ms") < 0,
    })  # fmt: skip


def _windows(rows: pa.Table, attempts: pa.Table) -> list[Breach]:
    key = ("cell", "topic", "broker")
    mine, theirs = alike_in_both(rows, attempts, *key)
    count, share = whole(rows, "attempts"), real(rows, "share")
    found = np.zeros(int(max(mine.max(initial=-1), theirs.max(initial=-1))) + 1, np.int64)
    np.add.at(found, mine, count)
    np.subtract.at(found, theirs, 1)
    return [
        *breaches("attempts", attempts, {"attempt is in no window, or in two": found[theirs] != 0}),
        *breaches("windows", rows, {
            "successes + failures != attempts": whole(rows, "successes") + whole(rows, "failures") != count,
            "counts < 0": np.any([whole(rows, name) < 0 for name in ("successes", "failures", "out_of_order")], axis=0),
            "retries outside 0..attempts": (whole(rows, "retries") < 0) | (whole(rows, "retries") > count),
            "share outside 0..1": (share < 0) | (share > 1),
            "percentiles fall": fall(*(real(rows, name) for name in ("p50_ms", "p99_ms", "p999_ms", "max_ms"))),
        }),
    ]  # fmt: skip
