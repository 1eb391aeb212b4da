"""Spark's files of a checkpoint in an object store: Spark writes them through Hadoop's file system on S3, pyarrow reads
them before there is a session.

Spark writes each file beside its place and renames it, which is a copy there: the file is whole or not there at all.
Two queries at once are kept apart by the lock of the checkpoint's folder.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import parse_qs, urlsplit

from streaming.errors import EnvironmentProblem, InputError
from streaming.objects.place import opened, place_asked, put
from streaming.spark.checkpoint.checkpoint_files import CheckpointFiles, LocalFiles, metadata_damage
from streaming.spark.jars import S3A, jars
from streaming.texts.output_texts import OutputTexts

if TYPE_CHECKING:
    from pyarrow.fs import FileSystem

S3, S3A_URL = "s3://", "s3a://"  # the same, as Amazon and as Hadoop spell it
NOTE = "sendlab.json"  # whose the place is


def stored_asked(url: str, where: str) -> str:
    """The URL of a place for Spark's files. Raises InputError, which begins with `where`."""
    if not url.startswith((S3, S3A_URL)):
        raise InputError(OutputTexts.SHARED_PLACE_EXPECTED().at(f"{where} {url}"))
    return place_asked(url, where)


def files_at(place: str) -> CheckpointFiles:
    """What a `CheckpointFiles.place` leads to."""
    return StoredFiles(place) if place.startswith(S3) else LocalFiles(Path(place))


@dataclass(frozen=True)
class StoredFiles:
    """Those below a URL, as `stored_asked` gives it."""

    place: str

    @cached_property
    def _opened(self) -> tuple[FileSystem, str]:
        return opened(self.place)

    @property
    def location(self) -> str:
        """The same as Hadoop spells it."""
        return f"{S3A_URL}{self.place.partition('?')[0].removeprefix(S3)}"

    @property
    def spark_settings(self) -> Mapping[str, str]:
        """Hadoop's file system, and what the URL says of the store; keys it takes from the environment."""
        parts = urlsplit(self.place)
        said = {name: values[-1] for name, values in parse_qs(parts.query).items()}
        found, own = {"spark.jars": ",".join(map(str, jars(S3A)))}, f"spark.hadoop.fs.s3a.bucket.{parts.netloc}"
        if "region" in said:
            found[f"{own}.endpoint.region"] = said["region"]
        if "endpoint_override" in said:
            found[f"{own}.endpoint"] = f"{said.get('scheme', 'https')}://{said['endpoint_override']}"
            found[f"{own}.path.style.access"] = "true"
        return found

    @property
    def in_folder(self) -> bool:
        """They are not."""
        return False

    def check(self, owner: str | None, *, fresh: bool) -> None:
        """Raise InputError unless the place is that checkpoint's, or free if it is of none yet or starts over."""
        noted = self._owner()
        if noted is not None and noted == owner:
            return
        if owner is not None and not fresh:
            what = OutputTexts.NOTHING_THERE() if noted is None else OutputTexts.HOLDS_ANOTHER()
            raise InputError(OutputTexts.PLACE_OF_ANOTHER(why=what).at(self.place))
        if not self._is_free():
            raise InputError(OutputTexts.PLACE_NOT_EMPTY().at(self.place))

    def take(self, owner: str) -> None:
        """Note whose the place is."""
        store, root = self._opened
        with self._answering():
            put(store, f"{root}/{NOTE}", json.dumps({"checkpoint": owner}).encode())

    def numbers(self, log: str) -> list[int]:
        """As CheckpointFiles."""
        from pyarrow.fs import FileSelector

        store, root = self._opened
        with self._answering():
            found = store.get_file_info(FileSelector(f"{root}/{log}", allow_not_found=True))
        return sorted(int(file.base_name) for file in found if file.base_name.isdigit())

    def read(self, name: str) -> str:
        """As CheckpointFiles."""
        store, root = self._opened
        with self._answering(), store.open_input_stream(f"{root}/{name}") as stream:
            return bytes(stream.read()).decode()

    def damage(self) -> str | None:
        """As CheckpointFiles: a store keeps what it was given, so only what is missing altogether is looked for."""
        return metadata_damage(self)

    def remove(self) -> None:
        """As CheckpointFiles."""
        store, root = self._opened
        with self._answering():
            store.delete_dir_contents(root, missing_dir_ok=True)

    def _owner(self) -> str | None:
        try:
            return str(json.loads(self.read(NOTE))["checkpoint"])
        except FileNotFoundError:
            return None
        except (ValueError, LookupError, TypeError) as error:
            raise InputError(OutputTexts.OWNER_DAMAGED(place=self.place, note=NOTE, why=error)) from error

    def _is_free(self) -> bool:
        """Whether nothing is there, or only the note of a run that was killed before it began."""
        from pyarrow.fs import FileSelector

        store, root = self._opened
        with self._answering():
            found = store.get_file_info(FileSelector(root, allow_not_found=True))
        return all(file.base_name == NOTE for file in found)

    @contextmanager
    def _answering(self) -> Iterator[None]:
        try:
            yield
        except FileNotFoundError:
            raise
        except OSError as error:
            words = " ".join(str(error).split())[:300]
            raise EnvironmentProblem(OutputTexts.UNUSABLE(why=words).at(self.place)) from error
