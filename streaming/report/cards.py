"""The cards of the pictures: title, what is seen, buttons, keys; those with nothing to show share one card."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from typing import Any

from streaming.clock import length, some
from streaming.outputs.fates import AS_HOPED, FATE_NAMES, FATES
from streaming.report.collected.data import MAX_LANES, ReportData
from streaming.report.collected.queues import queue_card
from streaming.report.consumers.consumer_cards import backlog_cards, owner_cards
from streaming.report.consumers.delay_cards import delay_card
from streaming.report.consumers.retry_cards import retry_cards
from streaming.report.consumers.transaction_cards import transaction_cards
from streaming.report.figures import shown_endings
from streaming.report.traces import ENDING_COLOURS, FATE_COLOURS, GROUP_COLOURS, SOLID, colours

Sets = Sequence[tuple[str, str]]
MAX_NARROW = 4  # lanes of brokers that stand beside another picture
PERCENTILES: Sets = (("p50", "p50"), ("p99", "p99"), ("p99.9", "p99.9"))


def charts(data: ReportData, made: dict[str, Any]) -> str:
    """The legend of brokers, a card for each picture, and what there is no picture of. made: name -> figure."""
    has_attempts = bool(data.series.attempts.any())
    no_attempts = (
        "No attempts." if data.summary.brokers[0].attempts is not None else "No table of attempts was written."
    )
    total = data.summary.total
    well = total is not None and total.messages
    merged = "" if data.series.exact else " From the windows table: the highest percentile of the windows in a point."
    shown = {
        "load": picture_card(
            made, "load", "Load by broker", 
            f"Attempts by the time they ended, a point every {length(data.bin_us)}; blank where none ended.",
            [("share", "Share of attempts"), ("rate", "Attempts per second")],
        ),
        "latency": picture_card(
            made, "latency", "Latency of attempts by broker, ms",
            "From the begin of an attempt until the client knew its outcome; logarithmic." + merged, PERCENTILES, "p99",
        ),
        "fates": picture_card(
            made, "fates", "Failed, lost or duplicated messages, per second",
            "Every message that was not acknowledged and stored exactly once, by the time of the wish to send.",
            keys={"": _fate_keys(data)},
        ),
        "failures": _failures_card(data, made),
        "waits": picture_card(
            made, "waits", "What callers waited, by producer group, ms",
            "From the wish to send until the answer, with retries and waiting for a free thread, by the time of the "
            "wish; logarithmic.", PERCENTILES, "p99",
            keys={"": list(zip(data.messages.groups, GROUP_COLOURS, strict=False))},
        ),
        "avoidance": _isolation_card(data, made),
        "retries": picture_card(
            made, "retries", "Retries per second", "Second and later attempts, by the broker they went to."
        ),
        "order": picture_card(
            made, "order", "Stored out of order, copies per second",
            "Copies stored after a later message of their thread and key, by broker.",
        ),
    }  # fmt: skip
    empty = {
        "load": no_attempts,
        "fates": "No message failed, and each is stored once." if well else "",
        "latency": "No attempt took any time: nobody waits for the answer to a one-way send." if has_attempts else "",
        "avoidance": _why_not_avoided(data),
        "failures": "No attempt failed." if has_attempts else "",
        "retries": "No attempt was a retry." if has_attempts else "",
    }
    several = len(data.messages.groups) > 1
    rest = [text for name, text in empty.items() if name not in made and text]
    nothing = (
        f'<section class="card"><h2>Without a picture</h2><p class="empty">{" ".join(rest)}</p></section>'
        if rest
        else ""
    )
    # Several groups are there to be compared: that comes first.
    order = sorted(shown, key=lambda name: 0.5 if name == "waits" and several else list(shown).index(name))
    # What consumers read stands beside what producers send.
    first = [name for name in order[:2] if name in made] if data.consumers else []
    head = "".join(shown[name] for name in first) + backlog_cards(data, made, picture_card)
    for cards_of in (retry_cards, delay_card, transaction_cards):
        head += cards_of(data, made, picture_card)
    cards = head + "".join(shown[name] for name in order if name in made and name not in first)
    owned = owner_cards(data, made, picture_card)
    return f'{_legend(data)}<div class="charts">{cards}</div>{owned}{queue_card(data.queues)}{nothing if rest else ""}'


def _failures_card(data: ReportData, made: dict[str, Any]) -> str:
    names, _ = shown_endings(data)
    sets = [("outcome", "By outcome"), ("broker", "By broker")] if names else []
    keys = {"outcome": list(zip(names, ENDING_COLOURS, strict=False))} if names else {}
    worst = sorted(data.summary.brokers, key=lambda broker: -(broker.failures or 0))[:3]
    most = ", ".join(f"{escape(each.broker)} {each.failures:,}" for each in worst if each.failures)
    most += " and more" if sum(1 for each in data.summary.brokers if each.failures) > len(worst) else ""
    note = f"Attempts with any outcome but SEND_OK (one-way: SENT_ONEWAY): {most}."
    return picture_card(made, "failures", "Failed attempts per second", note, sets, "outcome", keys)


def _fate_keys(data: ReportData) -> list[tuple[str, str]]:
    every = zip(FATES, FATE_COLOURS, data.messages.fates, strict=True)
    return [(FATE_NAMES[fate], shade) for fate, shade, counts in every if counts.any() and fate not in AS_HOPED]


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


def _why_not_avoided(data: ReportData) -> str:
    if "fault_items" in data.summary.not_written:
        return "The table fault_items was not written, so isolation is not known."
    if not data.summary.strategy:
        return "sendLatencyFaultEnable is off: producers keep no fault items and isolate no broker."
    if not data.fault_changes:
        return "No fault item changed."
    return f"No producer isolated a broker in {some(data.fault_changes, 'change')} of fault items."


def _isolation_card(data: ReportData, made: dict[str, Any]) -> str:
    never = len(data.output.brokers) - int((data.fraction.max(axis=1, initial=0) > 0).sum())
    note = (
        "How many producers see a broker as not available."
        + (f" {some(never, 'broker')} {'was' if never == 1 else 'were'} never isolated." if never else "")
        + (f" The {MAX_LANES} isolated longest are shown." if len(data.lanes) == MAX_LANES else "")
        + ' <span class="scale">0 % <i></i> 100 % of producers</span>'
    )
    card = picture_card(made, "avoidance", "Brokers isolated by producers", note)
    if len(data.lanes) > MAX_NARROW:
        card = card.replace('class="card"', 'class="card full"', 1)
    if "producers" not in made:
        return card
    total, sample = data.output.producers, len(data.sample)
    which = f"all {total:,}" if sample == total else f"{sample} of {total:,}, evenly spaced"
    box = _box(made, "producers", "Bars of the times at which each producer isolated a broker")
    return card.removesuffix("</section>") + (
        f'<details><summary><h3>Producer by producer</h3> <span class="note">({which}; '
        f"rows are numbers of producers, colours are brokers)</span></summary>{box}</details></section>"
    )


def picture_card(
    made: dict[str, Any],
    name: str,
    title: str,
    note: str,
    sets: Sets = (),
    first: str = "share",
    keys: dict[str, list[tuple[str, str]]] | None = None,
) -> str:
    """keys: the set they belong to ('' for all) -> name and colour of lines that are not brokers."""
    if name not in made:
        return ""
    head = f'<section class="card" aria-labelledby="title-{name}"><h2 id="title-{name}">{title}</h2>'
    buttons = "".join(
        f'<button type="button" data-of="{name}" data-set="{key}" '
        f'aria-pressed="{"true" if key == first else "false"}">{text}</button>'
        for key, text in sets
    )
    choices = f'<div class="choices" role="group" aria-label="{title}: what to show">{buttons}</div>' if buttons else ""
    told = "".join(_keys(name, which, lines) for which, lines in (keys or {}).items())
    box = _box(made, name, f"{title}, over virtual time")
    return f'{head}<p class="note">{note}</p>{choices}{told}{box}</section>'


def _keys(name: str, which: str, lines: Iterable[tuple[str, str]]) -> str:
    marks = "".join(f'<span><i style="border-color:{shade}"></i>{escape(text)}</span>' for text, shade in lines)
    return f'<p class="keys" data-keys-of="{name}" data-keys="{which}">{marks}</p>'


def _box(made: dict[str, Any], name: str, label: str) -> str:
    height = made[name]["layout"]["height"]
    attributes = f'data-figure="{name}" role="img" aria-label="{label}" style="height:{height}px"'
    return f'<div class="figure waiting" {attributes}></div>'
