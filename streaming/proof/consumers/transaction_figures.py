"""What is measured of transactions, recorded or simulated: when messages are readable, who is asked, what goes wrong.

A message becomes readable through the end request of its producer, or, once a broker has asked about one of its copies,
by a check. Delivered twice: two copies of it were readable.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import pyarrow.compute as pc

from simulator.run.simulate import Result
from streaming.proof.consumers.consumer_recording import ConsumerRecording
from streaming.proof.consumers.group_figures import GroupFigure
from streaming.proof.consumers.recorded_transactions import read_key, transactional_producers

MS_US, SECOND_MS = 1000, 1000
TRANSACTION_TABLES = ("sends", "transactions", "check_backs")
SEND_OK = "SEND_OK"
TWICE, THOUGH_FAILED = "delivered twice", "delivered though the send failed"
LOST, ROLLED_BACK = "committed and never delivered", "rolled back and checked"
RARE_FIGURES = (TWICE, THOUGH_FAILED, LOST, ROLLED_BACK)  # counts of what only a fault does
COPY = ("broker", "queue_id", "queue_offset")  # where a message is stored


@dataclass
class MessageSeen:
    """A message that was sent in a transaction; times in ms."""

    sent_ms: float
    is_ok: bool  # SEND_OK came back
    local_end_ms: float | None = None
    read_ms: float | None = None  # its first consumption
    copies: set[Any] = field(default_factory=set)  # that were consumed
    is_checked: bool = False
    is_committed: bool = False  # that is what it came to, by whatever way
    is_rolled_back: bool = False


@dataclass(frozen=True)
class TransactionsSeen:
    """All messages of a group of producers, and how many checks each producer was asked."""

    messages: Sequence[MessageSeen]
    checks: Mapping[str, int]


def transactions_in(recording: ConsumerRecording, group: str) -> TransactionsSeen:
    """The transactions whose messages a recorded group reads."""
    consumers = [who for who, client in recording.about["clients"].items() if client.get("group") == group]
    producers = transactional_producers(recording, str(recording.client(consumers[0])["topic"]))
    found: dict[str, MessageSeen] = {}
    checks: Counter[str] = Counter(dict.fromkeys(producers, 0))
    checked = set()
    rows = recording.rows("tx", "local_end", "check", "consume").to_pylist()
    for row in rows:
        if row["event"] == "tx" and row["who"] in producers:
            outcome = read_key(row["key"]).outcome
            found[row["key"]] = MessageSeen(
                row["time_ms"], row["c"] == SEND_OK,
                is_committed=outcome in ("commit", "later"), is_rolled_back=outcome == "rollback",
            )  # fmt: skip
        elif row["event"] == "check" and row["who"] in producers:
            checks[row["who"]] += 1
            checked.add(row["key"])
    for row in rows:
        own = found.get(row["key"])
        if own is not None and row["event"] == "local_end" and row["who"] in producers:
            own.local_end_ms = row["time_ms"]
        elif own is not None and row["event"] == "consume" and row["who"] in consumers:
            _read(own, row["time_ms"], (row["queue"], row["offset"]))
    for key in checked & set(found):
        found[key].is_checked = True
    return TransactionsSeen(list(found.values()), checks)


def transactions_in_run(result: Result, group: str, producers: Sequence[str]) -> TransactionsSeen:
    """The transactions of a run that put out TRANSACTION_TABLES and `consumed`; `producers`: names by their number."""
    found: dict[tuple[int, int], MessageSeen] = {}
    threads = result.scenario.producers[0].threads
    for row in result.tables["sends"].to_pylist():
        sender = row["producer"] * threads + row["thread"]
        found[sender, row["send_seq"]] = MessageSeen(row["begin_us"] / MS_US, row["result"] == SEND_OK)
    for row in result.tables["transactions"].to_pylist():
        own = found[row["sender"], row["send_seq"]]
        own.is_checked |= row["checks"] > 0
        own.is_committed |= row["fate"] == "committed"
        own.is_rolled_back |= row["fate"] == "rolled back"
        if row["local_end_us"] is not None:
            own.local_end_ms = row["local_end_us"] / MS_US
    consumed = result.tables["consumed"]
    for row in consumed.filter(pc.equal(consumed["consumer_group"].cast("string"), group)).to_pylist():
        _read(found[row["sender"], row["send_seq"]], row["begin_us"] / MS_US, tuple(row[name] for name in COPY))
    asked: defaultdict[str, int] = defaultdict(int, dict.fromkeys(producers, 0))
    for row in result.tables["check_backs"].to_pylist():
        asked[producers[row["producer"]]] += row["checks"]
    return TransactionsSeen(list(found.values()), asked)


def _read(message: MessageSeen, at_ms: float, copy: Any) -> None:
    message.copies.add(copy)
    message.read_ms = at_ms if message.read_ms is None else min(message.read_ms, at_ms)


def transaction_figures(seen: TransactionsSeen) -> Iterator[GroupFigure]:
    """Every figure of the transactions."""
    ended = sorted(
        one.read_ms - one.local_end_ms
        for one in seen.messages
        if one.read_ms is not None and one.local_end_ms is not None and not one.is_checked
    )
    by_check = sorted(one.read_ms - one.sent_ms for one in seen.messages if one.read_ms is not None and one.is_checked)
    if ended:
        yield GroupFigure("readable after the local end, p50", ended[len(ended) // 2] / SECOND_MS, "s")
    if by_check:
        yield GroupFigure("readable by a check after the send, p50", by_check[len(by_check) // 2] / SECOND_MS, "s")
        yield GroupFigure("readable by a check after the send, longest", by_check[-1] / SECOND_MS, "s")
    yield GroupFigure("checks", sum(seen.checks.values()), "messages")
    for name, count in seen.checks.items():
        yield GroupFigure(f"checks that {name} was asked", count, "messages")
    for name, count in (
        (TWICE, sum(len(one.copies) > 1 for one in seen.messages)),
        (THOUGH_FAILED, sum(bool(one.copies) and not one.is_ok for one in seen.messages)),
        (LOST, sum(one.is_ok and one.is_committed and not one.copies for one in seen.messages)),
        (ROLLED_BACK, sum(one.is_rolled_back and one.is_checked for one in seen.messages)),
    ):  # fmt: skip
        yield GroupFigure(name, count, "messages")
