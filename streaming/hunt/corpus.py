"""A corpus: the schedules that were found before, a file each, which the next hunt tries first."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from simulator.hunt.cases.found_case import FoundCase
from simulator.hunt.schedule import Schedule, Strike
from simulator.hunt.space import HuntSpace
from streaming.errors import InputError
from streaming.files.json_file import read_json, write_json
from streaming.problems import disk_problem
from streaming.texts.hunt_run_texts import HuntRunTexts

FORMAT = 1
NO_TEMPLATE = -1  # a fault that the space has no more


def read_corpus(folder: Path, space: HuntSpace) -> dict[str, Schedule]:
    """The schedules of a corpus by the name of their file; none of a folder that is not there. Raises InputError."""
    if folder.is_file():
        raise InputError(HuntRunTexts.CORPUS_EXPECTED().at(f"--corpus {folder}"))
    found = {}
    for file in sorted(folder.glob("*.json")):
        content = read_json(file, "case")
        try:
            if content["format"] != FORMAT:
                raise InputError(HuntRunTexts.CASE_OF_ANOTHER_VERSION().at(file))
            strikes = tuple(_strike(one, space) for one in content["strikes"])
            settings = tuple(sorted(content["settings"].items()))
            found[file.name] = Schedule(strikes, settings, tuple(content["dropped"]))
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise InputError(HuntRunTexts.CASE_DAMAGED(why=error).at(file)) from error
    return found


def _strike(content: dict[str, Any], space: HuntSpace) -> Strike:
    kind, target = str(content["kind"]), str(content["target"])
    numbers = [place for place, one in enumerate(space.templates) if (one.kind, one.target) == (kind, target)]
    values = tuple((str(key), value) for key, value in content["values"])
    number = numbers[0] if numbers else NO_TEMPLATE
    return Strike(number, kind, target, content["place"], int(content["at_us"]), values)


def add_to_corpus(folder: Path, cases: Sequence[FoundCase]) -> int:
    """Add the cases that add something to the scenario and are not there; how many. Raises EnvironmentProblem."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        return sum(_add(folder, case) for case in cases if _adds(case.schedule) and not case.from_corpus)
    except OSError as error:
        raise disk_problem(error, folder) from error


def _adds(schedule: Schedule) -> bool:
    return bool(schedule.strikes or schedule.settings)


def _add(folder: Path, case: FoundCase) -> bool:
    """Whether a case was not there yet."""
    digest = hashlib.sha256(case.schedule.key.encode()).hexdigest()[:8]
    file = folder / f"{case.name.partition('-')[2]}-{digest}.json"
    if file.exists():
        return False
    write_json(file, _content(case))
    return True


def _content(case: FoundCase) -> dict[str, Any]:
    strikes = [
        {"kind": one.kind, "target": one.target, "place": one.place, "at_us": one.at_us, "values": list(one.values)}
        for one in case.schedule.strikes
    ]
    content = {
        "format": FORMAT, "sentence": case.sentence, "objective": str(case.goal), "strikes": strikes,
        "settings": dict(case.schedule.settings), "dropped": list(case.schedule.dropped),
    }  # fmt: skip
    return dict(json.loads(json.dumps(content)))
