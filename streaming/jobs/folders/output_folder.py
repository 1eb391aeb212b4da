"""A run's output folder: whether a run may write there, and what of it is ours to remove."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import yaml

from state.tables import REPLAY_TABLES, TABLES
from streaming.errors import EnvironmentProblem, InputError
from streaming.files.json_file import is_spare, read_json
from streaming.files.parquet_files import PART, SPARE_PREFIX
from streaming.jobs.folders.checkpoint import Checkpoint
from streaming.jobs.folders.folder_lock import LOCK
from streaming.jobs.folders.manifest import differing_keys
from streaming.jobs.job import Run
from streaming.outputs.dataset import RunOutput
from streaming.problems import not_writable
from streaming.spark.checkpoint.checkpoint_files import OFFSETS
from streaming.texts.job_texts import JobTexts
from streaming.texts.output_texts import OutputTexts

NOTE, PROBE = "run.json", ".writable"
# The note last: it says that the rest is ours.
OWN_FILES = ("report.html", "report.md", "report.json", "causes.json", NOTE)


def note_of(out: Path) -> dict[str, Any] | None:
    """The output folder's run.json, None where there is none. Raises InputError if it is damaged or not ours."""
    note = out / NOTE
    try:
        if not note.exists():
            return None
    except OSError as error:
        raise EnvironmentProblem(OutputTexts.UNUSABLE(why=error.strerror or error).at(out)) from error
    stored = read_json(note, "output folder's description")
    if "sendlab" not in stored:
        raise InputError(JobTexts.NOTE_OF_OTHERS().at(note))
    return stored


def check_output(out: Path, checkpoint: Checkpoint, run: Run, *, fresh: bool) -> None:
    """Raise InputError unless the folder is free or belongs to this run and to this checkpoint, or to any if `fresh`.

    Touches nothing.
    """
    if out.is_file():
        raise InputError(JobTexts.OUTPUT_IS_A_FILE().at(out))
    if out.resolve() == checkpoint.folder.resolve():
        raise InputError(JobTexts.OUTPUT_IS_THE_CHECKPOINT().at(out))
    stored = note_of(out)
    if stored is None:
        before = {checkpoint.folder, out / LOCK, out / PROBE}
        if out.is_dir() and any(path not in before and not is_spare(path) for path in out.iterdir()):
            raise InputError(JobTexts.OUTPUT_NOT_EMPTY().at(out))
        if checkpoint.batches(OFFSETS) and not fresh:
            raise InputError(JobTexts.FIRST_ROWS_MISSING(out=out).at(checkpoint.folder))
        return
    if fresh:
        return
    if stored.get("digest") != run.digest or stored.get("run") != run.spec.run:
        endless = stored.get("forever") and run.duration_us != stored.get("duration_us")
        hint = JobTexts.WITHOUT_END() if endless else ""
        raise InputError(JobTexts.OUTPUT_OF_ANOTHER_RUN(found=_difference(stored, run), hint=hint).at(out))
    if stored.get("checkpoint") != checkpoint.identity:
        raise InputError(JobTexts.OUTPUT_OF_ANOTHER_CHECKPOINT(checkpoint=checkpoint.folder).at(out))


def _difference(stored: Mapping[str, Any], run: Run) -> str:
    """What differs between the run of a folder and this one, key by key; without settings there, which run that is."""
    keys = differing_keys(_settings(stored), _settings(run.about)) if "scenario_yaml" in stored else ""
    seed = "" if stored.get("seed") is None else f", seed {stored['seed']}"
    return keys or f"{stored.get('scenario_name')}, release {stored.get('release')}{seed}"


def _settings(about: Mapping[str, Any]) -> dict[str, Any]:
    """Of a run as run.json describes it: its scenario, and how it reads topics, wherever these are."""
    kafka = {key: value for key, value in (about.get("kafka") or {}).items() if key != "bootstrap"}
    scenario = yaml.safe_load(str(about.get("scenario_yaml", "{}")))
    return {**scenario, "kafka": kafka} if kafka else dict(scenario)


def make_output(out: Path) -> None:
    """Make the folder if it is missing. Raises EnvironmentProblem if it cannot be written."""
    try:
        out.mkdir(parents=True, exist_ok=True)
        probe = out / PROBE
        probe.write_text("")
        probe.unlink()
    except OSError as error:
        raise not_writable(error, out) from error


def check_files(out: Path, last_batch: int) -> None:
    """Raise InputError if a file of a micro-batch up to that one cannot be read or is gone; later ones are written
    again.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    for table in {**TABLES, **REPLAY_TABLES}:
        for file in sorted((out / table).glob("run=*/b*.parquet")):
            if PART.fullmatch(file.name) and int(file.name[1:9]) <= last_batch:
                try:
                    pq.read_metadata(file)
                except (OSError, pa.ArrowException) as error:
                    raise InputError(JobTexts.OUTPUT_DAMAGED(why=" ".join(str(error).split())).at(file)) from error
    RunOutput(out, note_of(out) or {}).check_complete()


def clear(out: Path, checkpoint: Checkpoint) -> None:
    """Remove what a run left in its output and checkpoint folders, and nothing else; both must be held."""
    if (out / NOTE).exists():
        for name in {**TABLES, **REPLAY_TABLES}:
            _clear_table(out / name)
        for name in OWN_FILES:
            (out / name).unlink(missing_ok=True)
    if checkpoint.exists:
        checkpoint.clear()


def _clear_table(folder: Path) -> None:
    for run in folder.glob("run=*"):
        for file in run.iterdir():
            if PART.fullmatch(file.name) or file.name.startswith(SPARE_PREFIX):
                file.unlink()
        with suppress(OSError):  # somebody else's file is left
            run.rmdir()
    with suppress(OSError):
        folder.rmdir()
