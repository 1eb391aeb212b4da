"""Find which release changes which method, from the published jars: `audit.py JARS HISTORY [consumer | failover]`.

Of the send path (`scopes.py`), of the consumer's side (`consumer_scopes.py`), or of failover (`failover_scopes.py`).

JARS is what `jars.py` made. Writes `methods.csv` (scope, class, method, the releases in which its code is another than
in the release before; `-` before a release in which it is gone) and `defaults.csv` (scope, class, field, release, value
from then on) to HISTORY. Needs a JDK. A release without a published jar is taken to be like the one before.
"""

from __future__ import annotations

import csv
import hashlib
import re
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

import consumer_scopes
import failover_scopes
import scopes
from bytecode import Class, assignments, body, classes
from scopes import Scope

from simulator.releases.ledger import RELEASES

GONE = ""
SIDES = {"": scopes, "consumer": consumer_scopes, "failover": failover_scopes}


def jars_of(folder: Path, scope: Scope, release: str) -> list[Path]:
    """The published jars of a release that hold a scope; none if one of them was never published."""
    found = [folder / release / "lib" / f"rocketmq-{artifact}-{release}.jar" for artifact in scope.artifacts]
    return found if all(jar.is_file() for jar in found) else []


Fields = Mapping[str, re.Pattern[str]]  # by class


def read(jars: Sequence[Path], scope: Scope, fields: Fields) -> Iterator[Class]:
    """The classes of a scope, inner ones included."""
    wanted = set(scope.classes) | set(fields)
    names = []
    for jar in jars:
        listing = subprocess.run(["jar", "tf", jar], capture_output=True, text=True, check=True).stdout
        for path in listing.split():
            simple = path.removesuffix(".class").rsplit("/", 1)[-1]
            if path.endswith(".class") and simple.split("$")[0] in wanted:
                names.append(path.removesuffix(".class").replace("/", "."))
    path = ":".join(map(str, jars))
    command = ["javap", "-v", "-p", "-c", "-cp", path, *sorted(names)]
    yield from classes(subprocess.run(command, capture_output=True, text=True, check=True).stdout)


def _methods(found: Sequence[Class], scope: Scope, form: Callable[[str], str]) -> dict[tuple[str, str], str]:
    bodies: dict[tuple[str, str], list[str]] = {}
    for one in found:
        for method in one.methods:
            if scope.holds(one.name, method.name) and not method.is_accessor:
                bodies.setdefault((one.name, method.name), []).append(form(body(method)))
    return {key: hashlib.sha256("\n\n".join(texts).encode()).hexdigest() for key, texts in bodies.items()}


def _defaults(found: Sequence[Class], fields: Fields) -> dict[tuple[str, str], str]:
    values = {}
    for one in found:
        wanted = fields.get(one.name)
        if wanted is not None:
            found_values = assignments(one).items()
            values.update({(one.name, name): value for name, value in found_values if wanted.fullmatch(name)})
    return values


def _changes(history: Mapping[str, Mapping[tuple[str, str], str]]) -> dict[tuple[str, str], list[tuple[str, str]]]:
    """(release, value) of each key wherever it differs from the release before, GONE where it ends."""
    changes: dict[tuple[str, str], list[tuple[str, str]]] = {}
    before: Mapping[tuple[str, str], str] = {}
    for release, now in history.items():
        for key in {**before, **now}:
            if before.get(key, GONE) != now.get(key, GONE):
                changes.setdefault(key, []).append((release, now.get(key, GONE)))
        before = now
    return changes


def main(jars: Path, history: Path, side: str = "") -> None:
    """Write both tables."""
    methods, defaults = [], []
    asked = SIDES[side]
    form = consumer_scopes.settled if side else str
    for scope in asked.SCOPES:
        fields = asked.DEFAULTS[scope.name]
        found = {r: list(read(files, scope, fields)) for r in RELEASES if (files := jars_of(jars, scope, r))}
        codes = _changes({release: _methods(all_of, scope, form) for release, all_of in found.items()})
        for (owner, method), steps in sorted(codes.items()):
            releases = " ".join(release if value else f"-{release}" for release, value in steps)
            methods.append((scope.name, owner, method, releases))
        values = _changes({release: _defaults(all_of, fields) for release, all_of in found.items()})
        for (owner, name), steps in sorted(values.items()):
            defaults += [(scope.name, owner, name, release, value or "(gone)") for release, value in steps]
    prefix = f"{side}_" if side else ""
    _write(history / f"{prefix}methods.csv", ("scope", "class", "method", "releases"), methods)
    _write(history / f"{prefix}defaults.csv", ("scope", "class", "field", "release", "value"), defaults)


def _write(path: Path, header: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(header)
        writer.writerows(rows)


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]), *sys.argv[3:])
