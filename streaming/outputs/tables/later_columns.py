"""The columns of what only some runs have: delay levels, half messages of transactions, POP, elections."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from streaming.outputs.tables.delay_summary import DelaySummary
from streaming.outputs.tables.election_summary import ElectionSummary
from streaming.outputs.tables.number_text import latency, number
from streaming.outputs.tables.pop_summary import PopSummary
from streaming.outputs.tables.transaction_summary import TransactionSummary

# Header (the unit after a line break) and text of every column; shared with the report.
Columns = tuple[tuple[str, Callable[[Any], str]], ...]
DELAY_COLUMNS: Columns = (
    ("level", lambda row: str(row.delay_level) if row.delay_level else "timer"),
    ("added", lambda row: number(row.added)),
    ("delivered", lambda row: number(row.delivered)),
    ("\nagain", lambda row: number(row.delivered_again)),
    ("waiting\nat the end", lambda row: number(row.waiting)),
    ("highest\nlate p99 ms", lambda row: latency(row.late_p99_ms)),
    ("late\nmax ms", lambda row: latency(row.late_max_ms)),
)
TRANSACTION_COLUMNS: Columns = (
    ("group", lambda row: row.producer_group),
    ("halves", lambda row: number(row.halves)),
    ("commit", lambda row: number(row.committed)),
    ("rollback", lambda row: number(row.rolled_back)),
    ("given\nup", lambda row: number(row.given_up)),
    ("open", lambda row: number(row.open)),
    ("by\ncheck", lambda row: number(row.by_check)),
    ("readable\nafter p50 ms", lambda row: latency(row.visible_p50_ms)),
    ("\np99 ms", lambda row: latency(row.visible_p99_ms)),
)
READABLE_TWICE_COLUMNS: Columns = (("readable\ntwice", lambda row: number(row.twice)),)
ELECTION_COLUMNS: Columns = (
    ("broker", lambda row: row.broker),
    ("at", lambda row: row.when),
    ("elected\nmachine", lambda row: "nobody" if row.machine is None else str(row.machine)),
    ("epoch", lambda row: str(row.epoch)),
    ("without a\nmaster for s", lambda row: number(row.without_s, 2)),
    ("named\nafter s", lambda row: number(row.named_after_s, 2)),
    ("because", lambda row: row.reason),
)


POP_COLUMNS: Columns = (
    ("group", lambda row: row.consumer_group),
    ("popped", lambda row: number(row.popped)),
    ("acknow-\nledged", lambda row: number(row.acknowledged)),
    ("come\nagain", lambda row: number(row.revived)),
    ("after a\nfailure", lambda row: number(row.revived_failed)),
    ("ack\nlost", lambda row: number(row.revived_unheard)),
    ("too\nslow", lambda row: number(row.revived_slow)),
    ("most\ninvisible", lambda row: number(row.most_invisible)),
    ("invisible\nat the end", lambda row: number(row.invisible)),
    ("pops\nrefused", lambda row: number(row.refused)),
)


def later_tables(
    delays: Sequence[DelaySummary],
    transactions: Sequence[TransactionSummary],
    pops: Sequence[PopSummary],
    elections: Sequence[ElectionSummary],
) -> Iterator[tuple[str, Columns, Sequence[Any]]]:
    """Title, columns and rows of each table that has rows; "readable twice" only where a message was."""
    if delays:
        yield "Delayed messages by level", DELAY_COLUMNS, delays
    if transactions:
        twice = READABLE_TWICE_COLUMNS if any(row.twice for row in transactions) else ()
        yield "Half messages of transactions", (*TRANSACTION_COLUMNS, *twice), transactions
    if pops:
        yield "Messages of POP groups", POP_COLUMNS, pops
    if elections:
        yield "Elections of masters", ELECTION_COLUMNS, elections
