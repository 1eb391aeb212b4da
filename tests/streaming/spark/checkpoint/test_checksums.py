"""Whether files of Spark's checkpoint are as they were written, by the checksums that Hadoop keeps beside them."""

from __future__ import annotations

import struct
import zlib

import pytest

from streaming.spark.checkpoint import checksums
from streaming.spark.checkpoint.checksums import damage_in
from streaming.texts.spark_texts import SparkTexts

CONTENT = b"v1\n" + b"x" * 700  # two stretches of 512 bytes


@pytest.fixture
def written(tmp_path, monkeypatch):
    """A file of a log with its checksums, as Hadoop writes them."""
    monkeypatch.setattr(checksums, "AGAIN_S", 0.0)
    (tmp_path / "offsets").mkdir()
    sums = struct.pack(">4siII", b"crc\0", 512, zlib.crc32(CONTENT[:512]), zlib.crc32(CONTENT[512:]))
    (tmp_path / "offsets" / ".3.crc").write_bytes(sums)
    (tmp_path / "offsets" / "3").write_bytes(CONTENT)
    return tmp_path / "offsets" / "3"


def test_what_was_written_is_as_it_was(written, tmp_path):
    assert damage_in(tmp_path) is None


@pytest.mark.parametrize("content", [b"", CONTENT[:300], CONTENT[:-1], CONTENT + b"x", CONTENT.replace(b"v1", b"v2")])
def test_a_changed_file_is_named(written, tmp_path, content):
    written.write_bytes(content)
    assert damage_in(tmp_path) == SparkTexts.FILE_CHANGED(file=written)


@pytest.mark.parametrize("sums", [b"", b"crc", b"another thing", None])
def test_a_file_without_sound_checksums_is_taken_as_it_is(written, tmp_path, sums):
    file = written.with_name(".3.crc")
    file.unlink() if sums is None else file.write_bytes(sums)
    written.write_bytes(b"another")
    assert damage_in(tmp_path) is None


@pytest.mark.parametrize(
    ("kept", "gone", "is_missing"),
    [((3, 5), 4, True), ((3, 4), 5, True), ((5,), 4, True), ((), 0, True), ((4, 5, 6), 3, False)],
)
def test_only_files_of_old_micro_batches_may_be_gone(tmp_path, kept, gone, is_missing):
    for number in kept:
        (tmp_path / f"{number}.delta").write_bytes(b"")
    (tmp_path / f".{gone}.delta.crc").write_bytes(b"")
    (tmp_path / f"..{gone}.delta.1.tmp.crc").write_bytes(b"")
    assert damage_in(tmp_path) == (f"{tmp_path / f'{gone}.delta'} is missing" if is_missing else None)


def test_a_schema_may_not_be_gone(tmp_path):
    (tmp_path / ".schema.crc").write_bytes(b"")
    assert damage_in(tmp_path) == f"{tmp_path / 'schema'} is missing"
