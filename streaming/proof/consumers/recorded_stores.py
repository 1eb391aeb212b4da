"""What recorded brokers keep, who may read it, and what else fills their files: keys of a scenario."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from streaming.proof.consumers.consumer_recording import ConsumerRecording

SLAVE = ".s"  # how the name of a slave ends, behind that of its master
OTHERS = "others"  # topic and producers of all other messages
# body of a recorded message: 888 entries fill a file of 256 KiB, as the minimum offsets of where-min-r2 show
BODY_BYTES = 146


def store_keys(recording: ConsumerRecording) -> dict[str, Any]:
    """Settings of brokers that decide what is deleted and whether slaves are read."""
    found: dict[str, Any] = {}
    for broker, settings in recording.about["brokers"].items():
        if broker.endswith(SLAVE):
            found[f"brokers.{broker.removesuffix(SLAVE)}.slaves"] = 1
            continue
        if settings.get("slaveReadEnable") in ("true", True):
            found[f"brokers.{broker}.slave_read_enable"] = True
        if "fileReservedTime" in settings:
            found[f"brokers.{broker}.file_reserved_time"] = f"{settings['fileReservedTime']}h"
            found[f"brokers.{broker}.delete_when"] = settings["deleteWhen"]
            found[f"brokers.{broker}.mapped_file_size_commit_log"] = f"{settings['mappedFileSizeCommitLog']}B"
    return found


def deletes(recording: ConsumerRecording) -> bool:
    """Whether brokers delete what they store while the recording runs."""
    return any("fileReservedTime" in settings for settings in recording.about["brokers"].values())


def with_other_senders(
    settings: Mapping[str, Any], own: Mapping[str, Any], topic: str, rate: str, later: Mapping[str, str]
) -> dict[str, Any]:
    """The same with a second group of producers, whose messages fill the files, too. own: keys of the first group."""
    found = {key: value for key, value in settings.items() if not key.startswith("producers.0.")}
    first = {key.removeprefix("producers.0."): value for key, value in settings.items() if key not in found}
    others = {"group": OTHERS, "count": 1, "mode": "sync", "threads": 64, "rate": rate, "topics": [OTHERS]}
    found["producers"] = [
        {**own, **first, "group": "senders", "topics": [topic]},
        others | ({"rate_changes": dict(later)} if later else {}),
    ]
    found[f"topics.{topic}"] = {**settings[f"topics.{topic}"], "message_bytes": f"{BODY_BYTES}B"}
    found[f"topics.{OTHERS}"] = {"queues": 4, "message_bytes": f"{BODY_BYTES}B"}
    return found
