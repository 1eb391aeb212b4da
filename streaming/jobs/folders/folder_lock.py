"""One writer a folder: a file in it that the process which writes there keeps locked."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psutil

from state.texts import Sentence
from streaming.errors import InputError

LOCK = ".lock"


@contextmanager
def held(folder: Path, what: Sentence) -> Iterator[None]:
    """Hold a folder alone; it stays locked until the process ends at the latest, however it ends.

    Raises InputError, with the number of the process, if another run holds it: `what` says what that one does.
    """
    with (folder / LOCK).open("a+") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            lock.seek(0)
            owner = lock.read().strip()
            raise InputError((what.followed_by(f" (process {owner})") if owner else what).at(folder)) from None
        lock.truncate(0)
        lock.write(str(os.getpid()))
        lock.flush()
        yield


def holder_of(folder: Path) -> int | None:
    """Number of the process that holds a folder, None if nobody does; looks on and locks nothing."""
    lock = folder / LOCK
    try:
        process = psutil.Process(int(lock.read_text()))
        held_files = {file.path for file in process.open_files()}
    except psutil.AccessDenied:  # somebody else's: what it holds cannot be seen, only whether it was there in time
        return process.pid if process.create_time() <= lock.stat().st_mtime else None
    except (OSError, ValueError, psutil.Error):
        return None
    return process.pid if str(lock.resolve()) in held_files else None
