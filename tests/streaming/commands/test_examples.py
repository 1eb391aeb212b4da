"""Every example of a verb's help is a command that the verb takes, and names files that are there."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from typer.core import TyperCommand, TyperGroup
from typer.main import get_command

from streaming import cli

ROOT = Path(__file__).resolve().parents[3]
OF_A_CHECKOUT = ("conf/", "tests/", "docs/")


def examples_of(command: Any) -> Iterator[str]:
    """The examples of a command and of those below it."""
    yield from (line.strip() for line in (command.epilog or "").splitlines() if line.startswith("    "))
    for below in getattr(command, "commands", {}).values():
        yield from examples_of(below)


EXAMPLES = tuple(examples_of(get_command(cli.app)))


def words_of(example: str) -> list[str]:
    """What the shell gives to the program: nothing of where the output goes."""
    return shlex.split(example.partition(" > ")[0])


def taken_by(command: TyperCommand | TyperGroup, words: list[str]) -> str | None:
    """The name of the command that takes the words; nothing is run. Raises what typer raises for misuse."""
    name, *rest = words
    if isinstance(command, TyperGroup):
        return taken_by(command.commands[rest[0]], rest)
    return command.make_context(name, rest).command.name


def test_every_verb_that_runs_something_has_examples():
    assert len(EXAMPLES) > 80


@pytest.mark.parametrize("example", EXAMPLES)
def test_an_example_is_taken_by_its_verb(example):
    words = words_of(example)
    assert taken_by(get_command(cli.app), words) in words[1:3]


@pytest.mark.parametrize("example", EXAMPLES)
def test_files_of_the_checkout_that_an_example_names_are_there(example):
    named = [word for word in words_of(example) if word.startswith(OF_A_CHECKOUT)]
    missing = [word for word in named if not list(ROOT.glob(f"{word}*"))]
    assert not missing
