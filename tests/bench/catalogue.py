"""Every measure of `make bench`: what it is about, and about how long it takes on a quiet machine of two cores."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple


class Listed(NamedTuple):
    """What a measure is about, and the seconds that it takes, compiling included."""

    about: str
    seconds: int


MEASURES: Mapping[str, Listed] = {
    "event_mode": Listed("event mode to Parquet against an identity operator", 120),
    "small_batches": Listed("a micro-batch with little to do against an empty one of Spark's", 85),
    "kafka": Listed("a Kafka topic to Parquet against Spark reading the topic", 80),
    "event_loop": Listed("bare event loop against SimPy", 50),
    "floor": Listed("what this machine takes for a line of memory and a branch", 25),
    "before": Listed("event loop, compile and start against an earlier commit", 210),
    "parts": Listed("where the time of an attempt goes on its way to Parquet", 50),
    "spark_settings": Listed("event mode under Spark's own settings", 140),
    "scaling": Listed("cost of a send from small to large clusters", 60),
    "sets": Listed("a hundred replica sets against as many brokers without slaves", 20),
    "consumers": Listed("consumers against SimPy, and what a consumption costs as groups and backlogs grow", 100),
    "selection": Listed("select and update against the Java client", 35),
    "own_policy": Listed("your own policy against built-in ones", 40),
    "commands": Listed("short commands, and the quickstart without Spark", 25),
    "pace": Listed("when a decision can be read with --pace 1x", 50),
    "first_decision": Listed("sendlab run until the first decision", 50),
    "experiments": Listed("sendlab whatif against SimPy, the bare loop and its own growth", 170),
    "experiment_parts": Listed("where the time of an experiment goes", 35),
    "large_cluster": Listed("a run with 100,000 producers against one with 10", 60),
    "importing": Listed("sendlab import csv, 2 and 10 million rows", 140),
    "machines": Listed("sendlab whatif on two workers of a cluster against one", 100),
    "peak_memory": Listed("peak memory, ten minutes against two hours", 150),
}
