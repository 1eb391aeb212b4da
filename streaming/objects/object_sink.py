"""Parquet in an object store as a sink, named by their micro-batch. One pass a micro-batch."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from types import MappingProxyType
from typing import TYPE_CHECKING

from streaming.flow.parquet_sink import parquet_writer
from streaming.flow.row_files import BeginFiles
from streaming.flow.sink import WRITTEN_SCHEMA, Written, written_of
from streaming.objects.object_files import ObjectFiles
from streaming.objects.place import Place, claim

if TYPE_CHECKING:
    from pyspark.sql import DataFrame


class ObjectSink:
    """Puts TABLE/run=RUN/*.parquet."""

    spark_settings: Mapping[str, str] = MappingProxyType({})
    passes = 1

    def __init__(self, place: Place) -> None:
        self.place = place

    @property
    def files(self) -> BeginFiles:
        """Objects at the place."""
        return partial(ObjectFiles, self.place.url)

    def begin(self) -> None:
        """Find the place free or this checkpoint's. Raises InputError, EnvironmentProblem."""
        claim(self.place)

    def write(self, blocks: DataFrame, batch_id: int) -> Written:
        """Write one micro-batch; rows by table and the documents of every task."""
        return written_of(blocks.mapInArrow(parquet_writer(self.files, batch_id), WRITTEN_SCHEMA))
