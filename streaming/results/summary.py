"""What a run came to: totals per broker and per producer group, in memory that does not grow with the run."""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from streaming.report.avoidance import Avoidance
from streaming.report.latency_histogram import LatencyHistogram
from streaming.results.dataset import Output, Reader, codes, numbers, open_output
from streaming.results.fates import FATES, GroupSummary, fate_of
from streaming.results.telling import telling

OK = {"SEND_OK": 0, "SENT_ONEWAY": 1}
NONE: Mapping[str, Sequence[Reader]] = {}


@dataclass(frozen=True)
class BrokerSummary:
    """One broker. Latency is end - begin of all attempts, failed ones too; None where there is none.

    failures: attempts with any outcome but SEND_OK.  isolated_s: average per producer, of virtual time.
    """

    broker: str
    attempts: int
    share_percent: float
    p50_ms: float | None
    p99_ms: float | None
    p999_ms: float | None
    failures: int
    isolated_s: float


@dataclass(frozen=True)
class RejectSummary:
    """Records refused for one reason, and the events they stood for."""

    reason: str
    records: int
    events: int


@dataclass(frozen=True)
class Summary:
    """Totals of one run. virtual_s: virtual time reached.  events: generated, handled, rejected, skipped.

    missing: tables that the output does not have.  blocking: what a blocked thread does, by producer group.
    closed_loops: whether some group sends in them, with no events for its messages.
    out_of_order: copies stored after a later message of their thread and key, None where no topic is checked for it.
    """

    run: str
    scenario_name: str
    release: str
    strategy: bool
    seed: int
    virtual_s: float
    finished: bool
    events: dict[str, int]
    total: GroupSummary
    brokers: tuple[BrokerSummary, ...]
    groups: tuple[GroupSummary, ...]
    rejects: tuple[RejectSummary, ...]
    missing: tuple[str, ...]
    blocking: dict[str, str]
    closed_loops: bool
    out_of_order: int | None

    @property
    def events_add_up(self) -> bool:
        """Whether every generated event was handled or rejected; asked of finished runs only."""
        return not self.finished or self.events["generated"] == sum(self.events[key] for key in ("handled", "rejected"))

    def to_json(self) -> str:
        """The summary as a JSON object, with the names of the fields."""
        return json.dumps(asdict(self), indent=2)


class AttemptTotals:
    """Reader of `attempts`: counts and latency of every broker."""

    columns = ("broker", "begin_us", "end_us", "outcome")

    def __init__(self, output: Output) -> None:
        self.names = output.brokers
        self.attempts = np.zeros(len(self.names), dtype=np.int64)
        self.failures = np.zeros_like(self.attempts)
        self.latency = LatencyHistogram(len(self.names))

    def add(self, batch: pa.RecordBatch) -> None:
        """Take the next attempts."""
        broker = codes(batch.column("broker"), self.names)
        failed = codes(batch.column("outcome"), OK, strict=False) < 0
        self.attempts += _count(broker, len(self.names))
        self.failures += _count(broker[failed], len(self.names))
        self.latency.add(broker, numbers(batch.column("end_us")) - numbers(batch.column("begin_us")))


class OrderTotals:
    """Reader of `windows`: copies stored out of order."""

    columns = ("out_of_order",)

    def __init__(self) -> None:
        self.out_of_order = 0

    def add(self, batch: pa.RecordBatch) -> None:
        """Take the next windows."""
        self.out_of_order += int(numbers(batch.column("out_of_order")).sum())


class WindowTotals:
    """Reader of `windows`: the counts of every broker, for outputs without attempts."""

    columns = ("broker", "attempts", "failures")

    def __init__(self, totals: AttemptTotals) -> None:
        self.totals = totals

    def add(self, batch: pa.RecordBatch) -> None:
        """Take the next windows."""
        broker = codes(batch.column("broker"), self.totals.names)
        np.add.at(self.totals.attempts, broker, numbers(batch.column("attempts")))
        np.add.at(self.totals.failures, broker, numbers(batch.column("failures")))


class SendTotals:
    """Reader of `sends`: counts and latency of every producer group."""

    columns = (
        "producer_group", "latency_us", "result", "acknowledged", "attempts", "copies_stored", "copies_kept", "lost",
        "messages"
    )  # fmt: skip

    def __init__(self, output: Output) -> None:
        self.names = output.groups
        self.latency = LatencyHistogram(len(self.names))
        self.counts = {
            name: np.zeros(len(self.names), dtype=np.int64)
            for name in ("messages", "failed", "refused", "attempts", "copies", "duplicates", "lost", *FATES)
        }

    def add(self, batch: pa.RecordBatch) -> None:
        """Take the next messages."""
        group = codes(batch.column("producer_group"), self.names)
        copies, attempts = numbers(batch.column("copies_stored")), numbers(batch.column("attempts"))
        each = {
            "messages": 1,
            "failed": codes(batch.column("result"), OK, strict=False) < 0,
            "refused": attempts == 0,
            "attempts": attempts,
            "copies": copies,
            "duplicates": np.maximum(copies - 1, 0),
            "lost": numbers(batch.column("lost")),
        }
        fate = fate_of(batch)
        each |= {name: fate == number for number, name in enumerate(FATES)}
        messages = numbers(batch.column("messages"))
        for name, value in each.items():
            # A batch is attempted once for all its messages.
            np.add.at(self.counts[name], group, value if name == "attempts" else value * messages)
        self.latency.add(group, numbers(batch.column("latency_us")))

    def summary(self, name: str, groups: int | None = None) -> GroupSummary:
        """Totals of the group at a position, or of all groups together."""
        counts = {key: int(value.sum() if groups is None else value[groups]) for key, value in self.counts.items()}
        messages = counts["messages"]
        return GroupSummary(
            producer_group=name,
            messages=messages,
            failed=counts["failed"],
            refused=counts["refused"],
            success_percent=100 * _part(messages - counts["failed"], messages),
            attempts_per_message=_part(counts["attempts"], messages),
            copies_per_message=_part(counts["copies"], messages),
            duplicates=counts["duplicates"],
            lost=counts["lost"],
            **{name: counts[name] for name in FATES},
            p50_ms=_ms(self.latency.quantile(0.5, groups)),
            p99_ms=_ms(self.latency.quantile(0.99, groups)),
        )


class RejectTotals:
    """Reader of `rejects`: records and events by reason, the 1,000 first reasons."""

    columns = ("reason", "events")

    def __init__(self) -> None:
        self.records: Counter[str] = Counter()
        self.events: Counter[str] = Counter()

    def add(self, batch: pa.RecordBatch) -> None:
        """Take the next rejects."""
        for reason, events in zip(batch.column("reason").to_pylist(), numbers(batch.column("events")), strict=True):
            # A limit, because a reason may quote what was refused.
            kept = reason if reason in self.records or len(self.records) < 1000 else "other reasons"
            self.records[kept] += 1
            self.events[kept] += int(events)


def summarise(path: str | Path) -> Summary:
    """Read an output folder and return its totals.

    Raises InputError if the folder is missing, is not an output of Sendlab, or has rows that cannot be read.
    """
    output = open_output(path)
    avoidance = Avoidance(output)
    output.feed("fault_items", avoidance)
    return read_totals(output, avoidance)


def read_totals(output: Output, avoidance: Avoidance, more: Mapping[str, Sequence[Reader]] = NONE) -> Summary:
    """Read all tables but `fault_items`, which `avoidance` has read, and return the totals.

    more: table name -> other readers to feed in the same pass.
    """
    attempts, sends, rejects, order = AttemptTotals(output), SendTotals(output), RejectTotals(), OrderTotals()
    readers: dict[str, list[Reader]] = {
        "attempts": [attempts],
        "sends": [sends],
        "rejects": [rejects],
        "windows": [order],
    }
    if not output.has("attempts"):
        readers["windows"].append(WindowTotals(attempts))
    for table, others in more.items():
        readers[table] += others
    for table, those in readers.items():
        if those:
            output.feed(table, *those)
    about = output.about
    events = {key: int(about["events"].get(key, 0)) for key in ("generated", "handled", "rejected", "skipped")}
    return Summary(
        run=str(about["run"]),
        scenario_name=str(about["scenario_name"]),
        release=str(about["release"]),
        strategy=bool(about["strategy"]),
        seed=int(about["seed"]),
        virtual_s=about["clock_us"] / 1e6,
        finished=bool(about["finished"]),
        events=events,
        total=sends.summary("all"),
        brokers=_brokers(attempts, avoidance.close()),
        groups=tuple(sends.summary(name, index) for name, index in output.groups.items()),
        rejects=tuple(
            RejectSummary(reason, rejects.records[reason], events) for reason, events in rejects.events.most_common()
        ),
        missing=tuple(table for table in ("attempts", "sends", "fault_items", "windows") if not output.has(table)),
        blocking=blocking_of(about, events["skipped"]),
        closed_loops=any(group.get("when_thread_blocked") == "closed" for group in about["producer_groups"]),
        out_of_order=order.out_of_order if about.get("checks_order") and output.has("windows") else None,
    )


def blocking_of(about: dict[str, Any], skipped: int) -> dict[str, str]:
    """What a message did that found its thread blocked, by producer group, from run.json."""
    groups = [group for group in about["producer_groups"] if "blocking" in group]
    skipping = [group for group in groups if group.get("when_thread_blocked") == "skip"]
    told = {group["group"]: str(group["blocking"]) for group in groups}
    for group in skipping:
        told[group["group"]] += f": {skipped:,} sends" + (" of all such groups" if len(skipping) > 1 else "")
    return told


def print_summary(summary: Summary, console: Console) -> None:
    """Print the totals as tables that fit in 80 columns; units stand in the headers."""
    state = "finished" if summary.finished else "not finished"
    console.print(
        f"[bold]{escape(summary.scenario_name)}[/bold]  client {escape(summary.release)}, "
        f"sendLatencyFaultEnable {'on' if summary.strategy else 'off'}, seed {summary.seed}"
    )
    console.print(f"run {escape(summary.run)}: {summary.virtual_s:,.1f} s of virtual time, {state}")
    _print(console, "Brokers", BROKER_COLUMNS, telling(summary.brokers))
    groups = summary.groups if len(summary.groups) < 2 else (*summary.groups, summary.total)
    _print(console, "Producer groups", GROUP_COLUMNS, groups)
    _print(console, "Messages: what the caller was told, and the copies that are kept", FATE_COLUMNS, groups)
    for group, blocking in summary.blocking.items():
        console.print(f"{escape(group)}: {escape(blocking)}")
    if summary.out_of_order is not None:
        console.print(f"Stored out of order: {summary.out_of_order:,} copies")
    events = summary.events
    console.print(
        f"Events: {events['generated']:,} in = {events['handled']:,} handled "
        f"+ {events['rejected']:,} rejected"
        + (f" ({events['skipped']:,} met a blocked thread and sent nothing)" if events["skipped"] else "")
        + ("; closed loops send of themselves" if summary.closed_loops else "")
        + ("" if summary.events_add_up else "  [bold red]does not add up[/]")
    )
    if summary.rejects:
        _print(console, "Rejects", REJECT_COLUMNS, summary.rejects)


def number(value: float | None, digits: int = 0) -> str:
    """A number as people read it: thousands separated, a dash for None."""
    return "-" if value is None else f"{value:,.{digits}f}"


def latency(value: float | None) -> str:
    """Milliseconds with three significant digits below 100."""
    return "-" if value is None else number(value, 0 if value >= 100 else 1 if value >= 10 else 2)


def percent(value: float) -> str:
    """A percentage that says 100 only where it is all of it."""
    text = f"{value:.2f}"
    return "99.99" if text == "100.00" and value < 100 else text


# Header (the unit after a line break) and text of every column; shared with the report.
Columns = tuple[tuple[str, Callable[[Any], str]], ...]
BROKER_COLUMNS: Columns = (
    ("broker", lambda row: row.broker),
    ("attempts", lambda row: number(row.attempts)),
    ("share\n%", lambda row: number(row.share_percent, 1)),
    ("p50\nms", lambda row: latency(row.p50_ms)),
    ("p99\nms", lambda row: latency(row.p99_ms)),
    ("p99.9\nms", lambda row: latency(row.p999_ms)),
    ("failures", lambda row: number(row.failures)),
    ("isolated\ns/producer", lambda row: number(row.isolated_s, 1)),
)
GROUP_COLUMNS: Columns = (
    ("group", lambda row: row.producer_group),
    ("messages", lambda row: number(row.messages)),
    ("success\n%", lambda row: percent(row.success_percent)),
    ("attempts\n/msg", lambda row: number(row.attempts_per_message, 3)),
    ("copies\n/msg", lambda row: number(row.copies_per_message, 3)),
    ("lost", lambda row: number(row.lost)),
    ("p50\nms", lambda row: latency(row.p50_ms)),
    ("p99\nms", lambda row: latency(row.p99_ms)),
)
FATE_COLUMNS: Columns = (
    ("group", lambda row: row.producer_group),
    ("messages\n=", lambda row: number(row.messages)),
    ("told OK\nnone", lambda row: number(row.acknowledged_lost)),
    ("\none", lambda row: number(row.acknowledged_once)),
    ("\nmore", lambda row: number(row.acknowledged_doubled)),
    ("failed\nnone", lambda row: number(row.thrown_lost)),
    ("\none", lambda row: number(row.thrown_once)),
    ("\nmore", lambda row: number(row.thrown_doubled)),
    ("adds up", lambda row: "yes" if row.adds_up else "NO"),
)
REJECT_COLUMNS: Columns = (
    ("reason", lambda row: row.reason),
    ("records", lambda row: number(row.records)),
    ("events", lambda row: number(row.events)),
)


def _print(console: Console, title: str, columns: Columns, rows: Sequence[Any]) -> None:
    table = Table(title=title, title_justify="left", title_style="bold", padding=(0, 1), box=None)
    for index, (header, _) in enumerate(columns):
        table.add_column(header, justify="right" if index else "left", overflow="fold", no_wrap=bool(index))
    for row in rows:
        table.add_row(*(escape(text(row)) for _, text in columns))
    console.print()
    console.print(table)
    console.print()


def _brokers(totals: AttemptTotals, avoidance: Avoidance) -> tuple[BrokerSummary, ...]:
    all_attempts, isolated_s = int(totals.attempts.sum()), avoidance.isolated_s()
    rows = []
    for name, index in totals.names.items():
        p50, p99, p999 = (_ms(totals.latency.quantile(q, index)) for q in (0.5, 0.99, 0.999))
        attempts, failures = int(totals.attempts[index]), int(totals.failures[index])
        share = 100 * _part(attempts, all_attempts)
        rows.append(BrokerSummary(name, attempts, share, p50, p99, p999, failures, float(isolated_s[index])))
    return tuple(rows)


def _count(index: np.ndarray, size: int) -> np.ndarray:
    return np.bincount(index[index >= 0], minlength=size)


def _part(part: float, whole: float) -> float:
    return part / whole if whole else 0.0


def _ms(us: float | np.ndarray) -> float | None:
    return None if math.isnan(us) else float(us) / 1000
