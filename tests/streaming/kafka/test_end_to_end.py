"""Through a real broker, shuffled, doubled, with a password, the broker killed: the rows of the direct run."""

from __future__ import annotations

import re
import time

import duckdb
import psutil
import pytest
from kafka import TopicPartition
from kafka.admin import KafkaAdminClient
from pyspark.errors import StreamingQueryException

from simulator.run.simulate import simulate
from simulator.scenario import parse_scenario
from streaming.errors import InputError
from streaming.kafka.brokers.kafka_cluster import UNKNOWN_TOPIC, check_not_deleted, check_there, check_topics
from streaming.kafka.brokers.kafka_login import Connection
from streaming.kafka.output.decision_records import WRITTEN, topic_of
from streaming.kafka.publishing.run_records import PARTS, Disorder
from tests.says import Says, raises
from tests.simulator.hashed import hashes_of
from tests.simulator.small import fault, text_of
from tests.streaming.asked import ask
from tests.streaming.kafka.conftest import LATENESS_US, PASSWORD, TopicJob, rows_in
from tests.streaming.lives import hashes_by_duckdb

TEXT = text_of(
    name="through kafka", duration="20s", cells=2,
    producers={"count": 9, "threads": 2, "rate": "15/s", "arrivals": "poisson"},
    topics={"orders": {"queues": 3}, "clicks": {"queues": 2, "brokers": ["a", "c"]}},
    faults=[fault("hang", "5s", "6s"), fault("refuse", "14s", "2s", "c")],
)  # fmt: skip


@pytest.fixture(scope="module")
def direct():
    return simulate(parse_scenario(TEXT))


@pytest.fixture(scope="module")
def read(spark, broker, secure_login, tmp_path_factory):
    """The run read from six partitions, shuffled, 1 % twice, two records that are none; written to files and topics.

    All of it over TLS, with SCRAM.
    """
    out = tmp_path_factory.mktemp("read") / "out"
    job = TopicJob(TEXT, "shuffled", Connection(broker.secure, secure_login), out, ("parquet", "kafka"))
    records = job.records(Disorder(LATENESS_US, PARTS // 100))
    records[100:100] = [records[5]._replace(value=b"{ nonsense"), records[5]._replace(value=b'{"v": 9}')]
    job.confirmed, job.given = job.publish(records), records
    job.run(spark)
    return job


def test_every_record_is_confirmed(read):
    everybodys = sum(record.of is None for record in read.given)
    assert read.confirmed == len(read.given) + 5 * everybodys  # a copy in each of six partitions


def test_the_rows_are_those_of_the_direct_run(read, direct):
    assert hashes_by_duckdb(read.out) == hashes_of(direct.tables)


def test_rejects_name_topic_partition_and_offset(read):
    query = f"SELECT position, reason, record FROM '{read.out}/rejects/*/*.parquet'"
    rejects = duckdb.sql(query).fetchall()
    assert all(re.fullmatch(r"topic shuffled, partition [0-5], offset \d+", position) for position, *_ in rejects)
    reasons = {reason.partition(":")[0]: record for _, reason, record in rejects}
    assert {"not JSON", "not version 1 of a record", "a duplicate"} <= reasons.keys()
    assert (reasons["not JSON"], reasons["not version 1 of a record"]) == ("{ nonsense", '{"v": 9}')
    doubled = len(read.given) - len(read.records(Disorder()))
    assert len(rejects) == doubled > 20


def test_topics_hold_every_row_and_keep_the_order_of_a_producer(read, direct):
    for table in WRITTEN:
        rows, _ = rows_in(read.connection, topic_of("shuffled", table))
        assert len(rows) == direct.tables[table].num_rows > 100
        partitions = {}
        for row in rows:
            partitions.setdefault(row["producer"], set()).add(row["partition"])
        assert all(len(own) == 1 for own in partitions.values())
    rows, _ = rows_in(read.connection, topic_of("shuffled", "sends"))
    for producer in range(9):
        ends = [row["end_us"] for row in rows if row["producer"] == producer]
        assert ends == sorted(ends)


def test_no_file_of_the_job_holds_the_password(read):
    files = [path for path in read.out.rglob("*") if path.is_file()]
    assert len(files) > 20
    assert [str(path) for path in files if PASSWORD.encode() in path.read_bytes()] == []
    running = [" ".join(process.info["cmdline"] or ()) for process in psutil.process_iter(["cmdline"])]
    assert [line for line in running if PASSWORD in line] == []


def test_watch_tells_what_a_job_has_written(read, broker, direct, login, monkeypatch, capsys):
    code, said = ask(
        monkeypatch, capsys, "watch", "shuffled", "--once", "--bootstrap", broker.guarded,
        "--kafka-config", login,
    )  # fmt: skip
    assert code == 0
    assert f"{direct.sends.num_rows:,} messages, " in said
    brokers = direct.column("attempts", "broker")
    assert all(f"{name} {(brokers == name).sum():,} " in said for name in "abc")


def test_a_broker_that_is_killed_on_the_way_costs_no_row(spark, broker, direct, tmp_path):
    job = TopicJob(TEXT, "killed", Connection(broker.bootstrap), tmp_path / "out")
    records = job.records(Disorder())
    half = len(records) // 2
    job.publish(records[:half])
    done = []

    def kill_once(progress):
        done.append(progress)
        if len(done) == 1:
            broker.kill()
            time.sleep(1)
            broker.start()
            job.publish(records[half:])

    job.run(spark, kill_once)
    assert hashes_by_duckdb(job.out) == hashes_of(direct.tables)
    assert len(done) > 1


def test_a_topic_that_is_deleted_on_the_way_is_reported(spark, broker, tmp_path):
    job = TopicJob(TEXT, "deleted", Connection(broker.bootstrap), tmp_path / "out")
    job.publish(job.records(Disorder())[:500])
    check_not_deleted(job.connection, ["deleted"])
    admin = KafkaAdminClient(bootstrap_servers=broker.bootstrap)
    deleted = []

    def delete(_progress):
        deleted.append(deleted or admin.delete_topics(["deleted"]))

    with pytest.raises(StreamingQueryException, match=UNKNOWN_TOPIC):
        job.run(spark, delete)
    admin.close()
    with raises(InputError, Says("kafka.topic-deleted", topic="deleted")):
        check_not_deleted(job.connection, ["deleted"])


def test_a_certificate_that_nobody_vouches_for_is_refused_in_a_sentence(broker, secure_login, tmp_path):
    file = tmp_path / "login.properties"
    file.write_text("".join(line for line in secure_login.open() if "ssl.ca" not in line))
    with raises(InputError, Says("kafka.unknown-authority")):
        check_topics(Connection(broker.secure, file), ["shuffled"])


def test_records_that_are_gone_before_they_were_read_are_reported(broker):
    job = TopicJob(TEXT, "trimmed", Connection(broker.bootstrap), None)
    job.publish(job.records(Disorder())[:500])
    admin = KafkaAdminClient(bootstrap_servers=broker.bootstrap)
    admin.delete_records({TopicPartition("trimmed", 2): 20})
    admin.close()
    with raises(InputError, Says("kafka.records-gone", read=3, first=19)):
        check_there(job.connection, {"trimmed/2": 3})
    with raises(InputError, Says("kafka.another-topic", read=9_999)):
        check_there(job.connection, {"trimmed/1": 9_999})
    check_there(job.connection, {"trimmed/2": 20})
