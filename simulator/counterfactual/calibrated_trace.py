"""A recorded log that can be run again: arrivals, conditions of brokers over time, and the scenario fitted to it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property

from simulator.calibrate.attempts import TraceAttempts
from simulator.calibrate.broker_metrics import Scrapes
from simulator.calibrate.calibration import Calibration, calibrate
from simulator.calibrate.found_fault import FoundFault
from simulator.calibrate.scenario_text import scenario_text
from simulator.counterfactual.conditions import Conditions, conditions_of, under_conditions
from simulator.counterfactual.recorded_arrivals import RecordedArrivals, recorded_arrivals
from simulator.plan.compile import compile_scenario
from simulator.plan.run_plan import Plan
from simulator.scenario import Scenario, parse_scenario


@dataclass(frozen=True)
class CalibratedTrace:
    """A trace with everything that is fitted to it. text: the fitted scenario as YAML, or one that is edited since."""

    name: str
    fit: Calibration
    text: str

    @cached_property
    def scenario(self) -> Scenario:
        """The scenario of the text. Raises ScenarioError if it is edited and wrong."""
        return parse_scenario(self.text, source=self.name)

    @cached_property
    def fitted(self) -> Scenario:
        """The scenario as it was fitted."""
        return parse_scenario(scenario_text(self.fit, self.name, None), source=self.name)

    @property
    def has_own_faults(self) -> bool:
        """Whether somebody knew better what happened than the trace shows."""
        return self.scenario.faults != self.fitted.faults

    @cached_property
    def arrivals(self) -> RecordedArrivals:
        """The recorded messages, with those that blocked threads would have made."""
        return recorded_arrivals(self.fit.attempts, self.fit.groups)

    @cached_property
    def conditions(self) -> Conditions:
        """What the brokers were like over time."""
        return conditions_of(self.fit.attempts, self.fit.findings)

    def with_changes(self, changes: Mapping[str, str]) -> Scenario:
        """The scenario with dotted keys set to YAML values. Raises ScenarioError."""
        return parse_scenario(self.text, overrides=dict(changes), source=self.name)

    def with_findings(self, findings: tuple[FoundFault, ...]) -> CalibratedTrace:
        """The same trace with other faults."""
        fit = replace(self.fit, findings=findings)
        return CalibratedTrace(self.name, fit, scenario_text(fit, self.name, None))

    def plan(self, scenario: Scenario) -> Plan:
        """The plan of a changed scenario with recorded arrivals and conditions.

        A group of producers or a broker's latency that the change sets is as the scenario says, not as recorded;
        other producers than the trace's take the place of all of them.
        """
        slowed = {period.broker for period in scenario.fault_periods() if "latency" in period.details}
        alike = {name: recorded for name, recorded in self.alike(scenario).items() if name not in slowed}
        plan = under_conditions(compile_scenario(scenario), self.conditions, alike)
        if not self.has_recorded_arrivals(scenario):
            return plan
        cells = tuple(replace(cell, recorded=self.arrivals.of_seed(scenario.seed)) for cell in plan.cells)
        return replace(plan, cells=cells)

    def alike(self, scenario: Scenario) -> dict[str, str]:
        """Brokers of a changed scenario that have the latency of a recorded one: most often their own, else another's.

        One that was not there and is like another answers as that one did, stretch by stretch.
        """
        fitted, found = {name: broker.latency for name, broker in self.fitted.brokers.items()}, {}
        for name, broker in scenario.brokers.items():
            same = [one for one, latency in fitted.items() if latency == broker.latency]
            if name in fitted:
                same = [name] if name in same else []
            if same:
                found[name] = same[0]
        return found

    def has_recorded_arrivals(self, scenario: Scenario) -> bool:
        """Whether the producers of a changed scenario make the recorded messages."""
        return scenario.producers == self.fitted.producers and scenario.cells == 1


def calibrated_trace(
    attempts: TraceAttempts, client: Mapping[str, object], mode: str, name: str, scrapes: Scrapes | None = None
) -> CalibratedTrace:
    """Fit a trace; `client`: keys of a scenario's client that are known. Raises ValueError if nothing can be fitted."""
    fit = calibrate(attempts, client, mode, scrapes)
    return CalibratedTrace(name, fit, scenario_text(fit, name, None))
