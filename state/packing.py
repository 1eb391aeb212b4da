"""The binary rest of a state row: named int64 arrays whose numbers have names, with a version, compressed with zstd.

Layout, little endian: magic `SLAB`, uint32 version, uint32 number of parts, then for each part its name, uint64 number
of int64 values, uint16 number of fields and their names; then one zstd frame of all values in that order. A name is
uint16 length and UTF-8 bytes.
"""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from functools import lru_cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from state.layout_texts import LayoutTexts

MAGIC = b"SLAB"
LAYOUT_VERSION = 34
VALUES_MAX = 1 << 30  # 8 GiB: more than any cell holds

Ints = npt.NDArray[np.int64]


class LayoutError(ValueError):
    """The bytes are not a state of this layout; the message says what differs."""


class StatePart(NamedTuple):
    """One array of a state: one-dimensional int64 values, and what the numbers of each of its records are called."""

    values: Ints
    fields: Sequence[str] = ()  # in order; none where the values are no records


def check_parts(found: Mapping[str, StatePart], wanted: Mapping[str, StatePart], growing: Sequence[str] = ()) -> None:
    """Raises LayoutError naming the first part whose name, fields or size is another than wanted.

    Those in `growing` may have any number of records.
    """
    for name in sorted(found.keys() - wanted.keys()):
        raise LayoutError(LayoutTexts.UNKNOWN_REGION(region=name))
    for name, part in wanted.items():
        if name not in found:
            raise LayoutError(LayoutTexts.NO_REGION(region=name))
        _check_fields(name, found[name].fields, part.fields)
        count, size = len(found[name].values), len(part.values)
        if count % len(part.fields) if name in growing else count != size:
            raise LayoutError(LayoutTexts.OTHER_SIZE(region=name, count=count, needed=size))


def _check_fields(name: str, found: Sequence[str], wanted: Sequence[str]) -> None:
    if list(found) == list(wanted):  # nearly always, and asked of every cell in every micro-batch
        return
    for field in (field for field in wanted if field not in found):
        raise LayoutError(LayoutTexts.NO_FIELD(region=name, field=field))
    for field in (field for field in found if field not in wanted):
        nearest = get_close_matches(field, wanted, n=1, cutoff=0.0)
        near = "".join(LayoutTexts.THE_NEAREST(known=known) for known in nearest)
        raise LayoutError(LayoutTexts.UNKNOWN_FIELD(region=name, field=field, near=near))
    raise LayoutError(LayoutTexts.OTHER_ORDER(region=name))


def pack(parts: Mapping[str, StatePart]) -> bytes:
    """Bytes of named parts."""
    head = [MAGIC, struct.pack("<II", LAYOUT_VERSION, len(parts))]
    for name, part in parts.items():
        sizes = struct.pack("<QH", len(part.values), len(part.fields))
        head += [_spelled((name,)), sizes, _spelled(tuple(part.fields))]
    body = np.concatenate([np.asarray(part.values, dtype="<i8") for part in parts.values()]).tobytes()
    return b"".join([*head, pa.compress(body, codec="zstd", asbytes=True)])


@lru_cache(maxsize=256)  # the same thousands in every micro-batch
def _spelled(names: tuple[str, ...]) -> bytes:
    return b"".join(struct.pack("<H", len(spelled)) + spelled for spelled in map(str.encode, names))


class _Head:
    """What stands before the values, read from its begin on."""

    def __init__(self, packed: bytes) -> None:
        self.packed, self.at = packed, len(MAGIC)

    def numbers(self, kinds: str) -> tuple[int, ...]:
        """The next numbers, of those kinds of struct's."""
        found = struct.unpack_from(kinds, self.packed, self.at)
        self.at += struct.calcsize(kinds)
        return found

    def names(self, count: int) -> list[str]:
        """The next names; a state has thousands."""
        packed, at, found = self.packed, self.at, []
        for _ in range(count):
            begin = at + 2
            at = begin + int.from_bytes(packed[at:begin], "little")
            found.append(packed[begin:at].decode())
        self.at = at
        return found


def unpack(packed: bytes) -> dict[str, StatePart]:
    """Named parts, their values writable copies. Raises LayoutError for foreign, cut or other-version bytes."""
    if packed[:4] != MAGIC:
        raise LayoutError(LayoutTexts.NOT_A_STATE())
    try:
        head, sizes, fields = _Head(packed), {}, {}
        version, count = head.numbers("<II")
        if version != LAYOUT_VERSION:
            raise LayoutError(LayoutTexts.OTHER_LAYOUT(stored=version, layout=LAYOUT_VERSION))
        for _ in range(count):
            (name,) = head.names(1)
            sizes[name], field_count = head.numbers("<QH")
            fields[name] = head.names(field_count)
        total = sum(sizes.values())
        if total > VALUES_MAX:
            raise LayoutError(LayoutTexts.TOO_LARGE(count=total))
        body = pa.decompress(packed[head.at :], decompressed_size=8 * total, codec="zstd", asbytes=True)
    except LayoutError:
        raise
    except (struct.error, OSError, ValueError, pa.ArrowException) as error:
        raise LayoutError(LayoutTexts.CUT_SHORT(why=error)) from error
    if len(body) != 8 * total:
        raise LayoutError(LayoutTexts.OTHER_LENGTH(got=len(body), stored=8 * total))
    values = np.frombuffer(body, dtype="<i8").astype(np.int64)
    ends = np.cumsum(list(sizes.values()))
    return {
        name: StatePart(values[end - size : end].copy(), fields[name])
        for (name, size), end in zip(sizes.items(), ends, strict=True)
    }
