"""One writer a folder: a file in it that the process which writes there keeps locked."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from streaming.errors import InputError

LOCK = ".lock"


@contextmanager
def held(folder: Path, what: str) -> Iterator[None]:
    """Hold a folder alone; it stays locked until the process ends at the latest, however it ends.

    Raises InputError, with the number of the process, if another run holds it: `what` says what that one does.
    """
    with (folder / LOCK).open("a+") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            lock.seek(0)
            owner = lock.read().strip()
            raise InputError(f"{folder}: {what}{f' (process {owner})' if owner else ''}") from None
        lock.truncate(0)
        lock.write(str(os.getpid()))
        lock.flush()
        yield
