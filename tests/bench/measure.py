"""What every measure gives, and how two things are measured side by side."""

from __future__ import annotations

import os
import platform
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import Any

ROOT = Path(__file__).resolve().parents[2]


@dataclass(frozen=True)
class Entry:
    """One line of results.json. `ours` and `peer` are texts for the table; `more` are further figures."""

    name: str
    value: float
    unit: str
    ours: str
    peer: str = ""
    more: Mapping[str, Any] = field(default_factory=dict)

    def as_json(self) -> dict[str, Any]:
        """The line as it is stored."""
        found = {"ours": self.ours, "peer": self.peer} if self.peer else {"ours": self.ours}
        return {"name": self.name, "value": round(self.value, 4), "unit": self.unit, **found, **self.more}


@dataclass(frozen=True)
class Context:
    """How to measure: `quick` for a look at whether it works; `tell` shows what is going on."""

    quick: bool
    scratch: Path
    tell: Callable[[str], None]


@contextmanager
def scratch_folder(below: Path) -> Iterator[Path]:
    """A folder for one turn of one side."""
    with tempfile.TemporaryDirectory(dir=below, ignore_cleanup_errors=True) as folder:
        yield Path(folder)


def interleaved(repetitions: int, *sides: Callable[[], float]) -> list[list[float]]:
    """Figures of each side, taken in turn, so that whatever else the machine does meets all of them."""
    figures: list[list[float]] = [[] for _ in sides]
    for _ in range(repetitions):
        for side, found in zip(sides, figures, strict=True):
            found.append(side())
    return figures


def median_ratio(ours: list[float], peer: list[float]) -> float:
    """Median of the ratios of neighbours in time."""
    return median(a / b for a, b in zip(ours, peer, strict=True))


def machine() -> str:
    """Processor, cores and memory of this machine in a few words."""
    info = Path("/proc/cpuinfo").read_text() if Path("/proc/cpuinfo").exists() else ""
    names = [line.partition(":")[2].strip() for line in info.splitlines() if line.startswith("model name")]
    gib = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    processor = names[0] if names else platform.processor() or platform.machine()
    return (
        f"{processor}, {os.cpu_count()} cores, {gib:.0f} GiB, {platform.system()}, Python {platform.python_version()}"
    )
