"""The data that comes with Sendlab: scenarios, incidents, Spark's log settings; in a checkout its folder conf."""

from __future__ import annotations

import sysconfig
from importlib.metadata import PackageNotFoundError, files
from pathlib import Path

from streaming.errors import EnvironmentProblem
from streaming.texts.command_texts import CommandTexts

ROOT = Path(__file__).resolve().parents[2]
INSTALLED = ("share", "sendlab")  # where the wheel has it, below the installer's folder for data
KNOWN_BY = "scenario.schema.json"  # stands at the top of the folder in both forms


def conf_folder(root: Path = ROOT) -> Path:
    """The folder; in an installation wherever the installer has put the wheel's `share/sendlab`.

    Raises EnvironmentProblem if the installation has lost it.
    """
    if (root / "conf" / KNOWN_BY).is_file():
        return root / "conf"
    for folder in _installed():
        if (folder / KNOWN_BY).is_file():
            return folder
    raise EnvironmentProblem(CommandTexts.EXAMPLES_NOT_INSTALLED())


def _installed() -> list[Path]:
    try:
        own = (*INSTALLED, KNOWN_BY)  # Kafka's settings have files of the same names as Spark's
        listed = [Path(str(file.locate())) for file in files("sendlab") or () if file.parts[-len(own) :] == own]
    except PackageNotFoundError:
        listed = []
    return [file.resolve().parent for file in listed] + [Path(sysconfig.get_path("data"), *INSTALLED)]
