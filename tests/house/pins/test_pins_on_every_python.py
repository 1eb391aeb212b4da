"""Every extra installs from the pins on the oldest and the newest Python that pyproject.toml names."""

from __future__ import annotations

import re

import pytest
from packaging.specifiers import SpecifierSet
from packaging.version import Version

from tests.house.pins.python_pins import PackageIndexError, resolve, unfit
from tests.house.pins.test_constraints import PINS, PROJECT, VERSIONS
from tests.house.tree import ROOT

NAMED = [line.rpartition(" ")[2] for line in PROJECT["classifiers"] if line.startswith("Programming Language")]
MINORS = sorted((name for name in NAMED if "." in name), key=Version)
PYTHONS = (f"{MINORS[0]}.0", MINORS[-1])
EXTRAS = {"": [], **PROJECT["optional-dependencies"]}


def asked(ask, *what):
    """The answer of the package index; without one the test says so."""
    try:
        return ask(*what)
    except PackageIndexError as error:
        pytest.skip(f"the package index could not be asked, so the pins were not compared: {error}")


@pytest.mark.parametrize("python", PYTHONS)
@pytest.mark.parametrize("extra", EXTRAS, ids=lambda extra: extra or "none")
def test_an_extra_installs_from_the_pins(extra, python):
    wanted, pins = [*PROJECT["dependencies"], *EXTRAS[extra]], [str(pin) for pin in PINS]
    found, why = asked(resolve, wanted, pins, python)
    assert not why, asked(unfit, wanted, pins, python)
    assert found.keys() - VERSIONS.keys() == set()


def test_a_pin_above_the_oldest_python_is_named_with_what_it_requires_and_what_fits():
    pins = [str(pin) for pin in PINS if pin.name != "pymdown-extensions"]
    found = asked(unfit, EXTRAS["docs"], [*pins, "pymdown-extensions==13.1"], "3.11.0")
    match = re.fullmatch(
        r"pymdown-extensions==13\.1 requires Python>=3\.11\.5; pymdown-extensions==(\S+) installs on Python 3\.11\.0",
        found,
    )
    assert match, found
    assert Version(match[1]) < Version("13.1")


def test_the_pythons_are_those_of_requires_python_and_of_the_readme():
    bounds = SpecifierSet(PROJECT["requires-python"])
    assert all(bounds.contains(version) for version in MINORS)
    assert not bounds.contains(f"3.{int(MINORS[0].partition('.')[2]) - 1}.99")
    assert f"Python {MINORS[0]}" in (ROOT / "README.md").read_text()


def test_set_up_looks_for_every_python_that_is_named():
    script = (ROOT / "conf" / "setup" / "venv.sh").read_text()
    assert set(re.findall(r"python(3\.\d+)", re.search(r"for candidate in .*", script)[0])) == set(MINORS)
