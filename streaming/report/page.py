"""The HTML page around the pictures: story, key figures, tables. Every name in it is escaped."""

from __future__ import annotations

import base64
import gzip
import json
import os
from collections.abc import Iterable
from html import escape
from pathlib import Path
from string import Template
from typing import Any

from plotly.offline import get_plotlyjs

from streaming.dataset import Output
from streaming.errors import InputError
from streaming.report.data import MAX_LANES, ReportData, collect
from streaming.report.figures import SOLID, at_ms, colours, figures
from streaming.summary import (
    BROKER_COLUMNS,
    GROUP_COLUMNS,
    REJECT_COLUMNS,
    Columns,
    Summary,
    latency,
    number,
    percent,
)

MAX_FAULTS = 60


def write_page(folder: Path, out: Path) -> Path:
    """Write the report of `folder` to the file `out`; a reader never sees half a page.

    Raises InputError if the folder is not an output of Sendlab, or `out` cannot be written.
    """
    page = build(collect(folder))
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
        part = out.with_name(f".{out.name}.part")
        part.write_text(page, encoding="utf-8")
        os.replace(part, out)
    except OSError as error:
        raise InputError(f"{out}: the report cannot be written ({error.strerror}).") from error
    return out


def build(data: ReportData) -> str:
    """The whole page as text."""
    about, summary = data.output.about, data.summary
    made = {name: json.loads(figure.to_json()) for name, figure in figures(data).items()}
    faults = _faults(data.output)
    payload = {
        "range": [at_ms(0), at_ms(data.output.end_us)],
        "faults": [_on_axis(fault) for fault in faults[:MAX_FAULTS]],
        "figures": made,
    }
    here = Path(__file__).parent
    return Template((here / "page.html").read_text(encoding="utf-8")).substitute(
        title=escape(f"{summary.scenario_name} - Sendlab"),
        style=(here / "style.css").read_text(encoding="utf-8"),
        script=(here / "page.js").read_text(encoding="utf-8"),
        heading=escape(summary.scenario_name),
        story=_story(data),
        tiles=_tiles(summary),
        faults=_fault_list(faults),
        charts=_charts(data, made),
        tables=_tables(summary),
        scenario=escape(about["scenario_yaml"]),
        footer=_footer(about, summary),
        # "<" would let a name end the script element.
        figures=json.dumps(payload, separators=(",", ":")).replace("<", "\\u003c"),
        plotly=_packed_plotly() if made else "",
    )


def clock(us: float) -> str:
    """Virtual time as m:ss, h:mm:ss or days."""
    seconds = int(us // 1_000_000)
    days, hours, minutes, rest = seconds // 86400, seconds // 3600 % 24, seconds // 60 % 60, seconds % 60
    if days:
        return f"{days} d {hours:02}:{minutes:02}:{rest:02}"
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


def _packed_plotly() -> str:
    # Compressed, plotly takes 2 MB of the page and not 5.
    return base64.b64encode(gzip.compress(get_plotlyjs().encode(), mtime=0)).decode()


def _faults(output: Output) -> list[dict[str, Any]]:
    end_us = output.end_us
    rows = sorted(output.about["faults"], key=lambda fault: (fault["at_us"], fault["broker"] or ""))
    return [
        {
            "number": f"F{index}",
            "label": str(fault.get("label") or f"{fault['broker']} {fault['kind']}"),
            "from_us": fault["at_us"],
            "until_us": min(end_us if fault.get("until_us") is None else fault["until_us"], end_us),
        }
        for index, fault in enumerate(rows, start=1)
        if fault["at_us"] < end_us
    ]


def _on_axis(fault: dict[str, Any]) -> dict[str, Any]:
    return {**fault, "from": at_ms(fault["from_us"]), "until": at_ms(fault["until_us"])}


def _fault_list(faults: list[dict[str, Any]]) -> str:
    if not faults:
        return '<p class="note">No faults are scripted in the time that was simulated.</p>'
    items = "".join(
        f"<li><b>{fault['number']}</b> {escape(fault['label'])} "
        f"<time>{clock(fault['from_us'])} to {clock(fault['until_us'])}</time></li>"
        for fault in faults
    )
    shaded = f", the first {MAX_FAULTS} are shaded in the pictures" if len(faults) > MAX_FAULTS else ""
    return (
        f'<details class="card"{" open" if len(faults) <= 8 else ""}><summary><h2>Faults</h2> '
        f'<span class="note">{_some(len(faults), "fault")}{shaded}</span></summary>'
        f'<ul class="faults">{items}</ul></details>'
    )


def _story(data: ReportData) -> str:
    about, summary = data.output.about, data.summary
    # Named after the client's own setting: that is what a reader will look for in a configuration.
    switch = "on" if summary.strategy else "off"
    faults = _faults(data.output)
    told = [f"{escape(fault['label'])} ({clock(fault['from_us'])} to {clock(fault['until_us'])})" for fault in faults]
    what = "No faults." if not told else f"Faults: {'; '.join(told[:3])}{' and more' if len(told) > 3 else ''}."
    topics = len(about.get("topics", ())) or 1
    story = (
        f"<p>{_some(data.output.producers, 'producer')} with RocketMQ client {escape(summary.release)}, "
        f"<code>sendLatencyFaultEnable</code> <strong>{switch}</strong>, send to {_some(topics, 'topic')} on "
        f"{_some(len(summary.brokers), 'broker')} for {clock(about['duration_us'])} of "
        f"virtual time. {what}</p>"
    )
    if not summary.finished:
        reached, planned = clock(about["clock_us"]), clock(about["duration_us"])
        story += f'<p class="warn">Not finished: {reached} of {planned} are simulated so far.</p>'
    if not summary.events_add_up:
        story += '<p class="warn">The events handled and rejected do not add up to those generated.</p>'
    told_blocking = [f"{escape(group)}: {escape(text)}" for group, text in summary.blocking.items()]
    if told_blocking:
        story += f'<p class="note">{"; ".join(told_blocking)}.</p>'
    if summary.out_of_order is not None:
        story += f"<p>Stored out of order: {summary.out_of_order:,} copies.</p>"
    if about.get("description"):
        story += f'<p class="note">{escape(str(about["description"]))}</p>'
    return story


def _tiles(summary: Summary) -> str:
    total, brokers = summary.total, summary.brokers
    tiles: list[tuple[str, str, str]] = []
    if total.messages:
        tiles += [
            ("Messages sent", f"{percent(total.success_percent)} %", f"SEND_OK of {number(total.messages)}"),
            ("Failed messages", number(total.failed), f"{number(total.lost)} lost: no copy stored"),
            ("Attempts / message", number(total.attempts_per_message, 3), "1 = no retries"),
            (
                "p99 send latency",
                f"{latency(total.p99_ms)} ms",
                f"median {latency(total.p50_ms)} ms, with retries",
            ),
            ("Duplicates", number(total.duplicates), "copies beyond the first"),
        ]
    if any(broker.attempts for broker in brokers):
        most = max(brokers, key=lambda broker: broker.share_percent)
        fair = 100 / len(brokers)
        share = f"{number(most.share_percent, 1)} %"
        tiles.append(("Largest broker share", share, f"{most.broker}; even is {number(fair, 1)}\u00a0%"))
    if brokers:
        worst = max(brokers, key=lambda broker: broker.isolated_s)
        who = f"per producer, all brokers; most {worst.broker}" if worst.isolated_s else "no broker was avoided"
        tiles.append(("Isolation", f"{number(sum(broker.isolated_s for broker in brokers), 1)} s", who))
    return "".join(
        f"<div><dt>{escape(name)}</dt><dd>{escape(value)}<small>{escape(more)}</small></dd></div>"
        for name, value, more in tiles
    )


def _charts(data: ReportData, made: dict[str, Any]) -> str:
    summary, every = data.summary, clock_text(data.bin_us)
    table = "attempts" if data.output.has("attempts") else "windows"
    no_attempts = f"No attempts: the table {table} is missing or empty."
    merged = "" if data.series.exact else " From the windows table: the highest percentile of the windows in a point."
    cards = [
        _card(
            made,
            "load",
            "Load by broker",
            f"Attempts by the time they ended, a point every {every}.",
            no_attempts,
            [("share", "Share of attempts"), ("rate", "Attempts per second")],
        ),
        _card(
            made,
            "latency",
            "Latency of attempts by broker, ms",
            "From the begin of an attempt until the client knew its outcome; logarithmic." + merged,
            no_attempts,
            [("p50", "p50"), ("p99", "p99"), ("p99.9", "p99.9")],
            "p99",
        ),
        _isolation_card(data, made),
        _card(
            made,
            "failures",
            "Failed attempts per second",
            "Attempts with any outcome but SEND_OK, by broker.",
            "No attempt failed." if summary.brokers and data.series.attempts.any() else no_attempts,
        ),
        _card(
            made,
            "retries",
            "Retries per second",
            "Second and later attempts, by the broker they went to.",
            "No attempt was a retry." if data.series.attempts.any() else no_attempts,
        ),
    ]
    return _legend(data) + "".join(cards)


def clock_text(us: int) -> str:
    """A short length of time: 500 ms, 1 s, 12 s, 2 min."""
    if us < 1_000_000:
        return f"{us / 1000:g} ms"
    return f"{us / 1e6:g} s" if us < 120_000_000 else f"{us / 6e7:g} min"


def _legend(data: ReportData) -> str:
    chips = "".join(
        f'<button type="button" data-line="{line}" aria-pressed="true" title="Show or hide {escape(name)}">'
        f'<i style="border-color:{colour}"{" class=dashed" if line >= SOLID else ""}></i>'
        f"{escape(name)}</button>"
        for line, (name, colour) in enumerate(zip(data.series.names, colours(data), strict=True))
    )
    return (
        '<div class="legend" role="group" aria-label="Brokers: show or hide in all pictures">'
        f'{chips}<button type="button" id="reset" hidden>Whole run</button></div>'
    )


def _isolation_card(data: ReportData, made: dict[str, Any]) -> str:
    if not data.summary.strategy:
        empty = "sendLatencyFaultEnable is off: producers keep no fault items and avoid no broker."
    elif not data.fault_changes:
        empty = "No fault items: the table fault_items is missing or empty."
    else:
        empty = f"No producer avoided a broker in {_some(data.fault_changes, 'change')} of fault items."
    never = len(data.output.brokers) - int((data.fraction.max(axis=1, initial=0) > 0).sum())
    note = (
        "How many producers see a broker as not available."
        + (f" {_some(never, 'broker')} {'was' if never == 1 else 'were'} never avoided." if never else "")
        + (f" The {MAX_LANES} avoided longest are shown." if len(data.lanes) == MAX_LANES else "")
        + ' <span class="scale">0 % <i></i> 100 % of producers</span>'
    )
    card = _card(made, "avoidance", "Brokers avoided by producers", note, empty)
    if "producers" not in made:
        return card
    total, sample = data.output.producers, len(data.sample)
    which = f"all {total:,}" if sample == total else f"{sample} of {total:,}, evenly spaced"
    box = _box(made, "producers", "Bars of the times at which each producer avoided a broker")
    return card.removesuffix("</section>") + (
        f'<details><summary><h3>Producer by producer</h3> <span class="note">({which}; '
        f"rows are numbers of producers, colours are brokers)</span></summary>{box}</details></section>"
    )


def _card(
    made: dict[str, Any],
    name: str,
    title: str,
    note: str,
    empty: str,
    sets: Iterable[tuple[str, str]] = (),
    first: str = "share",
) -> str:
    head = f'<section class="card" aria-labelledby="title-{name}"><h2 id="title-{name}">{title}</h2>'
    if name not in made:
        return f'{head}<p class="empty">{empty}</p></section>'
    buttons = "".join(
        f'<button type="button" data-of="{name}" data-set="{key}" '
        f'aria-pressed="{"true" if key == first else "false"}">{text}</button>'
        for key, text in sets
    )
    choices = f'<div class="choices" role="group" aria-label="{title}: what to show">{buttons}</div>' if buttons else ""
    box = _box(made, name, f"{title}, over virtual time")
    return f'{head}<p class="note">{note}</p>{choices}{box}</section>'


def _box(made: dict[str, Any], name: str, label: str) -> str:
    height = made[name]["layout"]["height"]
    attributes = f'data-figure="{name}" role="img" aria-label="{label}" style="height:{height}px"'
    return f'<div class="figure waiting" {attributes}></div>'


def _tables(summary: Summary) -> str:
    groups = summary.groups if len(summary.groups) < 2 else (*summary.groups, summary.total)
    parts = [_section("Brokers", _table("Brokers", BROKER_COLUMNS, summary.brokers))]
    if summary.total.messages:
        parts.append(
            _section("Producer groups", _table("Producer groups", GROUP_COLUMNS, groups, total=len(groups) > 1))
        )
    else:
        parts.append(_section("Producer groups", '<p class="empty">The table sends is missing or empty.</p>'))
    if summary.rejects:
        parts.append(_section("Rejects", _table("Rejects", REJECT_COLUMNS, summary.rejects)))
    else:
        parts.append(_section("Rejects", '<p class="empty">No record was rejected.</p>'))
    return "".join(parts)


def _section(title: str, content: str) -> str:
    return f'<section class="card"><h2>{title}</h2>{content}</section>'


def _table(title: str, columns: Columns, rows: Iterable[Any], total: bool = False) -> str:
    names = [header.split("\n") for header, _ in columns]
    head = "".join(f'<th scope="col">{" ".join(n[:1])}<small>{"".join(n[1:])}</small></th>' for n in names)
    lines = [[escape(text(row)) for _, text in columns] for row in rows]
    body = ""
    for index, (first, *rest) in enumerate(lines):
        mark = ' class="total"' if total and index == len(lines) - 1 else ""
        body += f'<tr{mark}><th scope="row">{first}</th>{"".join(f"<td>{cell}</td>" for cell in rest)}</tr>'
    table = f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
    return f'<div class="wide" tabindex="0" role="group" aria-label="{title}">{table}</div>'


def _footer(about: dict[str, Any], summary: Summary) -> str:
    events = summary.events
    text = (
        f"Sendlab {about['sendlab']}, run {summary.run}, seed {summary.seed}. "
        f"{number(events['generated'])} events: {number(events['handled'])} handled, "
        f"{number(events['rejected'])} rejected; {number(events['skipped'])} met a blocked thread and sent nothing. "
        "Percentiles are off by less than 1 %. Times are virtual."
    )
    if about.get("wall_s"):
        text += f" Simulated in {number(about['wall_s'], 1)} s."
    return escape(text)


def _some(count: int, noun: str) -> str:
    return f"{count:,} {noun}{'' if count == 1 else 's'}"
