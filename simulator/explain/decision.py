"""A choice of a queue in words: what was looked at, what was known of each broker, which rule decided, what others do.

The release's own rule runs once more, in plain Python, on what the producer knew at that moment.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from simulator import codes
from simulator.client.faults.fault_item import FaultTable
from simulator.client.faults.fault_table import is_reachable
from simulator.client.message_queue import NO_QUEUE, broker_of, queue_id_of
from simulator.client.rules import Select
from simulator.client.view import View
from simulator.compiled.records import Array
from simulator.explain.moment import AskedAttempt, Selection, group_of, select_of, selection_of
from simulator.explain.plain_rules import as_python
from simulator.explain.watched_view import watched
from simulator.plan.run_plan import CellPlan, Plan
from simulator.releases.ledger import RELEASES
from simulator.releases.producer_release import CLIENTS, Client

TAKEN = "taken"
NOT_AVAILABLE = "not available"
NOT_REACHABLE = "not reachable"
LAST_BROKER = "the broker of the attempt before"
OTHER_BROKER = "another broker than that of the attempt before"
OVERWRITTEN = "the queue of the fault table takes its place in the list"


@dataclass(frozen=True)
class ScannedQueue:
    """One queue of the list that the rule looked at; verdict: TAKEN or why it went on."""

    broker: str
    queue_id: int
    verdict: str


@dataclass(frozen=True)
class KnownBroker:
    """What the producer holds of a broker; has_item: it is in the fault table. Times of the client's clock, ms."""

    broker: str
    has_item: bool
    current_latency_ms: int
    start_timestamp_ms: int
    reachable: bool
    available: bool


@dataclass(frozen=True)
class RuleChoice:
    """What a rule chose; broker and queue_id None: nothing. counter: sendWhichQueue afterwards, a raw Java int."""

    releases: tuple[str, ...]
    rule: str
    does: str
    broker: str | None
    queue_id: int | None
    pick_reason: str | None
    counter: int


@dataclass(frozen=True)
class ExplainedDecision:
    """One choice; now_ms: the client's clock; counter_before: None before its first use.

    ranked: the fault table from the best item to the worst, if the queue was chosen from it.
    """

    now_ms: int
    chosen: RuleChoice
    counter_before: int | None
    candidates: tuple[ScannedQueue, ...]
    brokers: tuple[KnownBroker, ...]
    ranked: tuple[str, ...]
    others: tuple[RuleChoice, ...]


def _view(memory: Array, seen: Selection) -> View:
    return View.at(memory, seen.view)


@dataclass(frozen=True)
class _Chooser:
    """Who chose: the client of the producer's group; brokers: their names."""

    client: Client
    strategy_on: bool
    brokers: Sequence[str]


def _chooser(own: CellPlan, producer: int) -> _Chooser:
    group = group_of(own, producer)
    return _Chooser(own.clients[group], own.strategy_on[group], own.names.brokers)


def _in_words(rule: Select) -> tuple[str, str]:
    """Where a rule stands and the first line of what it says of itself."""
    lines = (rule.__doc__ or "").strip().splitlines()
    return f"{getattr(rule, '__module__', '')}.{getattr(rule, '__name__', '')}", lines[0] if lines else ""


def _chosen(
    own: _Chooser, seen: Selection, client: Client, releases: tuple[str, ...]
) -> tuple[RuleChoice, list[int], View]:
    """What the rule of a client chooses on a copy of that moment, the places it reads, the view it leaves."""
    memory, rule = seen.before.copy(), select_of(client, strategy_on=own.strategy_on)
    view = _view(memory, seen)
    view.faults.penalty.shuffles = int(client.shuffles)
    for broker in range(0 if own.client.has_detector else len(own.brokers)):
        view.faults.items[broker].reachable = 1  # what a release that knows no such flag never says no to
    seen_view, places = watched(view)
    picked = as_python(rule)(seen_view, seen.now_ms, seen.last_broker, seen.reset_index)
    name, does = _in_words(rule)
    if picked == NO_QUEUE:
        return RuleChoice(releases, name, does, None, None, None, int(view.counter.value)), places, view
    broker, queue_id = as_python(broker_of)(picked), as_python(queue_id_of)(picked)
    reason = codes.PICK_REASON_NAMES[int(view.pick_reason)]
    choice = RuleChoice(releases, name, does, own.brokers[broker], int(queue_id), reason, int(view.counter.value))
    return choice, places, view


def _known(own: _Chooser, faults: FaultTable, now_ms: int, broker: int) -> KnownBroker:
    item = faults.items[broker]
    has_item = bool(item.present == 1)
    return KnownBroker(
        own.brokers[broker],
        has_item,
        int(item.current_latency),
        int(item.start_timestamp),
        bool(not (has_item and own.client.has_detector) or item.reachable == 1),
        bool(as_python(own.client.is_available)(faults, now_ms, broker) == 1),
    )


def _verdict(own: _Chooser, seen: Selection, broker: int, is_second_scan: bool) -> str:
    """Why the rule went on from a queue of that broker."""
    faults = _view(seen.before, seen).faults
    if own.strategy_on and is_second_scan and not as_python(is_reachable)(faults, broker):
        return NOT_REACHABLE
    if own.strategy_on and not is_second_scan and not as_python(own.client.is_available)(faults, seen.now_ms, broker):
        return NOT_AVAILABLE
    return LAST_BROKER if broker == seen.last_broker else OTHER_BROKER


def _candidates(own: _Chooser, seen: Selection, places: list[int], chosen: RuleChoice) -> tuple[ScannedQueue, ...]:
    queues, found = _view(seen.before, seen).queues, []
    for number, place in enumerate(places):
        entry = queues.queues[place]
        broker, queue_id = own.brokers[entry.broker], int(entry.queue_id)
        is_taken = number == len(places) - 1 and (broker, queue_id) == (chosen.broker, chosen.queue_id)
        is_second_scan = number >= queues.count
        verdict = TAKEN if is_taken else _verdict(own, seen, entry.broker, is_second_scan)
        if not is_taken and is_second_scan and chosen.pick_reason == "fault_table":
            verdict = OVERWRITTEN
        found.append(ScannedQueue(broker, queue_id, verdict))
    return tuple(found)


def _others(own: _Chooser, seen: Selection) -> tuple[RuleChoice, ...]:
    """What every release would have chosen at that moment, those of one rule together."""
    releases: dict[tuple[Select, bool], list[str]] = {}
    for release in RELEASES:
        client = CLIENTS[release]
        releases.setdefault((select_of(client, strategy_on=own.strategy_on), client.shuffles), []).append(release)
    return tuple(_chosen(own, seen, CLIENTS[those[0]], tuple(those))[0] for those in releases.values())


def decision_of(plan: Plan, attempt: AskedAttempt) -> ExplainedDecision | None:
    """Why an attempt of a run went where it went, None if the run done again does not make that choice.

    The run must choose by a release's rules, and the attempt's queue not by the caller's own selector.
    """
    seen = selection_of(plan, attempt)
    if seen is None:
        return None
    own = _chooser(plan.cells[attempt.cell], attempt.producer)
    before = _view(seen.before, seen)
    chosen, places, left = _chosen(own, seen, own.client, (own.client.release,))
    listed = {int(before.queues.queues[place].broker) for place in range(before.queues.count)}
    brokers = [n for n in range(len(own.brokers)) if n in listed or before.faults.items[n].present]
    ranked = left.faults.penalty.ranking if chosen.pick_reason == "fault_table" else ()
    return ExplainedDecision(
        now_ms=seen.now_ms,
        chosen=chosen,
        counter_before=int(before.counter.value) if before.counter.seeded else None,
        candidates=_candidates(own, seen, places, chosen),
        brokers=tuple(_known(own, before.faults, seen.now_ms, broker) for broker in brokers),
        ranked=tuple(own.brokers[ranked[place]] for place in range(left.faults.item_count if ranked else 0)),
        others=_others(own, seen),
    )
