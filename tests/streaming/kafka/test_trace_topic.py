"""A Kafka topic with message traces, read from a real broker."""

from __future__ import annotations

from streaming.errors import InputError
from streaming.importing.import_job import import_part
from streaming.importing.log import log_of_topic
from streaming.importing.log_rows import LogNotes
from streaming.kafka.brokers.kafka_login import Connection
from streaming.kafka.publishing.delivery import deliver, make_topic
from streaming.kafka.publishing.run_records import TopicRecord
from tests.says import Says, raises
from tests.streaming.importing.message_trace import HOSTS, message_id, pub

BEGIN_MS = 1_795_241_400_000


def test_messages_of_every_partition_are_read_and_rejects_name_their_offset(broker, login, tmp_path):
    cluster = Connection(broker.guarded, login)
    make_topic(cluster, "traces", 2)
    good = pub(BEGIN_MS, 12, "shop", "orders", "broker-b", message_id(BEGIN_MS, 7))
    bodies = [good * 3, good, "Pub\x01yesterday\x02", good]
    deliver((TopicRecord(0, n % 2, body.encode()) for n, body in enumerate(bodies)), cluster, "traces")
    log = log_of_topic(cluster, "traces", HOSTS)
    for table in ("attempts", "rejects"):
        (tmp_path / table).mkdir()
    found = [import_part(log, part, tmp_path) for part in log.parts]
    assert [(one.rows, one.rejects, one.brokers) for one in found] == [(3, 1, ["broker-b"]), (2, 0, ["broker-b"])]
    ((_, rejected),) = log.tables_of(log.parts[0], LogNotes())
    assert rejected.column("position").to_pylist() == ["topic traces, partition 0, offset 1"]


def test_a_topic_that_is_not_there_is_one_sentence(broker, login):
    with raises(InputError, Says("kafka.no-topic")):
        log_of_topic(Connection(broker.guarded, login), "trace", HOSTS)
