"""The kinds of recordings of the consumer's side, and what replays them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

from streaming.proof.golden.consumer.allocations import AllocationReplay
from streaming.proof.golden.consumer.broker_rules import DelayReplay, LockReplay
from streaming.proof.golden.consumer.consumer_replay import ConsumerReplay
from streaming.proof.golden.consumer.orderly_rules import OrderlyReplay
from streaming.proof.golden.consumer.process_queues import FlowReplay, ProcessQueueReplay
from streaming.proof.golden.consumer.queue_orders import MessageIdReplay, SortReplay
from streaming.proof.golden.consumer.settings_of_classes import DefaultsReplay
from streaming.proof.golden.consumer.sql_filters import SqlReplay
from streaming.proof.golden.consumer.tag_filters import TagsReplay
from streaming.proof.texts.proof_texts import ProofTexts

CONSUMER_REPLAYS: Mapping[str, type[ConsumerReplay]] = {
    "alloc": AllocationReplay,
    "sort-hash": SortReplay,
    "msgid": MessageIdReplay,
    "tags": TagsReplay,
    "sql": SqlReplay,
    "processqueue": ProcessQueueReplay,
    "flow": FlowReplay,
    "lock": LockReplay,
    "delay": DelayReplay,
    "orderly": OrderlyReplay,
    "defaults": DefaultsReplay,
}
RELEASE = re.compile(r"\d+\.\d+\.\d+")


def recorded_release(path: Path, kind: str) -> str:
    """The release that the name of a file says; a recording of a broker's classes has a `b` behind it.

    Raises ValueError for a name without one.
    """
    found = RELEASE.match(path.name.removeprefix(f"{kind}-"))
    if found is None:
        raise ValueError(ProofTexts.NO_RELEASE_IN_NAME(kind=kind))
    return found.group()
