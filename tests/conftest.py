"""What every test may ask for."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

BROWSERS = ("chromium", "chromium-browser", "google-chrome")


@pytest.fixture(scope="session")
def root() -> Path:
    """The top of the checkout."""
    return Path(__file__).resolve().parents[1]


@pytest.fixture(scope="session")
def chromium() -> str:
    """The path of a Chromium; a test that needs it is skipped where there is none."""
    found = next((path for name in BROWSERS if (path := shutil.which(name))), None)
    return found or pytest.skip("no Chromium on this machine")
