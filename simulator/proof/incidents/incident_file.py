"""From the YAML of an incident to the scenarios of its two sides, every key checked."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from copy import deepcopy
from dataclasses import dataclass
from pathlib import Path as FilePath
from typing import Any

from pydantic import ValidationError

from simulator.proof.incidents.incident import SIDES, Incident
from simulator.proof.incidents.incident_texts import IncidentTexts
from simulator.scenario import Scenario
from simulator.scenario.loading.scenario_file import read_text, scenario_of
from simulator.scenario.reading.document import Document
from simulator.scenario.reading.scenario_error import Path, Problem, ScenarioError, not_known
from simulator.scenario.reading.sentences import Sentences, problems_of
from simulator.units import shown

ENDING = ".yaml"


@dataclass(frozen=True)
class Loaded:
    """An incident with its name (that of the file) and its scenarios by (side, release)."""

    name: str
    incident: Incident
    scenarios: dict[tuple[str, str], Scenario]


def merged(base: dict[str, Any], change: dict[str, Any]) -> dict[str, Any]:
    """`base` with the keys of `change` put in, mapping by mapping; both stay as they are."""
    result = deepcopy(base)
    for key, value in change.items():
        own = result.get(key)
        result[key] = merged(own, value) if isinstance(own, dict) and isinstance(value, dict) else deepcopy(value)
    return result


def load_incident(path: FilePath) -> Loaded:
    """Read one incident. Raises ScenarioError, whose text is one sentence with file, line and key."""
    document = Document(read_text(path), str(path))
    problems = list(document.problems)
    try:
        incident = Incident.model_validate(document.value)
    except ValidationError as error:
        problems += problems_of(error, Incident)
    if problems:
        raise Sentences(document, {}).error_of(problems)
    base = _with_like(incident.scenario, path, document)
    scenarios = {}
    for side in SIDES:
        for release in incident.side(side).releases:
            given = {"name": incident.title, "client": {"release": release}}
            data = merged(merged(base, incident.side(side).change), given)
            scenario, found = scenario_of(data, path.parent)
            found += _unknown_names(incident, scenario)
            if scenario is None or found:
                placed = [Problem(_written(p.path, side, document), p.text, p.line) for p in found]
                raise Sentences(document, {}).error_of(placed)
            scenarios[side, release] = scenario
    return Loaded(path.name.removesuffix(ENDING), incident, scenarios)


def _with_like(scenario: dict[str, Any], path: FilePath, document: Document) -> dict[str, Any]:
    """The scenario's keys over those of the file that its `like` names."""
    if "like" not in scenario:
        return scenario
    like = scenario["like"]
    if not isinstance(like, str):
        problem = Problem(("scenario", "like"), IncidentTexts.PATH_EXPECTED(got=shown(like)))
        raise Sentences(document, {}).error_of([problem])
    file = path.parent / like
    base = Document(read_text(file), str(file))
    if base.problems:
        raise Sentences(base, {}).error_of(base.problems)
    return merged(base.value, {key: value for key, value in scenario.items() if key != "like"})


def _unknown_names(incident: Incident, scenario: Scenario | None) -> list[Problem]:
    return [] if scenario is None else list(_names_of_figures(incident, scenario))


def _names_of_figures(incident: Incident, scenario: Scenario) -> Iterator[Problem]:
    for i, figure in enumerate(incident.figures):
        if figure.broker is not None and figure.broker not in scenario.brokers:
            yield Problem((FIGURES, i, "broker"), not_known("broker", figure.broker, scenario.brokers))
        if figure.topic is not None and figure.topic not in scenario.topics:
            yield Problem((FIGURES, i, "topic"), not_known("topic", figure.topic, scenario.topics))


FIGURES = "figures"


def _written(path: Path, side: str, document: Document) -> Path:
    """Where a key of a side's scenario is written: the longest way that the document has."""
    if path[:1] == (FIGURES,):
        return path
    plain = path[:1] + path[2:] if path[:2] == ("producers", 0) else path
    ways: list[Path] = [(*head, *tail) for head in (("scenario",), (side, "change")) for tail in (path, plain)]
    return max(ways, key=lambda way: _depth(way, document))


def _depth(way: Path, document: Document) -> int:
    return next((n for n in range(len(way), 0, -1) if way[:n] in document.lines), 0)


def incident_files(folder: FilePath) -> dict[str, FilePath]:
    """The files of a catalogue by incident name. Raises ScenarioError for a folder that has none."""
    files = {file.name.removesuffix(ENDING): file for file in sorted(folder.glob(f"*{ENDING}"))}
    if not files:
        raise ScenarioError([IncidentTexts.EMPTY_CATALOGUE(ending=ENDING).at(folder)])
    return files


def load_incidents(folder: FilePath, names: Sequence[str] = ()) -> list[Loaded]:
    """The named incidents of a catalogue, all by default. Raises ScenarioError."""
    files = incident_files(folder)
    for name in names:
        if name not in files:
            raise ScenarioError([not_known("incident", name, files)])
    return [load_incident(files[name]) for name in names or files]
