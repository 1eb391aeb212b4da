"""Where two trees differ: by the digests of what they gave, and then the first row of one table."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

import pyarrow as pa
import pyarrow.compute as pc

from tests.same_rows.column_digests import TableDigest, digest_of
from tests.same_rows.gallery import STATE

OF_ROW = 12  # columns of a row that are shown beside the one that differs

Digests = Mapping[str, TableDigest]  # of one scenario or experiment, by table


@dataclass
class Comparison:
    """What was found of one scenario or experiment.

    differing: tables that both have with other values, in the order of the tree. only: what only one of both has, a
    sentence each, and whether it is a row that users see (a layout of states may change).
    """

    differing: list[str] = field(default_factory=list)
    only: dict[str, bool] = field(default_factory=dict)

    @property
    def is_same(self) -> bool:
        """Whether everything that both have is equal, and nobody misses a table or a column."""
        return not self.differing and not any(self.only.values())


def compare(base: Digests, own: Digests) -> Comparison:
    """Compare the digests of a scenario or an experiment in two trees."""
    found = Comparison()
    for table in dict.fromkeys((*own, *base)):
        is_seen = not table.startswith(f"{STATE} ")
        if table not in own or table not in base:
            found.only[_only("table", table, in_base=table in base)] = is_seen
            continue
        ours, theirs = own[table]["columns"], base[table]["columns"]
        for column in dict.fromkeys((*ours, *theirs)):
            if column not in ours or column not in theirs:
                found.only[_only("column", f"{table}.{column}", in_base=column in theirs)] = is_seen
        both = ours.keys() & theirs.keys()
        if own[table]["rows"] != base[table]["rows"] or any(ours[name] != theirs[name] for name in both):
            found.differing.append(table)
    return found


def _only(what: str, name: str, *, in_base: bool) -> str:
    return f"{what} {name}: only in {'the base' if in_base else 'the working tree'}"


def first_difference(base: pa.Table, own: pa.Table) -> str | None:
    """Row, column and both values of the first difference of the columns that both have; None if there is none."""
    names = [name for name in own.column_names if name in base.column_names]
    for name in names:
        if own[name].type != base[name].type:
            return f"column {name}: type {base[name].type} in the base, {own[name].type} in the working tree"
    ours, theirs = digest_of(own.select(names)), digest_of(base.select(names))
    differing = [name for name in names if ours["columns"][name] != theirs["columns"][name]]
    rows = min(own.num_rows, base.num_rows)
    places = {name: _first(base[name][:rows], own[name][:rows]) for name in differing}
    found = min(((place, i) for i, place in enumerate(places.values()) if place is not None), default=None)
    if found is not None:
        row, name = found[0], list(places)[found[1]]
        values = f"{_value(base, name, row)} in the base, {_value(own, name, row)} in the working tree"
        return f"row {row}, column {name}: {values}\n  {_row(own, row, names)}"
    if own.num_rows == base.num_rows:
        return None
    longer, whose = (own, "the working tree") if own.num_rows > rows else (base, "the base")
    return (
        f"row {rows}: only in {whose} ({base.num_rows} rows in the base, {own.num_rows})\n  {_row(longer, rows, names)}"
    )


def _first(base: pa.ChunkedArray, own: pa.ChunkedArray) -> int | None:
    """The first row in which two columns of one type and length differ."""
    ours, theirs = (_plain(column) for column in (own, base))
    differs = pc.or_(pc.xor(pc.is_null(ours), pc.is_null(theirs)), pc.fill_null(pc.not_equal(ours, theirs), False))
    place = pc.index(differs, True).as_py()
    return None if place < 0 else place


def _plain(column: pa.ChunkedArray) -> pa.ChunkedArray:
    return column.cast(column.type.value_type) if pa.types.is_dictionary(column.type) else column


def _value(table: pa.Table, name: str, row: int) -> str:
    return repr(table[name][row].as_py())


def _row(table: pa.Table, row: int, names: Iterable[str]) -> str:
    shown = list(names)
    more = f" and {len(shown) - OF_ROW} more" if len(shown) > OF_ROW else ""
    return "its row: " + ", ".join(f"{name}={_value(table, name, row)}" for name in shown[:OF_ROW]) + more
