"""Which brokers a fault strikes: named ones, all, those that a pattern fits, or some that the seed draws."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from fnmatch import fnmatchcase
from typing import Any

from simulator.scenario.faults.fault_kinds import CONSUMER, CONTROLLER, NAME_SERVER
from simulator.scenario.reading.fields import name_of
from simulator.scenario.reading.scenario_error import Problem, ProblemsError, not_known
from simulator.scenario.texts.broker_texts import BrokerTexts
from simulator.scenario.texts.fault_texts import FaultTexts
from simulator.units import shown
from state.texts import sentence_of

TARGETS = {NAME_SERVER: "name_server", CONTROLLER: "controller", CONSUMER: "consumer"}  # all others strike brokers
EXPECTED = {
    "broker": "the name of a broker, a list of names, or all",
    "producer": "the name of a transactional producer such as shop-2 or of its group, a list of names, or all",
    "proxy": "the name of a proxy such as proxy-1, a list of names, or all",
    "consumer": "the name of an instance such as billing-2 or of a group, a list of names, or all",
    "name_server": "the number of a name server, a list of numbers, or all",
    "controller": "the number of a controller, a list of numbers, all, or leader",
}

ALL = "all"
LEADS = "leader"  # of the controllers
ANY = "any "  # before a number: no broker's name has a space
ANY_MAX = 10_000

_name = name_of("broker")


def _one(value: Any) -> str:
    if isinstance(value, str) and "*" in value:
        _name(value.replace("*", "x"))
        return value
    return _name(value)


def read_targets(value: Any) -> tuple[str, ...]:
    """The names of brokers, patterns such as `broker-*`, or `{any: 2}`; raises ValueError and ProblemsError."""
    if isinstance(value, dict):
        count = value.get("any")
        if set(value) != {"any"} or isinstance(count, bool) or not isinstance(count, int) or not 1 <= count <= ANY_MAX:
            raise ValueError(FaultTexts.BROKERS_EXPECTED(got=shown(value)))
        return (f"{ANY}{count}",)
    if not isinstance(value, list | tuple):
        return (_one(value),)
    if not value:
        raise ValueError(BrokerTexts.NONE_NAMED())
    if len(value) == 1 and isinstance(value[0], str) and value[0].startswith(ANY):
        return (value[0],)
    names: list[str] = []
    for i, name in enumerate(value):
        try:
            names.append(_one(name))
        except ValueError as error:
            raise ProblemsError([Problem((i,), sentence_of(error))]) from None
    return tuple(names)


def written(targets: tuple[str, ...]) -> Any:
    """What `read_targets` reads back."""
    return {"any": int(targets[0].removeprefix(ANY))} if targets[0].startswith(ANY) else list(targets)


def struck(targets: Sequence[str], brokers: Sequence[str], seed: int, fault: int) -> list[str]:
    """The brokers that are struck, sorted. `fault`: its number, which `{any: 2}` is drawn by together with the seed."""
    if tuple(targets) == (ALL,):
        return list(brokers)
    if targets and targets[0].startswith(ANY):

        def lot(broker: str) -> bytes:
            return hashlib.blake2b(f"{seed} {fault} {broker}".encode(), digest_size=8).digest()

        return sorted(sorted(brokers, key=lot)[: int(targets[0].removeprefix(ANY))])
    return sorted(
        {broker for target in targets for broker in brokers if broker == target or fnmatchcase(broker, target)}
    )


def unknown_target(target: str, brokers: Sequence[str]) -> str | None:
    """The sentence about a target that strikes nobody, or more brokers than there are; None if it is sound."""
    if target.startswith(ANY):
        count = int(target.removeprefix(ANY))
        return FaultTexts.MORE_THAN_ALL(most=len(brokers), got=count) if count > len(brokers) else None
    if "*" in target:
        fits = any(fnmatchcase(broker, target) for broker in brokers)
        return None if fits else FaultTexts.NO_BROKER_FITS(target=target, known=", ".join(brokers[:8]))
    return None if target in brokers or target == ALL else not_known("broker", target, brokers)


def group_of(instance: str) -> str:
    """The group of an instance such as `billing-2`."""
    return instance.rpartition("-")[0]


def struck_instances(targets: Sequence[str], instances: Sequence[str]) -> list[str]:
    """The instances of consumer groups that are struck, in their order: by name, by group or by pattern."""
    return [
        name
        for name in instances
        if any(target in (ALL, name, group_of(name)) or fnmatchcase(name, target) for target in targets)
    ]


def unknown_instance(target: str, instances: Sequence[str], what: str = "consumer") -> str | None:
    """The sentence about a target that strikes no instance of `what` there is; None if it is sound."""
    if struck_instances((target,), instances):
        return None
    if not instances:
        several = f"{what[:-1]}ies" if what.endswith("y") else f"{what}s"
        return FaultTexts.NO_INSTANCE(what=what, target=target, several=several)
    return not_known(what, target, sorted({*instances, *map(group_of, instances)}))


def placed(key: str, said: Sequence[str | None]) -> Iterator[Problem]:
    """A problem for each text, at the key or at the item of its list."""
    for i, text in enumerate(said):
        if text is not None:
            yield Problem((key,) if len(said) == 1 else (key, i), text)
