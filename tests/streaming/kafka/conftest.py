"""One real Kafka broker a pytest process, and jobs that read from it on the session that every Spark test shares."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from simulator.plan.compile import compile_text
from simulator.scenario import parse_scenario
from streaming.jobs.claim import Claim, claimed
from streaming.jobs.job import Options
from streaming.jobs.query import start
from streaming.jobs.scenario_job import scenario_job
from streaming.jobs.sinks import KafkaOutput
from streaming.kafka.brokers.kafka_cluster import all_in, reached
from streaming.kafka.brokers.kafka_login import Connection
from streaming.kafka.brokers.local_broker import LocalBroker
from streaming.kafka.intake.kafka_source import KafkaInput
from streaming.kafka.intake.kafka_stepper import Intake
from streaming.kafka.output.decision_records import RowsSeen
from streaming.kafka.publishing.delivery import deliver, make_topic
from streaming.kafka.publishing.run_records import Disorder, TopicRecord, disordered, records_of

PASSWORD = "not-to-be-seen-7"
PATIENCE_S = 180
LATENESS_US = 5_000_000


@pytest.fixture(scope="session")
def broker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LocalBroker]:
    """A broker of our own."""
    with LocalBroker(tmp_path_factory.mktemp("kafka"), PASSWORD) as own:
        yield own


@pytest.fixture(scope="session")
def login(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file that says how to log in where the broker asks for it."""
    file = tmp_path_factory.mktemp("login") / "login.properties"
    words = {"security.protocol": "SASL_PLAINTEXT", "sasl.mechanism": "PLAIN", "sasl.username": "sendlab"}
    file.write_text("".join(f"{key}={value}\n" for key, value in {**words, "sasl.password": PASSWORD}.items()))
    return file


@pytest.fixture(scope="session")
def secure_login(broker: LocalBroker, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same where the broker has TLS."""
    file = tmp_path_factory.mktemp("secure") / "login.properties"
    words = {"security.protocol": "SASL_SSL", "sasl.mechanism": "SCRAM-SHA-256", "sasl.username": "sendlab"}
    words |= {"sasl.password": PASSWORD, "ssl.ca.location": str(broker.authority)}
    file.write_text("".join(f"{key}={value}\n" for key, value in words.items()))
    return file


@dataclass
class TopicJob:
    """A scenario whose events go through a topic."""

    text: str
    topic: str
    connection: Connection
    out: Path
    sinks: tuple[str, ...] = ("parquet",)

    def records(self, disorder: Disorder) -> list[TopicRecord]:
        """Every record, as it is to be published."""
        return list(disordered(records_of(compile_text(self.text)), disorder))

    def publish(self, records: list[TopicRecord]) -> int:
        """Give records to the topic; how many the broker has confirmed."""
        make_topic(self.connection, self.topic, 6)
        return deliver(iter(records), self.connection, self.topic).records

    def run(self, spark: Any, on_progress: Callable[[Any], None] = lambda progress: None) -> None:
        """Read the topic to the end of the run."""
        spark.conf.set("spark.sql.shuffle.partitions", 2)
        given = KafkaInput(self.connection, Intake((self.topic,), LATENESS_US))
        job = scenario_job(parse_scenario(self.text), kafka=given)
        output = KafkaOutput(self.connection, self.topic)
        with claimed(job, Options(out=self.out, partitions=2, sinks=self.sinks, kafka=output)) as claim:
            claim.progress.subscribe(on_progress)
            self._wait(claim, spark)

    def _wait(self, claim: Claim, spark: Any) -> None:
        query, until = start(claim, spark), time.monotonic() + PATIENCE_S
        try:
            while not claim.progress.is_complete or query.status["isTriggerActive"]:
                if query.exception() is not None:
                    raise query.exception()
                assert time.monotonic() < until, "the query was not over in time"
                time.sleep(0.1)
        finally:
            query.stop()


def rows_in(connection: Connection, topic: str) -> tuple[list[dict[str, Any]], int]:
    """What is in a topic of decisions, each row once, partition by partition; and how many came again."""
    seen, rows, again = RowsSeen(), [], 0
    with reached(connection) as consumer:
        for record in all_in(consumer, [topic]):
            if seen.is_new(record.headers):
                rows.append({"partition": record.partition, **json.loads(record.value)})
            else:
                again += 1
    return rows, again
