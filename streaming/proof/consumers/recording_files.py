"""The two files of a recording, NAME.csv.gz and NAME.json, written with what is measured of it only."""

from __future__ import annotations

import csv
import gzip
import io
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from streaming.proof.consumers.consumer_recording import COLUMNS

EventRow = Mapping[str, str]


def event_rows(source: Path) -> Iterator[EventRow]:
    """The events of the recording that `source` (without suffix) names, as texts by column."""
    with gzip.open(source.with_name(f"{source.name}.csv.gz"), "rt", encoding="utf-8", newline="") as file:
        yield from csv.DictReader(file)


def header_of(source: Path) -> Mapping[str, Any]:
    """What a recording says of its set-up."""
    found: Mapping[str, Any] = json.loads(source.with_name(f"{source.name}.json").read_text(encoding="utf-8"))
    return found


def without(row: EventRow, unused: Sequence[str]) -> list[str]:
    """An event with nothing in the columns that nothing reads."""
    return ["" if name in unused else row[name] for name in COLUMNS]


def write_events(file: Path, rows: Iterable[Sequence[str]]) -> Path:
    """Write events; the same ones give the same bytes."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(COLUMNS)
    writer.writerows(rows)
    file.write_bytes(gzip.compress(text.getvalue().encode(), mtime=0))
    return file


def write_header(file: Path, about: Mapping[str, Any]) -> None:
    """Write what a recording says of its set-up."""
    file.write_text(json.dumps(about, indent=1) + "\n", encoding="utf-8")
