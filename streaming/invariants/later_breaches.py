"""What delayed, transactional and invisible messages, and replica sets, never break."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pyarrow as pa

from streaming.invariants.breach import Breach, breaches
from streaming.invariants.row_columns import NONE, alike, fall, followers, is_any, real, so_far, whole
from streaming.invariants.run_facts import RunFacts


def later_breaches(tables: Mapping[str, pa.Table], facts: RunFacts) -> list[Breach]:
    """What the rows of messages break that become readable later than they are stored, or again."""
    return [
        *_delays(tables["delays"], facts), *_transactions(tables["transactions"]),
        *_transaction_windows(tables["transaction_windows"], facts), *_pops(tables["pops"], facts),
    ]  # fmt: skip


def election_breaches(rows: pa.Table) -> list[Breach]:
    """What the rows of elections break."""
    at, gone, named, epoch = (whole(rows, name) for name in ("at_us", "gone_us", "named_us", "epoch"))
    before, after = followers(alike(rows, "broker"), at)
    elected = whole(rows, "machine")[after] != NONE  # else nobody is, and the epoch stays
    return breaches("elections", rows, {
        "at_us < gone_us": (gone != NONE) & (at < gone),
        "named_us < at_us": (named != NONE) & (named < at),
        "epoch falls": after[epoch[after] < epoch[before]],
        "epoch does not rise": after[elected & (epoch[after] == epoch[before])],
    })  # fmt: skip


def _delays(rows: pa.Table, facts: RunFacts) -> list[Breach]:
    added, delivered, again, waiting = (
        whole(rows, name) for name in ("added", "delivered", "delivered_again", "waiting")
    )
    rest = so_far(
        alike(rows, "cell", "broker", "delay_level"), whole(rows, "window_start_us"), added - delivered + again
    )
    return breaches("delays", rows, {
        "counts < 0": (added < 0) | (delivered < 0) | (again < 0) | (waiting < 0),
        "delivered_again > delivered": again > delivered,
        "late < 0": real(rows, "late_p50_ms") < 0,
        "percentiles fall": fall(*(real(rows, f"late_{name}_ms") for name in ("p50", "p99", "max"))),
        "added - delivered != waiting": (rest != waiting) & ~is_any(rows, "broker", facts.cut),
    })  # fmt: skip


def _transactions(rows: pa.Table) -> list[Breach]:
    arrival, stored, local, settled, delivered = (
        whole(rows, name) for name in ("arrival_us", "stored_us", "local_end_us", "settled_us", "delivered")
    )
    is_open, is_committed = is_any(rows, "fate", {"open"}), is_any(rows, "fate", {"committed"})
    return breaches("transactions", rows, {
        "stored_us < arrival_us": stored < arrival,
        "local_end_us < stored_us": (local != NONE) & (local < stored),
        "settled_us < stored_us": (settled != NONE) & (settled < stored),
        "open, and settled": is_open & (settled != NONE),
        "settled, and at no time": ~is_open & (settled == NONE),
        "checks < 0": whole(rows, "checks") < 0,
        "committed, and not delivered": is_committed & (delivered < 1),
        "not committed, and delivered": ~is_committed & ~is_open & (delivered > 0),
    })  # fmt: skip


def _transaction_windows(rows: pa.Table, facts: RunFacts) -> list[Breach]:
    counts = [whole(rows, name) for name in ("halves", "committed", "rolled_back", "given_up", "open", "checks")]
    halves, committed, back, up, left, checks = counts
    settled = committed + back + up
    rest = so_far(alike(rows, "cell", "broker"), whole(rows, "window_start_us"), halves - settled)
    return breaches("transaction_windows", rows, {
        "counts < 0": np.any([one < 0 for one in counts], axis=0),
        "unheard > checks": whole(rows, "unheard") > checks,
        "halves - settled != open": (rest != left) & ~is_any(rows, "broker", facts.cut),
    })  # fmt: skip


def _pops(rows: pa.Table, facts: RunFacts) -> list[Breach]:
    popped, acknowledged, revived, lost, invisible = counts = [
        whole(rows, name) for name in ("popped", "acknowledged", "revived", "lost", "invisible")
    ]
    reasons = [whole(rows, f"revived_{name}") for name in ("failed", "unheard", "slow")]
    key = alike(rows, "cell", "consumer_group", "topic", "broker")
    rest = so_far(key, whole(rows, "window_start_us"), popped - acknowledged - revived - lost)
    return breaches("pops", rows, {
        "counts < 0": np.any([one < 0 for one in (*counts, *reasons)], axis=0),
        "reasons of revived > revived": np.sum(reasons, axis=0) > revived,
        "popped - acknowledged - revived - lost != invisible": (rest != invisible) & ~is_any(rows, "broker", facts.cut),
    })  # fmt: skip
