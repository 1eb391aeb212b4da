"""`sendlab keys`: what a scenario may say, from the place that checks it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict

from rich.console import Console
from rich.table import Table
from rich.text import Text

from simulator.scenario.keys import Key, keys_at, sections
from simulator.scenario.schema import scenario_schema


def keys_command(path: str | None, *, as_json: bool, as_schema: bool, console: Console) -> None:
    """Print all keys, or one and those in it. Raises ScenarioError, with the nearest, for a key that is not there."""
    if as_schema:
        print(json.dumps(scenario_schema(), indent=1, ensure_ascii=False))
        return
    found = [key for section in sections() for key in section.keys] if path is None else keys_at(path)
    if as_json:
        print(json.dumps([asdict(key) for key in found], indent=1, ensure_ascii=False))
        return
    if path is not None:
        _print(found, console)
        return
    for section in sections():
        title = ", ".join(place for place in section.places if place) or "the scenario"
        console.print(title, style="bold", highlight=False)
        _print(section.keys, console, names_only=True)
        console.print()


def _print(keys: Sequence[Key], console: Console, *, names_only: bool = False) -> None:
    """A line a key and below it what it means, so that keys stay whole however narrow the terminal is."""
    table = Table(box=None, show_header=False, pad_edge=False, padding=(0, 2, 0, 0))
    table.add_column(no_wrap=True)
    table.add_column()
    for key in keys:
        default = "required" if key.is_required else f"default {key.default}" if key.default else ""
        expected = "; ".join(text for text in (key.expected, default) if text)
        table.add_row(key.name if names_only else key.path, Text.assemble(expected, "\n", (key.meaning, "dim")))
    console.print(table, highlight=False)
