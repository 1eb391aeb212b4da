"""Every key that a scenario may have: what is expected, the default, the meaning; read from the JSON schema."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from simulator.scenario.reading.renaming import CONSUMERS, own_name, place_of, unknown_sentence
from simulator.scenario.reading.rocketmq_names import WITHOUT_EFFECT
from simulator.scenario.reading.scenario_error import Path, ScenarioError, nearest
from simulator.scenario.schema import Schema, scenario_schema
from simulator.scenario.texts.reading_texts import ReadingTexts
from state.texts import at

NAMED, LISTED = "NAME", "[]"  # steps of a path that a scenario fills in


@dataclass(frozen=True)
class Key:
    """One key of a scenario; `default` as YAML, "" where there is none to show."""

    path: str
    expected: str
    default: str
    is_required: bool
    meaning: str

    @property
    def name(self) -> str:
        """The last step of its path."""
        return self.path.rpartition(".")[2]


@dataclass(frozen=True)
class Section:
    """The keys of one kind of mapping, at all the `places` that have one."""

    places: list[str]
    keys: list[Key] = field(default_factory=list)


def sections() -> list[Section]:
    """Every kind of mapping once, the scenario's own keys first."""
    found: dict[str, Section] = {}
    waiting: list[tuple[str, str]] = [("", "")]
    while waiting:
        place, name = waiting.pop(0)
        if name in found:
            found[name].places.append(place)
            continue
        definition = _definition(name)
        found[name] = Section([place])
        for key, node in definition["properties"].items():
            path = f"{place}.{key}".lstrip(".")
            found[name].keys.append(_key(path, key, node, definition))
            waiting += [(path + steps, target) for steps, target in _targets(node)]
    return list(found.values())


def keys_at(path: str) -> list[Key]:
    """The key at a dotted path and, if it leads to mappings, the keys in them.

    `brokers.latency`, `brokers.NAME.latency` and `brokers.broker-a.latency` are the same; RocketMQ's names of keys are
    known, too. Raises ScenarioError, with the nearest key, for a path that no scenario has.
    """
    steps = [step for step in re.split(r"[.\[\]]+", path) if step and not step.isdigit()]
    if not steps:
        raise ScenarioError([ReadingTexts.DOTTED_PATH_EXPECTED().at(f"keys {path}")])
    found = _found("", "", steps, path)
    inner = [
        _key(f"{found[0].path}{more}.{key}", key, node, _definition(target))
        for more, target in found[1]
        for key, node in _definition(target)["properties"].items()
    ]
    return [found[0], *inner]


def _found(place: str, name: str, steps: Sequence[str], asked: str) -> tuple[Key, list[tuple[str, str]]]:
    definition = _definition(name)
    step, rest = own_name((*_steps(place), steps[0])), list(steps[1:])
    if place_of(_steps(place)) is CONSUMERS and steps[0] in WITHOUT_EFFECT:
        raise ScenarioError([ReadingTexts.HAS_NO_EFFECT(key=f"keys {asked}", why=WITHOUT_EFFECT[steps[0]])])
    if step not in definition["properties"]:
        sentence = unknown_sentence((*_steps(place), steps[0]), list(definition["properties"]))
        raise ScenarioError([at(f"keys {asked}", sentence)])
    node = definition["properties"][step]
    path, targets = f"{place}.{step}".lstrip("."), list(_targets(node))
    if not rest:
        return _key(path, step, node, definition), targets
    for more, target in targets:
        # The name of a broker may be written, and may be left out.
        own = own_name((*_steps(path + more), rest[0]))
        named = more != "" and own not in _definition(target)["properties"] and rest[0] not in WITHOUT_EFFECT
        if named and len(rest) == 1:
            if nearest(own, _definition(target)["properties"], alike=0.88):  # a slip of the pen, and not a name
                return _found(path + more, target, rest, asked)
            return _key(path, step, node, definition), targets
        if len(targets) == 1 or rest[-1] in _definition(target)["properties"]:
            return _found(path + more, target, rest[1:] if named else rest, asked)
    raise ScenarioError([ReadingTexts.NO_SUCH_KEY(path=path, key=rest[0]).at(f"keys {asked}")])


def _steps(place: str) -> Path:
    return tuple(step for step in re.split(r"[.\[\]]+", place) if step)


def _key(path: str, key: str, node: Schema, definition: Schema) -> Key:
    default = node.get("default")
    written = "" if default is None or default in ([], {}) else _yaml(default)
    return Key(path, _expected(node), written, key in definition.get("required", ()), node["description"])


def _yaml(value: Any) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key}: {_yaml(inner)}" for key, inner in value.items()) + "}"
    return value if isinstance(value, str) else json.dumps(value)


def _expected(node: Schema) -> str:
    if "title" in node and "$ref" not in node:
        return str(node["title"])
    if node.get("type") == "array":
        return f"a list, each {node['items'].get('title', 'a mapping')}"
    return str(node.get("title", "a mapping"))


def _targets(node: Schema) -> Iterator[tuple[str, str]]:
    """The definitions that a node leads to, with the steps between: nothing, `.NAME` or `[]`; each once."""
    found: dict[str, str] = {}
    mappings = (node, *node.get("anyOf", ()))
    named = [(f".{NAMED}", inner) for each in mappings for inner in each.get("patternProperties", {}).values()]
    for more, inner in (("", node), (LISTED, node.get("items", {})), *named):
        for each in (inner, *inner.get("anyOf", ())):
            if "$ref" in each:
                found.setdefault(each["$ref"].rpartition("/")[2], more)
    return ((more, name) for name, more in found.items())


@cache
def _schema() -> Schema:
    return scenario_schema()


def _definition(name: str) -> Schema:
    found: Schema = _schema()["$defs"][name] if name else _schema()
    return found
