"""The files that Spark itself keeps for a query: its logs, and the state. Where they lie, and what is asked of them.

Their layout is Spark's own (4.3, sql/core CommitLog, OffsetSeqLog, StreamMetadata) and not documented; no other module
names its logs or takes an entry apart. Spark reports the progress of a query only to the process that started it. Of a
job that is stopped or runs in another process, only these files say how far it is, whether a micro-batch is begun, and
where a topic is read. Without them no job resumes, reloads or is watched. An entry of `offsets` is a version, a line of
Spark's settings, then a line a source.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from streaming.spark.checkpoint.checksums import damage_in
from streaming.texts.spark_texts import SparkTexts

OFFSETS, COMMITS, METADATA = "offsets", "commits", "metadata"
BEFORE_SOURCES = 2  # lines of an entry of the offset log: its version, and Spark's settings


class CheckpointFiles(Protocol):
    """A place of Spark's files. Each of its calls raises EnvironmentProblem if the place does not answer."""

    @property
    def place(self) -> str:
        """What leads here again, for another process."""
        ...

    @property
    def location(self) -> str:
        """What Spark calls it."""
        ...

    @property
    def spark_settings(self) -> Mapping[str, str]:
        """What a session must be begun with."""
        ...

    @property
    def in_folder(self) -> bool:
        """Whether they are in a folder, where a rename is one step."""
        ...

    def numbers(self, log: str) -> list[int]:
        """Micro-batches in one of Spark's logs, the last last."""
        ...

    def read(self, name: str) -> str:
        """A file, by its name below the place. Raises OSError if it is not there, ValueError if it is no text."""
        ...

    def damage(self) -> str | None:
        """What is wrong with a file, in words that begin with its path; None if nothing is seen."""
        ...

    def remove(self) -> None:
        """Remove all of them."""
        ...


def offsets_at(files: CheckpointFiles, batch: int) -> list[str]:
    """What each source logged for a micro-batch. Raises OSError if it is not there, ValueError if it is no text."""
    return files.read(f"{OFFSETS}/{batch}").splitlines()[BEFORE_SOURCES:]


@dataclass(frozen=True)
class LocalFiles:
    """Those in a folder, which is a checkpoint's own."""

    folder: Path

    @property
    def spark_settings(self) -> Mapping[str, str]:
        """None."""
        return {}

    @property
    def in_folder(self) -> bool:
        """They are."""
        return True

    @property
    def place(self) -> str:
        """The folder."""
        return str(self.folder)

    @property
    def location(self) -> str:
        """The folder."""
        return str(self.folder)

    def numbers(self, log: str) -> list[int]:
        """As CheckpointFiles."""
        return sorted(int(path.name) for path in (self.folder / log).glob("*") if path.name.isdigit())

    def read(self, name: str) -> str:
        """As CheckpointFiles."""
        return (self.folder / name).read_text()

    def damage(self) -> str | None:
        """As CheckpointFiles: by the checksums that Hadoop keeps beside each."""
        return metadata_damage(self) or damage_in(self.folder)

    def remove(self) -> None:
        """As CheckpointFiles."""
        shutil.rmtree(self.folder, ignore_errors=True)


def metadata_damage(files: CheckpointFiles) -> str | None:
    """The same of Spark's name for the query, without which it would begin another one."""
    try:
        json.loads(files.read(METADATA))["id"]
    except FileNotFoundError:
        return _without_metadata(files) if files.numbers(OFFSETS) else None
    except (OSError, ValueError, LookupError, TypeError):
        return _without_metadata(files)
    return None


def _without_metadata(files: CheckpointFiles) -> str:
    return SparkTexts.METADATA_MISSING(file=f"{files.place}/{METADATA}")
