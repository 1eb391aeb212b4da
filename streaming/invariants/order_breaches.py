"""What groups never break that consume in order: with locks of their queues, or over proxies (FIFO)."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pyarrow as pa

from streaming.invariants.breach import Breach, breaches
from streaming.invariants.row_columns import alike, followers, is_any, whole
from streaming.invariants.row_keys import QUEUE, READER
from streaming.invariants.run_facts import RunFacts

AGAIN = {"again in place"}  # results after which the same client handles the message again
NEVER = 1 << 62


def order_breaches(tables: Mapping[str, pa.Table], facts: RunFacts) -> list[Breach]:
    """What the rows of groups in order break."""
    consumed = tables["consumed"]
    found = _fifo(consumed, facts)
    if not facts.reset:
        found += _orderly(consumed, facts)
        windows = tables["consumer_windows"]
        disordered = is_any(windows, "consumer_group", facts.orderly) & (whole(windows, "out_of_order") > 0)
        found += breaches("consumer_windows", windows, {"out of order, and orderly": disordered & (not facts.cut)})
    return found


def _orderly(rows: pa.Table, facts: RunFacts) -> list[Breach]:
    """An instance handles a queue's messages one after the other; a broker that was away has forgotten its locks."""
    begin, end, offset = (whole(rows, name) for name in ("begin_us", "end_us", "queue_offset"))
    counted = is_any(rows, "consumer_group", facts.orderly) & (whole(rows, "times") == 1)
    counted &= ~is_any(rows, "broker", facts.cut)
    before, after = followers(np.where(counted, alike(rows, *READER), -1 - np.arange(len(begin))), offset)
    both = (begin[after] == begin[before]) & (end[after] == end[before])
    early = after[(begin[after] < end[before]) & ~both]
    return breaches("consumed", rows, {"begins before the one before it ends": early})


def _fifo(consumed: pa.Table, facts: RunFacts) -> list[Breach]:
    """Whoever receives them, a message of a queue is first handled when the one in front of it is done.

    A message is done once a listener has returned, unless its client handles it again. Where a crash takes messages
    back others have their offsets, which is no order.
    """
    rows = consumed.filter(pa.array(is_any(consumed, "consumer_group", facts.fifo)))
    message = alike(rows, *QUEUE, "queue_offset", "stored_us")
    size = int(message.max(initial=-1)) + 1
    begin, done = np.full(size, NEVER), np.full(size, NEVER)
    np.minimum.at(begin, message, whole(rows, "begin_us"))
    np.minimum.at(done, message, np.where(is_any(rows, "result", AGAIN), NEVER, whole(rows, "end_us")))
    firsts = np.unique(message, return_index=True)[1]
    one_each = rows.take(pa.array(firsts))
    before, after = followers(alike(one_each, *QUEUE), whole(one_each, "queue_offset"))
    begin, done = begin[message[firsts]], done[message[firsts]]
    early = begin[after] < begin[before]
    early |= (done[before] != NEVER) & (begin[after] < done[before])
    steady = ~is_any(one_each, "broker", set(facts.losing))[after]
    return breaches("consumed", one_each, {"handled before the one in front of it": after[early & steady]})
