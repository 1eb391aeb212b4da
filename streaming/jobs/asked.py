"""What a user may ask of a run, checked alike on the command line and in Python.

`where`: how the user spells the option, to begin the sentence with.
"""

from __future__ import annotations

import difflib
import math
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from state.tables import TABLES
from streaming.errors import InputError
from streaming.jobs.sinks import SINKS
from streaming.objects.stored_checkpoint import stored_asked
from streaming.options.changes import checked_choice
from streaming.texts.job_texts import JobTexts

URL = re.compile(r"([A-Za-z][A-Za-z0-9+.-]+):(/.*)")  # a Path of one has lost a slash


def tables_asked(names: Iterable[str], where: str) -> tuple[str, ...]:
    """Names of tables in their order, the rejects always among them. Raises InputError for none or an unknown one."""
    wanted = [names] if isinstance(names, str) else list(names)
    for name in wanted:
        if name not in TABLES:
            near = difflib.get_close_matches(str(name), TABLES, n=1, cutoff=0.0)[0]
            raise InputError(JobTexts.NO_TABLE(tables=", ".join(TABLES), near=near).at(f"{where} {name}"))
    if not wanted:
        raise InputError(JobTexts.AT_LEAST_ONE_EXPECTED(known=", ".join(TABLES)).at(where))
    return tuple(name for name in TABLES if name in wanted or name == "rejects")


def sinks_asked(names: Iterable[str], where: str) -> tuple[str, ...]:
    """Names of sinks in their order. Raises InputError for none or an unknown one."""
    wanted = [names] if isinstance(names, str) else list(names)
    for name in wanted:
        checked_choice(name, SINKS, f"{where} {name}")
    if not wanted:
        raise InputError(JobTexts.AT_LEAST_ONE_EXPECTED(known=", ".join(SINKS)).at(where))
    return tuple(name for name in SINKS if name in wanted)


def speed_asked(speed: float, where: str) -> float:
    """Virtual seconds a real second, 0 = as fast as it can. Raises InputError."""
    if not math.isfinite(speed) or speed < 0:
        raise InputError(JobTexts.SPEED_EXPECTED().at(f"{where} {speed:g}"))
    return float(speed)


def most_asked(events: int, where: str) -> int:
    """Messages a micro-batch at most. Raises InputError."""
    if events < 1:
        raise InputError(JobTexts.EVENTS_EXPECTED().at(f"{where} {events}"))
    return events


def checkpoint_asked(place: str | Path | None, where: str) -> dict[str, Any]:
    """Options for a checkpoint in a folder or, Spark's part of it, in an object store. Raises InputError."""
    matched = None if place is None else URL.match(str(place))
    if matched is None or matched[1].lower() == "file":
        return {"checkpoint": None if place is None else folder_asked(place, where)}
    return {"checkpoint_url": stored_asked(f"{matched[1].lower()}://{matched[2].lstrip('/')}", where)}


def folder_asked(folder: str | Path, where: str) -> Path:
    """A folder for output or checkpoint; file:// is taken off. Raises InputError for the URL of anything else."""
    matched = URL.match(str(folder))
    if matched is None:
        return Path(folder)
    scheme, place = matched[1].lower(), matched[2].lstrip("/")
    if scheme == "file":
        return Path("/") / place
    raise InputError(JobTexts.FOLDER_IS_A_URL(where=where, scheme=scheme, place=place))
