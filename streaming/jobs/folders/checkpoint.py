"""A run's checkpoint folder: whose it is, who is using it, and whether a run fits it.

FOLDER/run.json    the runs that it belongs to and what it was made with
FOLDER/.lock       locked by the Python process that uses it
FOLDER/owner.json  process numbers and start times of that Python and its JVM
FOLDER/spark/      Spark's own checkpoint, if run.json does not name a place in an object store
FOLDER/reloads.json  what was changed in its scenario since it began, and from when on
FOLDER/pace.json   since when virtual time follows the wall clock, of a job without an end
FOLDER/stop        while it exists the source has nothing more to give
"""

from __future__ import annotations

import json
import os
import signal
import time
import uuid
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from streaming.errors import InputError
from streaming.files.json_file import is_spare, read_json, remove_spares, write_json
from streaming.jobs.folders.folder_lock import LOCK, held, holder_of
from streaming.jobs.folders.manifest import difference
from streaming.objects.stored_checkpoint import StoredFiles, files_at
from streaming.spark.checkpoint.checkpoint_files import COMMITS, OFFSETS, CheckpointFiles, offsets_at
from streaming.texts.command_texts import CommandTexts
from streaming.texts.job_texts import JobTexts

MANIFEST = "run.json"
PACE = "pace.json"
RELOADS = "reloads.json"
REQUEST, ANSWER = "reload.request.json", "reload.answer.json"
JVM_PATIENCE_S = 10.0
OWN_FILES = (MANIFEST, PACE, RELOADS, REQUEST, ANSWER, "owner.json", "stop", "jvm.log", "error.log")
BEFORE_A_RUN = (LOCK, "owner.json", "jvm.log")  # what is left of a run that was killed before it began


def _start_time(pid: int) -> str | None:
    """Field 22 of /proc/PID/stat: with the number it names a process for good."""
    try:
        after_name = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return None
    return None if after_name[0] == "Z" else after_name[19]


def process_mark(pid: int) -> dict[str, Any]:
    """What identifies a running process."""
    return {"pid": pid, "start": _start_time(pid)}


def _runs(mark: Mapping[str, Any] | None) -> bool:
    return bool(mark) and mark is not None and _start_time(int(mark["pid"])) == mark["start"] is not None


def _wait_for_jvm(mark: Mapping[str, Any]) -> None:
    # Orphaned by a kill of its Python, a JVM can still commit a batch for about a second.
    patience = time.monotonic() + JVM_PATIENCE_S
    while _runs(mark) and time.monotonic() < patience:
        time.sleep(0.05)
    if _runs(mark):
        os.kill(int(mark["pid"]), signal.SIGKILL)
        while _runs(mark):
            time.sleep(0.05)


def _is_before_a_run(path: Path) -> bool:
    return path.name in BEFORE_A_RUN or is_spare(path)


def _bare(url: str) -> str:
    """A place without what may change: how its store is reached."""
    return url.partition("?")[0]


class Checkpoint:
    """The checkpoint folder of a run. `url`: a place in an object store that Spark's own files are asked to be in."""

    def __init__(self, folder: Path, url: str | None = None) -> None:
        self.folder, self.url = folder, url
        self.spark = folder / "spark"
        self.stop_file = folder / "stop"

    @classmethod
    def of(cls, folder: Path) -> Checkpoint:
        """The checkpoint inside an output folder, or else that of the folder itself."""
        inner = folder / "_checkpoint"
        return cls(inner if inner.is_dir() else folder)

    @property
    def exists(self) -> bool:
        """Whether a run has begun here."""
        return (self.folder / MANIFEST).exists()

    @property
    def identity(self) -> str | None:
        """What its output folder knows it by, None before a run has begun."""
        return self.manifest().get("id") if self.exists else None

    @property
    def files(self) -> CheckpointFiles:
        """Spark's own files."""
        noted = self._noted_place() if self.exists else self.url
        if noted is None:
            return files_at(str(self.spark))
        return files_at(self.url if self.url is not None and _bare(self.url) == _bare(noted) else noted)

    def _noted_place(self) -> str | None:
        """In an object store; reading the rest of the description reports damage."""
        try:
            noted = self.manifest().get("spark")
        except InputError:
            return None
        return None if noted is None else str(noted)

    def batches(self, log: str = COMMITS) -> list[int]:
        """Micro-batches in one of Spark's logs, `offsets` or `commits`, the last last."""
        return self.files.numbers(log)

    def committed_offsets(self) -> list[str]:
        """What Spark logged for each source in the last committed micro-batch, none before the first.

        Raises InputError if that log is damaged.
        """
        return self.offsets_of(COMMITS)

    def offsets_of(self, log: str) -> list[str]:
        """The same of the last micro-batch in one of Spark's logs: `offsets` has those that are only begun, too."""
        found = self.batches(log)
        return self.offsets_at(found[-1]) if found else []

    def offsets_at(self, batch: int) -> list[str]:
        """The same of one micro-batch."""
        try:
            return offsets_at(self.files, batch)
        except (OSError, ValueError) as error:
            raise self.unreadable_offsets(error) from error

    def unreadable_offsets(self, error: Exception) -> InputError:
        """What is said if the source does not know the offsets of the last committed micro-batch."""
        last = (self.batches() or self.batches(OFFSETS))[-1]
        return self._damaged(CommandTexts.OFFSETS_UNREADABLE(batch=last, why=error))

    def _damaged(self, problem: str) -> InputError:
        return InputError(JobTexts.CHECKPOINT_DAMAGED(problem=problem).at(self.folder))

    def check_whole(self) -> None:
        """Raise InputError if a file of Spark's own checkpoint is missing or is known to have changed."""
        problem = self.files.damage()
        if problem is not None:
            raise self._damaged(problem)

    def manifest(self) -> dict[str, Any]:
        """What it belongs to. Raises InputError if it is damaged, no checkpoint, or not one yet."""
        if not self.folder.is_dir():
            raise InputError(JobTexts.NO_CHECKPOINT().at(self.folder))
        if not self.exists:
            starting = holder_of(self.folder)
            if starting is not None:
                raise InputError(JobTexts.STILL_STARTING(process=starting).at(self.folder))
            raise InputError(JobTexts.NOT_A_CHECKPOINT(manifest=MANIFEST).at(self.folder))
        found = read_json(self.folder / MANIFEST, "checkpoint's description")
        if "runs" not in found:
            raise InputError(JobTexts.OUTPUT_WITHOUT_CHECKPOINT().at(self.folder))
        return found

    def check_fits(self, wanted: Mapping[str, Any]) -> None:
        """Raise InputError unless the folder is free or belongs to just this run."""
        if self.folder.is_file():
            raise InputError(JobTexts.CHECKPOINT_IS_A_FILE().at(self.folder))
        if self.folder.exists() and not os.access(self.folder, os.R_OK | os.W_OK | os.X_OK):
            raise InputError(JobTexts.CHECKPOINT_NOT_PERMITTED().at(self.folder))
        if not self.exists:
            if self.folder.is_dir() and any(not _is_before_a_run(path) for path in self.folder.iterdir()):
                raise InputError(JobTexts.CHECKPOINT_NOT_EMPTY().at(self.folder))
            return
        found = difference(self.manifest(), wanted)
        if found is not None:
            raise InputError(JobTexts.CHECKPOINT_OF_ANOTHER_RUN(found=found).at(self.folder))

    def check_place(self, *, fresh: bool) -> None:
        """Raise InputError unless the place of Spark's own files is this checkpoint's, or free to be.

        Raises EnvironmentProblem if it does not answer.
        """
        noted = self._noted_place() if self.exists else None
        is_new = self.url is not None and (noted is None or _bare(self.url) != _bare(noted))
        if is_new and self.exists and not fresh:
            raise InputError(JobTexts.CHECKPOINT_ELSEWHERE(place=self.files.place, url=self.url).at(self.folder))
        if noted is not None:
            StoredFiles(noted if is_new or self.url is None else self.url).check(self.identity, fresh=fresh)
        if is_new and self.url is not None:
            StoredFiles(self.url).check(None, fresh=fresh)

    def begin(self, manifest: Mapping[str, Any]) -> None:
        """Note what the folder belongs to, and where Spark's own files are."""
        place = {} if self.url is None else {"spark": self.url}
        if not self.exists:
            identity = uuid.uuid4().hex
            if self.url is not None:
                StoredFiles(self.url).take(identity)
            write_json(self.folder / MANIFEST, {**manifest, "id": identity, **place})
        elif place:
            write_json(self.folder / MANIFEST, self.manifest() | place)  # its store may be reached in another way
        for name in (self.stop_file.name, REQUEST, ANSWER):  # who asked waits no more
            (self.folder / name).unlink(missing_ok=True)

    def clear(self) -> None:
        """Remove what a run left here, and nothing else; the folder must be owned."""
        self.files.remove()
        for name in OWN_FILES:
            (self.folder / name).unlink(missing_ok=True)

    @contextmanager
    def owned(self) -> Iterator[None]:
        """Hold the folder alone. Waits for a dying JVM; raises InputError if another run is using it."""
        self.folder.mkdir(parents=True, exist_ok=True)
        with held(self.folder, JobTexts.CHECKPOINT_IN_USE()):
            remove_spares(self.folder)
            owner = self._owner()
            if _runs(owner.get("jvm")):
                _wait_for_jvm(owner["jvm"])
            self.note_owner(None)
            try:
                yield
            finally:
                # The JVM may outlive the run, in a session of the caller's: nobody need wait for it.
                with suppress(OSError):
                    self.note_owner(None)

    def note_owner(self, jvm: int | None) -> None:
        """Note the processes that use the folder."""
        marks = {"python": process_mark(os.getpid()), "jvm": None if jvm is None else process_mark(jvm)}
        write_json(self.folder / "owner.json", marks)

    def _owner(self) -> dict[str, Any]:
        try:
            return dict(json.loads((self.folder / "owner.json").read_text()))
        except (OSError, ValueError):
            return {}

    def ask_to_stop(self) -> None:
        """Let the source give nothing more."""
        self.stop_file.touch()
