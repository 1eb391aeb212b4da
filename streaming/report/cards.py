"""The cards of the pictures: those that are shown, in order, and why the others are not."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from simulator.units import some
from streaming.clock import length
from streaming.outputs.fates import AS_HOPED, FATE_NAMES, FATES
from streaming.report.collected.data import MAX_LANES, ReportData
from streaming.report.consumers.consumer_cards import backlog_cards
from streaming.report.consumers.delay_cards import delay_cards
from streaming.report.consumers.filter_cards import filter_cards
from streaming.report.consumers.pop_cards import pop_cards
from streaming.report.consumers.proxy_cards import proxy_cards
from streaming.report.consumers.retry_cards import retry_cards
from streaming.report.consumers.transaction_cards import transaction_cards
from streaming.report.fault_times import scenario_of
from streaming.report.figures import shown_endings
from streaming.report.group_labels import labelled, producer_kinds
from streaming.report.picture_card import PictureCard
from streaming.report.sets.set_cards import set_cards
from streaming.report.texts.card_texts import CardTexts
from streaming.report.traces import ENDING_COLOURS, FATE_COLOURS

MAX_NARROW = 4  # lanes of brokers that stand beside another picture
PERCENTILES = (("p50", "p50"), ("p99", "p99"), ("p99.9", "p99.9"))


def shown_cards(data: ReportData, made: Collection[str]) -> list[PictureCard]:
    """The cards of the pictures that were made, in the order of the page."""
    own = _of_producers(data)
    if len(data.messages.groups) > 1:  # several groups are there to be compared: that comes second
        own.sort(key=lambda card: (card.name != "load", card.name != "waits"))
    # What consumers read stands beside what producers send, and who is master below the load.
    first = 2 if data.consumers or data.sets or data.proxies else 0
    later = (
        *set_cards(data), *proxy_cards(data), *backlog_cards(data), *pop_cards(data), *filter_cards(data),
        *retry_cards(data), *delay_cards(data), *transaction_cards(data),
    )  # fmt: skip
    return [card for card in (*own[:first], *later, *own[first:]) if card.name in made]


def _of_producers(data: ReportData) -> list[PictureCard]:
    merged = "" if data.series.exact else CardTexts.MERGED()
    return [
        PictureCard(
            "load", CardTexts.LOAD(), CardTexts.LOAD_NOTE(every=length(data.bin_us)),
            [("share", "Share of attempts"), ("rate", "Attempts per second")],
        ),
        PictureCard(
            "latency", CardTexts.LATENCY(), CardTexts.LATENCY_NOTE(merged=merged), PERCENTILES, "p99",
        ),
        _fates_card(data),
        _failures_card(data),
        PictureCard(
            "waits", CardTexts.WAITS(), CardTexts.WAITS_NOTE(), PERCENTILES, "p99",
            keys={"": labelled(data.messages.groups, producer_kinds(scenario_of(data.output)))},
        ),
        _isolation_card(data),
        PictureCard("retries", CardTexts.RETRIES(), CardTexts.RETRIES_NOTE()),
        PictureCard("order", CardTexts.OUT_OF_ORDER(), CardTexts.OUT_OF_ORDER_NOTE()),
    ]  # fmt: skip


def without_picture(data: ReportData, made: Collection[str]) -> str:
    """Why pictures that a reader may look for are not there."""
    has_attempts, total = bool(data.series.attempts.any()), data.summary.total
    written = data.summary.brokers[0].attempts is not None
    empty = {
        "load": CardTexts.NO_ATTEMPTS() if written else CardTexts.NO_ATTEMPTS_TABLE(),
        "fates": CardTexts.NO_MESSAGE_FAILED() if total is not None and total.messages else "",
        "latency": CardTexts.NO_ATTEMPT_TOOK_TIME() if has_attempts else "",
        "avoidance": _why_not_avoided(data),
        "failures": "" if not has_attempts else _unreached(data) or CardTexts.NO_ATTEMPT_FAILED(),
        "retries": CardTexts.NO_RETRY() if has_attempts and not _unreached(data) else "",
    }
    return " ".join(text for name, text in empty.items() if name not in made and text)


def _unreached(data: ReportData) -> str:
    """That attempts over proxies failed which the pictures of brokers do not have; "" where none did."""
    failed = int(data.proxies.failures.sum())
    return CardTexts.FAILED_UNREACHED(count=failed) if failed else ""


def isolation(data: ReportData, made: Collection[str]) -> dict[str, Any]:
    """Whether the picture of isolated brokers is as wide as the page, and which producers are shown one by one."""
    total, sample = data.output.producers, len(data.sample)
    which = f"all {total:,}" if sample == total else CardTexts.EVENLY_SPACED(sample=sample, total=total)
    return {"is_full": len(data.lanes) > MAX_NARROW, "producers": which if "producers" in made else ""}


def _failures_card(data: ReportData) -> PictureCard:
    names, _ = shown_endings(data)
    sets = [("outcome", "By outcome"), ("broker", "By broker")] if names else []
    keys = {"outcome": list(zip(names, ENDING_COLOURS, strict=False))} if names else {}
    worst = sorted(data.summary.brokers, key=lambda broker: -(broker.failures or 0))[:3]
    most = ", ".join(f"{each.broker} {each.failures:,}" for each in worst if each.failures)
    most += " and more" if sum(1 for each in data.summary.brokers if each.failures) > len(worst) else ""
    note = CardTexts.FAILED_NOTE(brokers=most)
    return PictureCard("failures", CardTexts.FAILED(), note, sets, "outcome", keys)


def _fates_card(data: ReportData) -> PictureCard:
    keys = _fate_keys(data)
    if len(data.messages.groups) < 2 or not data.messages.failed.any():
        return PictureCard("fates", CardTexts.FATES(), CardTexts.FATES_NOTE(), first="fate", keys={"": keys})
    sets = [("fate", CardTexts.FATES_BY_RESULT()), ("group", CardTexts.FATES_BY_GROUP())]
    by_group = labelled(data.messages.groups, producer_kinds(scenario_of(data.output)))
    shown = [own for own, counts in zip(by_group, data.messages.failed, strict=True) if counts.any()]
    return PictureCard(
        "fates", CardTexts.FATES(), CardTexts.FATES_NOTE(), sets, "fate", {"fate": keys, "group": shown},
    )  # fmt: skip


def _fate_keys(data: ReportData) -> list[tuple[str, str]]:
    every = zip(FATES, FATE_COLOURS, data.messages.fates, strict=True)
    return [(FATE_NAMES[fate], shade) for fate, shade, counts in every if counts.any() and fate not in AS_HOPED]


def _why_not_avoided(data: ReportData) -> str:
    if "fault_items" in data.summary.not_written:
        return CardTexts.NO_FAULT_ITEMS_TABLE()
    about = data.output.about
    if not any(group.get("strategy", about["strategy"]) for group in about["producer_groups"]):
        return CardTexts.STRATEGY_OFF()
    if not data.fault_changes:
        return CardTexts.NO_FAULT_ITEM_CHANGED()
    return CardTexts.NO_ISOLATION(changes=some(data.fault_changes, "change"))


def _isolation_card(data: ReportData) -> PictureCard:
    never = len(data.output.brokers) - int((data.fraction.max(axis=1, initial=0) > 0).sum())
    were = "was" if never == 1 else "were"
    note = CardTexts.ISOLATED_NOTE(
        never=CardTexts.ISOLATED_NEVER(brokers=some(never, "broker"), were=were) if never else "",
        longest=CardTexts.ISOLATED_LONGEST(most=MAX_LANES) if len(data.lanes) == MAX_LANES else "",
    )
    return PictureCard("avoidance", CardTexts.ISOLATED(), note)
