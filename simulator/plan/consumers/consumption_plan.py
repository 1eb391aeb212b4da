"""The kinds of consumption: what runs them, and what the plan needs of each."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from simulator.consumer.concurrent.concurrent_consumption import CONCURRENTLY
from simulator.consumer.memory.consumer_group import ReadingGroup
from simulator.consumer.memory.consumer_world import ConsumptionRules
from simulator.consumer.orderly.orderly_consumption import ORDERLY
from simulator.consumer.pop.pop_consumption import POPPING
from simulator.consumer.proxied.fifo_consumption import PUSHING_IN_ORDER
from simulator.consumer.proxied.push_consumption import PUSHING
from simulator.consumer.proxied.simple_consumption import RECEIVING, RECEIVING_IN_ORDER
from simulator.consumer.rules.reconsume import MAX_CONCURRENTLY, MAX_ORDERLY
from simulator.plan.consumers.kinds.orderly_plan import put_orderly
from simulator.plan.consumers.kinds.pop_plan import put_pop
from simulator.releases.consumer_release import ConsumerClient
from simulator.scenario.consuming.consumers import ConsumerGroup


@dataclass(frozen=True, kw_only=True)
class KindPlan:
    """A kind of consumption. most_reconsumes: maxReconsumeTimes where a group has none; put: fills what is its own."""

    rules: ConsumptionRules
    most_reconsumes: int
    has_sweep: bool  # consumeTimeout sends back what takes longer
    put: Callable[[ReadingGroup, ConsumerGroup, ConsumerClient], None] | None = None


CONSUMPTION_KINDS = {
    "CONCURRENTLY": KindPlan(rules=CONCURRENTLY, most_reconsumes=MAX_CONCURRENTLY, has_sweep=True),
    "ORDERLY": KindPlan(rules=ORDERLY, most_reconsumes=MAX_ORDERLY, has_sweep=False, put=put_orderly),
    "POP": KindPlan(rules=POPPING, most_reconsumes=MAX_CONCURRENTLY, has_sweep=False, put=put_pop),
}


PROXIED_KINDS = {
    "push": KindPlan(rules=PUSHING, most_reconsumes=MAX_CONCURRENTLY, has_sweep=False),
    "push in order": KindPlan(rules=PUSHING_IN_ORDER, most_reconsumes=MAX_CONCURRENTLY, has_sweep=False),
    "simple": KindPlan(rules=RECEIVING, most_reconsumes=MAX_CONCURRENTLY, has_sweep=False),
    "simple in order": KindPlan(rules=RECEIVING_IN_ORDER, most_reconsumes=MAX_CONCURRENTLY, has_sweep=False),
}  # over gRPC


def kind_of(own: ConsumerGroup) -> KindPlan:
    """How a group of the scenario consumes."""
    if own.grpc is None:
        return CONSUMPTION_KINDS[own.consume_mode]
    return PROXIED_KINDS[f"{own.grpc.kind} in order" if own.mode.in_order else own.grpc.kind]
