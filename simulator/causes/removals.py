"""How a scenario is without something: a fault that never happens, a rate that stays, threads that are ample.

Nothing changes its place: a fault that is left out keeps its number, by which others draw whom they strike.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pydantic import BaseModel

from simulator.causes.suspect import Removal
from simulator.scenario import Scenario
from simulator.scenario.producers import BY_STRATEGY, ProducerGroup

AMPLE = 10  # times the capacity: service times are divided by it
NEVER = 10**9  # a lag that no group has


def without_fault(place: int) -> Removal:
    """The fault at a place of the list never happens; an instance or a broker that it adds comes at the very end."""

    def remove(scenario: Scenario) -> Scenario:
        fault, end_us = scenario.faults[place], scenario.duration_us
        at_us = end_us - 1 if fault.kind == "scale_out" else end_us
        never = fault.model_copy(update={"at_us": at_us, "every_us": None, "until_us": None})
        faults = (*scenario.faults[:place], never, *scenario.faults[place + 1 :])
        return scenario.model_copy(update={"faults": faults})

    return remove


def without_rate_step(group: str, at_us: int) -> Removal:
    """A producer group keeps the rate before that step until its next one."""

    def change(own: ProducerGroup) -> ProducerGroup:
        kept = tuple(step for step in own.rate_changes if step[0] != at_us)
        return own.model_copy(update={"rate_changes": kept})

    return _producers(lambda own: change(own) if own.group == group else own)


def with_ample_threads(group: str) -> Removal:
    """A consumer group handles each message in a tenth of its time."""

    def remove(scenario: Scenario) -> Scenario:
        own = scenario.consumers[group]
        faster = own.model_copy(update={"service": faster_by(own.service, AMPLE), **_own_times(own)})
        return scenario.model_copy(update={"consumers": {**scenario.consumers, group: faster}})

    return remove


def _own_times(own: Any) -> dict[str, Any]:
    if own.topics is None:
        return {}
    return {"topics": {topic: faster_by(reading, AMPLE) for topic, reading in own.topics.items()}}


def with_ample_send_threads(broker: str) -> Removal:
    """A broker serves each request in a tenth of its time."""

    def remove(scenario: Scenario) -> Scenario:
        own = scenario.brokers[broker]
        faster = own.model_copy(update={"latency": faster_by(own.latency, AMPLE)})
        return scenario.model_copy(update={"brokers": {**scenario.brokers, broker: faster}})

    return remove


def with_consumers(group: str, **values: object) -> Removal:
    """A consumer group has other settings."""

    def remove(scenario: Scenario) -> Scenario:
        changed = scenario.consumers[group].model_copy(update=values)
        return scenario.model_copy(update={"consumers": {**scenario.consumers, group: changed}})

    return remove


def without_autoscale(group: str) -> Removal:
    """A consumer group keeps the instances that it starts with."""

    def remove(scenario: Scenario) -> Scenario:
        own = scenario.consumers[group]
        assert own.autoscale is not None
        still = own.autoscale.model_copy(update={"threshold": NEVER, "least": own.count})
        return with_consumers(group, autoscale=still)(scenario)

    return remove


def without_hash(topic: str) -> Removal:
    """The client's own strategy chooses the queue where the key did."""

    def change(own: ProducerGroup) -> ProducerGroup:
        is_hot = own.selector.kind == "hash" and topic in own.topics
        return own.model_copy(update={"selector": BY_STRATEGY}) if is_hot else own

    return _producers(change)


def without_isolation(scenario: Scenario) -> Scenario:
    """No client isolates a broker."""
    off = {"send_latency_fault_enable": False}
    client = scenario.client.model_copy(update=off)

    def change(own: ProducerGroup) -> ProducerGroup:
        if own.client is None or getattr(own.client, "send_latency_fault_enable", None) is None:
            return own
        return own.model_copy(update={"client": own.client.model_copy(update=off)})

    return _producers(change)(scenario.model_copy(update={"client": client}))


def _producers(change: Callable[[ProducerGroup], ProducerGroup]) -> Removal:
    def remove(scenario: Scenario) -> Scenario:
        return scenario.model_copy(update={"producers": tuple(map(change, scenario.producers))})

    return remove


def faster_by(model: Any, times: int) -> Any:
    """A distribution of times, or a model with some, with every time divided; at least 1 us where it was above 0."""
    found: dict[str, object] = {}
    for name in type(model).model_fields:
        value = getattr(model, name)
        if isinstance(value, BaseModel):
            found[name] = faster_by(value, times)
        elif isinstance(value, dict) and any(isinstance(one, BaseModel) for one in value.values()):
            found[name] = {key: faster_by(one, times) for key, one in value.items()}
        elif name.endswith("_us") and isinstance(value, int):
            found[name] = max(value // times, min(value, 1))
        elif name == "table" and value is not None:
            found[name] = tuple((rank, max(us // times, min(us, 1))) for rank, us in value)
    return model.model_copy(update=found)
