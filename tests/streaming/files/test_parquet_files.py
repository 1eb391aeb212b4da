"""Files of a run: few and large row groups, every text by its dictionary, least and largest values of times."""

from __future__ import annotations

import errno
import gc

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from state.columns import named, numbers
from streaming.files import parquet_files
from streaming.files.parquet_files import GROUP_ROWS, ParquetFiles


def rows_from(first, count, names=("sent", "lost")):
    places = np.arange(first, first + count)
    return pa.table({"at_us": numbers(places), "outcome": named(places % len(names), names)})


@pytest.fixture
def written(tmp_path):
    """A function that writes tables of a run, and opens the file."""

    def write(*tables):
        files = ParquetFiles(tmp_path, "b00000000-p0000")
        for table in tables:
            files.write("night", "things", table)
        files.close()
        assert files.rows == {"things": sum(table.num_rows for table in tables)}
        return pq.ParquetFile(tmp_path / "things/run=night/b00000000-p0000.parquet")

    return write


def test_rows_wait_until_they_make_a_row_group(written):
    file = written(*(rows_from(first, 30_000) for first in range(0, 150_000, 30_000)))
    groups = [file.metadata.row_group(number).num_rows for number in range(file.metadata.num_row_groups)]
    assert groups == [120_000, 30_000]
    assert groups[0] >= GROUP_ROWS > groups[0] - 30_000
    assert file.read().column("at_us").to_pylist() == list(range(150_000))


def test_texts_that_are_numbered_otherwise_on_the_way_stay_in_one_dictionary(written):
    file = written(rows_from(0, 3), rows_from(3, 3, ("refused", "lost", "sent")))
    assert file.metadata.row_group(0).column(1).encodings == ("PLAIN", "RLE", "RLE_DICTIONARY")
    assert file.read().column("outcome").to_pylist() == ["sent", "lost", "sent", "refused", "lost", "sent"]


def test_a_row_group_says_its_least_and_largest_time_and_none_of_what_repeats(written):
    group = written(rows_from(5, 4)).metadata.row_group(0)
    assert (group.column(0).statistics.min, group.column(0).statistics.max) == (5, 8)
    assert group.column(1).statistics is None or not group.column(1).statistics.has_min_max


def test_a_table_without_rows_is_a_file_with_its_columns(written):
    assert written(rows_from(0, 0)).read().schema.names == ["at_us", "outcome"]


def test_what_is_given_up_leaves_no_file(tmp_path):
    files = ParquetFiles(tmp_path, "b00000000-p0000")
    files.write("night", "things", rows_from(0, 4))
    files.discard()
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []


def test_files_that_are_whole_can_wait_for_those_of_others_before_they_are_named(tmp_path):
    files = ParquetFiles(tmp_path, "b00000000-p0000")
    files.write("night", "things", rows_from(0, GROUP_ROWS))
    files.end()
    assert not list(tmp_path.rglob("*.parquet"))
    files.name_them()
    assert len(list(tmp_path.rglob("*.parquet"))) == 1


def test_a_file_that_could_not_be_begun_is_taken_away_too(tmp_path, monkeypatch):
    def begin(spare, *_):
        spare.write_bytes(b"PAR1")
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(parquet_files, "ParquetRows", begin)
    files = ParquetFiles(tmp_path, "b00000000-p0000")
    with pytest.raises(OSError, match="No space left"):
        files.write("night", "things", rows_from(0, GROUP_ROWS))
    files.discard()
    assert not [path for path in tmp_path.rglob("*") if path.is_file()]


@pytest.mark.filterwarnings("error")
def test_a_full_disk_leaves_no_file_and_is_complained_of_once(tmp_path):
    files = ParquetFiles(tmp_path, "b00000000-p0000")
    for name in ("things", "others"):
        files.write("night", name, rows_from(0, GROUP_ROWS))
    for rows in files._writers.values():
        rows._writer.writer = FullDisk()
    with pytest.raises(OSError, match="No space left"):
        files.close()
    files.discard()
    del files, rows
    gc.collect()  # what a writer complains of when it is forgotten fails the test
    assert not [path for path in tmp_path.rglob("*") if path.is_file()]


class FullDisk:
    """A writer of a file on a disk that is full."""

    def close(self):
        raise OSError(errno.ENOSPC, "No space left on device")
