"""The HTML page around the pictures: story, key figures, tables. Every name in it is escaped."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from html import escape
from importlib.resources import files
from pathlib import Path
from string import Template
from typing import Any

from simulator.outcomes import WELL
from streaming.clock import clock, some
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
from streaming.page_frame.frame import Page, framed
from streaming.page_frame.html_tables import sentence, wide
from streaming.report.cards import charts
from streaming.report.causes.cause_card import findings_card
from streaming.report.causes.cause_lines import cause_lines
from streaming.report.collected.data import ReportData, collect
from streaming.report.fate_card import fate_card
from streaming.report.fault_times import ReportFault, faults_of, joined, never_of, scenario_of
from streaming.report.figures import figures
from streaming.report.findings.load import RateChange, rate_changes
from streaming.report.traces import at_ms

MAX_BANDS = 100
MAX_RESULTS = 6
MAX_NEVER = 5
RESULT_COLUMNS: Columns = (
    ("result", lambda row: row[0]),
    ("messages", lambda row: number(row[1])),
    ("without\nattempt", lambda row: number(row[2])),
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


def build(data: ReportData, live: str = "") -> str:
    """The whole page as text; `live`: what keeps it up to date, in a page that a server gives."""
    made, here, parts = _made(data), files("streaming.report"), parts_of(data)
    return framed(
        Page(
            title=f"{data.summary.scenario_name} - Sendlab",
            brand="Sendlab report",
            heading=data.summary.scenario_name,
            story=f'<div data-part="story">{parts["story"]}</div>',
            main=Template((here / "main.html").read_text("utf-8")).substitute(parts, charts=charts(data, made)),
            footer=f'<span data-part="footer">{parts["footer"]}</span>',
            script=(here / "page.js").read_text("utf-8"),
            pictures=pictures_of(data, made),
            has_plotly=bool(made),
            above=live,
        )
    )


def parts_of(data: ReportData) -> dict[str, str]:
    """The parts of the page that are text, by name, as HTML."""
    about, faults = data.output.about, faults_of(data.output)
    told = fate_card(data.summary.total)
    struck = _fault_list(faults, never_of(data.output)) + _rate_list(data) + _reloads(about)
    return {
        "story": _story(data, faults) + findings_card(cause_lines(data)),
        "tiles": _tiles(data),
        "pair": f"{told}<div>{struck}{_results(data)}</div>",
        "tables": _tables(data),
        "scenario": escape(about["scenario_yaml"]),
        "footer": _footer(about, data.summary),
    }


def pictures_of(data: ReportData, made: dict[str, Any] | None = None) -> dict[str, Any]:
    """What the page draws: the range of time, the faults that are shaded, and plotly's figures by name."""
    return {
        "range": [at_ms(0), at_ms(data.output.end_us)],
        "faults": _bands(faults_of(data.output), _other_rates(data)),
        "figures": _made(data) if made is None else made,
    }


def _made(data: ReportData) -> dict[str, Any]:
    return {name: json.loads(figure.to_json()) for name, figure in figures(data).items()}


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


def _rate_list(data: ReportData) -> str:
    items = "".join(
        f"<li><b>R{place}</b> {escape(change.group)}: {escape(change.after)} instead of {escape(change.before)} "
        f"<time>{clock(change.at_us)} to {clock(change.until_us)}</time></li>"
        for place, change in enumerate(_other_rates(data), start=1)
    )
    return f'<section class="card"><h2>Rate changes</h2><ul class="faults">{items}</ul></section>' if items else ""


def _fault_list(faults: list[ReportFault], never: list[str]) -> str:
    after = f"After the end of the run, so it never happens: {escape('; '.join(never[:MAX_NEVER]))}." if never else ""
    if not faults:
        told = after or "The scenario has no faults."
        return f'<section class="card"><h2>Faults</h2><p class="empty">{told}</p></section>'
    items = "".join(f"<li><b>{f.number}</b> {escape(f.text)} <time>{f.when}</time></li>" for f in faults)
    count = sum(len(fault.stretches) for fault in faults)
    shaded = ", those close together are shaded as one in the pictures" if count > MAX_BANDS else ""
    return (
        f'<details class="card"{" open" if len(faults) <= 8 else ""}><summary><h2>Faults</h2> '
        f'<span class="note">{some(len(faults), "fault")}{shaded}</span></summary>'
        f'<ul class="faults">{items}</ul>{f"<p class=note>{after}</p>" if after else ""}</details>'
    )


def _reloads(about: dict[str, Any]) -> str:
    """What was changed in the scenario while the run went on."""
    items = "".join(
        f"<li>{escape(change)} <time>from {clock(reload['at_us'])} on</time></li>"
        for reload in about.get("reloads", ())
        for change in reload["changes"]
    )
    return (
        f'<section class="card"><h2>Changed while it ran</h2><ul class="faults">{items}</ul></section>' if items else ""
    )


def _story(data: ReportData, faults: list[ReportFault]) -> str:
    about, summary = data.output.about, data.summary
    told = [f"{escape(fault.text)} ({fault.when})" for fault in faults]
    what = "No faults." if not told else f"Faults: {'; '.join(told[:3])}{' and more' if len(told) > 3 else ''}."
    topics = len(about.get("topics", ())) or 1
    story = (
        f"<p>{some(data.output.producers, 'producer')} with RocketMQ {escape(summary.clients)}, "
        f"send to {some(topics, 'topic')} on "
        f"{some(len(summary.brokers), 'broker')} {_how_long(about)}. {what}</p>"
    )
    if not summary.finished and not about.get("forever"):
        reached, planned = clock(about["clock_us"]), clock(about["duration_us"])
        story += f'<p class="warn">Not finished: {reached} of {planned} are simulated so far.</p>'
    for contradiction in summary.contradictions:
        story += f'<p class="warn">Totals do not match: {escape(contradiction)}.</p>'
    if summary.not_written:
        story += f'<p class="note">Tables that were not written: {", ".join(summary.not_written)}.</p>'
    told_blocking = [f"{escape(group)}: {escape(text)}" for group, text in summary.blocking.items()]
    if told_blocking:
        story += f'<p class="note">{"; ".join(told_blocking)}.</p>'
    if summary.out_of_order is not None:
        story += f"<p>Stored out of order: {summary.out_of_order:,} copies.</p>"
    if about.get("description"):
        story += f'<p class="note">{escape(str(about["description"]))}</p>'
    return story


def _how_long(about: dict[str, Any]) -> str:
    if about.get("forever"):
        return f"without an end, so far for {clock(about['clock_us'])} of virtual time"
    return f"for {clock(about['duration_us'])} of virtual time"


def _tiles(data: ReportData) -> str:
    total, brokers, summary_events = data.summary.total, data.summary.brokers, data.summary.events
    results = {name for name, _, _ in data.messages.results}
    well = " or ".join(name for name in WELL if name in results) or "SEND_OK"
    tiles: list[tuple[str, str, str]] = []
    if total is not None and total.messages:
        skipped = summary_events["skipped"]
        wished = total.messages + skipped
        success = 100 * (total.messages - total.failed) / wished
        never = f"; {number(skipped)} never sent" if skipped else ""
        tiles += [
            ("Messages sent", f"{percent(success)} %", f"{well} of {number(wished)}{never}"),
            ("Failed messages", number(total.failed), f"{number(total.not_stored)} not stored"),
            ("Lost messages", number(total.lost), _lost_words(total)),
            ("Attempts / message", number(total.attempts_per_message, 3), "1 = no retries, no batches"),
            (
                "p99 send latency",
                f"{latency(total.p99_ms)} ms",
                f"median {latency(total.p50_ms)} ms, with retries",
            ),
            (
                "Duplicates",
                number(total.duplicates),
                f"copies beyond the first, of {some(total.duplicated, 'message')}",
            ),
        ]
    if any(broker.attempts for broker in brokers):
        most = max(brokers, key=lambda broker: broker.share_percent or 0)
        fair = fair_share(data, most.broker)
        share = f"{number(most.share_percent, 1)} %"
        tiles.append(("Largest broker share", share, f"{most.broker}; by its queues {number(fair, 1)}\u00a0%"))
    isolated = {broker.broker: broker.isolated_s for broker in brokers if broker.isolated_s is not None}
    if isolated:
        worst = max(isolated, key=lambda broker: isolated[broker])
        avoided = 100 * isolated[worst] * 1e6 / data.output.end_us
        who = f"of the time, per producer; most: {worst}" if avoided else "no broker was isolated"
        tiles.append(("Isolation", f"{number(avoided, 1)} %", who))
    return "".join(
        f"<div><dt>{escape(name)}</dt><dd>{escape(value)}<small>{escape(more)}</small></dd></div>"
        for name, value, more in tiles
    )


def _lost_words(total: GroupSummary) -> str:
    unseen = f"; {number(total.lost_unseen)} one-way lost unseen" if total.lost_unseen else ""
    return f"acknowledged, no durable copy{unseen}"


def fair_share(data: ReportData, broker: str) -> float:
    """The per cent of all attempts that a broker would get if every queue of a topic got the same."""
    scenario, part, total = scenario_of(data.output), 0.0, 0
    for topic, counts in data.queues.counts.items():
        total += int(counts.sum())
        route = scenario.route(topic) if scenario is not None and topic in scenario.topics else ()
        queues = {entry.broker: entry.write_queues for entry in route}
        if not queues:
            queues = dict.fromkeys(data.output.brokers, 1)
        part += int(counts.sum()) * queues.get(broker, 0) / max(sum(queues.values()), 1)
    return 100 * part / total if total else 100 / len(data.output.brokers)


def _tables(data: ReportData) -> str:
    summary = data.summary
    several = len(summary.groups) > 1
    total = summary.total
    groups = (*summary.groups, total) if several and total is not None else summary.groups
    parts = [_section("Brokers", _table("Brokers", BROKER_COLUMNS, telling(summary.brokers)))]
    if total is not None and total.messages:
        parts.append(_section("Producer groups", _table("Producer groups", GROUP_COLUMNS, groups, total=several)))
        if several:
            title = "Results of the messages, by producer group"
            parts.append(_section(title, _table(title, fate_columns(groups), groups, total=True)))
    else:
        why = "was not written" if total is None else "is empty"
        parts.append(_section("Producer groups", f'<p class="empty">The table sends {why}.</p>'))
    if summary.consumers:
        parts.append(
            _section(
                "Consumer groups", _table("Consumer groups", consumer_columns(summary.consumers), summary.consumers)
            )
        )
    for title, columns, rows in later_tables(summary.delays, summary.transactions):
        parts.append(_section(title, _table(title, columns, rows)))
    if summary.rejects:
        parts.append(_section("Rejects", _table("Rejects", REJECT_COLUMNS, summary.rejects)))
    else:
        parts.append(_section("Rejects", '<p class="empty">No record was rejected.</p>'))
    return "".join(parts)


def _results(data: ReportData) -> str:
    title = "How the messages ended"
    rows = data.messages.results
    if len(rows) > MAX_RESULTS:
        rest = rows[MAX_RESULTS - 1 :]
        others = (f"{len(rest)} other results", sum(row[1] for row in rest), sum(row[2] for row in rest))
        rows = [*rows[: MAX_RESULTS - 1], others]
    return _section(title, _table(title, RESULT_COLUMNS, rows, compact=True)) if rows else ""


def _section(title: str, content: str) -> str:
    return f'<section class="card"><h2>{title}</h2>{content}</section>'


def _table(title: str, columns: Columns, rows: Iterable[Any], total: bool = False, compact: bool = False) -> str:
    names: list[list[str]] = []
    for header, _ in columns:
        above, *unit = header.split("\n")
        names.append([above or names[-1][0], *unit])
    head = "".join(f'<th scope="col">{" ".join(n[:1])}<small>{"".join(n[1:])}</small></th>' for n in names)
    lines = [[escape(text(row)) for _, text in columns] for row in rows]
    body = ""
    for index, (first, *rest) in enumerate(lines):
        mark = ' class="total"' if total and index == len(lines) - 1 else ""
        body += f'<tr{mark}><th scope="row">{first}</th>{"".join(f"<td>{cell}</td>" for cell in rest)}</tr>'
    table = f"<table{' class=compact' if compact else ''}><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
    return wide(title, table)


def _footer(about: dict[str, Any], summary: Summary) -> str:
    events = summary.events
    text = (
        f"Sendlab {about['sendlab']}, run {summary.run}, seed {summary.seed}. "
        f"{number(events['generated'])} events: {number(events['handled'])} handled, "
        f"{number(events['rejected'])} rejected; {number(events['skipped'])} met a blocked thread and sent nothing"
        + (f", {number(summary.announced)} are fault and route updates. " if summary.announced else ". ")
        + "Percentiles are off by less than 1 %. Times are virtual."
    )
    if about.get("wall_s"):
        text += f" Simulated in {number(about['wall_s'], 1)} s."
    return sentence(text)
