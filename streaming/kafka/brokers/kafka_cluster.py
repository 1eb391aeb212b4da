"""What is asked of a cluster before a job begins: whether it answers, and whether its topics are there."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from simulator.scenario.reading.scenario_error import did_you_mean
from streaming.errors import EnvironmentProblem, InputError
from streaming.kafka.brokers.kafka_login import Connection
from streaming.texts.kafka_texts import KafkaTexts

if TYPE_CHECKING:
    from kafka import KafkaConsumer

PATIENCE_MS = 10_000
# What kafka-python says when a server takes a connection and ends it, and when nobody takes it.
HUNG_UP = ("socket disconnected", "SSLError", "AuthenticationFailed")
NOT_VOUCHED_FOR = "CERTIFICATE_VERIFY_FAILED"
NOBODY = "Connection refused"
UNKNOWN_TOPIC = "UnknownTopicOrPartitionException"  # Kafka's word, which a broker that begins again may say, too


class _Heard(logging.Handler):
    """What kafka-python logs, instead of on the console."""

    def __init__(self) -> None:
        super().__init__()
        self.said: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        """Remember a line."""
        self.said.append(record.getMessage())


@contextmanager
def quiet() -> Iterator[list[str]]:
    """Keep kafka-python off the console; the list is what it says meanwhile."""
    log, heard = logging.getLogger("kafka"), _Heard()
    propagated, log.propagate = log.propagate, False
    log.addHandler(heard)
    try:
        yield heard.said
    finally:
        log.removeHandler(heard)
        log.propagate = propagated


@contextmanager
def reached(connection: Connection, **more: Any) -> Iterator[KafkaConsumer]:
    """A consumer of a cluster that answers.

    Raises EnvironmentProblem if no broker answers, InputError if it does not take the credentials or has no TLS, or
    nobody vouches for its certificate.
    """
    from kafka import KafkaConsumer
    from kafka.errors import KafkaError

    consumer = None
    connection.check_files()
    with quiet() as said:
        try:
            consumer = KafkaConsumer(
                **connection.for_python(), enable_auto_commit=False, bootstrap_timeout_ms=PATIENCE_MS,
                request_timeout_ms=PATIENCE_MS, **more,
            )  # fmt: skip
            yield consumer
        except KafkaError as error:
            raise problem(connection, error, said) from error
        except OSError as error:  # a certificate that is not there
            raise InputError(f"{connection.bootstrap}: {error.filename or ''} {error.strerror or error}") from error
        finally:
            if consumer is not None:
                # It may hang on a broker that is gone.
                threading.Thread(target=consumer.close, daemon=True).start()


def problem(connection: Connection, error: BaseException, said: Sequence[str]) -> Exception:
    """What a failure of kafka-python's means."""
    words = " ".join(said)
    if "AuthorizationFailed" in repr(error):
        return InputError(KafkaTexts.NOT_PERMITTED(why=error).at(connection.bootstrap))
    if NOT_VOUCHED_FOR in words:
        return InputError(KafkaTexts.UNKNOWN_AUTHORITY().at(connection.bootstrap))
    if any(word in words for word in HUNG_UP) and NOBODY not in words:
        return InputError(KafkaTexts.CONNECTION_CLOSED().at(connection.bootstrap))
    return EnvironmentProblem(KafkaTexts.NO_BROKER_ANSWERS().at(connection.bootstrap))


def check_topics(
    connection: Connection, topics: Sequence[str], hint: Callable[[str, Sequence[str]], str] = did_you_mean
) -> dict[str, list[int]]:
    """The partitions of topics. Raises InputError if one does not exist, and as `reached`.

    hint: the end of the sentence about a topic that does not exist, from its name and those that do.
    """
    with reached(connection) as consumer:
        there = consumer.topics()
        for topic in topics:
            if topic not in there:
                near = hint(topic, sorted(there))
                raise InputError(KafkaTexts.NO_TOPIC(topic=topic, near=near).at(connection.bootstrap))
        return {topic: sorted(consumer.partitions_for_topic(topic) or ()) for topic in topics}


def check_not_deleted(connection: Connection, topics: Sequence[str]) -> None:
    """Raise InputError if a topic that a job reads is not there any more, and as `reached`."""
    with reached(connection) as consumer:
        for topic in sorted(set(topics) - consumer.topics()):
            raise InputError(KafkaTexts.TOPIC_DELETED(topic=topic).at(connection.bootstrap))


def all_in(consumer: KafkaConsumer, topics: Sequence[str]) -> Iterator[Any]:
    """Every record that is in topics now, from the first on."""
    from kafka import TopicPartition

    places = [TopicPartition(topic, n) for topic in topics for n in consumer.partitions_for_topic(topic) or ()]
    consumer.assign(places)
    consumer.seek_to_beginning(*places)
    ends = consumer.end_offsets(places)
    while any(consumer.position(place) < end for place, end in ends.items()):
        for records in consumer.poll(timeout_ms=200).values():
            yield from records


def check_there(connection: Connection, read: Mapping[str, int]) -> None:
    """Raise InputError if records after those that were read ("topic/partition" to offset) are gone, or a topic is."""
    if not read:
        return
    from kafka import TopicPartition

    places = {place: TopicPartition(place.rpartition("/")[0], int(place.rpartition("/")[2])) for place in read}
    with reached(connection) as consumer:
        there = {topic: consumer.partitions_for_topic(topic) or () for topic in {own.topic for own in places.values()}}
        for place, own in places.items():
            if own.partition not in there[own.topic]:
                raise InputError(KafkaTexts.NO_PARTITION(partition=place).at(connection.bootstrap))
        first, last = consumer.beginning_offsets(list(places.values())), consumer.end_offsets(list(places.values()))
    for place, own in places.items():
        where = f"{connection.bootstrap}: topic {own.topic}, partition {own.partition}"
        if first[own] > read[place]:
            raise InputError(KafkaTexts.RECORDS_GONE(read=read[place], first=first[own] - 1).at(where))
        if last[own] < read[place]:
            raise InputError(KafkaTexts.ANOTHER_TOPIC(last=last[own], read=read[place]).at(where))
