"""Digests of the columns of a table: equal where the columns have the same type and the same values."""

from __future__ import annotations

import hashlib
from typing import Any, TypedDict

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc


class TableDigest(TypedDict):
    """How many rows a table has, and the digest of each column by name."""

    rows: int
    columns: dict[str, str]


def digest_of(table: pa.Table) -> TableDigest:
    """The digest of each column; how the rows are cut into chunks does not matter."""
    return {"rows": table.num_rows, "columns": {name: column_digest(table[name]) for name in table.column_names}}


def column_digest(column: pa.ChunkedArray) -> str:
    """Digest of a column's type and values, in hexadecimal digits."""
    digest = hashlib.blake2b(str(column.type).encode(), digest_size=12)
    if column.null_count:
        digest.update(np.packbits(pc.is_null(column).to_numpy(zero_copy_only=False)))
    if pa.types.is_dictionary(column.type) or pa.types.is_string(column.type):
        _add_texts(digest, column)
    elif pa.types.is_nested(column.type):
        digest.update(repr(column.to_pylist()).encode())
    else:
        filled = column.fill_null(0) if column.null_count else column
        digest.update(np.ascontiguousarray(filled.to_numpy(zero_copy_only=False)))
    return digest.hexdigest()


def _add_texts(digest: Any, column: pa.ChunkedArray) -> None:
    """Add the texts that occur, in order, and which of them each row has; how they are encoded does not matter."""
    encoded = column if pa.types.is_dictionary(column.type) else column.dictionary_encode()
    whole = pa.chunked_array(encoded.unify_dictionaries()).combine_chunks()
    texts = whole.dictionary.to_pylist()
    places = whole.indices.fill_null(len(texts)).to_numpy(zero_copy_only=False)
    used = np.flatnonzero(np.bincount(places, minlength=len(texts) + 1)[: len(texts)]).tolist()
    ranks = np.full(len(texts) + 1, -1, np.int64)
    for rank, place in enumerate(sorted(used, key=texts.__getitem__)):
        digest.update(repr(texts[place]).encode())
        ranks[place] = rank
    digest.update(ranks[places])
