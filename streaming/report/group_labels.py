"""Groups with their client kind, where a scenario has other kinds than remoting producers and groups that pull."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from simulator.scenario import Scenario
from simulator.scenario.consuming.consumers import ConsumerGroup
from streaming.report.traces import GROUP_COLOURS

OF_GRPC = {"push": "gRPC PushConsumer", "simple": "gRPC SimpleConsumer"}
OF_REMOTING = {"CONCURRENTLY": "pull", "ORDERLY": "in order", "POP": "POP"}


def consumer_kinds(scenario: Scenario | None) -> dict[str, str]:
    """The client kind of each consumer group; empty where all of them pull, or the scenario is not known."""
    groups = {} if scenario is None else scenario.consumers
    if all(not own.is_pop for own in groups.values()):
        return {}
    return {name: _kind_of(own) for name, own in groups.items()}


def groups_over_proxies(scenario: Scenario | None) -> set[str]:
    """The consumer groups whose clients are gRPC ones; none if the scenario is not known."""
    groups = {} if scenario is None else scenario.consumers
    return {name for name, own in groups.items() if own.grpc is not None}


def producer_kinds(scenario: Scenario | None) -> dict[str, str]:
    """The client kind of each producer group; empty where none sends over a proxy, or the scenario is not known."""
    groups = () if scenario is None else scenario.producers
    if all(own.grpc is None for own in groups):
        return {}
    return {own.group: "remoting" if own.grpc is None else "gRPC" for own in groups}


def _kind_of(own: ConsumerGroup) -> str:
    return OF_REMOTING[own.consume_mode] if own.grpc is None else OF_GRPC[own.grpc.kind]


def labelled(groups: Sequence[str], kinds: Mapping[str, str]) -> list[tuple[str, str]]:
    """The key of each group: its name, with its kind where there is one, and its colour."""
    names = [f"{name}: {kinds[name]}" if name in kinds else name for name in groups]
    return list(zip(names, GROUP_COLOURS * len(groups), strict=False))
