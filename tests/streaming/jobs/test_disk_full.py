"""A full disk ends the run with one sentence; after making room the same command goes on."""

from __future__ import annotations

import errno
import os
import subprocess
from functools import partial

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from streaming.errors import EnvironmentProblem, InputError
from streaming.files.whole_file import write_whole
from streaming.problems import room_needed
from streaming.texts.job_texts import JobTexts
from tests.says import Says, raises
from tests.streaming.lives import hashes_by_duckdb, hashes_by_pandas, no_stack_trace

pytestmark = pytest.mark.timeout(1200)  # real processes, on a machine that may have other work


@pytest.fixture
def small_disk(tmp_path):
    """A file system of one megabyte, and what makes it larger."""
    folder = tmp_path / "disk"
    folder.mkdir()

    def mount(options):
        return subprocess.run(["mount", "-t", "tmpfs", "-o", options, "tmpfs", folder], capture_output=True)

    if os.geteuid() != 0 or mount("size=1m").returncode != 0:
        pytest.skip("mounting a file system is not allowed here")
    yield folder, lambda: mount("remount,size=256m")
    subprocess.run(["umount", "--lazy", folder], check=True)


def test_a_full_disk_ends_the_run_and_room_lets_it_go_on(alive, long_scenario, long_hashes, small_disk):
    folder, make_room = small_disk
    out = folder / "out"
    command = ("run", long_scenario, "--out", out, "--max-events", 6000, "--master", "local[1,4]")
    life = alive(*command)
    assert life.wait() == 3, life.said
    assert life.said.rstrip().splitlines()[-1] == JobTexts.DISK_FULL().at(out)
    assert no_stack_trace(life.said), life.said
    make_room()
    again = alive(*command)
    assert again.wait() == 0, again.said
    assert hashes_by_pandas(out) == hashes_by_duckdb(out) == long_hashes


def test_a_disk_that_is_full_from_the_start_ends_with_the_same_sentence(alive, long_scenario, small_disk):
    folder, _ = small_disk
    out = folder / "out"
    out.mkdir()
    _fill(folder / "filler")
    life = alive("run", long_scenario, "--out", out, "--checkpoint", folder / "ck")
    assert life.wait() == 3, life.said
    assert JobTexts.DISK_FULL() in life.said or "No space left on device" in life.said
    assert no_stack_trace(life.said), life.said


def test_a_table_that_a_full_disk_does_not_take_leaves_the_old_one(small_disk):
    folder, _ = small_disk
    table = pa.table({"value": np.random.default_rng(1).integers(0, 1 << 62, 200_000)})
    file = folder / "counters.parquet"
    write_whole(file, partial(pq.write_table, table.slice(0, 10)))
    with raises(EnvironmentProblem, Says("job.disk-full", str(file))):
        write_whole(file, partial(pq.write_table, table))
    assert [path.name for path in folder.iterdir()] == [file.name]
    assert pq.read_table(file).num_rows == 10


def _fill(file):
    with file.open("wb", buffering=0) as filler:
        try:
            while filler.write(b"x" * 4096):
                pass
        except OSError:
            return


def test_a_device_is_not_replaced_by_a_file(tmp_path):
    device = tmp_path / "pipe"
    os.mkfifo(device)
    with raises(InputError, Says("output.a-device")):
        write_whole(device, lambda spare: spare.write_text("x"))
    assert device.is_fifo()


FULL = [OSError(errno.ENOSPC, "full"), RuntimeError("task: [Errno 28] No space left on device")]


@pytest.mark.parametrize("failed", FULL)
def test_a_disk_that_is_full_here_or_in_a_task_is_one_sentence(tmp_path, failed):
    with raises(EnvironmentProblem, Says("job.disk-full", str(tmp_path))), room_needed(tmp_path):
        raise failed


def test_what_else_fails_is_not_called_a_full_disk(tmp_path):
    with pytest.raises(RuntimeError), room_needed(tmp_path):
        raise RuntimeError("another")
