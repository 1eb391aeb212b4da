"""What findings are made from, counted while the tables are read once, in bounded memory.

Of messages that failed, are lost or have several copies, and of attempts that failed, the rows are kept: all of them up
to MAX_ROWS, of more those of every second, fourth, ... message.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from state.sums import add_at
from streaming.outputs.dataset import RunOutput, codes, numbers
from streaming.outputs.fates import fate_of
from streaming.outputs.totals import OK
from streaming.report.collected.endings import endings
from streaming.report.collected.fact_rows import FactRows

MAX_ROWS = 400_000
MAX_CELLS = 6_000_000  # of [groups, brokers, bins]
MAX_PAIRS = 50_000_000  # of (producer, broker)


class KeptRows:
    """Rows of some messages: of every `modulus`-th message, so that at most MAX_ROWS are kept."""

    def __init__(self) -> None:
        self.modulus = 1
        self._parts: list[FactRows] = []
        self._rows = 0

    def add(self, rows: FactRows) -> None:
        """Keep those rows; `key` names the message of each."""
        self._parts.append(_of_every(rows, self.modulus))
        self._rows += len(self._parts[-1])
        while self._rows > MAX_ROWS:
            self.modulus *= 2
            self._parts = [_of_every(FactRows.joined(self._parts), self.modulus)]
            self._rows = len(self._parts[0])

    def frame(self, modulus: int, columns: tuple[str, ...]) -> FactRows:
        """All kept rows of every `modulus`-th message."""
        if not self._rows:
            return FactRows.none(columns)
        return _of_every(FactRows.joined(self._parts), modulus)


def _of_every(rows: FactRows, modulus: int) -> FactRows:
    if modulus == 1:
        return rows
    mixed = rows["key"].astype(np.uint64) * np.uint64(0x9E3779B97F4A7C15)
    return rows.of((mixed >> np.uint64(40)) % np.uint64(modulus) == 0)


def _keys(batch: pa.RecordBatch, topics: dict[str, int]) -> np.ndarray:
    """One number for each message: producer, thread, topic, and the last 26 bits of its number."""
    producer, thread, seq = (
        numbers(batch.column(name)).astype(np.int64) for name in ("producer", "thread", "send_seq")
    )
    topic = np.maximum(codes(batch.column("topic"), topics, strict=False), 0)
    return (producer << 44) ^ (thread << 34) ^ (topic << 26) ^ (seq & 0x3FFFFFF)


class _Endings:
    """Numbers of the names of results and outcomes."""

    def __init__(self) -> None:
        self.names: dict[str, int] = {}

    def of(self, name: pa.Array, code: pa.Array, chosen: np.ndarray) -> np.ndarray:
        found = np.full(len(chosen), -1, dtype=np.int64)
        for text, rows in endings(name, code, chosen):
            found[rows] = self.names.setdefault(text, len(self.names))
        return found


MESSAGE = (
    "key", "group", "broker", "arrival_us", "end_us", "result", "fate", "attempts", "stored", "kept", "weight", "bad"
)  # fmt: skip
ATTEMPT = ("key", "group", "broker", "attempt", "begin_us", "end_us", "outcome")


class MessageFacts:
    """Reader of `sends`: intended sends and begins by group and bin, retries, and the rows of what went wrong."""

    columns = (
        "producer", "thread", "topic", "send_seq", "producer_group", "arrival_us", "begin_us", "end_us", "result",
        "response_code", "acknowledged", "attempts", "broker", "copies_stored", "copies_kept", "messages",
    )  # fmt: skip

    def __init__(self, output: RunOutput, bin_us: int, bins: int) -> None:
        self.brokers, self.groups, self.topics = output.brokers, output.groups, _topics(output)
        self.bin_us = bin_us
        self.intended = np.zeros((len(self.groups), bins), dtype=np.int64)
        self.begun = np.zeros_like(self.intended)
        self.messages = np.zeros(len(self.groups), dtype=np.int64)
        self.retried_well = np.zeros(len(self.groups), dtype=np.int64)
        self.rows, self.results = KeptRows(), _Endings()

    def add(self, batch: pa.RecordBatch) -> None:
        """Take the next messages."""
        group, weight = codes(batch.column("producer_group"), self.groups), numbers(batch.column("messages"))
        arrival, begin = numbers(batch.column("arrival_us")), numbers(batch.column("begin_us"))
        for counts, at in ((self.intended, arrival), (self.begun, begin)):
            place = np.minimum(at // self.bin_us, counts.shape[1] - 1)
            add_at(counts, (group, place), weight)
        failed = codes(batch.column("result"), OK, strict=False) < 0
        attempts = numbers(batch.column("attempts"))
        add_at(self.messages, group, weight)
        add_at(self.retried_well, group, np.where(~failed & (attempts > 1), weight, 0))
        kept, stored = numbers(batch.column("copies_kept")), numbers(batch.column("copies_stored"))
        chosen = failed | (kept == 0) | (stored > 1) | (attempts > 1)
        if not chosen.any():
            return
        result = self.results.of(batch.column("result"), batch.column("response_code"), chosen)
        made = {
            "key": _keys(batch, self.topics), "group": group, "broker": codes(batch.column("broker"), self.brokers),
            "arrival_us": arrival, "end_us": numbers(batch.column("end_us")), "result": result,
            "fate": fate_of(batch), "attempts": attempts, "stored": stored, "kept": kept, "weight": weight,
            "bad": failed,
        }  # fmt: skip
        self.rows.add(FactRows({name: values[chosen] for name, values in made.items()}))


class AttemptFacts:
    """Reader of `attempts`: time and number by group, broker and bin, who used which broker, and what failed."""

    columns = (
        "producer", "thread", "topic", "send_seq", "attempt", "broker", "begin_us", "end_us", "outcome",
        "response_code",
    )  # fmt: skip

    def __init__(self, output: RunOutput, bin_us: int, bins: int) -> None:
        self.brokers, self.topics, self.bin_us = output.brokers, _topics(output), bin_us
        self.group_of = np.zeros(max(output.producers, 1), dtype=np.int64)
        for place, group in enumerate(output.about["producer_groups"]):
            self.group_of[group["first"] : group["first"] + group["count"]] = place
        groups, brokers = max(len(output.groups), 1), len(self.brokers)
        if groups * brokers * bins > MAX_CELLS:
            groups = 1  # of very many brokers, all groups together
        self.count = np.zeros((groups, brokers, bins), dtype=np.int64)
        self.took_us = np.zeros_like(self.count)
        pairs = len(self.group_of) * brokers
        self.used = np.zeros((len(self.group_of), brokers), dtype=bool) if pairs <= MAX_PAIRS else None
        self.rows, self.outcomes = KeptRows(), _Endings()

    def add(self, batch: pa.RecordBatch) -> None:
        """Take the next attempts."""
        producer = numbers(batch.column("producer")).astype(np.int64)
        broker, begin = codes(batch.column("broker"), self.brokers), numbers(batch.column("begin_us"))
        end, group = numbers(batch.column("end_us")), self.group_of[producer]
        somewhere = broker >= 0
        place = np.minimum(begin // self.bin_us, self.count.shape[2] - 1)
        cell = (np.minimum(group, len(self.count) - 1)[somewhere], broker[somewhere], place[somewhere])
        add_at(self.count, cell, 1)
        add_at(self.took_us, cell, (end - begin)[somewhere])
        if self.used is not None:
            self.used[producer[somewhere], broker[somewhere]] = True
        failed = codes(batch.column("outcome"), OK, strict=False) < 0
        if failed.any():
            outcome = self.outcomes.of(batch.column("outcome"), batch.column("response_code"), failed)
            made = {
                "key": _keys(batch, self.topics), "group": group, "broker": broker,
                "attempt": numbers(batch.column("attempt")), "begin_us": begin, "end_us": end, "outcome": outcome,
            }  # fmt: skip
            self.rows.add(FactRows({name: values[failed] for name, values in made.items()}))


@dataclass(frozen=True)
class Facts:
    """What was counted. messages, attempts: the kept rows, MESSAGE and ATTEMPT; each stands for `modulus` rows.

    intended, begun: [groups, bins], messages; count, took_us: [groups or 1, brokers, bins] of attempts by their begin.
    results, outcomes: names by number.  used: [producers, brokers], None for too many.
    """

    bin_us: int
    modulus: int
    messages: FactRows
    attempts: FactRows
    results: tuple[str, ...]
    outcomes: tuple[str, ...]
    of_group: np.ndarray
    retried_well: np.ndarray
    intended: np.ndarray
    begun: np.ndarray
    count: np.ndarray
    took_us: np.ndarray
    used: np.ndarray | None
    group_of: np.ndarray


def facts_of(messages: MessageFacts, attempts: AttemptFacts) -> Facts:
    """The facts, after the last row of both tables."""
    modulus = max(messages.rows.modulus, attempts.rows.modulus)
    return Facts(
        bin_us=messages.bin_us,
        modulus=modulus,
        messages=messages.rows.frame(modulus, MESSAGE),
        attempts=attempts.rows.frame(modulus, ATTEMPT),
        results=tuple(messages.results.names),
        outcomes=tuple(attempts.outcomes.names),
        of_group=messages.messages,
        retried_well=messages.retried_well,
        intended=messages.intended,
        begun=messages.begun,
        count=attempts.count,
        took_us=attempts.took_us,
        used=attempts.used,
        group_of=attempts.group_of,
    )


def _topics(output: RunOutput) -> dict[str, int]:
    return {name: place for place, name in enumerate(output.about.get("topics", ()))}
