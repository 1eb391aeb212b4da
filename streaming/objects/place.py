"""An object store as a place of tables: an object is there as a whole or not at all, and a second put replaces the
first. Nothing is renamed, so no rename need be atomic.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from streaming.errors import EnvironmentProblem, InputError
from streaming.files.parquet_files import PART
from streaming.texts.output_texts import OutputTexts

if TYPE_CHECKING:
    import pyarrow as pa
    from pyarrow.fs import FileSystem

SCHEMES = {"s3": "s3", "s3a": "s3", "gs": "gs", "abfs": "abfs", "abfss": "abfss"}  # Hadoop's names, too
URL = re.compile(r"([a-z0-9]+)://([^/?]+)((?:/[^?]*)?)(\?.*)?")


class Place(NamedTuple):
    """Where the rows of a run go, and whose they are.

    `checkpoint`: its identity; `is_begun`: it has micro-batches; `fresh`: what other checkpoints left may be removed.
    """

    url: str
    run: str
    checkpoint: str
    is_begun: bool = False
    fresh: bool = False


def place_asked(url: str, where: str) -> str:
    """The URL as pyarrow spells it. Raises InputError, which begins with `where`."""
    matched = URL.fullmatch(url)
    if matched is None or matched[1] not in SCHEMES:
        raise InputError(
            OutputTexts.PLACE_EXPECTED(schemes=", ".join(f"{scheme}://" for scheme in SCHEMES)).at(f"{where} {url}")
        )
    if "@" in matched[2] and not matched[1].startswith("abfs"):
        raise InputError(OutputTexts.KEYS_IN_URL().at(where))
    return f"{SCHEMES[matched[1]]}://{matched[2]}{matched[3].rstrip('/')}{matched[4] or ''}"


def opened(url: str) -> tuple[FileSystem, str]:
    """The store of a URL and the place in it. Raises EnvironmentProblem."""
    import pyarrow as pa
    from pyarrow.fs import FileSystem

    try:
        store, root = FileSystem.from_uri(url)
    except (pa.ArrowException, OSError, ValueError) as error:
        raise EnvironmentProblem(OutputTexts.UNUSABLE(why=" ".join(str(error).split())[:300]).at(url)) from error
    return store, root


def claim(place: Place) -> None:
    """Note whose rows a place holds; what a run that starts over left there is removed.

    Raises InputError if they are of another checkpoint, EnvironmentProblem if the store does not answer.
    """
    store, root = opened(place.url)
    note = f"{root}/_sendlab/{place.run}.json"
    try:
        owner = _owner(store, note)
        if owner == place.checkpoint:
            return
        if place.is_begun:
            raise InputError(OutputTexts.FIRST_ROWS_MISSING().at(place.url))
        theirs = list(_objects(store, root, place.run))
        if theirs and not place.fresh:
            raise InputError(OutputTexts.OF_ANOTHER_RUN(run=place.run).at(place.url))
        for path in theirs:
            store.delete_file(path)
        put(store, note, json.dumps({"checkpoint": place.checkpoint}).encode())
    except OSError as error:
        raise EnvironmentProblem(OutputTexts.UNUSABLE(why=" ".join(str(error).split())[:300]).at(place.url)) from error


def put(store: FileSystem, path: str, content: bytes | pa.Buffer) -> None:
    """Have an object be there, instead of the one that was. Raises OSError."""
    with store.open_output_stream(path) as stream:
        stream.write(content)


def _owner(store: FileSystem, note: str) -> str | None:
    from pyarrow.fs import FileType

    if store.get_file_info(note).type == FileType.NotFound:
        return None
    with store.open_input_stream(note) as stream:
        return str(json.loads(stream.read())["checkpoint"])


def _objects(store: FileSystem, root: str, run: str) -> Iterator[str]:
    """What runs of that name have put there, and nothing else."""
    from pyarrow.fs import FileSelector

    from state.tables import REPLAY_TABLES, TABLES

    for table in {**TABLES, **REPLAY_TABLES}:
        selector = FileSelector(f"{root}/{table}/run={run}", allow_not_found=True)
        yield from (found.path for found in store.get_file_info(selector) if PART.fullmatch(found.base_name))
