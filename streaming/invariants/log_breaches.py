"""What logs never break, also where crashes and elections take messages back: where offsets fall, what is nowhere."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from streaming.invariants.breach import Breach, breaches
from streaming.invariants.loss_breaches import EVER, losing_spans, struck
from streaming.invariants.row_columns import Whole, alike, alike_in_both, followers, is_any, last_rows, whole
from streaming.invariants.row_keys import LOG, QUEUE, READER
from streaming.invariants.run_facts import RunFacts, Spans


def log_breaches(tables: Mapping[str, pa.Table], facts: RunFacts) -> list[Breach]:
    """What the logs break that consumers read."""
    stored, consumed, sends = tables["stored"], tables["consumed"], tables["sends"]
    spans = losing_spans(tables["elections"], facts)
    return [
        *_ends(stored, spans), *_offsets(consumed, spans), *_acknowledged(stored, sends, facts),
        *_nowhere(stored, consumed, facts),
    ]  # fmt: skip


def _ends(rows: pa.Table, spans: Spans) -> list[Breach]:
    begin, most, appended = (whole(rows, name) for name in ("window_start_us", "max_offset", "appended"))
    before, after = followers(alike(rows, *READER), begin)
    since = begin.copy()
    since[after] = begin[before]
    is_struck = struck(rows, since, begin + whole(rows, "window_us"), spans)[after]
    grown = most[after] - most[before]
    return breaches("stored", rows, {
        "max_offset is above all that is appended": after[grown > appended[after]],
        "max_offset is below all that is appended": after[(grown < appended[after]) & ~is_struck],
    })  # fmt: skip


def _offsets(rows: pa.Table, spans: Spans) -> list[Breach]:
    """What is stored later has a larger offset, unless a crash took back what had it."""
    stored, offset = whole(rows, "stored_us"), whole(rows, "queue_offset")
    before, after = followers(alike(rows, *LOG), stored, offset)
    since = stored.copy()
    since[after] = stored[before]
    is_struck = struck(rows, since, stored, spans)[after]
    is_later = stored[after] > stored[before]
    return breaches("consumed", rows, {
        "stored later, at no larger offset": after[is_later & (offset[after] <= offset[before]) & ~is_struck],
    })  # fmt: skip


def _acknowledged(stored: pa.Table, sends: pa.Table, facts: RunFacts) -> list[Breach]:
    """What was acknowledged once, and outlives everything, is in its log; a log has nothing that was not sent."""
    last = last_rows(stored, *READER)
    one_each = last.take(pa.array(np.unique(alike(last, *LOG), return_index=True)[1]))
    until = int((whole(stored, "window_start_us") + whole(stored, "window_us")).max(initial=0))
    count, copies, kept = (whole(sends, name) for name in ("messages", "copies_stored", "copies_kept"))
    is_sure = (kept > 0) & (whole(sends, "attempts") == 1) & (whole(sends, "end_us") < until)
    is_sure &= is_any(sends, "result", {"SEND_OK"})
    most, is_later = whole(one_each, "max_offset"), is_any(one_each, "topic", facts.later)
    ours, theirs = alike_in_both(one_each, sends, *LOG)
    there = np.bincount(theirs, count * is_sure, minlength=int(ours.max(initial=-1)) + 1)[ours]
    ours, theirs = alike_in_both(one_each, sends, "cell", "topic")
    size = int(max(ours.max(initial=-1), theirs.max(initial=-1))) + 1
    sent = np.bincount(theirs, count * copies, minlength=size)[ours]
    in_all = np.bincount(ours, most, minlength=size)[ours]
    is_sent = np.bincount(theirs, minlength=size)[ours] > 0
    return breaches("stored", one_each, {
        "acknowledged messages are not there": (there > most) & ~is_later,
        "more messages than copies that were stored": (in_all > sent) & is_sent & ~is_later,
    })  # fmt: skip


def _nowhere(stored: pa.Table, consumed: pa.Table, facts: RunFacts) -> list[Breach]:
    """Each stored message is consumed, waits, is missed or skipped; what is taken back may have been consumed, too."""
    last = last_rows(stored.filter(pc.is_null(stored.column("instance"))), *QUEUE)
    ours, theirs = alike_in_both(last, consumed, *QUEUE)
    size = int(max(ours.max(initial=-1), theirs.max(initial=-1))) + 1
    until, most = np.full(size, -1), np.zeros(size, np.int64)
    until[ours] = whole(last, "window_start_us") + whole(last, "window_us")
    most[ours] = whole(last, "max_offset")
    offset = whole(consumed, "queue_offset")
    is_counted = (whole(consumed, "end_us") < until[theirs]) & (offset < most[theirs])
    is_counted &= offset < _least_end(stored, consumed)
    each = np.unique(np.stack([theirs[is_counted], offset[is_counted]]), axis=1)[0]
    firsts = np.bincount(each, minlength=size)[ours]
    others = sum(whole(last, name) for name in ("lag", "missed", "skipped"))
    whole_ones = ~is_any(last, "consumer_group", facts.partly)
    is_less = firsts + others < whole(last, "max_offset")
    return breaches("stored", last, {
        "consumed + lag + missed + skipped < max_offset": (firsts > 0) & whole_ones & is_less,
    })  # fmt: skip


def _least_end(stored: pa.Table, consumed: pa.Table) -> Whole:
    """For each consumption the least end of its log in the windows that began after its append: beyond, it is gone."""
    one_each = stored.take(pa.array(np.unique(alike(stored, *LOG, "window_start_us"), return_index=True)[1]))
    ours, theirs = alike_in_both(one_each, consumed, *LOG)
    begin, most = whole(one_each, "window_start_us"), whole(one_each, "max_offset")
    at = np.lexsort((begin, ours))
    log, begin, least = ours[at], begin[at], most[at]
    for place in range(len(at) - 2, -1, -1):
        if log[place] == log[place + 1]:
            least[place] = min(least[place], least[place + 1])
    wide = int(max(begin.max(initial=0), whole(consumed, "stored_us").max(initial=0))) + 1
    found = np.searchsorted(log * wide + begin, theirs * wide + whole(consumed, "stored_us").clip(0))
    inside = found < len(at)
    inside[inside] = log[found[inside]] == theirs[inside]
    ends = np.full(len(theirs), EVER)
    ends[inside] = least[found[inside]]
    return ends
