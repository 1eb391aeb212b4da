"""A Kafka topic with message traces: the value of a record is what a message of RMQ_SYS_TRACE_TOPIC holds as body."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

import pyarrow as pa

from streaming.importing.log_part import LogPart
from streaming.importing.log_rows import LogRows
from streaming.importing.message_trace_format import NAMES, take_message

if TYPE_CHECKING:
    from streaming.kafka.brokers.kafka_login import Connection

PART_RECORDS = 200_000
POLL_RECORDS = 2_000
POLL_MS = 500


def topic_parts(cluster: Connection, topic: str) -> list[LogPart]:
    """Offsets [begin, end) of each partition as it is now, in parts. Raises as `kafka_cluster.check_topics`."""
    from kafka import TopicPartition

    from streaming.kafka.brokers.kafka_cluster import check_topics, reached

    places = [TopicPartition(topic, number) for number in check_topics(cluster, [topic])[topic]]
    with reached(cluster) as consumer:
        begins, ends = consumer.beginning_offsets(places), consumer.end_offsets(places)
    parts: list[LogPart] = []
    for place in places:
        for begin in range(begins[place], ends[place], PART_RECORDS):
            end = min(begin + PART_RECORDS, ends[place])
            parts.append(LogPart(len(parts), name_of(topic, place.partition), begin, end, begin))
    return parts


def name_of(topic: str, partition: int) -> str:
    """How a partition is named where a file would be."""
    return f"topic {topic}, partition {partition}"


def read_topic(part: LogPart, hosts: Mapping[str, str], cluster: Connection) -> Iterator[tuple[pa.Table, pa.Table]]:
    """Sound rows and rejects of a part, poll by poll. Raises as `kafka_cluster.reached`."""
    from kafka import TopicPartition

    from streaming.kafka.brokers.kafka_cluster import reached

    topic, _, partition = part.file.removeprefix("topic ").rpartition(", partition ")
    place, rows = TopicPartition(topic, int(partition)), LogRows(part, NAMES, "offset")
    with reached(cluster, max_poll_records=POLL_RECORDS) as consumer:
        consumer.assign([place])
        consumer.seek(place, part.begin)
        while consumer.position(place) < part.end:
            for records in consumer.poll(timeout_ms=POLL_MS).values():
                for record in records:
                    if record.offset < part.end:
                        take_message(rows, record.offset, record.value, hosts)
            yield rows.take()
