"""The data that comes with Sendlab: scenarios, incidents, Spark's log settings; in a checkout its folder conf."""

from __future__ import annotations

import sysconfig
from importlib.metadata import PackageNotFoundError, files
from pathlib import Path

from streaming.errors import EnvironmentProblem

ROOT = Path(__file__).resolve().parents[1]
KNOWN_BY = "log4j2.properties"  # the one file that stands at the top of the folder in both forms


def conf_folder(root: Path = ROOT) -> Path:
    """The folder; in an installation wherever the installer has put the wheel's `share/sendlab`.

    Raises EnvironmentProblem if the installation has lost it.
    """
    if (root / "conf" / KNOWN_BY).is_file():
        return root / "conf"
    for folder in _installed():
        if (folder / KNOWN_BY).is_file():
            return folder
    raise EnvironmentProblem("the scenarios and settings that come with sendlab are not installed: install it again")


def _installed() -> list[Path]:
    try:
        listed = [Path(str(file.locate())) for file in files("sendlab") or () if file.name == KNOWN_BY]
    except PackageNotFoundError:
        listed = []
    return [file.resolve().parent for file in listed] + [Path(sysconfig.get_path("data")) / "share" / "sendlab"]
