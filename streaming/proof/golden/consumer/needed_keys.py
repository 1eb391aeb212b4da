"""The keys that every case of a recording of the consumer's side has, by kind."""

from __future__ import annotations

from collections.abc import Mapping

NEEDED_BY_CONSUMERS: Mapping[str, tuple[str, ...]] = {
    "alloc": ("id", "s", "cid", "mq", "cids"),
    "sort-hash": ("k",),
    "msgid": ("ip", "port", "commitLogOffset", "id", "decodedOffset"),
    "tags": ("id",),
    "sql": ("id", "expr"),
    "processqueue": ("id", "ops"),
    "flow": ("id", "scheduled_ms"),
    "lock": ("id", "lockMaxLiveTime", "timing_clean", "ops"),
    "delay": ("k",),
    "orderly": ("k",),
    "defaults": ("class", "field", "value"),
}
