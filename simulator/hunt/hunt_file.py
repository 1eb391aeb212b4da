"""From the YAML of a hunt, and of the table of what breaks how often, to a space; every key checked."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, replace
from pathlib import Path as FilePath
from typing import Annotated, Any

from pydantic import BeforeValidator, Field, ValidationError

from simulator.experiments.experiment_measures import known_measures
from simulator.hunt.drawn_values import Value, ValueRange, read_drawn
from simulator.hunt.fault_template import FaultTemplate, read_template, unknown_places
from simulator.hunt.goal import Goal, parse_goal, why_no_goal
from simulator.hunt.schedule import Schedule, scenario_with
from simulator.hunt.space import MOST, HuntSpace, example, space_of
from simulator.hunt.texts.hunt_texts import HuntTexts
from simulator.scenario import Scenario, ScenarioError, load_scenario
from simulator.scenario.loading.overrides import apply_overrides
from simulator.scenario.loading.scenario_file import NONE, read_text, scenario_of
from simulator.scenario.reading.document import Document
from simulator.scenario.reading.fields import Model, Text, whole
from simulator.scenario.reading.scenario_error import Path, Problem, raise_any
from simulator.scenario.reading.sentences import Sentences, problems_of
from simulator.units import format_duration, shown
from state.texts import at, sentence_of, without

KEY = "hunt"
MOST_AT_ONCE = 8
ALWAYS = ("lost",)  # what no schedule may bring about, unless objectives say something else
OF_GROUPS = ("skipped", "missed")


def _templates(value: Any) -> tuple[FaultTemplate, ...]:
    if not isinstance(value, list) or not value:
        raise ValueError(HuntTexts.FAULTS_EXPECTED(got=_list_or_not(value)))
    found, problems = [], []
    for place, one in enumerate(value):
        try:
            found.append(read_template(one))
        except ValueError as error:
            own = getattr(error, "problems", None) or (Problem((), sentence_of(error)),)
            problems += [Problem((place, *problem.path), problem.text) for problem in own]
    raise_any(problems)
    return tuple(found)


def _begins(value: Any) -> ValueRange:
    found = read_drawn(value, is_time=True)
    if not isinstance(found, ValueRange):
        raise ValueError(HuntTexts.RANGE_EXPECTED(got=shown(value)))
    return found


def _settings(value: Any) -> tuple[tuple[str, tuple[Value, ...]], ...]:
    if not isinstance(value, Mapping) or not all(isinstance(own, list) and own for own in value.values()):
        raise ValueError(HuntTexts.SETTINGS_EXPECTED(got=shown(value)))
    return tuple((str(key), tuple(own)) for key, own in value.items())


def _goals(value: Any) -> tuple[Goal, ...]:
    if not isinstance(value, list) or not value:
        raise ValueError(HuntTexts.GOALS_EXPECTED(got=_list_or_not(value)))
    found, problems = [], []
    for place, one in enumerate(value):
        try:
            found.append(parse_goal(one))
        except ValueError as error:
            problems.append(Problem((place,), sentence_of(error)))
    raise_any(problems)
    return tuple(found)


def _list_or_not(value: Any) -> str:
    return HuntTexts.AN_EMPTY_LIST() if value == [] else shown(value)


class SpaceSettings(Model):
    """The space as it is written; what is left out is the default of the scenario."""

    faults: Annotated[tuple[FaultTemplate, ...], BeforeValidator(_templates)] | None = Field(
        None, description="faults that may happen, with ranges; default every kind of the table that applies"
    )
    at: Annotated[ValueRange, BeforeValidator(_begins)] | None = Field(
        None, description="when faults begin, a range; default from an eighth of the duration to 60 % of it"
    )
    at_most: Annotated[int, whole(1, MOST_AT_ONCE)] = Field(MOST, description="faults of a schedule; default 2")
    settings: Annotated[tuple[tuple[str, tuple[Value, ...]], ...], BeforeValidator(_settings)] = Field(
        (), description="keys of the scenario, and the values that each may have beside its own"
    )


class HuntSettings(Model):
    """A hunt as it is written. `scenario`: a path from the hunt's folder, or the scenario's own keys."""

    name: Text = Field(title="a text", description="name of the hunt and of its folder")
    description: Text | None = None
    scenario: str | dict[str, Any] = Field(
        title="the path of a scenario, or a scenario written out", description="the cluster, and how it is used"
    )
    changes: dict[str, Any] = Field(default_factory=dict, alias="set", description="keys of the scenario with values")
    objectives: Annotated[tuple[Goal, ...], BeforeValidator(_goals)] | None = Field(
        None, description="what no schedule may miss; default nothing lost, skipped or deleted unread"
    )
    hunt: SpaceSettings = Field(title="a mapping such as {at_most: 2}", description="what may happen")


class RatesFile(Model):
    """The table of what breaks how often."""

    description: Text
    rates: Annotated[tuple[FaultTemplate, ...], BeforeValidator(_templates)]


@dataclass(frozen=True)
class LoadedHunt:
    """A hunt ready to run: its scenario, goals and space."""

    name: str
    scenario: Scenario
    goals: tuple[Goal, ...]
    space: HuntSpace


def load_rates(path: FilePath) -> tuple[FaultTemplate, ...]:
    """Read the table of what breaks how often. Raises ScenarioError."""
    document = Document(read_text(path), str(path), "table of rates", "description, rates")
    found: RatesFile = _validated(RatesFile, document, document.value)
    return found.rates


def load_hunt(
    path: str | FilePath, rates: Sequence[FaultTemplate], *, given: Mapping[str, str] = NONE,
    objectives: Sequence[str] = (), most: int | None = None,
) -> LoadedHunt:  # fmt: skip
    """Read a hunt, or a scenario whose default space is meant. `objectives` and `most` replace the file's.

    `given` are dotted keys and YAML values of the scenario. Raises ScenarioError, one sentence.
    """
    file = FilePath(path)
    document = Document(read_text(file), str(path), "scenario or hunt", "name, scenario, hunt")
    if KEY not in document.value:
        return hunt_of(load_scenario(file, given), rates, objectives=objectives, most=most)
    settings = _validated(HuntSettings, document, document.value)
    scenario = _scenario(settings, document, file.parent, given)
    return _hunt(settings, scenario, rates, document, (), objectives, most)


def hunt_in(
    scenario: Scenario, value: Mapping[str, Any], document: Document, path: Path, rates: Sequence[FaultTemplate]
) -> LoadedHunt:
    """The hunt of settings that stand at a path of a document, in a scenario that is given. Raises ScenarioError."""
    return _hunt(_validated(HuntSettings, document, value, path), scenario, rates, document, path, (), None)


def _hunt(
    settings: HuntSettings, scenario: Scenario, rates: Sequence[FaultTemplate], document: Document, path: Path,
    objectives: Sequence[str], most: int | None,
) -> LoadedHunt:  # fmt: skip
    goals = _asked_goals(objectives) or settings.objectives or default_goals(scenario)
    own = settings.hunt
    templates = rates if own.faults is None else [_rated(one, rates) for one in own.faults]
    problems = [*_space_problems(own, scenario)]
    if problems:
        raise Sentences(document, {}).error_of([Problem((*path, KEY, *one.path), one.text) for one in problems])
    space = space_of(scenario, templates, begins=own.at, most=most or own.at_most, settings=_others(own, scenario))
    where = ("--objective",) if objectives else (*path, "objectives")
    return _checked(LoadedHunt(settings.name, scenario, goals, space), where, document)


def hunt_of(
    scenario: Scenario, rates: Sequence[FaultTemplate], *, objectives: Sequence[str] = (), most: int | None = None
) -> LoadedHunt:
    """A hunt in the default space of a scenario. Raises ScenarioError."""
    goals = _asked_goals(objectives) or default_goals(scenario)
    space = space_of(scenario, rates, most=MOST if most is None else most)
    return _checked(LoadedHunt(scenario.name, scenario, goals, space), ("--objective",), None)


def default_goals(scenario: Scenario) -> tuple[Goal, ...]:
    """What no schedule may bring about: lost messages, and messages that a group never gets to see."""
    known = known_measures(scenario)
    names = [*ALWAYS, *(f"{name}[{group}]" for name in OF_GROUPS for group in scenario.consumers)]
    return tuple(Goal(name, "==", 0.0) for name in names if name in known)


def _asked_goals(objectives: Sequence[str]) -> tuple[Goal, ...]:
    found = []
    for text in objectives:
        try:
            found.append(parse_goal(text))
        except ValueError as error:
            raise ScenarioError([at(f"--objective {text}", sentence_of(error))]) from None
    return tuple(found)


def _validated(model: type[Any], document: Document, value: Any, path: Path = ()) -> Any:
    problems = list(document.problems)
    try:
        found = model.model_validate(deepcopy(value))
    except ValidationError as error:
        problems += [replace(one, path=(*path, *one.path)) for one in problems_of(error, model)]
    if problems:
        raise Sentences(document, {}).error_of(problems)
    return found


def _scenario(settings: HuntSettings, document: Document, folder: FilePath, given: Mapping[str, str]) -> Scenario:
    overrides = {**settings.changes, **given}
    if isinstance(settings.scenario, str):
        try:
            return load_scenario(folder / settings.scenario, overrides)
        except ScenarioError as error:
            raise Sentences(document, {}).error_of([Problem(("scenario",), sentence_of(error))]) from None
    data = {"name": settings.name, **settings.scenario}
    apply_overrides(data, overrides)
    found, problems = scenario_of(data, folder)
    if found is None:
        placed = [Problem(("scenario", *_plain(one.path)), one.text, one.line) for one in problems]
        raise Sentences(document, {}).error_of(placed)
    return found


def _plain(path: Path) -> Path:
    return path[:1] + path[2:] if path[:2] == ("producers", 0) else path


def _rated(template: FaultTemplate, rates: Sequence[FaultTemplate]) -> FaultTemplate:
    """A template with the rate of the table where it has none of its own."""
    if template.a_year is not None:
        return template
    known = next((one for one in rates if (one.kind, one.target) == (template.kind, template.target)), None)
    return template if known is None else replace(template, a_year=known.a_year, because=known.because)


def _space_problems(own: SpaceSettings, scenario: Scenario) -> Iterator[Problem]:
    for place, template in enumerate(own.faults or ()):
        reason = unknown_places(template, scenario) or _why_impossible(scenario, template, own.at)
        if reason is not None:
            yield Problem(("faults", place), reason)
    if own.at is not None and own.at.high >= scenario.duration_us:
        duration, got = format_duration(scenario.duration_us), format_duration(int(own.at.high))
        yield Problem(("at",), HuntTexts.END_BELOW_DURATION(duration=duration, got=got))
    text = scenario.to_yaml()
    for key, values in own.settings:
        for value in values:
            try:
                scenario_with(text, Schedule((), ((key, value),)))
            except ScenarioError as error:
                yield Problem(("settings", key), without(f"--set {key}", error.sentence))
                break


def _why_impossible(scenario: Scenario, template: FaultTemplate, begins: ValueRange | None) -> str | None:
    """Why the scenario can have a fault of a template at none of its places, None if it can at one."""
    space = space_of(scenario, [template], begins=begins)
    return None if space.templates else space.left_out[0].why


def _others(own: SpaceSettings, scenario: Scenario) -> list[tuple[str, tuple[Value, ...]]]:
    """The values of each setting that differ from the scenario's own."""
    text, found = scenario.to_yaml(), []
    for key, values in own.settings:
        made = {value: scenario_with(text, Schedule((), ((key, value),))) for value in values}
        others = tuple(value for value, changed in made.items() if changed.digest() != scenario.digest())
        found += [(key, others)] if others else []
    return found


def _checked(hunt: LoadedHunt, where: Path, document: Document | None) -> LoadedHunt:
    """The hunt, if its goals can be missed and something can happen. Raises ScenarioError."""
    if not hunt.space.templates:
        first = hunt.space.left_out[0] if hunt.space.left_out else None
        why = HuntTexts.NO_FAULTS() if first is None else HuntTexts.SUCH_AS(kind=first.kind, why=first.why)
        raise ScenarioError([HuntTexts.NOTHING_CAN_HAPPEN(why=why).at(hunt.name)])
    text = hunt.scenario.to_yaml()
    struck = scenario_with(text, example(hunt.space, text))
    for place, goal in enumerate(hunt.goals):
        reason = why_no_goal(goal, struck)
        if reason is None:
            continue
        if document is None or where == ("--objective",):
            raise ScenarioError([at(f"--objective {goal}", reason)])
        raise Sentences(document, {}).error_of([Problem((*where, place), reason)])
    return hunt
