"""A log: where it lies, in parts that are read on their own, and what is known beside it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow as pa
import pyarrow.parquet as pq

from streaming.errors import InputError
from streaming.importing import client_log_format, message_trace_format, tables_format, trace_topic
from streaming.importing.csv_log.csv_format import read_csv
from streaming.importing.csv_log.csv_shape import BY_SIZE, LINE, CsvChoices, CsvShape, shapes_of
from streaming.importing.log_part import LogPart, parquet_parts, text_parts
from streaming.importing.log_rows import LogNotes
from streaming.importing.texts.times import TimeRule
from streaming.texts.import_texts import ImportTexts
from streaming.texts.output_texts import OutputTexts

if TYPE_CHECKING:
    from streaming.kafka.brokers.kafka_login import Connection

CLIENT_LOG = "client-log"


@dataclass(frozen=True)
class Log:
    """What is imported. hosts: address to broker. shapes: of CSV files. times: of a client log.

    cluster: where its topic is, None for files. latency_unit: the user's word on it, None without one.
    """

    kind: str
    parts: Sequence[LogPart]
    hosts: Mapping[str, str] = field(default_factory=dict)
    shapes: Mapping[str, CsvShape] = field(default_factory=dict)
    times: TimeRule = BY_SIZE
    cluster: Connection | None = None
    latency_unit: str | None = None

    @property
    def names_producers(self) -> bool:
        """Whether it says who sent; else producers are named after files."""
        return all("producer" not in shape.defaults for shape in self.shapes.values())

    def tables_of(self, part: LogPart, notes: LogNotes) -> Iterator[tuple[pa.Table, pa.Table]]:
        """Sound rows and rejects of a part, block by block; `notes` gets what else was met."""
        if self.cluster is not None:
            return trace_topic.read_topic(part, self.hosts, self.cluster)
        if self.kind == "csv":
            return read_csv(part, self.hosts, self.shapes[part.file], notes)
        if self.kind == CLIENT_LOG:
            return client_log_format.read_client_log(part, self.hosts, self.times, notes)
        if self.kind == "tables":
            return tables_format.read_tables(part, self.hosts)
        if part.file.endswith(".parquet"):
            return message_trace_format.read_parquet(part, self.hosts)
        return message_trace_format.read_text(part, self.hosts)


def log_in(kind: str, files: Sequence[Path], hosts: Mapping[str, str], choices: CsvChoices | None = None) -> Log:
    """The log in files. Raises InputError."""
    try:
        if kind == "tables":
            if len(files) != 1:
                raise InputError(ImportTexts.ONE_FOLDER(got=len(files)))
            log = Log(kind, parquet_parts(tables_format.files_of(files[0])), hosts)
        elif kind == CLIENT_LOG:
            # An event has many lines, so that a file is not cut.
            parts = text_parts(list(files), client_log_format.LINE, cut=False)
            log = Log(kind, parts, hosts, times=(choices or CsvChoices()).times)
        elif kind == "csv":
            said = choices or CsvChoices()
            shapes = shapes_of(files, said)
            parts = text_parts(list(files), LINE, encoding=said.encoding)
            log = Log(kind, parts, hosts, shapes, latency_unit=said.latency_unit)
        else:
            log = Log(kind, _message_trace_parts(files), hosts)
    except (OSError, pa.ArrowException) as error:
        raise InputError(
            OutputTexts.UNREADABLE(why=_short(error)).at(f"{getattr(error, 'filename', None) or files[0]}")
        ) from error
    if not log.parts:
        raise InputError(ImportTexts.FILE_EMPTY().at(files[0]))
    return log


def log_of_topic(cluster: Connection, topic: str, hosts: Mapping[str, str]) -> Log:
    """The messages that a topic with message traces has now. Raises InputError and EnvironmentProblem."""
    parts = trace_topic.topic_parts(cluster, topic)
    if not parts:
        raise InputError(ImportTexts.TOPIC_EMPTY(topic=topic).at(cluster.bootstrap))
    return Log("message-trace", parts, hosts, cluster=cluster)


def _short(error: Exception) -> str:
    return getattr(error, "strerror", None) or str(error).splitlines()[0]


def _message_trace_parts(files: Sequence[Path]) -> list[LogPart]:
    tabular = [file for file in files if file.suffix == ".parquet"]
    if tabular and len(tabular) != len(files):
        raise InputError(ImportTexts.KINDS_APART())
    if not tabular:
        return text_parts(list(files), message_trace_format.RECORD)
    for file in tabular:
        message_trace_format.body_column(str(file), pq.read_schema(file).names)
    return parquet_parts(tabular)
