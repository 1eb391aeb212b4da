"""The audit of the published releases: what changed where, and the answer to every change.

`methods.csv` and `defaults.csv` are made by tests/golden/releases/audit.py; `answers.yaml` is written by hand. Files
that begin with `consumer_` are of the consumer's side, those with `failover_` of sets whose master is elected.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import lru_cache
from importlib.resources import files
from typing import Any

import yaml

from simulator.releases.ledger import RELEASES

SCOPES = ("client", "broker", "name server", "consumer", "consumer's broker", "controller", "replica")
SIDES = ("", "consumer_", "failover_")
KINDS = ("changes", "same")


@dataclass(frozen=True)
class Answer:
    """What some changes of one release mean.

    `kind`: changes (modelled by `entries` of the release table) or same (they change no decision of the model, and
    why). `patterns`: the changes, as Class.name with * for anything.
    """

    scope: str
    release: str
    kind: str
    words: str
    entries: tuple[str, ...]
    patterns: tuple[str, ...]

    def covers(self, name: str) -> bool:
        """Whether a change is among those it answers."""
        return any(fnmatchcase(name, pattern) for pattern in self.patterns)

    def evidence(self) -> list[str]:
        """The changed methods and fields it answers, by name."""
        return [name for name in changed().get((self.scope, self.release), ()) if self.covers(name)]


def _rows(name: str) -> Iterator[Mapping[str, str]]:
    for side in SIDES:
        yield from csv.DictReader(_text(side + name).splitlines())


def _text(name: str) -> str:
    return files("streaming.releases").joinpath(name).read_text(encoding="utf-8")


@lru_cache(maxsize=1)
def changed() -> Mapping[tuple[str, str], Sequence[str]]:
    """Names (Class.name) of what changed, by scope and release; the first release changes nothing."""
    found: dict[tuple[str, str], set[str]] = {}
    for row in _rows("methods.csv"):
        name = f"{row['class']}.{row['method'].partition('(')[0]}"
        for release in row["releases"].split():
            found.setdefault((row["scope"], release.removeprefix("-")), set()).add(name)
    for row in _rows("defaults.csv"):
        found.setdefault((row["scope"], row["release"]), set()).add(f"{row['class']}.{row['field']}")
    return {key: sorted(names) for key, names in found.items() if key[1] != RELEASES[0]}


@lru_cache(maxsize=1)
def answers() -> Sequence[Answer]:
    """Every answer, in the order of scopes and releases."""
    documents: Sequence[Mapping[str, Mapping[str, list[Mapping[str, Any]]]]] = [
        yaml.safe_load(_text(f"{side}answers.yaml")) for side in SIDES
    ]
    return [
        _answer(scope, release, entry)
        for document in documents
        for scope, releases in document.items()
        for release, entries in releases.items()
        for entry in entries
    ]


def _answer(scope: str, release: str, entry: Mapping[str, Any]) -> Answer:
    (kind,) = (kind for kind in KINDS if kind in entry)
    words = entry["words"] if kind == "changes" else entry[kind]
    entries = tuple(entry["changes"]) if kind == "changes" else ()
    return Answer(scope, release, kind, words, entries, tuple(entry["methods"]))


def between(first: str, last: str) -> list[Answer]:
    """The answers to all that changed after `first` up to `last`, by release; `first` is the older one."""
    passed = RELEASES[RELEASES.index(first) + 1 : RELEASES.index(last) + 1]
    found = [answer for answer in answers() if answer.release in passed]
    return sorted(found, key=lambda answer: (RELEASES.index(answer.release), SCOPES.index(answer.scope)))
