"""The bytes of a log file as UTF-8: unpacked, without a byte order mark, UTF-16 recoded."""

from __future__ import annotations

import bz2
import codecs
import gzip
import lzma
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa

from streaming.errors import InputError
from streaming.texts.import_texts import ImportTexts

BLOCK_BYTES = 4 * 1024 * 1024
UTF16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
PACKED: dict[bytes, Callable[[str], Any]] = {
    b"\x1f\x8b": gzip.open,
    b"BZh": bz2.open,
    b"\xfd7zXZ": lzma.open,
    b"\x28\xb5\x2f\xfd": lambda path: pa.CompressedInputStream(pa.OSFile(path), "zstd"),
}
WORKBOOKS = (b"PK\x03\x04", b"\xd0\xcf\x11\xe0")
UNREADABLE = (OSError, EOFError, zlib.error, lzma.LZMAError, pa.ArrowException)


def is_streamed(path: Path) -> bool:
    """Whether a file is read from its begin to its end only: compressed, or in UTF-16. Raises InputError."""
    with path.open("rb") as file:
        start = file.read(8)
    if start.startswith(WORKBOOKS):
        raise InputError(ImportTexts.A_WORKBOOK().at(path))
    return start.startswith((*PACKED, *UTF16))


def streamed_blocks(path: str, encoding: str | None = None) -> Iterator[bytes]:
    """Its text in UTF-8, block by block; `encoding`: of its bytes, None: as its mark says, or UTF-8.

    Of a file that is cut off what is there comes first, then its error.
    """
    with open(path, "rb") as file:
        start = file.read(8)
    unpack = next((unpack for magic, unpack in PACKED.items() if start.startswith(magic)), None)
    with unpack(path) if unpack is not None else open(path, "rb") as opened:
        yield from _recoded(_gathered(opened), encoding)


def without_mark(block: bytes) -> bytes:
    """The same without the byte order mark of UTF-8."""
    return block.removeprefix(codecs.BOM_UTF8)


def _gathered(opened: Any) -> Iterator[bytes]:
    read = getattr(opened, "read1", opened.read)
    block = bytearray()
    try:
        while piece := read(BLOCK_BYTES):
            block += piece
            if len(block) >= BLOCK_BYTES:
                yield bytes(block)
                block.clear()
    except UNREADABLE:
        yield bytes(block)
        raise
    yield bytes(block)


def _recoded(blocks: Iterator[bytes], encoding: str | None) -> Iterator[bytes]:
    first = next(blocks, b"")
    if first.startswith(UTF16):
        encoding = "utf-16"
    if encoding is None:
        yield without_mark(first)
        yield from blocks
        return
    decoder = codecs.getincrementaldecoder(encoding)(errors="replace")
    yield without_mark(decoder.decode(first).encode(errors="replace"))
    for block in blocks:
        yield decoder.decode(block).encode(errors="replace")
    yield decoder.decode(b"", final=True).encode(errors="replace")
