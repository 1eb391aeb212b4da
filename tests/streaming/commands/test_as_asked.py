"""typer reads the annotations of the one command that is asked for."""

from __future__ import annotations

import pytest

from streaming.cli import app
from streaming.verbs.typer_internals import as_asked


def names(found) -> list[str]:
    return [info.name or info.callback.__name__ for info in found.registered_commands]


@pytest.mark.parametrize("asked", ["run", "replay"])
def test_a_command_that_is_named_is_alone(asked):
    found = as_asked(app, [asked, "file.yaml"])
    assert (names(found), found.registered_groups) == ([asked], [])
    assert len(app.registered_commands) > 10


@pytest.mark.parametrize("arguments", [[], ["--help"], ["rnu"], ["verify", "golden"], ["policy"]])
def test_without_such_a_name_all_commands_are_there(arguments):
    assert as_asked(app, arguments) is app
