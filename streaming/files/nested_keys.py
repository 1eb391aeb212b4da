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
