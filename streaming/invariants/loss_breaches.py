"""Copies of messages that are gone although nothing struck their broker, and when something did."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pyarrow as pa

from streaming.invariants.breach import Breach, breaches
from streaming.invariants.row_columns import NONE, Flags, Whole, is_any, whole
from streaming.invariants.run_facts import RunFacts, Spans

EVER = 1 << 62


def loss_breaches(tables: Mapping[str, pa.Table], facts: RunFacts) -> list[Breach]:
    """What the rows of messages break whose copies are gone: something has to have struck their broker since."""
    sends = tables["sends"]
    begin, stored, kept = (whole(sends, name) for name in ("begin_us", "copies_stored", "copies_kept"))
    is_struck = struck(sends, begin, np.full(len(begin), EVER), losing_spans(tables["elections"], facts))
    return breaches("sends", sends, {
        "lost, and nothing struck its broker": (whole(sends, "lost") == 1) & ~is_struck,
        "a copy is gone, and nothing struck its broker": (kept < stored) & (whole(sends, "attempts") == 1) & ~is_struck,
    })  # fmt: skip


def losing_spans(elections: pa.Table, facts: RunFacts) -> Spans:
    """When logs may lose messages, by broker: while a fault strikes them, and from a master's end to an election."""
    found = {broker: list(spans) for broker, spans in facts.losing.items()}
    at, gone = whole(elections, "at_us"), whole(elections, "gone_us")
    for place in np.flatnonzero(at > 0):
        begin = at[place] if gone[place] == NONE else gone[place]
        found.setdefault(elections.column("broker")[int(place)].as_py(), []).append((int(begin), int(at[place])))
    return found


def struck(rows: pa.Table, from_us: Whole, until_us: Whole, spans: Spans) -> Flags:
    """Whether a log may have lost messages in [from_us, until_us], for the broker of each row."""
    found = np.zeros(rows.num_rows, np.bool_)
    for broker, own in spans.items():
        is_there = is_any(rows, "broker", {broker})
        for begin, end in own:
            found |= is_there & (begin <= until_us) & (end >= from_us)
    return found
