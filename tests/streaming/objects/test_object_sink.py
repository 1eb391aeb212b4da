"""A job whose tables go to an object store, stopped and gone on with: the rows of the run without Spark."""

from __future__ import annotations

import pyarrow.dataset as ds
import pytest

from simulator.run.simulate import simulate
from streaming.objects.place import opened
from tests.simulator.hashed import hashes_of
from tests.simulator.small import fault, scenario_of
from tests.streaming.asked import job_of
from tests.streaming.objects.conftest import KEYS
from tests.streaming.shared import run_shared

CHANGES = {
    "duration": "8s",
    "cells": 2,
    "producers": {"count": 4, "rate": "30/s"},
    "faults": [fault("refuse", "2s", "3s")],
}


@pytest.fixture
def session(spark, monkeypatch):
    """The shared session, its workers with keys for the store."""
    for name, value in KEYS.items():
        monkeypatch.setitem(spark.sparkContext.environment, name, value)
    return spark


def test_every_row_is_in_the_store_once(session, place_of, tmp_path):
    job, to_store = job_of(**CHANGES), {"sinks": ("objects",), "objects": place_of("job"), "events": 200}
    assert run_shared(session, job, tmp_path / "out", stop_after=2, **to_store) is None
    assert run_shared(session, job, tmp_path / "out", **to_store) is None
    store, root = opened(place_of("job"))
    expected = simulate(scenario_of(**CHANGES)).tables
    found = {
        name: ds.dataset(f"{root}/{name}", filesystem=store, format="parquet", partitioning="hive").to_table()
        for name, table in expected.items()
        if table.num_rows
    }
    assert hashes_of(found) == hashes_of(expected)
