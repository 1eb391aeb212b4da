"""Which commands stand together in `sendlab --help`, and in which order."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import typer
from typer.core import TyperCommand, TyperGroup

from streaming.errors import InputError
from streaming.verbs.other_spellings import verify_spelling

SHELVES: Mapping[str, tuple[str, ...]] = {
    "Runs": ("init", "run", "report", "check", "scenarios", "doctor"),
    "What-if experiments": ("whatif", "advise", "fit", "policy"),
    "Recordings and replays": ("import", "calibrate", "replay"),
    "Long-running jobs": ("serve", "state", "explain", "reload", "fork", "diff", "compact", "publish", "watch"),
    "Reference": ("keys", "faults", "releases", "verify"),
}


class Shelved(TyperGroup):
    """The group of all commands. Raises KeyError for one that stands on no shelf."""

    def __init__(self, **given: Any) -> None:
        super().__init__(**given)
        shelf_of = {name: shelf for shelf, names in SHELVES.items() for name in names}
        for name, command in self.commands.items():
            if isinstance(command, (TyperCommand, TyperGroup)):
                command.rich_help_panel = shelf_of[name]

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """The command of these arguments. Raises InputError for another spelling of a command of `verify`."""
        sentence = verify_spelling(args)
        if sentence is not None:
            raise InputError(sentence)
        return super().resolve_command(ctx, args)

    def list_commands(self, ctx: typer.Context) -> list[str]:  # type: ignore[override]
        """Names, shelf by shelf."""
        return [name for names in SHELVES.values() for name in names if name in self.commands]
