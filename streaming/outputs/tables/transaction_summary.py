"""What the transactions of a run came to, from the table `transactions`: half messages by fate, time until readable."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from simulator.causes.transactions.readable_again import COLUMNS, ReadableHalves
from simulator.kernel import histogram
from streaming.outputs.dataset import RunOutput, codes, numbers

FATES = {name: place for place, name in enumerate(("committed", "rolled back", "given up", "open"))}
COUNTS = ("by_check", "readable_rolled_back")


@dataclass(frozen=True)
class TransactionSummary:
    """The half messages of one producer group: copies, so a message that was stored twice counts twice.

    by_check: of those that were ended, by the answer of a check. twice: messages that became readable more than once.
    readable_rolled_back: that became readable although they were rolled back. visible_p50_ms, visible_p99_ms: from the
    intended send time until readable, of committed ones; None without any.
    """

    producer_group: str
    halves: int
    committed: int
    rolled_back: int
    given_up: int
    open: int
    by_check: int
    twice: int
    readable_rolled_back: int
    visible_p50_ms: float | None
    visible_p99_ms: float | None


class TransactionTotals:
    """Reader of `transactions`: counts and times by producer group."""

    columns = (*COLUMNS, "fate", "by_check")

    def __init__(self, output: RunOutput) -> None:
        self._groups = [group["group"] for group in output.about["producer_groups"]]
        self._group_of = group_of_sender(output)
        self._fates = np.zeros((len(self._groups), len(FATES)), np.int64)
        self._counts = np.zeros((len(self._groups), len(COUNTS)), np.int64)
        self._readable = ReadableHalves(list(output.brokers))
        self._visible = np.zeros((len(self._groups), histogram.CELLS), np.int64)

    def add(self, batch: pa.RecordBatch) -> None:
        """Take the next half messages."""
        self._readable.add(batch)
        group, fate = self._group_of[numbers(batch.column("sender"))], codes(batch.column("fate"), FATES)
        delivered = numbers(batch.column("delivered"))
        np.add.at(self._fates, (group, fate), 1)
        rolled_back = fate == FATES["rolled back"]
        flags = (numbers(batch.column("by_check")) > 0, rolled_back & (delivered > 0))
        for place, flag in enumerate(flags):
            np.add.at(self._counts[:, place], group[flag], 1)
        took_us = numbers(batch.column("settled_us")) - numbers(batch.column("arrival_us"))
        for number, counts in enumerate(self._visible):
            own = (group == number) & (fate == FATES["committed"])
            histogram.add(counts, took_us[own])

    def summaries(self) -> tuple[TransactionSummary, ...]:
        """Of each group that sent half messages, after the last row."""
        again = self._readable.again()
        _, messages = np.unique(again.message, return_index=True)
        twice = np.bincount(self._group_of[again.sender[messages]], minlength=len(self._groups)).tolist()
        return tuple(
            self._summary(name, place, twice[place])
            for place, name in enumerate(self._groups)
            if self._fates[place].any()
        )

    def _summary(self, name: str, place: int, twice: int) -> TransactionSummary:
        fates = dict(zip(("committed", "rolled_back", "given_up", "open"), self._fates[place].tolist(), strict=True))
        counts = dict(zip(COUNTS, self._counts[place].tolist(), strict=True))
        return TransactionSummary(
            producer_group=name, halves=int(self._fates[place].sum()), **fates, **counts, twice=twice,
            visible_p50_ms=self._visible_ms(place, 500_000), visible_p99_ms=self._visible_ms(place, 990_000),
        )  # fmt: skip

    def _visible_ms(self, group: int, rank_ppm: int) -> float | None:
        counts = self._visible[group]
        return float(histogram.percentile_us(counts, rank_ppm)) / 1000 if counts.any() else None


def group_of_sender(output: RunOutput) -> np.ndarray:
    """The producer group of each sender thread: its place in run.json, int64[threads]."""
    groups = output.about["producer_groups"]
    return np.repeat(np.arange(len(groups)), [group["count"] * group["threads"] for group in groups])
