"""Where Spark keeps its scratch files: outside of every checkpoint, as a session outlives the runs that use it."""

from __future__ import annotations

import atexit
import fcntl
import os
import shutil
import tempfile
from functools import cache
from pathlib import Path

PREFIX, LOCK = "sendlab-spark-", ".lock"
# A socket's path has 107 characters at most (Linux, unix(7)); Spark's names in the folder take 42 of them.
LONGEST_OF_SOCKETS = 60


@cache
def local_folder() -> Path:
    """This process's folder for the scratch files of its sessions, in the system's temporary folder (TMPDIR).

    It is removed when the process ends; one whose process was killed is removed by the next that asks for its own.
    Raises OSError if it cannot be made.
    """
    _remove_left_over(Path(tempfile.gettempdir()))
    folder = Path(tempfile.mkdtemp(prefix=PREFIX))
    held = os.open(folder / LOCK, os.O_WRONLY | os.O_CREAT, 0o600)  # open, and so locked, until the process ends
    fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder


def unix_sockets() -> dict[str, str]:
    """Settings with which a JVM and its Python workers on this machine talk through files in that folder, not TCP.

    None where its path is too long for a socket. Only this user can read the folder, so nobody else reaches a worker.
    """
    folder = str(local_folder())
    if len(folder) > LONGEST_OF_SOCKETS:
        return {}
    return {"spark.python.unix.domain.socket.enabled": "true", "spark.python.unix.domain.socket.dir": folder}


def _remove_left_over(parent: Path) -> None:
    """Remove the folders that no process holds."""
    for lock in parent.glob(f"{PREFIX}*/{LOCK}"):
        try:
            found = os.open(lock, os.O_WRONLY)
        except OSError:  # another user's, or just removed
            continue
        try:
            fcntl.flock(found, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            continue
        else:
            shutil.rmtree(lock.parent, ignore_errors=True)
        finally:
            os.close(found)
