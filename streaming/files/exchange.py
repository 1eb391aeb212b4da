"""Two folders that change places at once: whoever lists one of the names finds the one or the other, whole."""

from __future__ import annotations

import ctypes
import os
from pathlib import Path

from streaming.errors import EnvironmentProblem
from streaming.texts.output_texts import OutputTexts

_HERE, _EXCHANGE = -100, 2  # AT_FDCWD, RENAME_EXCHANGE of Linux's renameat2


def exchange(one: Path, other: Path) -> None:
    """Give each the other's name. Raises EnvironmentProblem where the file system cannot do so at once."""
    renameat2 = getattr(ctypes.CDLL(None, use_errno=True), "renameat2", None)
    if renameat2 is None or renameat2(_HERE, bytes(one), _HERE, bytes(other), _EXCHANGE):
        why = os.strerror(ctypes.get_errno()) if renameat2 else "this system has no renameat2"
        raise EnvironmentProblem(OutputTexts.NO_EXCHANGE(other=other, why=why).at(one))
