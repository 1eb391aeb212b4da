"""The binary rest of a state row: named int64 arrays with a version, compressed with zstd.

Layout, little endian: magic `SLAB`, uint32 version, uint32 number of parts, then for each part uint16 length and
UTF-8 bytes of its name and uint64 number of int64 values; then one zstd frame of all values in that order.
"""

from __future__ import annotations

import struct
from collections.abc import Mapping

import numpy as np
import numpy.typing as npt
import pyarrow as pa

MAGIC = b"SLAB"
LAYOUT_VERSION = 7
VALUES_MAX = 1 << 30  # 8 GiB: more than any cell holds

Ints = npt.NDArray[np.int64]


class LayoutError(ValueError):
    """The bytes are not a state of this layout; the message says what differs."""


def pack(parts: Mapping[str, Ints]) -> bytes:
    """Bytes of named one-dimensional int64 arrays."""
    head = [MAGIC, struct.pack("<II", LAYOUT_VERSION, len(parts))]
    for name, values in parts.items():
        spelled = name.encode()
        head.append(struct.pack("<H", len(spelled)) + spelled + struct.pack("<Q", len(values)))
    body = np.concatenate([np.asarray(values, dtype="<i8") for values in parts.values()]).tobytes()
    return b"".join([*head, pa.compress(body, codec="zstd", asbytes=True)])


def unpack(packed: bytes) -> dict[str, Ints]:
    """Named arrays, writable copies. Raises LayoutError for foreign, cut or other-version bytes."""
    if packed[:4] != MAGIC:
        raise LayoutError("not a sendlab state: it does not begin with SLAB")
    try:
        version, count = struct.unpack_from("<II", packed, 4)
        if version != LAYOUT_VERSION:
            raise LayoutError(f"state layout {version}, this sendlab reads layout {LAYOUT_VERSION}")
        at, sizes = 12, {}
        for _ in range(count):
            (length,) = struct.unpack_from("<H", packed, at)
            name = packed[at + 2 : at + 2 + length].decode()
            (sizes[name],) = struct.unpack_from("<Q", packed, at + 2 + length)
            at += 10 + length
        total = sum(sizes.values())
        if total > VALUES_MAX:
            raise LayoutError(f"the state is damaged: it claims to hold {total} numbers")
        body = pa.decompress(packed[at:], decompressed_size=8 * total, codec="zstd", asbytes=True)
    except LayoutError:
        raise
    except (struct.error, OSError, ValueError, pa.ArrowException) as error:
        raise LayoutError(f"the state is cut short or damaged: {error}") from error
    if len(body) != 8 * total:
        raise LayoutError(f"the state is damaged: {len(body)} bytes where {8 * total} were stored")
    values = np.frombuffer(body, dtype="<i8").astype(np.int64)
    ends = np.cumsum(list(sizes.values()))
    return {name: values[end - size : end].copy() for (name, size), end in zip(sizes.items(), ends, strict=True)}
