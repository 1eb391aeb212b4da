"""The folder of a hunt.

FOLDER/hunt.json       what is hunted: scenario, space, goals and seed, by digest
FOLDER/outcomes.jsonl  what every schedule came to, a line each: the same command resumes from them
FOLDER/cases/          a scenario for each case that was found
FOLDER/result.json     what came out, FOLDER/hunt.html the page
FOLDER/jvm.log         of Spark, where a hunt runs there
"""

from __future__ import annotations

import hashlib
import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from simulator.compiled.jit import source_digest
from simulator.hunt.hunt_file import LoadedHunt
from streaming.errors import EnvironmentProblem, InputError
from streaming.files.json_file import read_json, write_json
from streaming.files.whole_file import write_text_whole
from streaming.own_version import sendlab_version
from streaming.texts.hunt_run_texts import HuntRunTexts
from streaming.texts.output_texts import OutputTexts

NOTE, OUTCOMES, CASES, RESULT = "hunt.json", "outcomes.jsonl", "cases", "result.json"
OWN = (NOTE, OUTCOMES, RESULT, "hunt.html", "jvm.log", "error.log")


def identity(hunt: LoadedHunt, seed: int, strategy: str) -> dict[str, str]:
    """What decides the outcomes of a hunt, by what it is called."""
    space = hunt.space
    texts = {
        "scenario": hunt.scenario.to_yaml(), "objectives": ", ".join(map(str, hunt.goals)),
        "space": repr((space.templates, space.places, space.begins, space.most, space.settings)),
        "model": source_digest(),
    }  # fmt: skip
    digests = {name: hashlib.sha256(text.encode()).hexdigest()[:16] for name, text in texts.items()}
    return digests | {"seed": str(seed), "strategy": strategy}


@dataclass(frozen=True)
class HuntFolder:
    """The folder of a hunt."""

    path: Path

    @property
    def outcomes(self) -> Path:
        """The file of what schedules came to."""
        return self.path / OUTCOMES

    def claim(self, wanted: Mapping[str, str], *, fresh: bool) -> None:
        """Make the folder, or see that what lies there is of this hunt; `fresh` empties it first.

        Raises InputError (another hunt's, or nobody's) and EnvironmentProblem (cannot be written).
        """
        note = self.path / NOTE
        if self.path.is_file():
            raise InputError(HuntRunTexts.FOLDER_EXPECTED().at(self.path))
        if self.path.is_dir() and not note.exists() and any(self.path.iterdir()):
            raise InputError(HuntRunTexts.FOLDER_NOT_EMPTY().at(self.path))
        if note.exists() and not fresh:
            there = read_json(note, "hunt's description")
            different = [name for name, value in wanted.items() if there.get(name) != value]
            if different:
                raise InputError(HuntRunTexts.ANOTHER_HUNT(different=" and another ".join(different)).at(self.path))
        try:
            if fresh and note.exists():
                shutil.rmtree(self.path / CASES, ignore_errors=True)
                for name in OWN:
                    (self.path / name).unlink(missing_ok=True)
            self.path.mkdir(parents=True, exist_ok=True)
            write_json(note, {"sendlab": sendlab_version(), **wanted})
        except OSError as error:
            raise EnvironmentProblem(OutputTexts.NOT_WRITABLE(why=error.strerror or error).at(self.path)) from error

    def case_file(self, name: str) -> Path:
        """The scenario of a case."""
        return self.path / CASES / f"{name}.yaml"

    def write_cases(self, texts: Mapping[str, str]) -> None:
        """Write the scenarios of the cases, and take away those of an earlier run that are none. Raises OSError."""
        folder = self.path / CASES
        folder.mkdir(exist_ok=True)
        for file in folder.glob("*.yaml"):
            if file.stem not in texts:
                file.unlink()
        for name, text in texts.items():
            write_text_whole(self.case_file(name), text)

    def write_result(self, content: Mapping[str, Any]) -> None:
        """Write result.json. Raises OSError."""
        write_json(self.path / RESULT, {"sendlab": sendlab_version(), **content})
