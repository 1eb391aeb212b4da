"""Keys of a nested document, such as a scenario, one by one."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any


def nested_keys(value: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    """(dotted key, value) of everything in a document; places of a list are keys, an empty one is a value."""
    if isinstance(value, dict | list) and value:
        for key, inner in value.items() if isinstance(value, dict) else enumerate(value):
            yield from nested_keys(inner, f"{path}.{key}" if path else str(key))
    else:
        yield path, value


def key_differences(before: Any, now: Any) -> Iterator[tuple[str, Any, Any]]:
    """(dotted key, value before, value now) of what differs between two documents; None for a key that is not there."""
    old, new = dict(nested_keys(before)), dict(nested_keys(now))
    for key in old | new:
        if old.get(key) != new.get(key):
            yield key, old.get(key), new.get(key)
