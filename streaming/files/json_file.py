"""A JSON file that is written as a whole and read back."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import psutil

from streaming.errors import InputError
from streaming.texts.output_texts import OutputTexts

SPARE = re.compile(r"\..+\.json\.\d+")


def write_json(path: Path, content: Mapping[str, Any]) -> None:
    """Write a JSON file so that a reader sees the old one or the new one."""
    spare = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        spare.write_text(json.dumps(content, indent=1, ensure_ascii=False))
        spare.replace(path)
    finally:
        with suppress(OSError):
            spare.unlink(missing_ok=True)


def is_spare(path: Path) -> bool:
    """Whether a file is what a process left that was killed while it wrote a JSON file."""
    return SPARE.fullmatch(path.name) is not None


def remove_spares(folder: Path) -> None:
    """Remove such files from a folder: not those of living processes, which may be writing them, as `reload` does."""
    living = set(psutil.pids())
    for path in filter(is_spare, folder.iterdir()):
        if int(path.suffix[1:]) not in living:
            path.unlink(missing_ok=True)


def read_json(path: Path, what: str) -> dict[str, Any]:
    """Read a JSON file that sendlab wrote. Raises InputError if it is damaged or cannot be read."""
    try:
        content = json.loads(path.read_text())
    except (OSError, ValueError) as error:
        raise InputError(OutputTexts.FILE_UNREADABLE(what=what, why=error).at(path)) from error
    if not isinstance(content, dict):
        raise InputError(OutputTexts.FILE_DAMAGED(what=what).at(path))
    return content
