"""Keys that are written with RocketMQ's names: renamed, explained, and said to be not modelled where they are not."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from simulator.scenario.reading import not_modelled
from simulator.scenario.reading.keda_names import OF_SCALING, is_scaling, scaling_places
from simulator.scenario.reading.rocketmq_names import (
    INSTEAD,
    OF_BROKERS,
    OF_CLIENTS,
    OF_CONSUMERS,
    OF_NAME_SERVERS,
    OF_TOPICS,
    WITHOUT_EFFECT,
    Names,
)
from simulator.scenario.reading.scenario_error import (
    Path,
    Problem,
    nearest,
    path_text,
    snake_case,
    unknown_key,
)
from simulator.scenario.reading.usual_words import OF_KEYS
from simulator.scenario.texts.reading_texts import ReadingTexts
from state.texts import sentence_of

NONE: Names = {}
MISSPELT = 0.85  # how alike a name that is not modelled must be to be meant; the words of other settings are shorter
THREAD_LEAST, THREAD_MOST, THREADS = "consumeThreadMin", "consumeThreadMax", 20


@dataclass(frozen=True)
class Renamed:
    """A key that was written with RocketMQ's name: where, and the path that it has here."""

    written: Path
    path: Path


@dataclass(frozen=True)
class SettingsPlace:
    """A kind of mapping that RocketMQ has settings of: how it is called, and its names."""

    called: str
    names: Names
    not_modelled: frozenset[str] = frozenset()


CLIENT = SettingsPlace("client", OF_CLIENTS, not_modelled.OF_ANY_CLIENT | not_modelled.OF_PRODUCERS)
PRODUCERS = SettingsPlace("producers", NONE, CLIENT.not_modelled)
CONSUMERS = SettingsPlace("consumers.NAME", OF_CONSUMERS, not_modelled.OF_ANY_CLIENT | not_modelled.OF_CONSUMERS)
BROKERS = SettingsPlace("brokers.NAME", OF_BROKERS, not_modelled.OF_BROKERS)
NAME_SERVERS = SettingsPlace("name_servers", OF_NAME_SERVERS, not_modelled.OF_NAME_SERVERS)
TOPICS = SettingsPlace("topics.NAME", OF_TOPICS)
SCALING = SettingsPlace("consumers.NAME.autoscale", OF_SCALING)
OF_GRPC = {
    "producers": SettingsPlace("producers.grpc", NONE),
    "consumers": SettingsPlace("consumers.NAME.grpc", NONE, frozenset({"client", "language"})),  # those of Java alone
}
PROXIES = SettingsPlace("proxies", NONE)
OTHER = SettingsPlace("", NONE)
PLACES = (CONSUMERS, CLIENT, PRODUCERS, BROKERS, NAME_SERVERS, TOPICS)


def place_of(path: Path) -> SettingsPlace:
    """The kind of mapping that a path leads to; OTHER for one that RocketMQ has no settings of."""
    steps = tuple(step for step in path if not isinstance(step, int) and not str(step).isdigit())
    named = {("brokers", 2): BROKERS, ("consumers", 2): CONSUMERS, ("topics", 2): TOPICS}
    if steps == ("producers", "grpc") or (len(path) == 3 and (path[0], path[2]) == ("consumers", "grpc")):
        return OF_GRPC[str(path[0])]
    alone = {
        ("client",): CLIENT, ("producers", "client"): CLIENT, ("producers",): PRODUCERS, ("proxies",): PROXIES
    }  # fmt: skip
    found = named.get((str(path[0]), len(path))) if path else None
    found = SCALING if is_scaling((*path, "key")) else found
    return found or alone.get(steps) or (NAME_SERVERS if path == ("name_servers",) else OTHER)


def rename(data: dict[str, Any]) -> tuple[list[Renamed], list[Problem]]:
    """Give keys with RocketMQ's names the names that they have here, in place; and what is wrong."""
    renamed: list[Renamed] = []
    problems: list[Problem] = []
    for path, mapping, place in _places(data):
        problems += _thread_problems(path, mapping) if place is CONSUMERS else ()
        for key in [key for key in mapping if key in place.names]:
            own, read = place.names[key]
            if own in mapping:
                problems.append(Problem((*path, key), ReadingTexts.BOTH_SPELLINGS(key=own)))
                del mapping[key]
                continue
            try:
                mapping[own] = read(mapping.pop(key))
            except ValueError as error:
                problems.append(Problem((*path, key), sentence_of(error)))
            renamed.append(Renamed((*path, key), (*path, own)))
        for key in WITHOUT_EFFECT if place is CONSUMERS else ():
            mapping.pop(key, None)
    return renamed, problems


def _thread_problems(path: Path, mapping: dict[str, Any]) -> Iterator[Problem]:
    """DefaultMQPushConsumerImpl.checkConfig, 4.2.0 to 5.3.3: a consumer with fewer threads at most does not start."""
    least, most = mapping.get(THREAD_LEAST, mapping.get("threads", THREADS)), mapping.get(THREAD_MOST)
    if str(least).isdigit() and str(most).isdigit() and int(str(least)) > int(str(most)):
        text = ReadingTexts.THREADS_MIN_ABOVE_MAX(least=least, got=most)
        yield Problem((*path, THREAD_MOST), text)


def _places(data: dict[str, Any]) -> Iterator[tuple[Path, dict[str, Any], SettingsPlace]]:
    for key in ("brokers", "consumers", "topics"):
        mapping = data.get(key)
        for name, each in (mapping if isinstance(mapping, dict) else {}).items():
            if isinstance(each, dict):
                yield (key, name), each, place_of((key, name))
    for key in ("client", "name_servers"):
        if isinstance(data.get(key), dict):
            yield (key,), data[key], place_of((key,))
    producers = data.get("producers")
    for i, group in enumerate(producers if isinstance(producers, list) else [producers]):
        if isinstance(group, dict) and isinstance(group.get("client"), dict):
            path: Path = ("producers", i) if isinstance(producers, list) else ("producers",)
            yield (*path, "client"), group["client"], CLIENT
    for scaling_path, scaling in scaling_places(data):
        yield scaling_path, scaling, SCALING


def spellings(path: Path) -> list[str]:
    """Other names of the key at a path: RocketMQ's for one of here, and the one here for RocketMQ's."""
    names = place_of(path[:-1]).names
    own = names[str(path[-1])][0] if path[-1] in names else path[-1]
    return [name for name in (*(key for key, (here, _) in names.items() if here == own), str(own)) if name != path[-1]]


def own_name(path: Path) -> str:
    """The last step of a path as it is called here."""
    names = place_of(path[:-1]).names
    return names[str(path[-1])][0] if path[-1] in names else str(path[-1])


def hints(data: dict[str, Any]) -> list[str]:
    """What the keys with RocketMQ's names are called here, a sentence each; changes nothing."""
    return [
        ReadingTexts.NAME_HERE(key=path_text((*path, key)), name=place.names[key][0])
        for path, mapping, place in _places(data)
        for key in mapping
        if key in place.names
    ]


def effectless(data: dict[str, Any]) -> list[str]:
    """Which keys have no effect in RocketMQ, a sentence each; changes nothing."""
    return [
        ReadingTexts.HAS_NO_EFFECT(key=path_text((*path, key)), why=WITHOUT_EFFECT[key])
        for path, mapping, place in _places(data)
        for key in mapping
        if place is CONSUMERS and key in WITHOUT_EFFECT
    ]


def unknown_sentence(path: Path, known: Sequence[str]) -> str:
    """What to say of a key that the mapping at its path does not have; `known`: those that it has.

    RocketMQ's settings that are not modelled are named as such, those of another place with that place.
    """
    key, place = str(path[-1]), place_of(path[:-1])
    spelt = snake_case(key)
    if any(snake_case(each) == spelt for each in known):
        return unknown_key(key, known)
    if own := next((own for name, (own, _) in place.names.items() if snake_case(name) == spelt), None):
        if own in known:
            return ReadingTexts.UNKNOWN_MEANT(near=own)
        return ReadingTexts.KNOWN_TO_ROCKETMQ()
    if sentence := _without_effect_sentence(place.not_modelled, spelt):
        return sentence
    for other in PLACES if "_" in spelt else ():
        own = next((own for name, (own, _) in other.names.items() if snake_case(name) == spelt), None)
        if own is not None:
            return ReadingTexts.UNKNOWN_HERE(place=other.called, key=own)
    everywhere = frozenset().union(*(each.not_modelled for each in PLACES))
    if "_" in spelt and (sentence := _without_effect_sentence(everywhere | WITHOUT_EFFECT.keys(), spelt)):
        return sentence
    without_effect = WITHOUT_EFFECT if place is CONSUMERS else ()
    if (usual := OF_KEYS.get(place.called, {}).get(spelt)) in known:
        return ReadingTexts.UNKNOWN_MEANT(near=usual)
    of_here = [*known, *place.names, *without_effect]
    near = nearest(key, [*of_here, *place.not_modelled])
    if near is not None and near in place.not_modelled and near not in known:
        if nearest(key, [near], MISSPELT):
            return ReadingTexts.UNKNOWN_MEANT_NOT_MODELLED(near=near)
        near = nearest(key, of_here)
    return ReadingTexts.UNKNOWN_MEANT(near=near) if near is not None else unknown_key(key, known)


def _without_effect_sentence(names: frozenset[str], spelt: str) -> str | None:
    name = next((name for name in (*INSTEAD, *sorted(names)) if snake_case(name) == spelt), None)
    if name is None or (name in INSTEAD and not names):
        return None
    if name in INSTEAD:
        return ReadingTexts.UNKNOWN_INSTEAD(instead=INSTEAD[name])
    if name in WITHOUT_EFFECT:
        return ReadingTexts.UNKNOWN_WITHOUT_EFFECT(why=WITHOUT_EFFECT[name])
    if name in not_modelled.DEFAULT_ONLY:
        return ReadingTexts.KNOWN_AS_DEFAULT()
    return ReadingTexts.KNOWN_TO_ROCKETMQ()
