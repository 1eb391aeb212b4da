"""What every test may ask for."""

from __future__ import annotations

import atexit
import os
from pathlib import Path

import pytest
from hypothesis import settings

from tests.browser import find_browser

# The same examples every time; how long one takes depends on who else uses the machine.
settings.register_profile("repeatable", deadline=None, derandomize=True)
settings.load_profile("repeatable")


@pytest.fixture(scope="session")
def root() -> Path:
    """The top of the checkout."""
    return Path(__file__).resolve().parents[1]


@pytest.fixture(scope="session")
def chromium() -> str:
    """The path of a Chromium; a test that needs it fails where there is none."""
    return find_browser() or pytest.fail(
        "no Chromium on this machine: `make test` installs it, apt-get install chromium does too"
    )


@atexit.register
def _last_words_are_pytests() -> None:
    # duckdb's bindings list what they did not free when the interpreter ends, after the runner's closing line.
    os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
