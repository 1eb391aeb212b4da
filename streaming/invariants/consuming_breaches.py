"""What queues, consumptions and instances of consumers never break."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from simulator.consumer.memory.queue_log import TIMES_BITS
from streaming.invariants.breach import Breach, breaches
from streaming.invariants.row_columns import NONE, alike, alike_in_both, followers, is_any, last_rows, whole
from streaming.invariants.row_keys import LOG, QUEUE, READER
from streaming.invariants.run_facts import RunFacts

HOLDER = ("cell", "consumer_group", "topic", "instance")
SENT = ("cell", "send_seq", "arrival_us")
DROPPED_BEFORE = {"start", "offsets reset", "illegal offset"}  # rounds before which an instance dropped queues
TIMES_MOST = 1 << TIMES_BITS  # one more than a message holds: that is what the last that was counted adds
NEVER_BELOW_0 = (
    "instances", "failed_starts", "threads", "consumed", "consumed_again", "failed", "sent_back", "expired",
    "deduplicated", "out_of_order", "handled_again", "dead_letters", "from_disk", "from_slave", "cached", "unowned_us",
    "double_owned_us",
)  # fmt: skip


def consuming_breaches(tables: Mapping[str, pa.Table], facts: RunFacts) -> list[Breach]:
    """What the rows of consumers break."""
    stored, consumed, windows = tables["stored"], tables["consumed"], tables["consumer_windows"]
    found = [
        *_stored(stored, facts), *_consumed(consumed, tables["sends"]), *_windows(windows, stored),
        *_assignments(tables["assignments"]), *_rebalances(tables["rebalances"], tables["assignments"]),
    ]  # fmt: skip
    return found if facts.reset else [*found, *_conserved(stored, consumed, facts)]


def _stored(rows: pa.Table, facts: RunFacts) -> list[Breach]:
    begin, most, committed = (whole(rows, name) for name in ("window_start_us", "max_offset", "committed_offset"))
    missed, skipped, age = (whole(rows, name) for name in ("missed", "skipped", "oldest_age_us"))
    before, after = followers(alike(rows, *READER), begin)
    one, other = followers(alike(rows, *LOG), begin)
    seen_at_once = begin[other] == begin[one]
    never = ("appended", "max_offset", "consumed", "lag", "missed", "skipped", "skipped_since_start")
    broken = {f"{name} < 0": whole(rows, name) < 0 for name in never} | {
        "groups see different ends": other[seen_at_once & (most[other] != most[one])],
        "skipped_since_start > skipped": whole(rows, "skipped_since_start") > skipped,
        "oldest_age_us < 0": (age != NONE) & (age < 0),
    }
    sound = ~is_any(rows, "broker", facts.cut)
    return breaches("stored", rows, broken | {
        "committed_offset > max_offset": sound & (committed > most),
        # what was deleted while a client had it cached is not missed once it is consumed
        "missed falls": after[sound[after] & (missed[after] < missed[before] - whole(rows, "consumed")[after])],
    })  # fmt: skip


def _consumed(rows: pa.Table, sends: pa.Table) -> list[Breach]:
    arrival, stored, begin, end = (whole(rows, name) for name in ("arrival_us", "stored_us", "begin_us", "end_us"))
    before, after = followers(alike(rows, "cell", "consumer_group", "instance", "consume_thread"), begin, end)
    both = (begin[after] == begin[before]) & (end[after] == end[before])  # messages of one call
    theirs, ours = alike_in_both(rows, sends, *SENT)
    sent_us = np.full(int(max(theirs.max(initial=-1), ours.max(initial=-1))) + 1, -NONE)
    began = whole(sends, "begin_us")
    np.minimum.at(sent_us, ours, np.where(began == NONE, -NONE, began))
    return breaches("consumed", rows, {
        "stored_us < arrival_us": stored < arrival,
        "begin_us < stored_us": begin < stored,
        "end_us < begin_us": end < begin,
        "times < 1": whole(rows, "times") < 1,
        "times > 16": whole(rows, "times") > TIMES_MOST,
        "queue_offset < 0": whole(rows, "queue_offset") < 0,
        "a thread handles two at once": after[(begin[after] < end[before]) & ~both],
        "was never sent": sent_us[theirs] == -NONE,
        "stored before it was sent": (sent_us[theirs] != -NONE) & (stored < sent_us[theirs]),
    })  # fmt: skip


def _conserved(stored: pa.Table, consumed: pa.Table, facts: RunFacts) -> list[Breach]:
    """Each stored message is consumed, waits, is missed or skipped; none is consumed a second time only."""
    shared = stored.filter(pc.is_null(stored.column("instance")))
    last = last_rows(shared.filter(pa.array(~is_any(shared, "broker", facts.cut))), *QUEUE)
    consumed = consumed.filter(pa.array(~is_any(consumed, "broker", facts.cut)))
    ours, theirs = alike_in_both(last, consumed, *QUEUE)
    until = np.full(int(max(ours.max(initial=-1), theirs.max(initial=-1))) + 1, NONE)
    until[ours] = whole(last, "window_start_us") + whole(last, "window_us")
    times = whole(consumed, "times")
    is_first = (times == 1) & (whole(consumed, "end_us") < until[theirs])
    firsts = np.bincount(theirs[is_first], minlength=len(until))[ours]
    others = sum(whole(last, name) for name in ("lag", "missed", "skipped"))
    rest, begun = whole(last, "max_offset") - others, firsts > 0  # before its first start a group has no lag
    partial = is_any(last, "consumer_group", facts.partly)  # what has no row of its queue
    before, after = followers(alike(consumed, *READER[:5], "queue_offset"), times)
    return [
        *breaches("stored", last, {
            "consumed + lag + missed + skipped != max_offset": begun & ~partial & (firsts != rest),
            "consumed + lag + missed + skipped > max_offset": begun & partial & (firsts > rest),
        }),
        *breaches("consumed", consumed, {"times leave one out": after[times[after] > times[before] + 1]}),
    ]  # fmt: skip


def _windows(rows: pa.Table, stored: pa.Table) -> list[Breach]:
    ours, theirs = alike_in_both(rows, stored, "cell", "window_start_us", "consumer_group")
    size = int(max(ours.max(initial=-1), theirs.max(initial=-1))) + 1
    broken = {f"{name} < 0": whole(rows, name) < 0 for name in NEVER_BELOW_0}
    for name in ("lag", "missed", "skipped"):
        total = np.zeros(size, np.int64)
        np.add.at(total, theirs, whole(stored, name))
        broken[f"{name} is not that of its queues"] = whole(rows, name) != total[ours]
    for name in ("consumed_again", "failed"):
        broken[f"{name} > consumed"] = whole(rows, name) > whole(rows, "consumed")
    return breaches("consumer_windows", rows, broken)


def _assignments(rows: pa.Table) -> list[Breach]:
    begin, end = whole(rows, "from_us"), whole(rows, "until_us")
    before, after = followers(alike(rows, *READER), begin, end)
    return breaches("assignments", rows, {
        "from_us < 0": begin < 0,
        "until_us < from_us": end < begin,
        "held twice at once": after[begin[after] < end[before]],
        "open, and taken again": before[whole(rows, "open")[before] == 1],
    })  # fmt: skip


def _rebalances(rows: pa.Table, assignments: pa.Table) -> list[Breach]:
    taken, lost, held, at = (whole(rows, name) for name in ("taken", "lost", "held", "at_us"))
    before, after = followers(alike(rows, *HOLDER), at)
    goes_on = ~is_any(rows, "reason", DROPPED_BEFORE)[after]
    # a queue whose offset turns out to be illegal is dropped at once, and the next round comes for any reason
    ours, theirs = alike_in_both(rows, assignments, *HOLDER)
    until = whole(assignments, "until_us")
    wide = int(max(at.max(initial=0), until.max(initial=0))) + 1
    ends, own = np.sort(theirs * wide + until), ours * wide + at
    dropped = np.searchsorted(ends, own[after], "left") > np.searchsorted(ends, own[before], "right")
    sums = held[after] == held[before] + taken[after] - lost[after]
    return breaches("rebalances", rows, {
        "held is not what it held + taken - lost": after[goes_on & ~dropped & ~sums],
        "at_us < 0": at < 0,
        "counts < 0": (taken < 0) | (lost < 0) | (held < 0),
        "held < taken": held < taken,
    })  # fmt: skip
