"""Packages that only some commands need, and the extra of Sendlab that brings each."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from importlib.util import find_spec
from typing import NamedTuple, ParamSpec, TypeVar

from streaming.errors import EnvironmentProblem
from streaming.texts.command_texts import CommandTexts

P = ParamSpec("P")
R = TypeVar("R")


class Extra(NamedTuple):
    """An extra of pyproject.toml: its name, the package as people call it, and what needs it."""

    name: str
    package: str
    needed_by: str
    otherwise: str = ""

    @property
    def sentence(self) -> str:
        """That it is missing, and how to get it."""
        remedy = f"pip install 'sendlab[{self.name}]', or pipx install --force 'sendlab[{self.name}]'"
        return CommandTexts.PACKAGE_MISSING(
            needed_by=self.needed_by, package=self.package, remedy=remedy, otherwise=self.otherwise
        )


WITHOUT_SPARK = "; run, whatif and advise work without it: --engine plain"
SPARK = Extra("spark", "PySpark", "the streaming job", WITHOUT_SPARK)
KAFKA = Extra("kafka", "kafka-python", "reading and writing Kafka topics")
EXTRAS = {"pyspark": SPARK, "py4j": SPARK, "kafka": KAFKA, "kafka-python": KAFKA}


def require(package: str) -> None:
    """Raise EnvironmentProblem if a package of an extra is not installed."""
    if find_spec(package) is None:
        raise EnvironmentProblem(EXTRAS[package].sentence)


def lacking(error: ModuleNotFoundError) -> EnvironmentProblem | None:
    """What to do about a failed import; None for a module that no extra brings."""
    extra = EXTRAS.get((error.name or "").partition(".")[0])
    return None if extra is None else EnvironmentProblem(extra.sentence)


def naming_extras(function: Callable[P, R]) -> Callable[P, R]:
    """The same function; where a package of an extra is missing it raises EnvironmentProblem with what to install."""

    @wraps(function)
    def named(*arguments: P.args, **options: P.kwargs) -> R:
        try:
            return function(*arguments, **options)
        except ModuleNotFoundError as error:
            raise lacking(error) or error from None

    return named
