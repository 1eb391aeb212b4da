"""Which Sendlab this is."""

from __future__ import annotations

from functools import cache
from importlib.metadata import PackageNotFoundError, version


@cache
def sendlab_version() -> str:
    """Version of the installed distribution."""
    try:
        return version("sendlab")
    except PackageNotFoundError:
        return "not installed"
