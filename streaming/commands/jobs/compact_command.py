"""`sendlab compact`: fewer and larger files in the output of a run."""

from __future__ import annotations

from pathlib import Path

from rich.console import Console

from simulator.units import parse_duration_us
from state.texts import at, sentence_of
from streaming.errors import InputError
from streaming.files.json_file import write_json
from streaming.jobs.folders.folder_lock import held
from streaming.outputs.compaction import compact_noted
from streaming.outputs.dataset import open_output
from streaming.problems import disk_problem
from streaming.texts.command_result_texts import CommandResultTexts
from streaming.texts.command_texts import CommandTexts


def keep_asked(text: str) -> int:
    """Microseconds of virtual time that are to be kept. Raises InputError."""
    try:
        keep_us = parse_duration_us(text)
    except ValueError as error:
        raise InputError(at("--keep", sentence_of(error))) from None
    if keep_us <= 0:
        raise InputError(CommandTexts.KEEP_EXPECTED().at(f"--keep {text}"))
    return keep_us


def compact_command(folder: Path, keep: str | None, console: Console) -> int:
    """Merge the files of a folder that no run is writing into: 0. Raises InputError, EnvironmentProblem."""
    keep_us = None if keep is None else keep_asked(keep)
    open_output(folder)
    try:
        with held(folder, CommandTexts.RUN_WRITES_HERE()):
            output = open_output(folder)  # again: until now a run could have gone on
            output.check_complete()
            about = output.about | {"removed_before_us": output.removed_before_us}
            is_finished, oldest_us = bool(about["finished"]), 0 if keep_us is None else int(about["clock_us"]) - keep_us
            tables = compact_noted(
                folder, about, lambda noted: write_json(folder / "run.json", about | noted), is_finished=is_finished,
                oldest_us=oldest_us,
            )  # fmt: skip
    except OSError as error:
        raise disk_problem(error, folder) from error
    for each in tables:
        removed = CommandResultTexts.OLD_ROWS_REMOVED(rows=each.dropped_rows) if each.dropped_rows else ""
        text = CommandResultTexts.COMPACTED(before=each.before, after=each.after, removed=removed)
        console.print(text.at(each.table), highlight=False)
    if not tables:
        console.print(CommandResultTexts.NO_FILE_YET(), highlight=False)
    return 0
