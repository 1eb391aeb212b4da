"""What every test may ask for."""

from __future__ import annotations

import atexit
import gc
import os
from pathlib import Path

import pytest
from hypothesis import settings

from tests.browser import find_browser
from tests.wheels import wheel_in

gc.disable()  # until the tests are collected
# The same examples every time; how long one takes depends on who else uses the machine.
settings.register_profile("repeatable", deadline=None, derandomize=True)
settings.load_profile("repeatable")


@pytest.fixture(scope="session")
def root() -> Path:
    """The top of the checkout."""
    return Path(__file__).resolve().parents[1]


@pytest.fixture(scope="session")
def shared_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder that the processes of this run of tests have in common."""
    own = tmp_path_factory.getbasetemp()
    return own.parent if "PYTEST_XDIST_WORKER" in os.environ else own


@pytest.fixture(scope="session")
def wheel(shared_folder: Path) -> Path:
    """The wheel of this checkout."""
    return wheel_in(shared_folder)


@pytest.fixture(scope="session")
def chromium() -> str:
    """The path of a Chromium; a test that needs it fails where there is none."""
    return find_browser() or pytest.fail(
        "no Chromium on this machine: `make test` installs it, apt-get install chromium does too"
    )


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """With several processes, begin with the files that ask for the longest time: no process ends with one alone."""
    if hasattr(config, "workerinput"):
        longest_s: dict[Path, float] = {}
        for item in items:
            for mark in item.iter_markers("timeout"):
                asked_s = mark.args[0] if mark.args else mark.kwargs["timeout"]
                longest_s[item.path] = max(longest_s.get(item.path, 0), asked_s)
        items.sort(key=lambda item: -longest_s.get(item.path, 0))


def pytest_collection_finish() -> None:
    """What is loaded and collected stays to the end: it is no garbage, and nobody looks through it for some."""
    gc.freeze()
    gc.enable()


@atexit.register
def _last_words_are_pytests() -> None:
    # duckdb's bindings list what they did not free when the interpreter ends, after the runner's closing line.
    os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
