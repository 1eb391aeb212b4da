"""`--objective` of a command: checked before anything runs."""

from __future__ import annotations

from simulator.experiments.experiment_measures import MEASURES, known_measures, plain, why_not_measured
from simulator.experiments.objective import Objective, parse_objective, unmeasured
from simulator.experiments.texts.experiment_file_texts import ExperimentFileTexts
from simulator.scenario import Scenario
from simulator.scenario.reading.scenario_error import not_known
from streaming.errors import InputError


def objective_asked(text: str) -> Objective:
    """The objective of an option's text. Raises InputError for another form, or a measure that does not exist."""
    try:
        objective = parse_objective(text)
    except ValueError as error:
        raise InputError(f"--objective {text}: {error}") from None
    if plain(objective.measure) not in MEASURES:
        raise InputError(f"--objective {text}: {not_known('measure', objective.measure, MEASURES)}")
    return objective


def check_measured(text: str, scenario: Scenario) -> None:
    """Raise InputError for an objective that runs of this scenario cannot be measured by."""
    measure = objective_asked(text).measure
    problem = unmeasured(measure, known_measures(scenario))
    if problem is not None:
        raise InputError(f"--objective {text}: {problem}")
    reason = why_not_measured(measure, scenario, 0)
    if reason:
        raise InputError(ExperimentFileTexts.NOT_MEASURABLE(name=measure, why=reason).at(f"--objective {text}"))
