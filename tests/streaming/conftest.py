"""One Spark session a pytest process, and real processes that never outlive their test."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from simulator.run.simulate import simulate
from simulator.scenario import parse_scenario
from tests.simulator.hashed import hashes_of
from tests.simulator.small import text_of
from tests.streaming.lives import Life


@pytest.fixture(scope="session")
def spark(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """The session that every Spark test shares; only those of Kafka and of S3 need their jars in it."""
    from streaming.errors import EnvironmentProblem
    from streaming.kafka.brokers.spark_connector import with_connector
    from streaming.spark.jars import S3A, jars
    from streaming.spark.session import close_session, open_session

    more = {}
    with suppress(EnvironmentProblem):
        more = dict(with_connector())
    with suppress(EnvironmentProblem):
        more["spark.jars"] = ",".join(filter(None, (more.get("spark.jars"), *map(str, jars(S3A)))))
    session = open_session(tmp_path_factory.mktemp("spark"), master="local[2,4]", partitions=2, more=more)
    yield session
    close_session(session)


@pytest.fixture(autouse=True)
def shared_session_stays_open() -> Iterator[None]:
    """Whoever closes the session that others share is named, not the next test that needs it."""
    context = sys.modules.get("pyspark.core.context")
    before = context and context.SparkContext._active_spark_context
    yield
    assert not before or context.SparkContext._active_spark_context is before, "this test closed the shared session"


@pytest.fixture
def alive(tmp_path: Path) -> Iterator[Callable[..., Life]]:
    """Start a `sendlab` process: alive("run", file, ...)."""
    lives: list[Life] = []

    def start(*arguments: object, **environment: str) -> Life:
        lives.append(Life(tmp_path / f"life-{len(lives)}.log", *arguments, **environment))
        return lives[-1]

    yield start
    for life in lives:
        life.end()


@pytest.fixture(scope="session")
def long_scenario(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two cells, two topics, a hang, a slow broker and refused connections: a run of thirty micro-batches and more."""
    text = text_of(
        name="long",
        duration="70s",
        cells=2,
        producers={"count": 16, "threads": 2, "rate": "30/s", "arrivals": "poisson"},
        topics={"orders": {"queues": 3}, "clicks": {"queues": 2, "brokers": ["a", "c"]}},
        brokers={name: {"latency": {"lognormal": {"p50": "1ms", "p99": "20ms"}}} for name in "abc"},
        faults=[
            {"at": "9s", "for": "11s", "broker": "b", "kind": "hang"},
            {"at": "30s", "for": "8s", "broker": "a", "kind": "slow", "factor": 40},
            {"at": "45s", "for": "3s", "broker": "c", "kind": "refuse"},
        ],
    )
    file = tmp_path_factory.mktemp("scenario") / "long.yaml"
    file.write_text(text)
    return file


@pytest.fixture(scope="session")
def long_hashes(long_scenario: Path) -> dict[str, str]:
    """Hash of every table of that scenario, without Spark."""
    return hashes_of(simulate(parse_scenario(long_scenario.read_text())).tables)
