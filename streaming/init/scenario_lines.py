"""Lines of a scenario, each value with its evidence behind it or above it."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from simulator.scenario.reading.yaml_names import name_text
from state.texts import at
from streaming.init.cluster_facts import Sourced
from streaming.init.texts.init_source_texts import InitSourceTexts

WIDTH = 118
COLUMN = 46
ASSUMED = "assumed"


def value_text(value: Any) -> str:
    """A plain value as YAML has it."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, list | tuple):
        return "[" + ", ".join(value_text(one) for one in value) + "]"
    text = str(value)
    return name_text(text) if ": " in text and not text.startswith("{") else text


def figure(value: float) -> str:
    """A figure for a sentence: one digit behind the point, of small ones three digits that count."""
    return f"{value:,.1f}" if value >= 1 or not value else f"{value:.3g}"


def assumed(value: Any, why: str) -> Sourced[Any]:
    """A value that no file shows."""
    return Sourced(value, at(ASSUMED, why) if why else ASSUMED)


def oldest_taken(source: str, releases: Sequence[str]) -> str:
    """The evidence of the first of several releases, which names the others."""
    others = ", ".join(releases[1:])
    return InitSourceTexts.OLDEST_TAKEN(source=source, others=others) if others else source


@dataclass
class ScenarioLines:
    """The text under construction. assumed: keys whose value no file shows."""

    lines: list[str] = field(default_factory=list)
    assumed: list[str] = field(default_factory=list)

    def comment(self, text: str, indent: int = 0) -> None:
        """A remark on lines of its own."""
        lead = " " * indent + "# "
        self.lines += textwrap.wrap(text, WIDTH, initial_indent=lead, subsequent_indent=lead, break_on_hyphens=False)

    def plain(self, text: str) -> None:
        """A line without evidence, such as a section's head."""
        self.lines.append(text)

    def value(self, indent: int, key: str, known: Sourced[Any], *, dash: bool = False) -> None:
        """`key: value`, and where it comes from; `dash`: the first key of a list's item."""
        lead = " " * indent + ("- " if dash else "")
        text = f"{lead}{key}: {value_text(known.value)}"
        if known.source.startswith(ASSUMED):
            self.assumed.append(key)
        if not known.source:
            self.lines.append(text)
            return
        whole = f"{text.ljust(COLUMN)}  # {known.source}"
        if len(whole) > WIDTH:
            self.comment(known.source, indent + (2 if dash else 0))
            whole = text
        self.lines.append(whole)

    def text(self) -> str:
        """Everything so far."""
        return "\n".join(self.lines) + "\n"
