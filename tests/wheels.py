"""The wheel of this checkout, built once for all processes that test it, and nobody builds in its folders meanwhile."""

from __future__ import annotations

import fcntl
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.house.tree import ROOT


@contextmanager
def building(folder: Path) -> Iterator[None]:
    """Be the only process that builds: pip builds in the checkout, where two at once would remove each other's files.

    `folder`: one that the processes of a run of tests share.
    """
    with (folder / "building").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def wheel_in(folder: Path) -> Path:
    """The wheel, which the first process that asks for it builds in that folder."""
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "-q"]
    with building(folder):
        if not list((folder / "wheel").glob("*.whl")):
            build = [*pip, "wheel", "--no-deps", "--no-build-isolation", "-w", str(folder / "wheel"), str(ROOT)]
            subprocess.run(build, check=True)
    (found,) = (folder / "wheel").glob("*.whl")
    return found
