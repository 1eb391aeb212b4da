"""What a session on a cluster is given beside a local one, and where it is given no more."""

from __future__ import annotations

import os
import socket
from contextlib import nullcontext
from unittest.mock import MagicMock

import pytest

from streaming.errors import EnvironmentProblem
from streaming.problems import reason
from streaming.spark.cluster import choose_python, cluster_settings, is_elsewhere, removed, wait_for_executor
from streaming.spark.master import own_address
from tests.says import Says, raises


@pytest.mark.parametrize(
    ("master", "elsewhere"),
    [(None, False), ("local", False), ("local[2,4]", False), ("spark://host:7077", True), ("yarn", True)],
)
def test_only_local_masters_keep_tasks_in_this_session(monkeypatch, master, elsewhere):
    monkeypatch.delenv("PYSPARK_GATEWAY_PORT", raising=False)
    assert is_elsewhere(master) is elsewhere


def test_what_spark_submit_began_is_taken_for_a_cluster(monkeypatch):
    monkeypatch.setenv("PYSPARK_GATEWAY_PORT", "1")
    assert is_elsewhere(None)
    assert not is_elsewhere("local[2]")


def test_workers_are_reported_the_address_that_reaches_the_master():
    with socket.create_server(("127.0.0.1", 0)) as server:
        address = own_address(f"spark://127.0.0.1:{server.getsockname()[1]}")
    assert address == "127.0.0.1"
    assert cluster_settings("2g", "", address)["spark.driver.host"] == address


def test_other_masters_know_the_address_themselves():
    assert own_address("yarn") is None
    assert "spark.driver.host" not in cluster_settings("2g", "", None)


def test_a_master_that_does_not_answer_is_named():
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
    with raises(EnvironmentProblem, Says("spark.no-master-answers", f"spark://127.0.0.1:{port}")):
        own_address(f"spark://127.0.0.1:{port}")


def test_a_cluster_may_have_another_python_than_this_one(monkeypatch):
    monkeypatch.setenv("PYSPARK_PYTHON", "./env/bin/python")
    choose_python(elsewhere=True)
    assert os.environ["PYSPARK_PYTHON"] == "./env/bin/python"
    choose_python(elsewhere=False)
    assert os.environ["PYSPARK_PYTHON"] == os.environ["PYSPARK_DRIVER_PYTHON"]


def test_a_master_that_gives_up_is_distinguished_from_other_ends():
    assert removed("ERROR StandaloneSchedulerBackend: Reason: Master removed our application: FAILED")
    assert removed("ERROR something else") is None


@pytest.mark.parametrize("processes", [1, 2])
def test_a_cluster_that_gives_no_process_is_not_waited_for_forever(processes):
    spark = MagicMock()
    spark.sparkContext.master = "spark://host:7077"
    spark.sparkContext._jsc.sc().getExecutorMemoryStatus().size.return_value = processes
    found = raises(EnvironmentProblem, Says("spark.no-worker", "spark://host:7077", memory="2g"))
    with found if processes == 1 else nullcontext():
        wait_for_executor(spark, "2g", patience_s=0.0)


def test_a_python_of_the_cluster_that_lacks_sendlab_is_understood():
    said = (
        "org.apache.spark.SparkException: Job aborted due to stage failure\n"
        "Error from python worker:\n  /usr/bin/python3: Error while finding module specification for "
        "'streaming.spark.model_daemon' (ModuleNotFoundError: No module named 'streaming')\nPYTHONPATH was:\n  /spark\n"
        "org.apache.spark.SparkException: EOFException occurred while reading the port number"
    )
    assert reason(RuntimeError(said)) == "ModuleNotFoundError: No module named 'streaming'"


def test_an_error_without_words_is_named_by_its_kind():
    class Gone(Exception):
        def __str__(self):
            raise ConnectionError

    assert reason(Gone()) == "Gone"
