"""KEDA's own names for the keys of `autoscale`: those of a ScaledObject and of its Kafka trigger.

Source: KEDA, ScaledObject and kafka_scaler.go; kubernetes, HorizontalPodAutoscaler. Times are whole seconds there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from simulator.scenario.reading.scenario_error import Path


def _seconds(value: Any) -> Any:
    is_bare = (isinstance(value, int) and not isinstance(value, bool)) or str(value).isdigit()
    return f"{value}s" if is_bare else value


def _number(value: Any) -> Any:
    return int(value) if isinstance(value, str) and value.isdigit() else value


def _flag(value: Any) -> Any:
    return {"true": True, "false": False}.get(str(value).lower(), value)


OF_SCALING: dict[str, tuple[str, Callable[[Any], Any]]] = {
    "lagThreshold": ("threshold", _number),
    "pollingInterval": ("poll", _seconds),
    "minReplicaCount": ("least", _number),
    "maxReplicaCount": ("most", _number),
    "stabilizationWindowSeconds": ("cooldown", _seconds),
    "allowIdleConsumers": ("allow_idle_consumers", _flag),
    "limitToPartitionsWithLag": ("limit_to_partitions_with_lag", _flag),
}


def scaling_places(data: dict[str, Any]) -> Iterator[tuple[Path, dict[str, Any]]]:
    """The mappings in which KEDA's names are accepted, each with its path."""
    groups = data.get("consumers")
    for name, group in (groups if isinstance(groups, dict) else {}).items():
        if isinstance(group, dict) and isinstance(group.get("autoscale"), dict):
            yield ("consumers", name, "autoscale"), group["autoscale"]


def is_scaling(path: Path) -> bool:
    """Whether a path is that of a key of `autoscale`."""
    return path[:1] == ("consumers",) and path[2:3] == ("autoscale",) and len(path) == 4
