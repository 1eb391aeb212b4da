"""Incidents as hunts: the incident's cluster without its faults, on the broken and on the fixed release."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from simulator.hunt.fault_template import FaultTemplate
from simulator.hunt.hunt_file import LoadedHunt, hunt_in
from simulator.proof.incidents.incident import SIDES
from simulator.proof.incidents.incident_file import incident_files, load_incident
from simulator.scenario.loading.scenario_file import read_text
from simulator.scenario.reading.document import Document
from simulator.scenario.reading.scenario_error import Problem, ScenarioError, not_known
from simulator.scenario.reading.sentences import Sentences


@dataclass(frozen=True)
class HuntedIncident:
    """An incident as a hunt. sides: the hunt on the last named of the broken (`faulty`) and of the fixed (`mended`)
    releases.
    """

    name: str
    title: str
    releases: dict[str, str]
    sides: dict[str, LoadedHunt]


def load_hunted_incidents(
    path: Path, incidents: Path, rates: Sequence[FaultTemplate], names: Sequence[str] = ()
) -> list[HuntedIncident]:
    """The named hunts of a file, all by default. Raises ScenarioError."""
    document = Document(read_text(path), str(path), "file of hunts", "names of incidents")
    if document.problems:
        raise Sentences(document, {}).error_of(document.problems)
    files, listed = incident_files(incidents), document.value
    for name in listed:
        if name not in files:
            raise Sentences(document, {}).error_of([Problem((name,), not_known("incident", str(name), files))])
    for name in names:
        if name not in listed:
            raise ScenarioError([not_known("hunted incident", name, listed)])
    return [_hunted(str(name), files[name], listed[name], document, rates) for name in names or listed]


def _hunted(name: str, file: Path, settings: Any, document: Document, rates: Sequence[FaultTemplate]) -> HuntedIncident:
    loaded = load_incident(file)
    releases, sides = {}, {}
    for side in SIDES:
        own = loaded.incident.side(side).releases
        release = own[-1]
        scenario = loaded.scenarios[side, release].model_copy(update={"faults": ()})
        whole = {"name": name, "scenario": {}, **(settings if isinstance(settings, dict) else {})}
        releases[side] = release
        sides[side] = hunt_in(scenario, whole, document, (name,), rates)
    return HuntedIncident(name, loaded.incident.title, releases, sides)
