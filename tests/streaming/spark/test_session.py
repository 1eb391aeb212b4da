"""Sessions of Spark after one another, in a process that has none."""

import os
import subprocess
import sys
import uuid
from pathlib import Path

import pytest

from streaming.spark import local_folder, session
from streaming.spark.java import Java
from tests.simulator.small import text_of

TWO_SESSIONS = """
import gc
from pathlib import Path
from sys import argv
from streaming.spark.session import close_session, open_session
from streaming.spark.spark_internals import jvm_pid

gc.set_threshold(200_000)  # as the command line does
for memory in ("500m", "700m"):
    spark = open_session(Path(argv[1]), master="local[1]", memory=memory)
    print(jvm_pid(spark), spark._jvm.java.lang.Runtime.getRuntime().maxMemory() >> 20, gc.get_threshold()[0])
    close_session(spark)
"""


def test_the_next_session_has_a_jvm_and_a_heap_of_its_own_and_python_collects_as_usual(tmp_path):
    done = subprocess.run(
        [sys.executable, "-c", TWO_SESSIONS, str(tmp_path)], capture_output=True, text=True, timeout=300, check=True
    )
    (first, small, from_one), (second, large, from_two) = (map(int, line.split()) for line in done.stdout.splitlines())
    assert first != second
    assert small <= 500 < 600 < large
    assert from_one == from_two == 700


CELL_TWICE = """
import json
from pathlib import Path
from sys import argv
import streaming

for out in ("a", "a", "b"):
    query = streaming.run(Path(argv[1]) / "small.yaml", Path(argv[1]) / out, fresh=True)
    query.awaitTermination()
    print(json.loads((Path(argv[1]) / out / "run.json").read_text())["counts"]["sends"])
"""


def test_a_notebook_cell_can_be_run_again_and_another_one_after_it(tmp_path):
    (tmp_path / "small.yaml").write_text(text_of())
    done = subprocess.run(
        [sys.executable, "-c", CELL_TWICE, str(tmp_path)], capture_output=True, text=True, timeout=300, check=False
    )
    assert done.returncode == 0, done.stderr
    counts = done.stdout.split()
    assert len(counts) == 3
    assert len(set(counts)) == 1 < int(counts[0])
    assert not list(tmp_path.rglob("blockmgr-*"))


def test_scratch_files_left_by_a_killed_process_are_removed_and_those_of_a_living_one_kept(tmp_path, monkeypatch):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    dead = tmp_path / f"{local_folder.PREFIX}dead"
    dead.mkdir()
    (dead / local_folder.LOCK).touch()
    mine = local_folder.local_folder.__wrapped__()
    other = local_folder.local_folder.__wrapped__()
    assert sorted(tmp_path.iterdir()) == sorted((mine, other))


def test_spark_is_led_to_a_java_that_is_not_on_the_path(tmp_path, monkeypatch):
    monkeypatch.setenv("JAVA_HOME", "")
    found: list[str] = []
    monkeypatch.setattr(session, "require_spark", lambda: Java(Path("/opt/found"), "21.0.1", 21))
    monkeypatch.setattr(session, "_begun", lambda *_: found.append(os.environ["JAVA_HOME"]))
    session.open_session(tmp_path)
    assert found == ["/opt/found"]


@pytest.mark.parametrize(("length", "has_sockets"), [(60, True), (61, False)])
def test_workers_are_reached_by_unix_sockets_where_their_path_is_short_enough(monkeypatch, length, has_sockets):
    folder = Path("/".ljust(length, "x"))
    monkeypatch.setattr(local_folder, "local_folder", lambda: folder)
    found = local_folder.unix_sockets()
    assert found.get("spark.python.unix.domain.socket.dir") == (str(folder) if has_sockets else None)
    assert len(str(folder / f".{uuid.uuid4()}.sock")) <= 107 or not has_sockets
