"""Suspects of transactions: local ones that end in nothing or too late, and half messages that escape."""

from __future__ import annotations

from collections.abc import Iterator

from simulator.causes.suspect import Removal, Suspect
from simulator.causes.texts.suspect_texts import SuspectTexts, WithoutTexts
from simulator.releases.broker_release import BROKERS
from simulator.scenario import Scenario
from simulator.scenario.later.transaction import Transaction
from simulator.scenario.producers import ProducerGroup
from simulator.units import US_PER_S, format_duration
from state.texts import listed

OF_ENDS = ("late_transactions",)
OF_ESCAPES = ("readable_twice", "delivered_again")
OPEN_OUTCOMES = ("unknown", "never")  # of local transactions: only a check can end these messages


def transaction_suspects(scenario: Scenario) -> Iterator[Suspect]:
    """The suspects of each transactional group, and brokers whose slaves put messages on others."""
    whole = ((0, scenario.duration_us),)
    escaping = [name for name, broker in scenario.brokers.items() if broker.escapes]
    if escaping:
        text = SuspectTexts.ESCAPES(brokers=listed(escaping))
        yield Suspect("escape", text, whole, _without_escapes, OF_ESCAPES, WithoutTexts.ESCAPES())
    refuses = any(BROKERS[own.release].refuses_late_ends for own in scenario.brokers.values())
    for group in scenario.producers:
        own = group.transaction
        if own is None:
            continue
        name = group.group
        part = sum(own.outcome.get(outcome, 0) for outcome in OPEN_OUTCOMES) / sum(own.outcome.values())
        if part:
            text = SuspectTexts.UNKNOWN_OUTCOMES(group=name, percent=f"{100 * part:.3g}")
            remove = _with_transaction(name, outcome=_ended(own))
            yield Suspect(f"unknown {name}", text, whole, remove, OF_ENDS, WithoutTexts.UNKNOWN_OUTCOMES(), (name,))
        longest_us = int(own.local.service_table_us().max())
        if refuses and 0 < own.check_immunity_time_us < longest_us:
            enough_us = (longest_us // US_PER_S + 2) * US_PER_S  # the half message is older than its transaction
            text = SuspectTexts.ENDS_TOO_LATE(group=name, immunity=format_duration(own.check_immunity_time_us))
            remove = _with_transaction(name, check_immunity_time_us=enough_us)
            short = WithoutTexts.ENOUGH_IMMUNITY(enough=format_duration(enough_us))
            yield Suspect(f"immunity {name}", text, whole, remove, OF_ENDS, short, (name,))


def _without_escapes(scenario: Scenario) -> Scenario:
    """What waits for its master stays where it is."""
    off = {"enable_remote_escape": False}
    brokers = {name: own.model_copy(update=off) for name, own in scenario.brokers.items()}
    return scenario.model_copy(update={"brokers": brokers})


def _ended(own: Transaction) -> dict[str, int]:
    """Its outcomes with commit instead of what leaves a message open."""
    left = sum(own.outcome.get(outcome, 0) for outcome in OPEN_OUTCOMES)
    kept = {name: weight for name, weight in own.outcome.items() if name not in OPEN_OUTCOMES}
    return {**kept, "commit": kept.get("commit", 0) + left}


def _with_transaction(name: str, **values: object) -> Removal:
    """A group with other settings of its transactions."""

    def change(own: ProducerGroup) -> ProducerGroup:
        if own.group != name or own.transaction is None:
            return own
        return own.model_copy(update={"transaction": own.transaction.model_copy(update=values)})

    return lambda scenario: scenario.model_copy(update={"producers": tuple(map(change, scenario.producers))})
