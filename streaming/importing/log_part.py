"""Parts of a log that are read on their own: a stretch of a text, a whole compressed file, rows of a Parquet file."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pyarrow.parquet as pq

from streaming.importing.texts.log_bytes import BLOCK_BYTES, is_streamed, streamed_blocks, without_mark

PART_BYTES = 64 * 1024 * 1024


@dataclass(frozen=True)
class LogPart:
    """Bytes [begin, end) of a text file that end with its separator, or row groups [begin, end) of a Parquet file.

    end is -1 for a whole file that can only be read from its begin on.
    first: number of its first line, record or row in the file, from 1. encoding: None: UTF-8, or as its mark says.
    """

    number: int
    file: str
    begin: int
    end: int
    first: int
    encoding: str | None = None


def text_parts(files: list[Path], separator: bytes, *, cut: bool = True, encoding: str | None = None) -> list[LogPart]:
    """The parts of text files, cut after separators; one that is compressed, or in another encoding, is one part.

    cut: whether other files may be cut. Raises InputError for a file that is no text.
    """
    parts: list[LogPart] = []
    for file in files:
        if is_streamed(file) or ((not cut or encoding is not None) and file.stat().st_size):
            parts.append(LogPart(len(parts), str(file), 0, -1, 1, encoding))
            continue
        size, begin, first = file.stat().st_size, 0, 1
        with file.open("rb") as opened:
            while begin < size:
                end, lines = _cut(opened, begin, size, separator)
                parts.append(LogPart(len(parts), str(file), begin, end, first))
                begin, first = end, first + lines
    return parts


def _cut(opened, begin: int, size: int, separator: bytes) -> tuple[int, int]:
    """The end of the part that begins there, and how many separators it has."""
    opened.seek(begin)
    lines, end = 0, begin
    while end < size:
        block = opened.read(BLOCK_BYTES)
        if end + len(block) - begin >= PART_BYTES:
            place = block.find(separator, max(PART_BYTES - (end - begin) - 1, 0))
            if place >= 0:
                return end + place + 1, lines + block[: place + 1].count(separator)
        lines += block.count(separator)
        end += len(block)
    return end, lines


def parquet_parts(files: list[Path]) -> list[LogPart]:
    """The row groups of Parquet files, one part each."""
    parts: list[LogPart] = []
    for file in files:
        with pq.ParquetFile(file) as opened:
            first = 1
            for group in range(opened.num_row_groups):
                parts.append(LogPart(len(parts), str(file), group, group + 1, first))
                first += opened.metadata.row_group(group).num_rows
    return parts


def text_blocks(part: LogPart, separator: bytes) -> Iterator[tuple[bytes, int]]:
    """Blocks of a part, each of whole lines or records, with the number of the first one.

    Of a compressed file that is cut off what is there comes first, then its EOFError.
    """
    number, rest = part.first, b""
    for block in _read(part):
        whole, found, after = (rest + block).rpartition(separator)
        rest = after
        if found:
            yield whole + separator, number
            number += whole.count(separator) + 1
    if rest.strip():
        yield rest, number


def _read(part: LogPart) -> Iterator[bytes]:
    if part.end < 0:
        yield from streamed_blocks(part.file, part.encoding)
        return
    left = part.end - part.begin
    with open(part.file, "rb") as opened:
        opened.seek(part.begin)
        while left > 0 and (block := opened.read(min(BLOCK_BYTES, left))):
            left -= len(block)
            yield without_mark(block) if opened.tell() == len(block) else block
