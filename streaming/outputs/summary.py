"""What a run came to: totals per broker and per producer group, in memory that does not grow with the run."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from state.failover_tables import SET_TABLES
from state.proxied_tables import PROXIED_TABLES
from state.tables import CONSUMER_TABLES, ONLY_ASKED, REJECTS, TABLES
from streaming.outputs.avoidance import Avoidance
from streaming.outputs.client_words import clients_in_words
from streaming.outputs.consumer_lags import ConsumerSummary, GroupTotals
from streaming.outputs.crosscheck import Counted, contradictions
from streaming.outputs.dataset import Reader, RunOutput, open_output
from streaming.outputs.fates import CALLERS, GroupSummary
from streaming.outputs.summary_texts import SummaryTexts
from streaming.outputs.tables.delay_summary import DelaySummary, DelayTotals
from streaming.outputs.tables.election_summary import ElectionSummary, ElectionTotals
from streaming.outputs.tables.later_columns import Columns, later_tables
from streaming.outputs.tables.number_text import latency, number, percent
from streaming.outputs.tables.pop_summary import PopSummary, PopTotals
from streaming.outputs.tables.transaction_summary import TransactionSummary, TransactionTotals
from streaming.outputs.telling import telling
from streaming.outputs.totals import AttemptTotals, RejectTotals, SendTotals, WindowTotals, ms, part

READABLE = 16  # letters of a key that a table has room for at least
NONE: Mapping[str, Sequence[Reader]] = {}


@dataclass(frozen=True)
class BrokerSummary:
    """One broker; None where nothing was measured or the table was not written.

    Latency is end - begin of all attempts that wait for an answer, failed ones too: one-way sends do not.
    failures: attempts with any outcome but SEND_OK (one-way: SENT_ONEWAY).
    isolated_s: average per producer, of virtual time.
    """

    broker: str
    attempts: int | None
    share_percent: float | None
    p50_ms: float | None
    p99_ms: float | None
    p999_ms: float | None
    failures: int | None
    isolated_s: float | None


@dataclass(frozen=True)
class RejectSummary:
    """Records refused for one reason, and the events they stood for."""

    reason: str
    records: int
    events: int


@dataclass(frozen=True)
class Summary:
    """Totals of one run. virtual_s: virtual time reached.  events: generated, handled, rejected, skipped.

    not_written: tables that the run was not asked to write; what they would tell is None or left out.
    contradictions: what does not add up, a sentence each; but for rows that are gone looked for in finished runs only.
    release, strategy: of the scenario's client; clients: of every group, in words.
    blocking: what a blocked thread does, by producer group.
    closed_loops: whether some group sends in them, with no events for its messages.
    out_of_order: copies stored after a later message of their thread and key, None where no topic is checked for it.
    consumers: by consumer group, empty without any; delays: by delay level; transactions: by producer group that sends
    in them; pops: by POP group; elections: of masters, in order of time.
    announced: events that are no messages but fault and route updates, None where run.json does not say.
    removed: that rows were removed as too old, so that totals count what is left; "" if none was.
    """

    run: str
    scenario_name: str
    release: str
    clients: str
    strategy: bool
    seed: int
    virtual_s: float
    finished: bool
    events: dict[str, int]
    total: GroupSummary | None
    brokers: tuple[BrokerSummary, ...]
    groups: tuple[GroupSummary, ...]
    rejects: tuple[RejectSummary, ...]
    not_written: tuple[str, ...]
    contradictions: tuple[str, ...]
    blocking: dict[str, str]
    closed_loops: bool
    out_of_order: int | None
    announced: int | None
    consumers: tuple[ConsumerSummary, ...] = ()
    delays: tuple[DelaySummary, ...] = ()
    transactions: tuple[TransactionSummary, ...] = ()
    pops: tuple[PopSummary, ...] = ()
    elections: tuple[ElectionSummary, ...] = ()
    removed: str = ""


def summarise(path: str | Path) -> Summary:
    """Read an output folder and return its totals.

    Raises InputError if the folder is missing, is not an output of Sendlab, or has rows that cannot be read.
    """
    output = open_output(path)
    avoidance = Avoidance(output)
    output.feed("fault_items", avoidance)
    return read_totals(output, avoidance)


def read_totals(output: RunOutput, avoidance: Avoidance, more: Mapping[str, Sequence[Reader]] = NONE) -> Summary:
    """Read all tables but `fault_items`, which `avoidance` has read, and return the totals.

    more: table name -> other readers to feed in the same pass.
    """
    groups, delays, transactions, pops = GroupTotals(output), DelayTotals(), TransactionTotals(output), PopTotals()
    elections = ElectionTotals()
    attempts, sends, rejects, windows = AttemptTotals(output), SendTotals(output), RejectTotals(), WindowTotals(output)
    readers: dict[str, list[Reader]] = {
        "attempts": [attempts],
        "sends": [sends],
        "rejects": [rejects],
        "windows": [windows],
        "consumer_windows": [groups],
        "delays": [delays],
        "transactions": [transactions],
        "pops": [pops],
        "elections": [elections],
    }
    for table, others in more.items():
        readers[table] += others
    for table, those in readers.items():
        if those:
            output.feed(table, *those)
    about = output.about
    events = {key: int(about["events"].get(key, 0)) for key in ("generated", "handled", "rejected", "skipped")}
    has_sends, counted = output.is_written("sends"), Counted.of(output, attempts, sends, windows, rejects)
    return Summary(
        run=str(about["run"]),
        scenario_name=str(about["scenario_name"]),
        release=str(about["release"]),
        clients=clients_in_words(about),
        strategy=bool(about["strategy"]),
        seed=int(about["seed"]),
        virtual_s=about["clock_us"] / 1e6,
        finished=bool(about["finished"]),
        events=events,
        total=sends.summary("all") if has_sends else None,
        brokers=_brokers(output, attempts, windows, avoidance.close()),
        groups=tuple(sends.summary(name, index) for name, index in output.groups.items()) if has_sends else (),
        rejects=tuple(
            RejectSummary(reason, rejects.records[reason], events) for reason, events in rejects.events.most_common()
        ),
        not_written=_not_written(output),
        contradictions=_contradictions(output, counted, events),
        blocking=blocking_of(about, events["skipped"]),
        closed_loops=any(group.get("when_thread_blocked") == "closed" for group in about["producer_groups"]),
        out_of_order=windows.out_of_order if about.get("checks_order") and output.is_written("windows") else None,
        announced=about.get("announced"),
        consumers=groups.summaries(),
        delays=delays.summaries(),
        transactions=transactions.summaries(),
        pops=pops.summaries(),
        elections=elections.summaries(),
        removed=_removed(output),
    )


def _removed(output: RunOutput) -> str:
    return SummaryTexts.COUNTS_WHAT_IS_LEFT(removed=output.rows_removed) if output.removed_before_us else ""


def _not_written(output: RunOutput) -> tuple[str, ...]:
    """The tables that such a run usually has and this one does not; where run.json does not name the usual ones, those
    of consumers only where there are some."""
    about = output.about
    other = () if about.get("consumer_groups") else tuple(table.name for table in CONSUMER_TABLES)
    other = (*other, *(table.name for table in (*SET_TABLES, *PROXIED_TABLES)))
    usual = about.get("usual_tables", [name for name in TABLES if name not in other])
    known = (name for name in TABLES if name in (*usual, REJECTS.name) and name not in ONLY_ASKED)
    return tuple(name for name in known if not output.is_written(name))


def _contradictions(output: RunOutput, counted: Counted, events: dict[str, int]) -> tuple[str, ...]:
    gone = output.gone()
    if gone is not None:
        return (gone,)
    whole = output.about["finished"] and not output.has_old_rows_removed
    return contradictions(counted, events) if whole else ()


def blocking_of(about: dict[str, Any], skipped: int) -> dict[str, str]:
    """What a message did that found its thread blocked, by producer group, from run.json."""
    groups = [group for group in about["producer_groups"] if "blocking" in group]
    skipping = [group for group in groups if group.get("when_thread_blocked") == "skip"]
    by_group = {group["group"]: str(group["blocking"]) for group in groups}
    counted = SummaryTexts.SKIPPED_MESSAGES_OF_ALL if len(skipping) > 1 else SummaryTexts.SKIPPED_MESSAGES
    for group in skipping:
        by_group[group["group"]] = counted(blocking=by_group[group["group"]], skipped=skipped)
    return by_group


def print_summary(summary: Summary, console: Console) -> None:
    """Print the totals as tables that fit in 80 columns; units stand in the headers."""
    state = "finished" if summary.finished else "not finished"
    console.print(f"[bold]{escape(summary.scenario_name)}[/bold]  {escape(summary.clients)}, seed {summary.seed}")
    console.print(SummaryTexts.REACHED(run=escape(summary.run), virtual_s=summary.virtual_s, state=state))
    if summary.removed:
        console.print(summary.removed, style="yellow", markup=False, highlight=False)
    _print(console, "Brokers", BROKER_COLUMNS, telling(summary.brokers))
    if summary.total is not None:
        groups = summary.groups if len(summary.groups) < 2 else (*summary.groups, summary.total)
        _print(console, "Producer groups", GROUP_COLUMNS, groups)
        one_way = any(group.of_caller("oneway") for group in groups)
        columns, title = fate_columns(groups), "Messages: what the caller got, and durable copies"
        _print(console, title, [*columns[:-4], columns[-1]] if one_way else columns, groups)
        if one_way:  # nine counts do not fit into 80 columns
            _print(console, "One-way messages: durable copies", [columns[0], *columns[-4:-1]], groups)
    if summary.consumers:
        _print(console, "Consumer groups", consumer_columns(summary.consumers), summary.consumers)
    for title, columns, rows in later_tables(summary.delays, summary.transactions, summary.pops, summary.elections):
        _print(console, title, columns, rows)
    if summary.not_written:
        console.print(SummaryTexts.NOT_WRITTEN(tables=", ".join(summary.not_written)))
    for group, blocking in summary.blocking.items():
        console.print(f"{escape(group)}: {escape(blocking)}")
    if summary.out_of_order is not None:
        console.print(SummaryTexts.OUT_OF_ORDER(copies=summary.out_of_order))
    console.print(_events_in_words(summary))
    for contradiction in summary.contradictions:
        console.print(SummaryTexts.TOTALS_DIFFER(contradiction=contradiction), style="bold red", markup=False)
    if summary.rejects:
        _print(console, "Rejects", REJECT_COLUMNS, summary.rejects)


def _events_in_words(summary: Summary) -> str:
    events = summary.events
    return SummaryTexts.EVENTS(
        generated=events["generated"], handled=events["handled"], rejected=events["rejected"],
        skipped=SummaryTexts.SKIPPED(count=events["skipped"]) if events["skipped"] else "",
        announced=SummaryTexts.ANNOUNCED(count=summary.announced) if summary.announced else "",
        loops=SummaryTexts.CLOSED_LOOPS() if summary.closed_loops else "",
    )  # fmt: skip


# Header (the unit after a line break) and text of every column; shared with the report.
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
CONSUMER_COLUMNS: Columns = (
    ("group", lambda row: row.consumer_group),
    ("consumed", lambda row: number(row.consumed)),
    ("again", lambda row: number(row.consumed_again)),
)
FAILED_COLUMNS: Columns = (
    ("failed", lambda row: number(row.failed)),
    ("dead\nletters", lambda row: number(row.dead_letters)),
)
MISSED_COLUMNS: Columns = (("missed", lambda row: number(row.missed)),)
SKIPPED_COLUMNS: Columns = (("skipped", lambda row: number(row.skipped)),)
INSTANCES_COLUMNS: Columns = (("instances", lambda row: _range(row.instances_least, row.instances_most)),)
STARTS_COLUMNS: Columns = (("failed\nstarts", lambda row: number(row.failed_starts)),)
LAG_COLUMNS: Columns = (
    ("lag\nend", lambda row: number(row.lag_end)),
    ("lag\nmax", lambda row: number(row.lag_max)),
    ("\nat s", lambda row: number(row.lag_max_at_s)),
    ("highest\np99 ms", lambda row: latency(row.p99_ms)),
)
REJECT_COLUMNS: Columns = (
    ("reason", lambda row: row.reason),
    ("records", lambda row: number(row.records)),
    ("events", lambda row: number(row.events)),
)


def consumer_columns(groups: Sequence[ConsumerSummary]) -> Columns:
    """The columns of consumer groups: failed starts and consumptions, dead letters, missed and skipped messages only
    where there are some, instances only where their number changes."""
    failed = FAILED_COLUMNS if any(group.failed for group in groups) else ()
    changes = any(group.instances_least != group.instances_most for group in groups)
    return (
        *CONSUMER_COLUMNS[:1],
        *(INSTANCES_COLUMNS if changes else ()),
        *(STARTS_COLUMNS if any(group.failed_starts for group in groups) else ()),
        *CONSUMER_COLUMNS[1:],
        *failed,
        *(MISSED_COLUMNS if any(group.missed for group in groups) else ()),
        *(SKIPPED_COLUMNS if any(group.skipped for group in groups) else ()),
        *LAG_COLUMNS,
    )


def _range(least: int | None, most: int | None) -> str:
    """Two numbers as a range, or one where they are equal."""
    return number(most) if least == most else f"{number(least)} to {number(most)}"


def fate_columns(groups: Sequence[GroupSummary]) -> Columns:
    """The columns of what became of the messages of some groups: three for each kind of caller that they have."""
    own: list[tuple[str, Callable[[Any], str]]] = []
    for caller, title in zip(CALLERS, ("acknowledged", "failed", "one-way"), strict=True):
        if any(group.of_caller(caller) for group in groups):
            own += [
                (f"{title if place == 0 else ''}\n{copies}", _count_of(f"{caller}_{fate}"))
                for place, (fate, copies) in enumerate((("lost", "none"), ("once", "one"), ("doubled", "more")))
            ]
    return (
        ("group", lambda row: row.producer_group),
        ("messages\n=", lambda row: number(row.messages)),
        *own,
        ("totals\nmatch", lambda row: "yes" if row.adds_up else "NO"),
    )


def _count_of(fate: str) -> Callable[[Any], str]:
    return lambda row: number(getattr(row, fate))


def _print(
    console: Console, title: str, columns: Sequence[tuple[str, Callable[[Any], str]]], rows: Sequence[Any]
) -> None:
    table = Table(title=title, title_justify="left", title_style="bold", padding=(0, 1), box=None)
    for index, (header, _) in enumerate(columns):
        table.add_column(header, justify="right" if index else "left", overflow="fold", no_wrap=bool(index))
    cells = [[text(row) for _, text in columns] for row in rows]
    keys = [row[0] for row in cells]
    taken = sum(2 + max(map(len, [*header.split("\n"), *column])) for (header, _), column in _beside(columns, cells))
    # A key in pieces of a few letters cannot be read: it stands below, and its number in the table.
    numbered = console.width - taken - 2 < min(READABLE, max(map(len, keys), default=0))
    for place, row in enumerate(cells, start=1):
        table.add_row(*map(escape, [str(place) if numbered else row[0], *row[1:]]))
    console.print()
    console.print(table)
    for place, key in enumerate(keys if numbered else (), start=1):
        console.print(f" {place} = {escape(key)}", highlight=False)
    console.print()


def _beside(
    columns: Sequence[tuple[str, Callable[[Any], str]]], cells: list[list[str]]
) -> Iterator[tuple[tuple[str, Any], list[str]]]:
    """The columns beside the first, each with its texts."""
    return ((column, [row[index] for row in cells]) for index, column in enumerate(columns) if index)


def _brokers(
    output: RunOutput, attempts: AttemptTotals, windows: WindowTotals, avoidance: Avoidance
) -> tuple[BrokerSummary, ...]:
    isolated_s = avoidance.isolated_s() if output.is_written("fault_items") else None
    totals = attempts if output.is_written("attempts") else windows if output.is_written("windows") else None
    every = 0 if totals is None else int(totals.attempts.sum())
    rows = []
    for name, index in output.brokers.items():
        p50, p99, p999 = (ms(attempts.latency.quantile(q, index)) for q in (0.5, 0.99, 0.999))
        rows.append(
            BrokerSummary(
                broker=name,
                attempts=None if totals is None else int(totals.attempts[index]),
                share_percent=None if totals is None else part(100 * int(totals.attempts[index]), every),
                p50_ms=p50,
                p99_ms=p99,
                p999_ms=p999,
                failures=None if totals is None else int(totals.failures[index]),
                isolated_s=None if isolated_s is None else float(isolated_s[index]),
            )
        )
    return tuple(rows)
