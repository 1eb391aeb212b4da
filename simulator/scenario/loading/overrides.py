"""Single values of a scenario set from outside: the `--set key=value` of the command line."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from simulator.scenario.producers import ProducerGroup
from simulator.scenario.reading.document import Document, is_text
from simulator.scenario.reading.renaming import spellings
from simulator.scenario.reading.scenario_error import Path, ScenarioError, nearest, not_known
from simulator.scenario.texts.reading_texts import ReadingTexts
from state.texts import at

NAMED = {"brokers": "broker", "topics": "topic", "consumers": "consumer group"}
KEYS_OF_A_GROUP = ProducerGroup.keys()


def apply_overrides(data: dict[str, Any], overrides: Mapping[str, Any]) -> dict[Path, str]:
    """Set every override in `data` in place, in order; returns the key of each path that was set.

    Keys are dotted paths (`faults.0.for`, `producers.web.rate`), values are YAML, or what YAML stands for. Missing
    mappings on the way are made; brokers, topics, consumer groups and items of a list
    must exist. Raises ScenarioError on a path that
    leads nowhere and on a value that is not YAML; whether the last key means anything is for the models to say.
    """
    placed: dict[Path, str] = {}
    for key, text in overrides.items():
        value = text.tolist() if isinstance(text, np.generic) else text
        path = _set(data, key, parsed(key, value) if isinstance(value, str) else value)
        placed[path] = key
    return placed


def parsed(key: str, text: str) -> Any:
    """The value that the text of `--set KEY=TEXT` stands for. Raises ScenarioError."""
    indented = text.replace("\n", "\n ")
    try:
        document = Document(f"value:\n {indented}\n", "")
    except ScenarioError as error:
        problem = str(error).split(": ", 1)[1].split(" (column")[0]
        raise ScenarioError([ReadingTexts.VALUE_UNREADABLE(problem=problem).at(f"--set {key}")]) from None
    if set(document.value) != {"value"} or document.problems:
        problem = document.problems[0].text if document.problems else ReadingTexts.ONE_VALUE_EXPECTED()
        raise ScenarioError([ReadingTexts.VALUE_GOT(problem=problem, got=text).at(f"--set {key}")])
    return document.value["value"]


def _set(data: dict[str, Any], key: str, value: Any) -> Path:
    place: Any = data
    path: tuple[str | int, ...] = ()
    rest = key.split(".")
    if not all(rest) or not is_text(key):
        raise ScenarioError([ReadingTexts.DOTTED_PATH_EXPECTED().at(f"--set {key}")])
    while True:
        if isinstance(place, list):
            number, used = _group(key, _names(place), rest) if path == ("producers",) else (None, 0)
            if number is None and path == ("producers",) and len(place) == 1:
                number = 0  # the only group needs no name
            step: str | int = _index(key, path, rest[0], len(place)) if number is None else number
            used = max(used, 1) if number is None else used
        elif isinstance(place, dict):
            if path == ("producers",) and len(rest) > 1:
                number, used = _group(key, {str(place.get("group", "producers")): 0}, rest)
                rest = rest[used:] if number == 0 else rest
            step, used = _longest(place, rest)
            if len(path) == 1 and path[0] in NAMED and step not in place and len(rest) > 1:
                what = NAMED[str(path[0])]
                text = (
                    not_known(what, str(step), place) if place else ReadingTexts.NONE_HAS_THE_NAME(what=what, name=step)
                )
                raise ScenarioError([at(f"--set {key}", text)])
        else:
            raise ScenarioError([ReadingTexts.NO_KEYS_TO_SET(path=".".join(map(str, path))).at(f"--set {key}")])
        path, rest = (*path, step), rest[used:]
        if not rest:
            if isinstance(place, dict):
                for other in spellings(path):
                    place.pop(other, None)
            place[step] = value
            return path
        if isinstance(place, dict) and place.get(str(step)) is None:
            place[step] = {}
        place = place[step]


def _names(groups: list[Any]) -> dict[str, int]:
    """The groups of a list by name; without one they are called as the loader does."""
    named = ((i, group.get("group")) for i, group in enumerate(groups) if isinstance(group, dict))
    return {str(name or ("producers" if i == 0 else f"producers-{i + 1}")): i for i, name in named}


def _group(key: str, names: Mapping[str, int], rest: list[str]) -> tuple[int | None, int]:
    """Which group of producers the rest begins with, by name or number, and in how many words; None for neither."""
    if rest[0].isascii() and rest[0].isdigit():
        return (int(rest[0]), 1) if int(rest[0]) in names.values() else (None, 0)
    name, used = _longest(names, rest)
    if name in names and used < len(rest):
        return names[name], used
    may_be_key = rest[0] in KEYS_OF_A_GROUP or (len(names) == 1 and nearest(rest[0], KEYS_OF_A_GROUP) is not None)
    if len(rest) > 1 and not may_be_key:
        raise ScenarioError([at(f"--set {key}", not_known("producer group", rest[0], names))])
    return None, 0


def _longest(mapping: Mapping[str, Any], rest: list[str]) -> tuple[str, int]:
    """The longest key that the rest starts with (names may have dots), or else its first word."""
    for used in range(len(rest), 1, -1):
        if ".".join(rest[:used]) in mapping:
            return ".".join(rest[:used]), used
    return rest[0], 1


def _index(key: str, path: Path, word: str, size: int) -> int:
    if not (word.isascii() and word.isdigit() and len(word) < 9):
        where = ".".join(map(str, path))
        raise ScenarioError([ReadingTexts.INDEX_MISSING(where=where, size=size).at(f"--set {key}")])
    if int(word) >= size:
        raise ScenarioError(
            [ReadingTexts.NO_SUCH_ITEM(path=".".join(map(str, path)), index=word, last=size - 1).at(f"--set {key}")]
        )
    return int(word)
