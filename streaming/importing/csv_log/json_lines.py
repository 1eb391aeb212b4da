"""JSON lines as rows of a table: one object a line, a nested key with dots (`broker.name`), values as texts."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from streaming.importing.texts.bad_value import BadValue
from streaming.texts.import_texts import ImportTexts

OPEN, CLOSE = "[", "]"  # of a list whose objects stand a line each
DEEPEST = 20


def is_json(text: str) -> bool:
    """Whether a first line is an object of JSON, or begins a list of them."""
    start = text.strip()
    return start.startswith("{") or start == OPEN or start.replace(" ", "").startswith("[{")


def object_of(line: str) -> dict[str, str] | None:
    """The keys and values of a line, None for one that only opens or closes a list. Raises BadValue."""
    text = line.strip().rstrip(",").strip()
    if text in (OPEN, CLOSE, ""):
        return None
    try:
        said = json.loads(text, parse_float=str, parse_int=str, parse_constant=str)
    except (ValueError, RecursionError):
        raise BadValue(ImportTexts.NOT_JSON()) from None
    if not isinstance(said, dict):
        raise BadValue(ImportTexts.NO_OBJECT())
    found: dict[str, str] = {}
    _flatten(said, "", found, 0)
    return found


def header_of(objects: Iterable[Mapping[str, str]]) -> list[str]:
    """Every key, in the order in which they first come."""
    return list(dict.fromkeys(key for each in objects for key in each))


def values_of(line: str, header: Sequence[str]) -> list[str] | None:
    """The values of a line in the order of the header, empty for a key that it lacks; else as `object_of`."""
    said = object_of(line)
    return None if said is None else [said.get(key, "") for key in header]


def _flatten(value: Any, path: str, found: dict[str, str], depth: int) -> None:
    if isinstance(value, dict) and value and depth < DEEPEST:
        for key, inner in value.items():
            _flatten(inner, f"{path}.{key}" if path else key, found, depth + 1)
    elif isinstance(value, bool):
        found[path] = "true" if value else "false"
    elif value is None:
        found[path] = ""
    else:
        found[path] = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
