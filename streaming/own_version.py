"""Which Sendlab this is."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, version


def sendlab_version() -> str:
    """Version of the installed distribution."""
    try:
        return version("sendlab")
    except PackageNotFoundError:
        return "not installed"
