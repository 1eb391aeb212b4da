"""What a job asks of its source, whatever it is: blocks, and what the offsets of its micro-batches mean."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple, Protocol

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession


MAX_EVENTS = 100_000  # in a micro-batch
# How often a source that is polled is asked: at whole multiples of this since 1970 (Spark 4.3, ProcessingTimeExecutor).
POLL_S = 1


class Reached(NamedTuple):
    """What offsets say. until_us: virtual time up to which everything was given, None where they do not tell."""

    until_us: int | None
    is_end: bool


class Source(Protocol):
    """Where the blocks of a job come from. Nothing outside a source parses its offsets.

    A block may be given in any micro-batch before the one that says that its window is complete (blocks.TIME), and
    that word is the source's: events say nothing of others that are to come.
    """

    @property
    def is_polled(self) -> bool:
        """Whether it has to be asked again and again: what it has now is not all that it will ever have."""
        ...

    @property
    def spark_settings(self) -> Mapping[str, str]:
        """What a session must be begun with, beside what every job's is."""
        ...

    def blocks(self, spark: SparkSession) -> DataFrame:
        """The streaming DataFrame of its blocks, columns as blocks.IN_SCHEMA."""
        ...

    def reached(self, offsets: Sequence[str]) -> Reached:
        """What the offsets of a committed micro-batch say, as Spark logged them; none were logged at the beginning.

        Raises ValueError, LookupError or TypeError if they are not offsets of this source.
        """
        ...
