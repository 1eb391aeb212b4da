"""The cards of the pictures: those that are shown, in order, and why the others are not."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from streaming.clock import length, some
from streaming.outputs.fates import AS_HOPED, FATE_NAMES, FATES
from streaming.report.collected.data import MAX_LANES, ReportData
from streaming.report.consumers.consumer_cards import backlog_cards
from streaming.report.consumers.delay_cards import delay_cards
from streaming.report.consumers.pop_cards import pop_cards
from streaming.report.consumers.retry_cards import retry_cards
from streaming.report.consumers.transaction_cards import transaction_cards
from streaming.report.figures import shown_endings
from streaming.report.picture_card import PictureCard
from streaming.report.sets.set_cards import set_cards
from streaming.report.traces import ENDING_COLOURS, FATE_COLOURS, GROUP_COLOURS

MAX_NARROW = 4  # lanes of brokers that stand beside another picture
PERCENTILES = (("p50", "p50"), ("p99", "p99"), ("p99.9", "p99.9"))


def shown_cards(data: ReportData, made: Collection[str]) -> list[PictureCard]:
    """The cards of the pictures that were made, in the order of the page."""
    own = _of_producers(data)
    if len(data.messages.groups) > 1:  # several groups are there to be compared: that comes second
        own.sort(key=lambda card: (card.name != "load", card.name != "waits"))
    # What consumers read stands beside what producers send, and who is master below the load.
    first = 2 if data.consumers or data.sets else 0
    later = (
        *set_cards(data), *backlog_cards(data), *pop_cards(data), *retry_cards(data), *delay_cards(data),
        *transaction_cards(data),
    )  # fmt: skip
    return [card for card in (*own[:first], *later, *own[first:]) if card.name in made]


def _of_producers(data: ReportData) -> list[PictureCard]:
    merged = "" if data.series.exact else " From the windows table: the highest percentile of the windows in a point."
    return [
        PictureCard(
            "load", "Load by broker",
            f"Attempts by the time they ended, a point every {length(data.bin_us)}; blank where none ended.",
            [("share", "Share of attempts"), ("rate", "Attempts per second")],
        ),
        PictureCard(
            "latency", "Latency of attempts by broker, ms",
            "From the begin of an attempt until the client knew its outcome; logarithmic." + merged, PERCENTILES, "p99",
        ),
        PictureCard(
            "fates", "Failed, lost or duplicated messages, per second",
            "Every message that was not acknowledged and stored exactly once, by intended send time.",
            keys={"": _fate_keys(data)},
        ),
        _failures_card(data),
        PictureCard(
            "waits", "What callers waited, by producer group, ms",
            "From the intended send time until the answer, with retries and waiting for a free thread; logarithmic.",
            PERCENTILES, "p99",
            keys={"": list(zip(data.messages.groups, GROUP_COLOURS, strict=False))},
        ),
        _isolation_card(data),
        PictureCard("retries", "Retries per second", "Second and later attempts, by the broker they went to."),
        PictureCard(
            "order", "Stored out of order, copies per second",
            "Copies stored after a later message of their thread and key, by broker.",
        ),
    ]  # fmt: skip


def without_picture(data: ReportData, made: Collection[str]) -> str:
    """Why pictures that a reader may look for are not there."""
    has_attempts, total = bool(data.series.attempts.any()), data.summary.total
    written = data.summary.brokers[0].attempts is not None
    empty = {
        "load": "No attempts." if written else "No table of attempts was written.",
        "fates": "No message failed, and each is stored once." if total is not None and total.messages else "",
        "latency": "No attempt took any time: nobody waits for the answer to a one-way send." if has_attempts else "",
        "avoidance": _why_not_avoided(data),
        "failures": "No attempt failed." if has_attempts else "",
        "retries": "No attempt was a retry." if has_attempts else "",
    }
    return " ".join(text for name, text in empty.items() if name not in made and text)


def isolation(data: ReportData, made: Collection[str]) -> dict[str, Any]:
    """Whether the picture of isolated brokers is as wide as the page, and which producers are shown one by one."""
    total, sample = data.output.producers, len(data.sample)
    which = f"all {total:,}" if sample == total else f"{sample} of {total:,}, evenly spaced"
    return {"is_full": len(data.lanes) > MAX_NARROW, "producers": which if "producers" in made else ""}


def _failures_card(data: ReportData) -> PictureCard:
    names, _ = shown_endings(data)
    sets = [("outcome", "By outcome"), ("broker", "By broker")] if names else []
    keys = {"outcome": list(zip(names, ENDING_COLOURS, strict=False))} if names else {}
    worst = sorted(data.summary.brokers, key=lambda broker: -(broker.failures or 0))[:3]
    most = ", ".join(f"{each.broker} {each.failures:,}" for each in worst if each.failures)
    most += " and more" if sum(1 for each in data.summary.brokers if each.failures) > len(worst) else ""
    note = f"Attempts with any outcome but SEND_OK (one-way: SENT_ONEWAY): {most}."
    return PictureCard("failures", "Failed attempts per second", note, sets, "outcome", keys)


def _fate_keys(data: ReportData) -> list[tuple[str, str]]:
    every = zip(FATES, FATE_COLOURS, data.messages.fates, strict=True)
    return [(FATE_NAMES[fate], shade) for fate, shade, counts in every if counts.any() and fate not in AS_HOPED]


def _why_not_avoided(data: ReportData) -> str:
    if "fault_items" in data.summary.not_written:
        return "The table fault_items was not written, so isolation is not known."
    if not data.summary.strategy:
        return "sendLatencyFaultEnable is off: producers keep no fault items and isolate no broker."
    if not data.fault_changes:
        return "No fault item changed."
    return f"No producer isolated a broker in {some(data.fault_changes, 'change')} of fault items."


def _isolation_card(data: ReportData) -> PictureCard:
    never = len(data.output.brokers) - int((data.fraction.max(axis=1, initial=0) > 0).sum())
    note = (
        "How many producers see a broker as not available."
        + (f" {some(never, 'broker')} {'was' if never == 1 else 'were'} never isolated." if never else "")
        + (f" The {MAX_LANES} isolated longest are shown." if len(data.lanes) == MAX_LANES else "")
    )
    return PictureCard("avoidance", "Brokers isolated by producers", note)
