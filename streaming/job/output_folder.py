"""A run's output folder: whether a run may write there, and what of it is ours to remove."""

from __future__ import annotations

import shutil
from pathlib import Path

from state.tables import TABLES
from streaming.errors import EnvironmentProblem, InputError
from streaming.job.checkpoint import Checkpoint, read_json

OWN_FILES = ("run.json", "report.html", "summary.json")


def prepare_output(out: Path, checkpoint: Checkpoint, run: str, digest: str, *, fresh: bool) -> None:
    """Make the output folder, or see that it belongs to this run and to this checkpoint; `fresh` empties both.

    Raises InputError (another run's, or nobody's) and EnvironmentProblem (cannot be written).
    """
    if out.is_file():
        raise InputError(f"{out}: expected an output folder, got a file")
    note = out / "run.json"
    if out.is_dir() and not note.exists() and any(path != checkpoint.folder for path in out.iterdir()):
        raise InputError(f"{out}: the folder is not empty and not the output of a sendlab run; choose another --out")
    if fresh:
        _clear(out, checkpoint)
    _check_belongs(out, checkpoint, run, digest)
    try:
        out.mkdir(parents=True, exist_ok=True)
        probe = out / ".writable"
        probe.write_text("")
        probe.unlink()
    except OSError as error:
        raise EnvironmentProblem(f"{out}: cannot be written: {error.strerror or error}") from error


def _check_belongs(out: Path, checkpoint: Checkpoint, run: str, digest: str) -> None:
    note = out / "run.json"
    if not note.exists():
        if checkpoint.batches("offsets"):
            raise InputError(
                f"{checkpoint.folder}: the first rows of this checkpoint's run are not in {out}; "
                "give its --out, choose another --checkpoint, or start over with --fresh"
            )
        return
    stored = read_json(note, "output folder's description")
    if stored.get("digest") != digest or stored.get("run") != run:
        raise InputError(
            f"{out}: the output belongs to another run ({stored.get('scenario_name')}, release "
            f"{stored.get('release')}, seed {stored.get('seed')}); choose another --out, or start over with --fresh"
        )
    if stored.get("checkpoint") != checkpoint.identity:
        raise InputError(
            f"{out}: the output does not go with the checkpoint in {checkpoint.folder}; "
            "give its own --checkpoint, choose another --out, or start over with --fresh"
        )


def _clear(out: Path, checkpoint: Checkpoint) -> None:
    """Remove what a run left in its output and checkpoint folders, and nothing else."""
    if checkpoint.exists:
        checkpoint.check_idle()
    if (out / "run.json").exists():
        for name in (*TABLES, "decisions"):
            shutil.rmtree(out / name, ignore_errors=True)
        for name in OWN_FILES:
            (out / name).unlink(missing_ok=True)
    if checkpoint.exists:
        shutil.rmtree(checkpoint.folder)
