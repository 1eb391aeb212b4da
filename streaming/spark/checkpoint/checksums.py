"""Whether the files of Spark's checkpoint are what Spark wrote: Hadoop keeps the checksums of a file X in `.X.crc`.

Spark itself does not look at them when it reads its logs. Layout (hadoop 3.4, ChecksumFs): `crc`, a zero byte, int32
bytes a checksum, then CRC32 of each stretch of that length, big endian.
"""

from __future__ import annotations

import struct
import time
import zlib
from pathlib import Path

from streaming.texts.spark_texts import SparkTexts

MAGIC, HEAD_BYTES = b"crc\0", 8
MOST_BYTES = 256 << 20  # that are read of all files, the newest first
AGAIN_S = 0.2  # a file that is being replaced has another's checksums for a moment


def damage_in(folder: Path) -> str | None:
    """What is wrong with a file in a folder or below, in words that begin with its path; None if nothing is seen.

    Files without checksums, or with damaged ones, are taken as they are.
    """
    left = MOST_BYTES
    # Names that begin with a dot are of files that were never finished.
    files = [path.with_name(path.name[1:-4]) for path in folder.rglob(".*.crc") if path.name[1] != "."]
    for file in sorted(files, key=lambda file: (-_time(file), file)):
        if _is_missing(file):
            return SparkTexts.FILE_MISSING(file=file)
        left -= _size(file)
        if left >= 0 and _differs(file):
            time.sleep(AGAIN_S)
            if _differs(file):
                return SparkTexts.FILE_CHANGED(file=file)
    return None


def _is_missing(file: Path) -> bool:
    """Whether a file with checksums is gone, and not because it was of an old micro-batch: those Spark removes."""
    if file.exists():
        return False
    own, _, kind = file.name.partition(".")
    if not own.isdigit():
        return True
    names = (path.name.partition(".") for path in file.parent.iterdir())
    kept = [int(number) for number, _, of in names if number.isdigit() and of == kind]
    return not kept or int(own) > min(kept) or int(own) >= max(kept) - 1


def _size(file: Path) -> int:
    try:
        return file.stat().st_size
    except OSError:
        return 0


def _time(file: Path) -> float:
    try:
        return file.stat().st_mtime
    except OSError:
        return 0.0


def _differs(file: Path) -> bool:
    try:
        content, said = file.read_bytes(), file.with_name(f".{file.name}.crc").read_bytes()
    except OSError:
        return False
    if said[: len(MAGIC)] != MAGIC or len(said) < HEAD_BYTES or len(said) % 4:
        return False
    (length,) = struct.unpack(">i", said[len(MAGIC) : HEAD_BYTES])
    if length <= 0:
        return False
    found = (zlib.crc32(content[at : at + length]) for at in range(0, len(content), length))
    return b"".join(struct.pack(">I", each) for each in found) != said[HEAD_BYTES:]
