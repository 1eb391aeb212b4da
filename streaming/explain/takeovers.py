"""What elections of a broker's master did to a message, an attempt or an offset, from the table `elections`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pyarrow.dataset as ds

from streaming.explain.explanation import moment
from streaming.explain.texts.takeover_texts import TakeoverTexts
from streaming.outputs.dataset import RunOutput

Row = Mapping[str, Any]
COLUMNS = ("at_us", "broker", "machine", "epoch", "reason", "gone_us", "named_us")


def takeovers_of(output: RunOutput, broker: str | None) -> list[Row]:
    """The elections of a broker that named a master, in order of time; none where the table was not written."""
    if broker is None or not output.has("elections"):
        return []
    found: list[Row] = []
    for batch in output.batches("elections", COLUMNS, ds.field("broker") == broker):
        found += [row for row in batch.to_pylist() if row["machine"] is not None]
    return sorted(found, key=lambda row: int(row["at_us"]))


def elected(row: Row) -> str:
    """Who was elected, when and why."""
    return TakeoverTexts.ELECTED(
        machine=row["machine"], epoch=row["epoch"], at=moment(row["at_us"]), reason=row["reason"]
    )


def why_lost(output: RunOutput, message: Row) -> str:
    """Why an acknowledged message has no durable copy, "" where no election explains it."""
    if not message["acknowledged"] or message["copies_kept"] or not message["copies_stored"]:
        return ""
    for row in takeovers_of(output, message["broker"]):
        if row["gone_us"] >= message["end_us"]:
            return TakeoverTexts.LOST(broker=message["broker"], gone=moment(row["gone_us"]), elected=elected(row))
    return ""


def without_master(output: RunOutput, attempt: Row) -> str:
    """What a broker's set was doing as an attempt at it began, "" outside of an election."""
    broker, begin_us = attempt["broker"], attempt["begin_us"]
    for row in takeovers_of(output, broker):
        if row["gone_us"] <= begin_us < row["at_us"]:
            return TakeoverTexts.NO_MASTER(broker=broker, gone=moment(row["gone_us"]), elected=elected(row))
        if row["at_us"] <= begin_us and (row["named_us"] is None or begin_us < row["named_us"]):
            return TakeoverTexts.NOT_NAMED(broker=broker, elected=elected(row))
    return ""
