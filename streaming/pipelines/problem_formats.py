"""Problems of a scenario as a pipeline wants them: GitHub's annotations, SARIF, JSON."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass

from state.texts import Sentence
from streaming.installation.own_version import sendlab_version

ERROR, WARNING, NOTE = "error", "warning", "note"
SARIF_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
PLACE = re.compile(r"(?P<file>.+?):(?P<line>\d+): (?P<text>.*)", re.DOTALL)
GITHUB = {ERROR: "error", WARNING: "warning", NOTE: "notice"}


@dataclass(frozen=True)
class CheckFinding:
    """One thing that a check found: error, warning or note; file, line from 1 and what.

    id: of its text in the catalogue, which stays when words change; empty for one that is in none.
    """

    level: str
    file: str
    line: int
    text: str
    id: str = ""

    @classmethod
    def of(cls, level: str, file: str, sentence: str) -> CheckFinding:
        """Of a sentence that may begin with its file and line."""
        place, id = PLACE.fullmatch(sentence), sentence.id if isinstance(sentence, Sentence) else ""
        if place is None:
            return cls(level, file, 1, str(sentence), id)
        return cls(level, place["file"], int(place["line"]), place["text"], id)


def _escaped(text: str, more: str = "") -> str:
    for character in "%\r\n" + more:
        text = text.replace(character, f"%{ord(character):02X}")
    return text


def github(findings: Sequence[CheckFinding]) -> str:
    """A workflow command a finding, which GitHub shows beside the line."""
    return "".join(
        f"::{GITHUB[each.level]} file={_escaped(each.file, ':,')},line={each.line}::{_escaped(each.text)}\n"
        for each in findings
    )


def sarif(findings: Sequence[CheckFinding]) -> str:
    """A SARIF 2.1.0 document."""
    results = [
        {
            "ruleId": f"sendlab/{each.id or each.level}",
            "level": each.level,
            "message": {"text": each.text},
            "locations": [
                {
                    "physicalLocation": {
                        "artifactLocation": {"uri": each.file},
                        "region": {"startLine": each.line},
                    }
                }
            ],
        }
        for each in findings
    ]
    driver = {"name": "sendlab check", "version": sendlab_version()}
    run = {"tool": {"driver": driver}, "results": results}
    return json.dumps({"$schema": SARIF_SCHEMA, "version": "2.1.0", "runs": [run]}, indent=1) + "\n"


def as_json(findings: Sequence[CheckFinding]) -> str:
    """A list of objects with level, file, line, text and id."""
    return json.dumps([asdict(each) for each in findings], indent=1, ensure_ascii=False) + "\n"


FORMATS: Mapping[str, Callable[[Sequence[CheckFinding]], str]] = {"github": github, "sarif": sarif, "json": as_json}
