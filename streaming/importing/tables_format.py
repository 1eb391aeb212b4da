"""The output folder of `sendlab run` as a trace: its table attempts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
import yaml

from streaming.errors import InputError
from streaming.importing.log_part import LogPart
from streaming.importing.trace import COLUMNS, REJECT_COLUMNS
from streaming.outputs.dataset import open_output
from streaming.texts.import_texts import ImportTexts

KEY = ("producer", "thread", "topic", "send_seq")


def files_of(folder: Path) -> list[Path]:
    """The files of attempts of a run. Raises InputError for a folder that is none, or has no such table."""
    output = open_output(folder)
    output.check_whole()
    files = sorted((folder / "attempts" / f"run={output.about['run']}").glob("*.parquet"))
    if not files:
        raise InputError(ImportTexts.NO_ATTEMPTS().at(folder))
    return files


def client_of(folder: Path) -> tuple[dict[str, Any], str | None]:
    """The client of the run's scenario, and the mode of its producers if all have the same."""
    scenario = yaml.safe_load(open_output(folder).about["scenario_yaml"])
    modes = {group.get("mode", "sync") for group in scenario["producers"]}
    return dict(scenario["client"]), modes.pop() if len(modes) == 1 else None


def read_tables(part: LogPart, hosts: Mapping[str, str]) -> Iterator[tuple[pa.Table, pa.Table]]:
    """The attempts of a row group; a run's own tables have no rejects."""
    with pq.ParquetFile(part.file) as opened:
        table = opened.read_row_group(part.begin)
    texts = {name: table.column(name).cast(pa.string()) for name in (*KEY, "broker", "outcome")}
    places = pa.array(range(part.first, part.first + len(table)), pa.int64())
    said: dict[str, Any] = {
        "begin_us": table.column("begin_us"),
        "latency_us": pc.subtract(table.column("end_us"), table.column("begin_us")),
        "producer": pc.utf8_lpad(texts["producer"], 4, "0"),
        "topic": texts["topic"],
        "broker": texts["broker"],
        "outcome": texts["outcome"],
        "message": pc.binary_join_element_wise(*(texts[name] for name in KEY), " "),
        "part": pa.array([part.number] * len(table), pa.int32()),
        "line": places,
    }
    for name in ("queue_id", "thread", "attempt", "response_code"):
        said[name] = table.column(name)
    columns = [
        said[field.name].cast(field.type) if field.name in said else pa.nulls(len(table), field.type)
        for field in COLUMNS
    ]
    yield pa.table(columns, schema=COLUMNS), REJECT_COLUMNS.empty_table()
