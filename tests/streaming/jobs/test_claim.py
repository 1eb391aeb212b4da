"""Who writes the files of a job: its operator where it can, else a sink that takes blocks."""

from __future__ import annotations

import os
from dataclasses import replace

import pytest

from streaming.jobs.claim import claimed
from streaming.jobs.job import Options
from tests.streaming.asked import NOBODY, job_of

CLUSTER = {"cells": 3, "producers": {"count": 6, "threads": 1, "rate": "10/s"}}


@pytest.mark.parametrize(
    ("partitions", "sinks", "by_operator"),
    [
        (3, ("parquet",), True),
        (4, ("parquet",), True),
        (2, ("parquet",), False),  # two cells share a partition, by which files are named
        (3, ("parquet", "console"), False),
        (3, ("console",), False),
    ],
)
def test_the_operator_writes_files_where_each_cell_has_a_partition_and_nobody_else_wants_blocks(
    tmp_path, partitions, sinks, by_operator
):
    with claimed(job_of(**CLUSTER), Options(out=tmp_path, partitions=partitions, sinks=sinks)) as claim:
        assert (claim.files is not None) is by_operator


def test_a_kill_while_a_description_was_written_does_not_keep_the_same_command_from_beginning(tmp_path):
    left = [
        tmp_path / f".run.json.{NOBODY}",
        tmp_path / ".writable",
        tmp_path / "_checkpoint" / f".owner.json.{NOBODY}",
    ]
    left[2].parent.mkdir()
    for file in left:
        file.touch()
    with claimed(job_of(), Options(out=tmp_path)):
        assert [file for file in left if file.exists()] == []


def test_a_description_that_a_living_process_is_writing_is_left_to_it(tmp_path):
    request = tmp_path / "_checkpoint" / f".reload.request.json.{os.getppid()}"
    request.parent.mkdir()
    request.touch()
    with claimed(job_of(), Options(out=tmp_path)):
        assert request.exists()


def test_cells_of_a_checkpoint_without_salts_may_meet_in_a_partition(tmp_path):
    with claimed(job_of(**CLUSTER), Options(out=tmp_path, partitions=3)) as claim:
        assert replace(claim, has_salts=False).files is None
