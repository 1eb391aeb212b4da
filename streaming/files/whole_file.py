"""Files for a user, written whole or not at all."""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from streaming.errors import EnvironmentProblem, InputError
from streaming.problems import disk_problem
from streaming.texts.output_texts import OutputTexts


def check_writable(file: Path) -> None:
    """Raise InputError if the file's folder is not there or it is a folder itself, EnvironmentProblem if not ours."""
    if file.is_dir():
        raise InputError(OutputTexts.A_FOLDER().at(file))
    _check_is_file(file)
    if not file.parent.is_dir():
        raise InputError(OutputTexts.NO_PARENT(folder=file.parent).at(file))
    if not os.access(file.parent, os.W_OK | os.X_OK):
        raise EnvironmentProblem(OutputTexts.NOT_PERMITTED().at(file))


def _check_is_file(file: Path) -> None:
    """Raise InputError if something is there that is no file: a device would be replaced by one."""
    if file.exists() and not file.is_file():
        raise InputError(OutputTexts.A_DEVICE().at(file))


def make_folder_of(file: Path) -> None:
    """Make the folder that a file is to be in. Raises InputError if a file is in the way, EnvironmentProblem."""
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
    except (FileExistsError, NotADirectoryError) as error:
        raise InputError(OutputTexts.PARENT_IS_A_FILE(folder=file.parent).at(file)) from error
    except OSError as error:
        raise disk_problem(error, file) from error


def write_whole(file: Path, write: Callable[[Path], object]) -> None:
    """Let `write` write a file: a reader sees the old one or the new one, and no half of it is left.

    Raises EnvironmentProblem if it cannot be written, InputError if something is there that is no file.
    """
    _check_is_file(file)
    spare = file.with_name(f".{file.name}.{os.getpid()}.part")
    try:
        write(spare)
        os.replace(spare, file)
    except OSError as error:
        if error.filename == str(spare):  # nobody asked for that one
            error.filename = str(file)
        raise disk_problem(error, file) from error
    finally:
        with suppress(OSError):
            spare.unlink(missing_ok=True)


def write_text_whole(file: Path, text: str) -> None:
    """The same of a text, in UTF-8."""
    write_whole(file, lambda spare: spare.write_text(text, encoding="utf-8"))
