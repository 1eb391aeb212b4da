"""What a table of records holds for one run: who is meant, and what cannot be used for which reason."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from simulator.plan.run_plan import Plan
from simulator.run.reject_texts import RejectTexts
from streaming.kafka.intake.event_records import (
    ARRIVAL,
    END,
    FIELDS,
    KINDS,
    OBSERVATION,
    OF_LINKS,
    PERIODS,
    TIME,
    VERSION,
)
from streaming.kafka.intake.record_reader import numbers, read

Mask = npt.NDArray[np.bool_]
Ints = npt.NDArray[np.int64]
RECORD_MAX = 1_000


class Vocabulary(NamedTuple):
    """The names of a run that records may use; what is a number elsewhere is the place of a name here.

    name: what records call the run, None for `run`.
    """

    run: str
    cells: int
    topics: tuple[str, ...]
    brokers: tuple[str, ...]
    groups: tuple[str, ...]
    name: str | None = None

    @classmethod
    def of(cls, plan: Plan) -> Vocabulary:
        """The names of a compiled scenario."""
        names = plan.cells[0].names
        named = tuple(names.topics), tuple(names.brokers), tuple(names.groups)
        return cls(plan.run, len(plan.cells), *named, plan.name)


class Judged(NamedTuple):
    """What the records of one batch are. `cell`: int64 of each record, 0 where it has none that there is.

    arrivals, observations, times, ends: numbers of the records of that kind that can be used.
    rejected: number of a record and the reason.  topic, place and table: int64 of each record, names as numbers;
    a place is a broker's number, for links group * brokers + broker.
    """

    table: pa.Table
    cell: Ints
    topic: Ints
    place: Ints
    period: Ints
    arrivals: Ints
    observations: Ints
    times: Ints
    ends: Ints
    rejected: list[tuple[int, str]]

    def column(self, name: str, otherwise: int = 0) -> Ints:
        """A column of whole numbers of every record, `otherwise` where it is not said."""
        return numbers(self.table.column(name), otherwise)


def judge(values: pa.Array, names: Vocabulary) -> Judged:
    """Read and judge binary values."""
    table, unreadable = read(values)
    own = names.run if names.name is None else names.name
    unread = np.zeros(len(values), bool)
    unread[[number for number, _ in unreadable]] = True
    is_kind = {kind: _equal(table.column("kind"), kind) for kind in KINDS}
    cell = numbers(table.column("cell"), -1)
    in_cell = (cell >= 0) & (cell < names.cells)
    topic, broker = _places(table.column("topic"), names.topics), _places(table.column("broker"), names.brokers)
    group, period = _places(table.column("group"), names.groups), _places(table.column("table"), tuple(PERIODS))
    codes = np.array([*PERIODS.values(), -1])[period]
    is_link = np.isin(codes, [PERIODS[name] for name in OF_LINKS])
    has_group = np.asarray(table.column("group").is_valid())
    has_cell = is_kind[ARRIVAL] | is_kind[OBSERVATION]
    faults = [
        (RejectTexts.OTHER_VERSION(version=VERSION), ~_equal(table.column("v"), VERSION)),
        (RejectTexts.NO_KIND(known=", ".join(KINDS)), ~np.any(list(is_kind.values()), axis=0)),
        (RejectTexts.OTHER_RUN(run=own), ~_equal(table.column("run"), own)),
        *_lacking(table, is_kind),
        (RejectTexts.NO_CELL(), has_cell & ~in_cell),
        (RejectTexts.NO_TOPIC(), is_kind[ARRIVAL] & (topic < 0)),
        (RejectTexts.NO_BROKER(), is_kind[OBSERVATION] & (broker < 0)),
        (RejectTexts.NO_TABLE(known=", ".join(PERIODS)), is_kind[OBSERVATION] & (period < 0)),
        (RejectTexts.NO_GROUP(), is_kind[OBSERVATION] & is_link & (group < 0)),
        (RejectTexts.GROUP_WITHOUT_LINK(), is_kind[OBSERVATION] & ~is_link & has_group),
    ]
    usable, rejected = ~unread, list(unreadable)
    for reason, bad in faults:
        rejected += [(int(number), reason) for number in np.flatnonzero(bad & usable)]
        usable &= ~bad
    chosen = {kind: np.flatnonzero(mask & usable) for kind, mask in is_kind.items()}
    return Judged(
        table, np.where(in_cell, cell, 0), topic, broker + np.where(is_link, group, 0) * len(names.brokers), codes,
        chosen[ARRIVAL], chosen[OBSERVATION], chosen[TIME], chosen[END], sorted(rejected),
    )  # fmt: skip


def _equal(column: pa.ChunkedArray, value: object) -> Mask:
    return np.asarray(pc.fill_null(pc.equal(column, value), False).combine_chunks().to_numpy(zero_copy_only=False))


def _places(column: pa.ChunkedArray, known: Sequence[str]) -> Ints:
    return numbers(pc.index_in(column, value_set=pa.array(known, pa.string())), -1)


def _lacking(table: pa.Table, is_kind: dict[str, Mask]) -> Iterator[tuple[str, Mask]]:
    for field in FIELDS:
        column = table.column(field.name)
        if column.null_count:
            absent = np.asarray(column.is_null().combine_chunks().to_numpy(zero_copy_only=False))
            needed = np.any([is_kind[kind] for kind in field.needed_by], axis=0) if field.needed_by else False
            yield RejectTexts.FIELD_MISSING(field=field.name), absent & needed


def spelled(value: bytes | None) -> str:
    """A record as it came, for the rejects."""
    return "" if value is None else value[:RECORD_MAX].decode("utf-8", "replace")
