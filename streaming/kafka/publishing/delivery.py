"""Records given to a topic, and what the brokers say to it."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from streaming.errors import EnvironmentProblem
from streaming.kafka.brokers.kafka_cluster import problem, quiet, reached
from streaming.kafka.brokers.kafka_login import Connection
from streaming.kafka.publishing.run_records import TopicRecord
from streaming.texts.kafka_texts import KafkaTexts

REPORT_EVERY_S = 0.5


@dataclass
class Delivered:
    """What the brokers have confirmed: records by partition; what they refused, and why the first."""

    by_partition: Counter[int] = field(default_factory=Counter)
    failed: int = 0
    reason: str = ""
    at_us: int = 0

    @property
    def records(self) -> int:
        """Records confirmed."""
        return sum(self.by_partition.values())


def make_topic(connection: Connection, topic: str, partitions: int) -> bool:
    """Make a topic if it is not there; whether it was made. Raises as `cluster.reached`."""
    from kafka.admin import KafkaAdminClient, NewTopic
    from kafka.errors import KafkaError

    with reached(connection) as consumer:
        if topic in consumer.topics():
            return False
    with quiet() as said:
        try:
            admin = KafkaAdminClient(**connection.for_python())
            admin.create_topics([NewTopic(topic, partitions, -1)], wait_for_metadata=True)
            admin.close()
        except KafkaError as error:
            raise problem(connection, error, said) from error
    return True


def deliver(
    records: Iterator[TopicRecord],
    connection: Connection,
    topic: str,
    *,
    speed: float = 0.0,
    tell: Callable[[Delivered], None] = lambda found: None,
) -> Delivered:
    """Give records to a topic, at `speed` virtual seconds a real second (0: as fast as it goes), and wait for answers.

    Records of one sender keep their order: they go to one partition. Raises EnvironmentProblem if the brokers are gone.
    """
    from kafka import KafkaProducer
    from kafka.errors import KafkaError

    with reached(connection) as consumer:
        partitions = sorted(consumer.partitions_for_topic(topic) or (0,))
    found, began, reported_s = Delivered(), time.monotonic(), time.monotonic()

    def confirmed(answer: object) -> None:
        found.by_partition[answer.partition] += 1  # type: ignore[attr-defined]

    def refused(error: BaseException) -> None:
        found.failed += 1
        found.reason = found.reason or str(error)

    with quiet() as said:
        try:
            producer = KafkaProducer(
                **connection.for_python(), acks="all", linger_ms=20, batch_size=1 << 17, delivery_timeout_ms=60_000
            )
            for record in records:
                if speed:
                    time.sleep(max(began + record.at_us / 1e6 / speed - time.monotonic(), 0))
                mine = partitions if record.of is None else [partitions[record.of % len(partitions)]]
                for partition in mine:
                    sent = producer.send(topic, record.value, partition=partition)
                    sent.add_callback(confirmed).add_errback(refused)
                found.at_us = max(found.at_us, record.at_us)
                if time.monotonic() - reported_s > REPORT_EVERY_S:
                    reported_s = time.monotonic()
                    tell(found)
            producer.flush()
            producer.close(timeout=10)
        except KafkaError as error:
            raise problem(connection, error, said) from error
    if found.failed:
        raise EnvironmentProblem(
            KafkaTexts.RECORDS_NOT_TAKEN(failed=found.failed, records=found.records, reason=found.reason).at(
                connection.bootstrap
            )
        )
    return found
