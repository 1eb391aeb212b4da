"""The folder of a hunt.

FOLDER/hunt.json       what is hunted: scenario, space, goals and seed, by digest
FOLDER/outcomes.jsonl  what every schedule came to, a line each: the same command resumes from them
FOLDER/cases/          a scenario for each case that was found, written as it is found
FOLDER/result.json     what came out, FOLDER/hunt.html the page
FOLDER/jvm.log         of Spark, where a hunt runs there
FOLDER/.lock           held by the process that hunts
"""

from __future__ import annotations

import hashlib
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from simulator.compiled.jit import source_digest
from simulator.hunt.hunt_file import LoadedHunt
from state.texts import listed
from streaming.errors import EnvironmentProblem, InputError
from streaming.files.json_file import is_spare, read_json, remove_spares, write_json
from streaming.files.whole_file import write_text_whole
from streaming.installation.own_version import sendlab_version
from streaming.jobs.folders.folder_lock import LOCK, held
from streaming.problems import not_writable
from streaming.texts.hunt_run_texts import HuntRunTexts

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


def _is_before_a_hunt(path: Path) -> bool:
    return path.name == LOCK or is_spare(path)


@dataclass(frozen=True)
class HuntFolder:
    """The folder of a hunt."""

    path: Path

    @property
    def outcomes(self) -> Path:
        """The file of what schedules came to."""
        return self.path / OUTCOMES

    @contextmanager
    def claimed(self, wanted: Mapping[str, str], *, fresh: bool) -> Iterator[None]:
        """Make the folder, or see that what lies there is of this hunt, and hold it; `fresh` empties it first.

        Raises InputError (another hunt's, nobody's, or in use) and EnvironmentProblem (cannot be written), and then
        nothing in it has changed.
        """
        self._check(wanted, fresh=fresh)
        try:
            self.path.mkdir(parents=True, exist_ok=True)
            (self.path / LOCK).touch()
        except OSError as error:
            raise self._not_writable(error) from error
        with held(self.path, HuntRunTexts.FOLDER_IN_USE()):
            remove_spares(self.path)
            self._check(wanted, fresh=fresh)  # again: until now another hunt could have begun here
            try:
                self._begin(wanted, fresh=fresh)
            except OSError as error:
                raise self._not_writable(error) from error
            yield

    def _check(self, wanted: Mapping[str, str], *, fresh: bool) -> None:
        note = self.path / NOTE
        if self.path.is_file():
            raise InputError(HuntRunTexts.FOLDER_EXPECTED().at(self.path))
        if self.path.is_dir() and not note.exists() and not all(map(_is_before_a_hunt, self.path.iterdir())):
            raise InputError(HuntRunTexts.FOLDER_NOT_EMPTY().at(self.path))
        if note.exists() and not fresh:
            there = read_json(note, "hunt's description")
            different = [name for name, value in wanted.items() if there.get(name) != value]
            if different:
                raise InputError(HuntRunTexts.ANOTHER_HUNT(different=listed(different)).at(self.path))

    def _begin(self, wanted: Mapping[str, str], *, fresh: bool) -> None:
        note = self.path / NOTE
        if fresh and note.exists():
            shutil.rmtree(self.path / CASES, ignore_errors=True)
            for name in OWN:
                (self.path / name).unlink(missing_ok=True)
        write_json(note, {"sendlab": sendlab_version(), **wanted})

    def _not_writable(self, error: OSError) -> EnvironmentProblem:
        return not_writable(error, self.path)

    def case_file(self, name: str) -> Path:
        """The scenario of a case."""
        return self.path / CASES / f"{name}.yaml"

    def write_case(self, name: str, text: str) -> None:
        """Write the scenario of a case. Raises OSError."""
        (self.path / CASES).mkdir(exist_ok=True)
        write_text_whole(self.case_file(name), text)

    def write_cases(self, texts: Mapping[str, str]) -> None:
        """Write the scenarios of the cases, and take away those of an earlier run that are none. Raises OSError."""
        for file in (self.path / CASES).glob("*.yaml"):
            if file.stem not in texts:
                file.unlink()
        for name, text in texts.items():
            self.write_case(name, text)

    def write_result(self, content: Mapping[str, Any]) -> None:
        """Write result.json. Raises OSError."""
        write_json(self.path / RESULT, {"sendlab": sendlab_version(), **content})
