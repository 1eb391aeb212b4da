"""Files of logs, however they are packed and encoded, are the same lines."""

from __future__ import annotations

import bz2
import gzip
import lzma

import pyarrow as pa
import pytest

from streaming.errors import InputError
from streaming.importing.log_part import text_blocks, text_parts
from tests.says import Says, raises

TEXT = "".join(f"line {number} é\n" for number in range(2_000))
RAW = TEXT.encode()
WAYS = {
    "plain": RAW,
    "byte order mark": b"\xef\xbb\xbf" + RAW,
    "UTF-16 of Excel": TEXT.encode("utf-16"),
    "UTF-16, big end first": b"\xfe\xff" + TEXT.encode("utf-16-be"),
    "gzip": gzip.compress(RAW),
    "bzip2": bz2.compress(RAW),
    "xz": lzma.compress(RAW),
    "zstd": pa.compress(RAW, "zstd", asbytes=True),
    "gzip of UTF-16": gzip.compress(TEXT.encode("utf-16")),
}


def lines_of(file):
    return [block.decode() for part in text_parts([file], b"\n") for block, _ in text_blocks(part, b"\n")]


@pytest.mark.parametrize("way", WAYS)
def test_a_file_is_known_by_its_bytes(tmp_path, way):
    (tmp_path / "log").write_bytes(WAYS[way])
    assert "".join(lines_of(tmp_path / "log")) == TEXT


@pytest.mark.parametrize("way", ["gzip", "bzip2", "xz", "zstd"])
def test_a_packed_file_that_is_cut_off_is_an_error(tmp_path, way):
    (tmp_path / "log").write_bytes(WAYS[way][:-30])
    with pytest.raises((OSError, EOFError, pa.ArrowException)):
        lines_of(tmp_path / "log")


def test_a_workbook_is_refused(tmp_path):
    (tmp_path / "log.csv").write_bytes(b"PK\x03\x04 and so on")
    with raises(InputError, Says("import.a-workbook")):
        text_parts([tmp_path / "log.csv"], b"\n")
