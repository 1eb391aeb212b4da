"""How a command asks a running job for a change, and what the job answers: two files of its checkpoint folder.

CHECKPOINT/reload.request.json  what is asked for, until it is answered
CHECKPOINT/reload.answer.json   the last answer
"""

from __future__ import annotations

import uuid
from dataclasses import asdict, dataclass, field

from simulator.scenario import Scenario, parse_scenario
from simulator.scenario.reading.scenario_error import ScenarioError
from streaming.errors import InputError
from streaming.files.json_file import read_json, write_json
from streaming.jobs.folders.checkpoint import ANSWER, REQUEST, Checkpoint
from streaming.texts.job_texts import JobTexts


@dataclass(frozen=True)
class Request:
    """The scenario that is wanted, as YAML. from_now: moments of new faults count from the change on."""

    scenario: str
    from_now: bool = False
    id: str = field(default_factory=lambda: uuid.uuid4().hex)

    @property
    def wanted(self) -> Scenario:
        """The scenario. Raises InputError."""
        try:
            return parse_scenario(self.scenario)
        except ScenarioError as error:
            raise InputError(str(error)) from None


@dataclass(frozen=True)
class ReloadAnswer:
    """What became of a request. refused: why, "" if the change was made; changes: none where nothing differs."""

    id: str
    refused: str = ""
    at_us: int = 0
    changes: tuple[str, ...] = ()


def ask(checkpoint: Checkpoint, request: Request) -> None:
    """Ask the job that runs on a checkpoint."""
    write_json(checkpoint.folder / REQUEST, asdict(request))


def asked(checkpoint: Checkpoint) -> Request | None:
    """What a job is asked for, if anything. Raises InputError if that is damaged."""
    file = checkpoint.folder / REQUEST
    if not file.exists():
        return None
    try:
        return Request(**read_json(file, "request for a change"))
    except TypeError as error:
        raise InputError(JobTexts.REQUEST_DAMAGED(why=error).at(file)) from error


def answer(checkpoint: Checkpoint, given: ReloadAnswer) -> None:
    """ReloadAnswer it; it is asked no more."""
    write_json(checkpoint.folder / ANSWER, asdict(given))
    withdraw(checkpoint)


def withdraw(checkpoint: Checkpoint) -> None:
    """Ask no more."""
    (checkpoint.folder / REQUEST).unlink(missing_ok=True)


def answered(checkpoint: Checkpoint, request: Request) -> ReloadAnswer | None:
    """The answer to a request, if there is one by now. Raises InputError if it is damaged."""
    file = checkpoint.folder / ANSWER
    if not file.exists():
        return None
    content = read_json(file, "answer to a request")
    if content.get("id") != request.id:
        return None
    return ReloadAnswer(**{**content, "changes": tuple(content["changes"])})
