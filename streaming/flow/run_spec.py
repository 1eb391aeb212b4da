"""What the source and the operator rebuild a run from, wherever they are."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import NamedTuple


class RunSpec(NamedTuple):
    """A run by its name, kind and text.

    Kind `scenario` with its canonical YAML, `kafka` with that and how its topics are read as JSON, or `recording` with
    its path or a Variation's JSON. later: of a scenario that was changed while it ran, from which step on it is which.
    """

    run: str
    kind: str
    spec: str
    later: tuple[tuple[int, str], ...] = ()


def spelled(runs: Iterable[RunSpec]) -> str:
    """The text that `runs_of` reads back."""
    return json.dumps([run._asdict() for run in runs])


def runs_of(text: str) -> tuple[RunSpec, ...]:
    """The runs that a text spells."""
    return tuple(
        RunSpec(**run)._replace(later=tuple((step, spec) for step, spec in run["later"])) for run in json.loads(text)
    )
