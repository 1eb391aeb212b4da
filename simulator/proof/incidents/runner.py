"""Run an incident's scenarios and hold what they show against what was reported."""

from __future__ import annotations

from dataclasses import dataclass

from simulator.proof.incidents.group_measures import GROUP_TABLES
from simulator.proof.incidents.incident import SIDES, Expected
from simulator.proof.incidents.incident_file import Loaded
from simulator.proof.incidents.later_measures import LATER_TABLES
from simulator.proof.incidents.measured_rows import WANTED_TABLES, Measured
from simulator.proof.incidents.measures import MEASURES
from simulator.run.simulate import simulate


@dataclass(frozen=True)
class Finding:
    """One figure of one release: what was expected of it and what was measured, in `unit`.

    `number`: that of the figure in the incident, from 0.
    """

    incident: str
    side: str
    release: str
    figure: str
    unit: str
    number: int
    expected: Expected
    measured: float

    @property
    def is_as_expected(self) -> bool:
        """Whether the measured value lies within the tolerance."""
        return self.expected.allows(self.measured)


def run_incident(loaded: Loaded) -> list[Finding]:
    """Every figure of every release of both sides, faulty first."""
    findings = []
    for side in SIDES:
        for release in loaded.incident.side(side).releases:
            scenario = loaded.scenarios[side, release]
            result = simulate(
                scenario, tables=WANTED_TABLES + ((*GROUP_TABLES, *LATER_TABLES) if scenario.consumers else ())
            )
            for number, figure in enumerate(loaded.incident.figures):
                expected = figure.expected(side)
                if expected is None:
                    continue
                measure = MEASURES[figure.figure]
                run = Measured(
                    result, broker=figure.broker, topic=figure.topic, from_us=figure.from_us, until_us=figure.until_us
                )
                findings.append(
                    Finding(
                        incident=loaded.name,
                        side=side,
                        release=release,
                        figure=figure.label,
                        unit=measure.unit,
                        number=number,
                        expected=expected,
                        measured=measure.of(run),
                    )
                )
    return findings
