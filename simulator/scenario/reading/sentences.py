"""Problems as sentences with file, line and key path."""

from __future__ import annotations

import types
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Union, get_args, get_origin

from pydantic import ValidationError
from pydantic.fields import FieldInfo
from pydantic_core import ErrorDetails

from simulator.scenario.reading.document import Document
from simulator.scenario.reading.fields import Model, Reads
from simulator.scenario.reading.renaming import unknown_sentence
from simulator.scenario.reading.scenario_error import (
    UNKNOWN_KEYS_SHOWN,
    Path,
    Problem,
    ProblemsError,
    ScenarioError,
    path_text,
)
from simulator.scenario.texts.field_texts import FieldTexts
from simulator.scenario.texts.reading_texts import ReadingTexts
from simulator.units import shown
from state.texts import at, sentence_of


def problems_of(error: ValidationError, model: type[Model]) -> Iterator[Problem]:
    """What pydantic found wrong with the input of a model, in this package's words."""
    for details in error.errors(include_url=False):
        path = tuple(key for key in details["loc"] if key != "[key]")
        cause = details.get("ctx", {}).get("error")
        if isinstance(cause, ProblemsError):
            for problem in cause.problems:
                yield Problem((*path, *problem.path), problem.text, problem.line)
        else:
            yield Problem(path, _text_of(details, path, model))


def _text_of(details: ErrorDetails, path: Path, model: type[Model]) -> str:
    kind = details["type"]
    parent = _model_at(model, path[:-1])
    fields = {field.alias or name: field for name, field in parent.model_fields.items()} if parent else {}
    wanted = expected_of(fields[str(path[-1])]) if path and str(path[-1]) in fields else None
    if kind == "value_error":
        return sentence_of(details["ctx"]["error"])
    if kind == "missing":
        return FieldTexts.MISSING(expected=wanted)
    if kind == "extra_forbidden":
        return unknown_sentence(path, parent.keys() if parent is not None else [])
    if wanted is None and kind in ("model_type", "dict_type"):
        here = _model_at(model, path)
        wanted = "a mapping" + (ReadingTexts.WITH_KEYS(keys=", ".join(here.keys()[:3])) if here is not None else "")
    if wanted is None:
        wanted = "a list" if kind in ("tuple_type", "list_type") else details["msg"].lower()
    return FieldTexts.EXPECTED(expected=wanted, got=shown(details["input"]))


def expected_of(field: FieldInfo) -> str | None:
    """What a field's value should be, in words: its own, or those of the check of its type."""
    if field.title is not None:
        return field.title
    return next(
        (read.expects for read in (*field.metadata, *_metadata(field.annotation)) if isinstance(read, Reads)), None
    )


def _metadata(annotation: Any) -> Iterator[Any]:
    yield from getattr(annotation, "__metadata__", ())
    if get_origin(annotation) in (Union, types.UnionType):
        for argument in get_args(annotation):
            yield from _metadata(argument)


def _model_at(model: type[Model], path: Path) -> type[Model] | None:
    """The model that a path of keys leads to, through optionals, tuples and mappings."""
    here: Any = model
    for key in path:
        here = _plain_type(here)
        if isinstance(here, type) and issubclass(here, Model):
            fields = {field.alias or name: field for name, field in here.model_fields.items()}
            here = fields[str(key)].annotation if str(key) in fields else None
        elif get_origin(here) in (tuple, dict):
            arguments = get_args(here)
            here = arguments[1] if get_origin(here) is dict else arguments[0]
        else:
            return None
    here = _plain_type(here)
    return here if isinstance(here, type) and issubclass(here, Model) else None


def _plain_type(annotation: Any) -> Any:
    if get_origin(annotation) in (Union, types.UnionType):
        return _plain_type(next(a for a in get_args(annotation) if a is not types.NoneType))
    if hasattr(annotation, "__metadata__"):
        return _plain_type(annotation.__origin__)
    return annotation


class Sentences:
    """Sentences about the problems of one document."""

    def __init__(self, document: Document, placed: Mapping[Path, str]) -> None:
        self.document = document
        self.placed = placed

    def error_of(self, problems: Iterable[Problem]) -> ScenarioError:
        """All problems in one error: unknown keys first, those of overrides before others, then by line."""
        written = [
            Problem(self._as_written(problem.path), problem.text, problem.line) for problem in dict.fromkeys(problems)
        ]
        placed = sorted((not problem.is_unknown_key, self._line(problem), i) for i, problem in enumerate(written))
        unknown = sum(problem.is_unknown_key for problem in written)
        return ScenarioError([self._sentence(written[i]) for *_, i in placed], min(max(unknown, 1), UNKNOWN_KEYS_SHOWN))

    def _as_written(self, path: Path) -> Path:
        """A single group of producers may be written without a list."""
        if path[:1] == ("producers",) and ("producers", 0) not in self.document.lines:
            return path[:1] + path[2:] if path[1:2] == (0,) else path
        return path

    def _override(self, problem: Problem) -> str | None:
        path = problem.path
        keys = [self.placed[path[:n]] for n in range(len(path), 0, -1) if path[:n] in self.placed]
        if problem.is_unknown_key and path not in self.document.lines:  # it was made on the way to the one that was set
            keys += [key for below, key in self.placed.items() if below[: len(path)] == path]
        return keys[0] if keys else None

    def _line(self, problem: Problem) -> int:
        if self._override(problem) is not None:
            return 0
        if problem.line is not None:
            return problem.line
        lines = self.document.lines
        return next(
            (lines[problem.path[:n]] for n in range(len(problem.path), -1, -1) if problem.path[:n] in lines),
            1,
        )

    def _sentence(self, problem: Problem) -> str:
        key = self._override(problem)
        where = path_text(problem.path)
        if key is not None:
            same = where == key or ".".join(map(str, problem.path)) == key
            return at(f"--set {key}", problem.text if same else at(where, problem.text))
        text = at(where, problem.text) if where else problem.text
        return at(f"{self.document.source}:{self._line(problem)}", text)
