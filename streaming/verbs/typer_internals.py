"""What Sendlab uses of typer 0.29 beyond its documented interface, and why. No other module touches these places.

What a command does not have is one sentence here, like everything else that is wrong, and the help of all commands fits
one screen; typer prints a box for each. It keeps what was wrong as texts of its own, and as an error of pydantic.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from copy import copy
from typing import Any

import typer
from typer.core import TyperGroup
from typer.models import CommandInfo

from state.texts import Text, at
from streaming.errors import InputError
from streaming.texts.command_texts import CommandTexts
from streaming.verbs.help_groups import GROUPS, screen
from streaming.verbs.other_spellings import verify_spelling

# Name, and what breaks without it.
LEANS_ON: Mapping[str, str] = {
    "typer.core:TyperGroup.format_help": "`sendlab --help` has a box for each group and does not fit one screen",
    "typer.core:TyperGroup.parse_args": "`sendlab` alone does not show the commands",
    "typer.core:TyperGroup.resolve_command": "other spellings of `sendlab verify` are unknown commands",
    "typer.core:TyperGroup.list_commands": "completion offers commands in another order than the help",
    "typer:TyperException.format_message": "misuse has no sentence",
    "typer.models:CommandInfo": "every command reads the annotations of all commands, 0.1 s",
}
EXPECTED: Mapping[str, Text] = {
    "greater_than_equal": CommandTexts.AT_LEAST_EXPECTED,
    "less_than_equal": CommandTexts.AT_MOST_EXPECTED,
    "int_parsing": CommandTexts.WHOLE_NUMBER_EXPECTED,
    "int_from_float": CommandTexts.WHOLE_NUMBER_EXPECTED,
    "float_parsing": CommandTexts.NUMBER_EXPECTED,
}


def as_asked(app: typer.Typer, arguments: Sequence[str]) -> typer.Typer:
    """The app with the one command that the arguments name, or all of it where they name none of its own.

    typer reads the annotations of every command that an app has, 0.1 s for those of Sendlab.
    """
    unnamed = [group.typer_instance for group in app.registered_groups if _name_of(group.typer_instance) is None]
    commands = [one for part in (app, *unnamed) if part is not None for one in part.registered_commands]
    asked = [one for one in commands if arguments[:1] == [_command_name(one)]]
    if not asked:
        return app
    alone = copy(app)
    alone.registered_commands, alone.registered_groups = asked, []
    return alone


def _name_of(app: typer.Typer | None) -> str | None:
    name = None if app is None else app.info.name
    return name if isinstance(name, str) else None


def _command_name(info: CommandInfo) -> str:
    return info.name or info.callback.__name__.replace("_", "-") if info.callback is not None else ""


def misused(error: typer.TyperException) -> str:
    """The sentence; empty where the help has been printed instead."""
    cause, option = error.__cause__, getattr(error, "param", None)
    pydantic = sys.modules.get("pydantic")  # it takes long to import, and whose error this is has imported it
    if pydantic is not None and isinstance(cause, pydantic.ValidationError) and option is not None:
        problem = cause.errors(include_url=False)[0]
        expected = EXPECTED.get(problem["type"])
        text = problem["msg"] if expected is None else expected(**problem.get("ctx", {}))
        return at(f"{max(option.opts, key=len)} {problem['input']}", text)
    own = error.format_message()
    if not own.strip() or own.endswith("?"):
        return own.strip()
    context = getattr(error, "ctx", None)
    command = context.command_path if context is not None else "sendlab"
    return CommandTexts.MISUSED(wrong=own.rstrip("."), command=command)


class CommandGroup(TyperGroup):
    """The group of all commands."""

    def format_help(self, ctx: typer.Context, formatter: Any) -> None:  # type: ignore[override]
        """Write the screen."""
        formatter.write(screen(f"Usage: {ctx.command_path} COMMAND ...", self.help or "") + "\n")

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """The arguments as the group has them; without any, write the screen and end with 2."""
        if not args and not ctx.resilient_parsing:
            typer.echo(ctx.get_help())
            raise typer.Exit(2)
        return super().parse_args(ctx, args)

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """The command of these arguments. Raises InputError for another spelling of a command of `verify`."""
        sentence = verify_spelling(args)
        if sentence is not None:
            raise InputError(sentence)
        return super().resolve_command(ctx, args)

    def list_commands(self, ctx: typer.Context) -> list[str]:  # type: ignore[override]
        """Names, group by group."""
        return [name for names in GROUPS.values() for name in names if name in self.commands]
