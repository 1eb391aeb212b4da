"""The HTML page around the pictures: story, key figures, tables."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Any

from simulator.experiments.texts.verdict_texts import SameBecauseTexts
from simulator.outcomes import WELL
from simulator.units import some
from streaming.clock import clock
from streaming.files.whole_file import check_writable, make_folder_of, write_whole
from streaming.outputs.fates import GroupSummary
from streaming.outputs.summary import (
    BROKER_COLUMNS,
    GROUP_COLUMNS,
    REJECT_COLUMNS,
    Summary,
    consumer_columns,
    fate_columns,
)
from streaming.outputs.tables.later_columns import Columns, later_tables
from streaming.outputs.tables.number_text import latency, number, percent
from streaming.outputs.telling import telling
from streaming.page_frame.templates import rendered, rendered_blocks
from streaming.report.cards import isolation, shown_cards, without_picture
from streaming.report.causes.cause_lines import report_causes
from streaming.report.collected.data import ReportData, collect
from streaming.report.collected.uneven_queues import queue_card
from streaming.report.column_table import ColumnTable, column_table
from streaming.report.consumers.consumer_cards import owner_cards
from streaming.report.fate_card import fate_card
from streaming.report.fault_times import ReportFault, coming_of, faults_of, joined, never_of, scenario_of
from streaming.report.figures import figures
from streaming.report.findings.load import RateChange, rate_changes
from streaming.report.texts.page_texts import PageTexts
from streaming.report.traces import SOLID, at_ms, colours

REPORT = "report/report.html"
MAX_BANDS = 100
MAX_RESULTS = 6
MAX_LATER = 5  # faults that are still to come, or never
RESULT_COLUMNS: Columns = (
    ("result", lambda row: row[0]),
    ("messages", lambda row: number(row[1])),
    ("without\nattempt", lambda row: number(row[2])),
)


PROXY_COLUMNS: Columns = (
    ("proxy", lambda row: row.proxy),
    ("attempts", lambda row: number(row.attempts)),
    ("failures", lambda row: number(row.failures)),
    ("p50\nms", lambda row: latency(row.p50_ms)),
    ("p99\nms", lambda row: latency(row.p99_ms)),
)


def write_page(folder: Path, out: Path) -> Path:
    """Write the report of `folder` to the file `out`; a reader never sees half a page.

    Raises InputError if the folder is not an output of Sendlab or `out` no place for a file, EnvironmentProblem if it
    cannot be written.
    """
    page = build(collect(folder))
    make_folder_of(out)
    check_writable(out)
    write_whole(out, lambda spare: spare.write_text(page, encoding="utf-8"))
    return out


def build(data: ReportData, template: str = REPORT) -> str:
    """The whole page as text; template: that of a report, or one that extends it."""
    made = figures(data)
    view = _view(data, made)
    return rendered(
        template,
        **view,
        title=f"{data.summary.scenario_name} - Sendlab",
        brand="Sendlab report",
        heading=data.summary.scenario_name,
        legend=list(zip(data.series.names, colours(data), strict=True)),
        solid=SOLID,
        isolation=isolation(data, made),
        nothing=without_picture(data, made),
        pictures=pictures_of(data, made),
        has_plotly=bool(made),
    )


def update_of(data: ReportData) -> dict[str, Any]:
    """What brings an open page up to date: its parts that are text, by name, as HTML, and its pictures."""
    made = figures(data)
    return {"parts": rendered_blocks(REPORT, "part_", _view(data, made)), "pictures": pictures_of(data, made)}


def _view(data: ReportData, made: Collection[str]) -> dict[str, Any]:
    """What the parts and the cards show; made: names of the pictures."""
    about, faults, summary = data.output.about, faults_of(data.output), data.summary
    unfinished = not summary.finished and not about.get("forever")
    reached = clock(min(about["clock_us"], about["duration_us"])) if unfinished else ""
    count = sum(len(fault.stretches) for fault in faults)
    shaded = PageTexts.BANDS_JOINED() if count > MAX_BANDS else ""
    shown, queues = shown_cards(data, made), queue_card(data.queues)
    causes = report_causes(data)
    owners = [card for card in owner_cards(data) if card.name in made]
    coming, never = _later(coming_of(data.output)), _later(never_of(data.output))
    return {
        "summary": summary,
        "story": _story(data, faults),
        "unfinished": f"{reached} of {clock(about['duration_us'])}" if unfinished else "",
        "description": about.get("description"),
        "findings": causes.lines,
        "not_tested": "" if causes.not_tested is None else causes.not_tested.text,
        "places": {*(card.name for card in (*shown, *owners)), "results", *(["queues"] if queues else ())},
        "shown": shown,
        "owners": owners if data.consumers.groups else None,
        "queues": queues,
        "tiles": _tiles(data),
        "fates": fate_card(summary.total),
        "faults": [(fault.number, fault.text, fault.when) for fault in faults],
        "fault_note": f"{some(len(faults), 'fault')}{shaded}",
        "coming": PageTexts.STILL_TO_COME(faults=coming) if coming else "",
        "never": PageTexts.NEVER_HAPPENS(faults=never) if never else "",
        "rates": _rates(data),
        "reloads": [
            ("", change, f"from {clock(reload['at_us'])} on")
            for reload in about.get("reloads", ())
            for change in reload["changes"]
        ],
        "results": _results(data),
        "tables": _tables(data),
        "scenario": about["scenario_yaml"],
        "footer": _footer(about, summary),
    }


def pictures_of(data: ReportData, made: dict[str, Any]) -> dict[str, Any]:
    """What the page draws: the range of time, the faults that are shaded, and plotly's figures by name."""
    return {
        "range": [at_ms(0), at_ms(data.output.end_us)],
        "faults": _bands(faults_of(data.output), _other_rates(data)),
        "figures": made,
    }


def _bands(faults: list[ReportFault], changes: Sequence[RateChange] = ()) -> list[dict[str, Any]]:
    """What the pictures shade, in the order of time: other rates than at the start, and faults.

    Every fault has its share, however often others come.
    """
    bands: list[dict[str, Any]] = []
    for place, change in enumerate(changes, start=1):
        label = f"{change.group} {change.after}"
        times = {"from": at_ms(change.at_us), "until": at_ms(change.until_us)}
        bands.append({"number": f"R{place}", "label": label, **times})
    left = max(MAX_BANDS, len(faults))
    for place, fault in enumerate(sorted(faults, key=lambda fault: len(fault.stretches))):
        own = joined(fault.stretches, max(left // (len(faults) - place), 1))
        left -= len(own)
        bands += [
            {"number": fault.number, "label": fault.name, "from": at_ms(begin), "until": at_ms(until)}
            for begin, until in own
        ]
    return sorted(bands, key=lambda band: band["from"])


def _other_rates(data: ReportData) -> list[RateChange]:
    """The stretches in which a group has another rate than at the start."""
    changes = rate_changes(data.output, scenario_of(data.output))
    first: dict[str, str] = {}
    for change in changes:
        first.setdefault(change.group, change.before)
    return [change for change in changes if change.after != first[change.group]]


def _rates(data: ReportData) -> list[tuple[str, str, str]]:
    return [
        (
            f"R{place}",
            PageTexts.RATE(group=change.group, after=change.after, before=change.before),
            f"{clock(change.at_us)} to {clock(change.until_us)}",
        )
        for place, change in enumerate(_other_rates(data), start=1)
    ]


def _story(data: ReportData, faults: list[ReportFault]) -> str:
    about, summary = data.output.about, data.summary
    texts = [f"{fault.text} ({fault.when})" for fault in faults]
    more = " and more" if len(texts) > 3 else ""
    coming = _later(coming_of(data.output))
    none = PageTexts.NO_FAULTS_YET(faults=coming) if coming else PageTexts.NO_FAULTS()
    what = PageTexts.FAULTS(faults="; ".join(texts[:3]), more=more) if texts else none
    return PageTexts.STORY(
        producers=some(data.output.producers, "producer"), clients=summary.clients,
        topics=some(len(about.get("topics", ())) or 1, "topic"), brokers=some(len(summary.brokers), "broker"),
        how_long=_how_long(about), what=what,
    )  # fmt: skip


def _later(faults: Sequence[str]) -> str:
    return "; ".join(faults[:MAX_LATER])


def _how_long(about: dict[str, Any]) -> str:
    if about.get("forever"):
        return PageTexts.WITHOUT_END(duration=clock(about["clock_us"]))
    return PageTexts.FOR_SO_LONG(duration=clock(about["duration_us"]))


def _tiles(data: ReportData) -> list[tuple[str, str, str]]:
    total, brokers, summary_events = data.summary.total, data.summary.brokers, data.summary.events
    results = {name for name, _, _ in data.messages.results}
    well = " or ".join(name for name in WELL if name in results) or "SEND_OK"
    tiles: list[tuple[str, str, str]] = []
    if total is not None and total.messages:
        skipped = summary_events["skipped"]
        intended = total.messages + skipped
        success = 100 * (total.messages - total.failed) / intended
        never = f"; {number(skipped)} never sent" if skipped else ""
        tiles += [
            ("Messages sent", f"{percent(success)} %", f"{well} of {number(intended)}{never}"),
            ("Failed messages", number(total.failed), f"{number(total.not_stored)} not stored"),
            ("Lost messages", number(total.lost), _lost_words(total)),
            ("Attempts / message", number(total.attempts_per_message, 3), PageTexts.ONE_ATTEMPT()),
            (
                "p99 send latency",
                f"{latency(total.p99_ms)} ms",
                PageTexts.LATENCY(median=latency(total.p50_ms)),
            ),
            (
                "Duplicates",
                number(total.duplicates),
                PageTexts.DUPLICATES(copies=total.duplicates, messages=some(total.duplicated, "message")),
            ),
        ]
    if any(broker.attempts for broker in brokers):
        most = max(brokers, key=lambda broker: broker.share_percent or 0)
        fair = fair_share(data, most.broker)
        share = f"{number(most.share_percent, 1)} %"
        whose = most.broker if fair is None else PageTexts.SHARE(broker=most.broker, percent=number(fair, 1))
        tiles.append(("Largest broker share", share, whose))
    isolated = {broker.broker: broker.isolated_s for broker in brokers if broker.isolated_s is not None}
    if isolated:
        worst = max(isolated, key=lambda broker: isolated[broker])
        avoided = 100 * isolated[worst] * 1e6 / data.output.end_us
        who = PageTexts.AVOIDED(broker=worst) if avoided else SameBecauseTexts.NO_ISOLATION()
        tiles.append(("Isolation", f"{number(avoided, 1)} %", who))
    return tiles


def _lost_words(total: GroupSummary) -> str:
    unseen = PageTexts.LOST_UNSEEN(count=number(total.lost_unseen)) if total.lost_unseen else ""
    return PageTexts.LOST(unseen=unseen)


def fair_share(data: ReportData, broker: str) -> float | None:
    """The per cent of all attempts that a broker would get if every queue of a topic got the same.

    None without the table attempts: what each topic got is not known.
    """
    scenario, part, total = scenario_of(data.output), 0.0, 0
    for topic, counts in data.queues.counts.items():
        total += int(counts.sum())
        route = scenario.route(topic) if scenario is not None and topic in scenario.topics else ()
        queues = {entry.broker: entry.write_queues for entry in route}
        if not queues:
            queues = dict.fromkeys(data.output.brokers, 1)
        part += int(counts.sum()) * queues.get(broker, 0) / max(sum(queues.values()), 1)
    return 100 * part / total if total else None


def _tables(data: ReportData) -> list[ColumnTable]:
    summary = data.summary
    total, several = summary.total, len(summary.groups) > 1
    groups = (*summary.groups, total) if several and total is not None else summary.groups
    tables = [column_table("Brokers", BROKER_COLUMNS, telling(summary.brokers))]
    if total is not None and total.messages:
        tables.append(column_table("Producer groups", GROUP_COLUMNS, groups, total=several))
        if several:
            title = PageTexts.RESULTS_BY_GROUP()
            tables.append(column_table(title, fate_columns(groups), groups, total=True))
    else:
        why = PageTexts.SENDS_NOT_WRITTEN() if total is None else PageTexts.SENDS_EMPTY()
        tables.append(ColumnTable("Producer groups", empty=why))
    if data.proxies:
        tables.append(column_table("Proxies", PROXY_COLUMNS, data.proxies.totals))
    if summary.consumers:
        tables.append(column_table("Consumer groups", consumer_columns(summary.consumers), summary.consumers))
    tables += [
        column_table(*later)
        for later in later_tables(summary.delays, summary.transactions, summary.pops, summary.elections)
    ]
    rejects = column_table("Rejects", REJECT_COLUMNS, summary.rejects, empty=PageTexts.NO_REJECTS())
    return [*tables, rejects]


def _results(data: ReportData) -> ColumnTable:
    rows = data.messages.results
    if len(rows) > MAX_RESULTS:
        rest = rows[MAX_RESULTS - 1 :]
        others = (PageTexts.OTHER_RESULTS(count=len(rest)), sum(row[1] for row in rest), sum(row[2] for row in rest))
        rows = [*rows[: MAX_RESULTS - 1], others]
    return column_table(PageTexts.HOW_THEY_ENDED(), RESULT_COLUMNS, rows, compact=True)


def _footer(about: dict[str, Any], summary: Summary) -> str:
    events, took_s = summary.events, about.get("wall_s")
    updates = summary.announced
    return PageTexts.FOOTER(
        version=about["sendlab"], run=summary.run, seed=summary.seed,
        generated=number(events["generated"]), handled=number(events["handled"]),
        rejected=number(events["rejected"]), skipped=number(events["skipped"]),
        announced=PageTexts.FOOTER_ANNOUNCED(announced=updates) if updates else "",
        took=PageTexts.FOOTER_TOOK(seconds=number(took_s, 1)) if took_s else "",
    )  # fmt: skip
