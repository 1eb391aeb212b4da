"""From YAML to a scenario: the only place of the package that reads files."""

from __future__ import annotations

import difflib
import importlib.util
import types
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path as FilePath
from typing import Any

from pydantic import ValidationError

from simulator.scenario.distributions.measured import LatencyFile
from simulator.scenario.loading.overrides import apply_overrides
from simulator.scenario.loading.traced import is_traced, trace_problems, with_traces
from simulator.scenario.policy.own_function import split_function
from simulator.scenario.policy.own_policy import imported_names, is_own
from simulator.scenario.reading.broker_conf import LIKE_FILE, ignored, named_files, put, unused
from simulator.scenario.reading.document import Document
from simulator.scenario.reading.renaming import Renamed, effectless, hints, rename
from simulator.scenario.reading.resolve import expand_counts, fill_producers, inherited, merge_likes
from simulator.scenario.reading.scenario_error import Path, Problem, ScenarioError
from simulator.scenario.reading.sentences import Sentences, problems_of
from simulator.scenario.scenario import Scenario
from simulator.scenario.texts.reading_texts import ReadingTexts
from state.texts import at, sentence_of

SCENARIO_MAX_BYTES = 4 * 1024 * 1024  # ten thousand brokers, each written out
SAMPLES_MAX_BYTES = 1024 * 1024 * 1024
LANGUAGES = {
    "YAML": ("YAML", (".yaml", ".yml")),
    "Python": ("Python", (".py",)),
    "properties": ("configuration", (".conf", ".properties")),
}
NONE: Mapping[str, str] = types.MappingProxyType({})


def load_scenario(path: str | FilePath, overrides: Mapping[str, Any] = NONE) -> Scenario:
    """Read a scenario from a YAML file.

    `overrides` are dotted keys and YAML values (`{"client.release": "5.3.3"}`). Raises ScenarioError, whose
    text is one sentence for the user.
    """
    file = FilePath(path)
    return parse_scenario(read_text(file), source=str(path), overrides=overrides, folder=file.parent)


def changed(scenario: Scenario | str | FilePath, changes: Mapping[str, object]) -> Scenario:
    """A scenario, or the one of a file, with changes: dotted keys and values, text or plain, as YAML has them.

    Raises ScenarioError, whose text is one sentence for the user.
    """
    if not isinstance(scenario, Scenario | str | FilePath):
        raise ScenarioError([ReadingTexts.NO_SCENARIO(scenario=scenario)])
    if not isinstance(scenario, Scenario):
        return load_scenario(scenario, changes)
    return parse_scenario(scenario.to_yaml(), source=scenario.name, overrides=changes) if changes else scenario


def parse_scenario(
    text: str,
    *,
    source: str = "<text>",
    overrides: Mapping[str, Any] = NONE,
    folder: str | FilePath = ".",
) -> Scenario:
    """Read a scenario from a YAML text; `folder` is where latency files are looked for.

    Raises ScenarioError, whose text is one sentence for the user.
    """
    document = Document(text, source)
    data = document.value
    placed = apply_overrides(data, overrides)
    scenario, problems = scenario_of(data, folder)
    if document.problems or scenario is None:
        raise Sentences(document, placed).error_of([*document.problems, *problems])
    return scenario


def notes_of(path: str | FilePath, overrides: Mapping[str, Any] = NONE) -> list[str]:
    """What a reader of a scenario's file should know: what RocketMQ's names are here, and what has no effect.

    Raises ScenarioError if the file cannot be read.
    """
    file = FilePath(path)
    data = _written(file, overrides)
    notes = hints(data) + effectless(data)
    for _, name in named_files(data.get("brokers")):
        text = read_text(file.parent / name, "properties")
        notes += [f"{name}:{line}: {said}" for line, said in ignored(text)]
        left = unused(text)
        notes += [ReadingTexts.KEYS_WITHOUT_EFFECT(count=len(left), keys=", ".join(left)).at(name)] if left else []
    return notes


def effectless_of(path: str | FilePath, overrides: Mapping[str, Any] = NONE) -> list[str]:
    """Which keys of a scenario's file, and of the overrides, have no effect. Raises ScenarioError as `notes_of`."""
    return effectless(_written(FilePath(path), overrides))


def _written(file: FilePath, overrides: Mapping[str, Any]) -> dict[str, Any]:
    data = Document(read_text(file), str(file)).value
    apply_overrides(data, overrides)
    return data


def scenario_of(data: dict[str, Any], folder: str | FilePath = ".") -> tuple[Scenario | None, list[Problem]]:
    """The scenario of plain values (which it changes), or None and what is wrong with them."""
    fill_producers(data)
    problems = _read_broker_files(data, FilePath(folder))
    renamed, name_problems = rename(data)
    problems += name_problems
    problems += _read_latency_files(data, FilePath(folder)) + _read_selectors(data, FilePath(folder))
    problems += _read_policies(data, FilePath(folder))
    made, count_problems = expand_counts(data)
    problems += count_problems
    resolved, like_problems = merge_likes(data)
    problems += like_problems
    scenario = None
    try:
        scenario = Scenario.model_validate(resolved)
    except ValidationError as error:
        problems += [problem for problem in problems_of(error, Scenario) if not inherited(data, problem.path)]
    if scenario is not None and not problems and is_traced(scenario):
        problems += trace_problems(scenario)
        scenario = Scenario.model_validate(with_traces(resolved, scenario)) if not problems else None
    if problems:
        return None, [*dict.fromkeys(as_written(problem, made, renamed) for problem in problems)]
    return scenario, []


def as_written(problem: Problem, made: Mapping[str, str], renamed: Sequence[Renamed]) -> Problem:
    """A problem where its key stands in the file: at the broker whose `count` made this one, under RocketMQ's name."""
    path = problem.path
    if len(path) > 1 and path[0] == "brokers" and path[1] in made:
        path = ("brokers", made[str(path[1])], *path[2:])
    written = next((one.written + path[len(one.path) :] for one in renamed if path[: len(one.path)] == one.path), path)
    return replace(problem, path=written)


def read_text(file: FilePath, language: str = "YAML") -> str:
    """The text of a file in one of LANGUAGES. Raises ScenarioError, one sentence, if it cannot be read."""
    kind, endings = LANGUAGES[language]
    try:
        with file.open("rb") as opened:
            content = opened.read(SCENARIO_MAX_BYTES + 1)
    except IsADirectoryError:
        raise ScenarioError([ReadingTexts.A_DIRECTORY(kind=kind).at(str(file))]) from None
    except FileNotFoundError:
        raise ScenarioError([ReadingTexts.NO_SUCH_FILE(near=_nearest_file(file, endings)).at(str(file))]) from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise ScenarioError([ReadingTexts.CANNOT_BE_READ(reason=reason).at(str(file))]) from None
    if len(content) > SCENARIO_MAX_BYTES:
        raise ScenarioError([ReadingTexts.TOO_LARGE(most=SCENARIO_MAX_BYTES, kind=kind).at(str(file))])
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        what = ReadingTexts.NOT_UTF8(language=language, byte=content[error.start], offset=error.start)
        raise ScenarioError([at(str(file), what)]) from None
    if "\0" in text:
        raise ScenarioError([ReadingTexts.A_BINARY_FILE(language=language).at(str(file))])
    return text


def _nearest_file(file: FilePath, endings: tuple[str, ...]) -> str:
    try:
        names = [sibling.name for sibling in file.parent.iterdir() if sibling.suffix in endings]
    except OSError:
        return ""
    found = difflib.get_close_matches(file.name, sorted(names), n=1)
    return ReadingTexts.DID_YOU_MEAN(near=file.parent / found[0]) if found else ""


def _read_broker_files(data: dict[str, Any], folder: FilePath) -> list[Problem]:
    """Put what brokers' own configuration files say under the brokers' keys, in place."""
    problems: list[Problem] = []
    brokers = data.get("brokers")
    if not isinstance(brokers, dict):
        return problems
    for path, file in named_files(brokers):
        try:
            found = put(brokers, path, file, read_text(folder / file, "properties"))
        except ScenarioError as error:
            found = Problem(path, sentence_of(error))
        if found is not None:
            problems.append(found)
    for mapping in (brokers, *brokers.values()):
        if isinstance(mapping, dict):
            mapping.pop(LIKE_FILE, None)
    return problems


def _read_latency_files(data: dict[str, Any], folder: FilePath) -> list[Problem]:
    """Replace every latency file of the brokers by a table, in place."""
    problems: list[Problem] = []
    brokers = data.get("brokers")
    for name, broker in (brokers if isinstance(brokers, dict) else {}).items():
        latency = broker.get("latency") if isinstance(broker, dict) else None
        if not isinstance(latency, dict) or "file" not in latency:
            continue
        path: Path = ("brokers", name, "latency")
        try:
            wanted = LatencyFile.model_validate(latency)
            broker["latency"] = {"table": _measured(wanted, folder)}
        except ValidationError as error:
            problems += [Problem((*path, *p.path), p.text, p.line) for p in problems_of(error, LatencyFile)]
        except ValueError as error:
            problems.append(Problem((*path, "file"), sentence_of(error)))
        if "file" in broker["latency"]:
            broker["latency"] = {"constant": "0us"}  # so that the same problem is not reported twice
    return problems


def _measured(wanted: LatencyFile, folder: FilePath) -> dict[str, str]:
    file = folder / wanted.file
    try:
        if file.stat().st_size > SAMPLES_MAX_BYTES:
            raise ValueError(ReadingTexts.MEASUREMENTS_TOO_LARGE(most=SAMPLES_MAX_BYTES).at(wanted.file))
        with file.open(encoding="utf-8-sig", newline="") as lines:
            return wanted.table(lines)
    except FileNotFoundError:
        raise ValueError(ReadingTexts.NO_MEASUREMENTS(file=file)) from None
    except UnicodeDecodeError:
        raise ValueError(ReadingTexts.MEASUREMENTS_ARE_BINARY(file=file)) from None
    except OSError as error:
        raise ValueError(ReadingTexts.MEASUREMENTS_CANNOT_BE_READ(file=file, reason=error.strerror)) from None


def _read_selectors(data: dict[str, Any], folder: FilePath) -> list[Problem]:
    """Put the text of its file to every selector that is a function, in place."""
    problems: list[Problem] = []
    producers = data.get("producers")
    for i, group in enumerate(producers if isinstance(producers, list) else []):
        selector = group.get("selector") if isinstance(group, dict) else None
        if not isinstance(selector, dict) or "function" not in selector or "source" in selector:
            continue
        try:
            selector["source"] = _function_source(split_function(selector["function"])[0], folder)
        except ValueError as error:
            problems.append(Problem(("producers", i, "selector", "function"), sentence_of(error)))
            group["selector"] = "none"  # so that the same problem is not reported twice
    return problems


def _read_policies(data: dict[str, Any], folder: FilePath) -> list[Problem]:
    """Put the text of its file, and of what that imports from beside it, to every part of a policy of one's own."""
    problems: list[Problem] = []
    client = data.get("client")
    policy = client.get("policy") if isinstance(client, dict) else None
    if not isinstance(policy, dict):
        return problems
    for kind, part in list(policy.items()):
        named = {part: {}} if isinstance(part, str) else part
        name, values = next(iter(named.items()), ("", None)) if isinstance(named, dict) else ("", None)
        if not is_own(str(name)) or not isinstance(values, dict | None) or "source" in (values or {}):
            continue
        try:
            policy[kind] = {name: own_texts(folder / str(name)) | (values or {})}
        except ScenarioError as error:
            problems.append(Problem(("client", "policy", kind), sentence_of(error)))
            del policy[kind]  # so that the same problem is not named twice
    return problems


def own_texts(file: FilePath) -> dict[str, Any]:
    """The text of a policy file, and of what it imports from beside it. Raises ScenarioError."""
    source, beside = read_text(file, "Python"), {}
    waiting = [source]
    while waiting:
        for name in imported_names(waiting.pop()):
            other = file.with_name(f"{name}.py")
            if other.name not in beside and other != file and other.is_file():
                beside[other.name] = read_text(other, "Python")
                waiting.append(beside[other.name])
    return {"source": source, **({"beside": beside} if beside else {})}


def _function_source(place: str, folder: FilePath) -> str:
    """The text of a Python file, or of a module that can be imported. Raises ValueError."""
    file = folder / place
    if not place.endswith(".py"):
        try:
            spec = importlib.util.find_spec(place)
        except (Exception, SystemExit):  # a parent package is imported, whatever it does
            spec = None
        if spec is None or not spec.has_location or spec.origin is None:
            raise ValueError(ReadingTexts.NO_MODULE(module=place))
        file = FilePath(spec.origin)
    try:
        return read_text(file, "Python")
    except ScenarioError as error:
        raise ValueError(sentence_of(error)) from None
