"""A figure that others published, and the same of a simulation."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from simulator.run.simulate import Result, simulate
from streaming.installation.conf_files import conf_folder

FITTED, PREDICTED = "fitted", "predicted"
WARM_UP_US, END_US = 500_000, 2_000_000


@dataclass(frozen=True)
class PublishedFigure:
    """One figure of a table. tolerance: a share of the published value.

    use: `fitted` if the scenario was fitted to this figure, else `predicted`.
    """

    table: str
    what: str
    unit: str
    published: float
    simulated: float
    tolerance: float
    use: str

    @property
    def is_within(self) -> bool:
        """Whether the simulated value differs by at most the tolerance."""
        return abs(self.simulated - self.published) <= self.tolerance * self.published


def measurements(name: str) -> Path:
    """A file of published measurements."""
    return conf_folder() / "published" / f"{name}.csv"


def set_up(name: str) -> Path:
    """The scenario that is simulated for it."""
    return conf_folder() / "scenarios" / "published" / f"{name}.yaml"


def numbers(run: Result, table: str, column: str) -> npt.NDArray[np.int64]:
    """A column of whole numbers."""
    return run.column(table, column).astype(np.int64)


def closed_loop(scenario: Path, changes: Mapping[str, object]) -> tuple[float, float]:
    """Messages a second and mean response time in ms of two seconds of a scenario, the first half second left out."""
    sends = simulate(scenario, overrides={**changes, "duration": "2s"}, tables=("sends",))
    end_us, latency_us = numbers(sends, "sends", "end_us"), numbers(sends, "sends", "latency_us")
    seen = (end_us >= WARM_UP_US) & (end_us < END_US)
    return float(seen.sum()) / ((END_US - WARM_UP_US) / 1e6), float(latency_us[seen].mean()) / 1000
