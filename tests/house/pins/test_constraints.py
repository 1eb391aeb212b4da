"""What is installed is pinned: every dependency, theirs too, inside the bounds of pyproject.toml."""

from __future__ import annotations

import tomllib
from importlib import metadata

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.house.tree import ROOT

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
LINES = (ROOT / "conf" / "constraints.txt").read_text().splitlines()
PINS = [Requirement(line) for line in LINES if line and not line.startswith("#")]
VERSIONS = {canonicalize_name(pin.name): next(iter(pin.specifier)).version for pin in PINS}


def wanted() -> list[Requirement]:
    """The requirements of the project and of its extras."""
    extras = PROJECT["optional-dependencies"].values()
    return [Requirement(line) for lines in [PROJECT["dependencies"], *extras] for line in lines]


def requires(name: str) -> list[str]:
    """What a distribution requires; nothing is known of the tools of `make docs` before they are installed."""
    try:
        return metadata.requires(name) or []
    except metadata.PackageNotFoundError:
        if name not in {canonicalize_name(Requirement(line).name) for line in PROJECT["optional-dependencies"]["docs"]}:
            raise
        return []


def test_constraints_cover_every_dependency():
    todo, seen = [requirement.name for requirement in wanted()], set[str]()
    while todo:
        name = canonicalize_name(todo.pop())
        if name not in seen:
            seen.add(name)
            needs = [Requirement(line) for line in requires(name)]
            todo += [need.name for need in needs if need.marker is None or need.marker.evaluate()]
    assert seen - VERSIONS.keys() == set()


def test_constraints_hold_nothing_else_than_exact_versions():
    assert [str(pin) for pin in PINS if not (pin.url is None and str(pin.specifier).startswith("=="))] == []


def test_constraints_fit_the_bounds():
    unfit = [r for r in wanted() if not r.specifier.contains(VERSIONS[canonicalize_name(r.name)])]
    assert unfit == []
