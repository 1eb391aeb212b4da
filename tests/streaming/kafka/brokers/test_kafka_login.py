"""How to log in: from a file and the environment, in the words of both clients; errors name their line."""

from __future__ import annotations

import pytest

from streaming.errors import InputError
from streaming.kafka.brokers.kafka_login import Connection
from tests.says import Says, raises

LOGIN = (
    'security.protocol=SASL_SSL\n# ours\n\nsasl.mechanism = SCRAM-SHA-256\nsasl.username=ann\nsasl.password=a="b\\\n'
)


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "login.properties"
    path.write_text(LOGIN)
    return path


def test_both_clients_are_reported_the_same(file):
    file.write_text(LOGIN + "ssl.ca.location=/ca.pem\nssl.keystore.location=/me.pem\n")
    connection = Connection("a:1,b:2", file)
    assert connection.for_python() == {
        "bootstrap_servers": ["a:1", "b:2"], "security_protocol": "SASL_SSL", "sasl_mechanism": "SCRAM-SHA-256",
        "sasl_plain_username": "ann", "sasl_plain_password": 'a="b\\', "ssl_cafile": "/ca.pem",
        "ssl_certfile": "/me.pem", "ssl_keyfile": "/me.pem",
    }  # fmt: skip
    spark = connection.for_spark()
    assert spark.pop("kafka.sasl.jaas.config") == (
        'org.apache.kafka.common.security.scram.ScramLoginModule required username="ann" password="a=\\"b\\\\";'
    )
    assert spark == {
        "kafka.bootstrap.servers": "a:1,b:2", "kafka.security.protocol": "SASL_SSL",
        "kafka.sasl.mechanism": "SCRAM-SHA-256", "kafka.ssl.truststore.type": "PEM",
        "kafka.ssl.truststore.location": "/ca.pem", "kafka.ssl.keystore.type": "PEM",
        "kafka.ssl.keystore.location": "/me.pem",
    }  # fmt: skip


def test_without_a_file_nothing_is_said_of_a_login():
    assert Connection("a:1").for_spark() == {"kafka.bootstrap.servers": "a:1"}


def test_the_environment_has_the_last_word(file, monkeypatch):
    monkeypatch.setenv("SENDLAB_KAFKA_SASL_PASSWORD", "other")
    assert Connection("a:1", file).settings()["sasl.password"] == "other"


def test_how_a_connection_is_shown_holds_no_secret(file):
    assert "a=" not in repr(Connection("a:1", file))


@pytest.mark.parametrize("bootstrap", ["", "a", "a:", "a:x", ":1", "a:70000", "a:1,b", "a:1,,b:2"])
def test_an_address_is_host_and_port(bootstrap):
    with raises(InputError, Says("kafka.address-expected")):
        Connection(bootstrap)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("sasl.user=x", Says("kafka.unknown-config-key", "...line 1", name="sasl.user", near="sasl.username")),
        ("\nsasl.username", Says("kafka.line-expected", "...line 2")),
        ("security.protocol=TLS", "security.protocol=TLS: expected PLAINTEXT, SSL, SASL_PLAINTEXT or SASL_SSL"),
        ("sasl.mechanism=GSSAPI", "sasl.mechanism=GSSAPI: expected PLAIN, SCRAM-SHA-256 or SCRAM-SHA-512"),
        (
            "security.protocol=SASL_SSL",
            Says("kafka.login-missing", name="sasl.mechanism"),
        ),
    ],
)
def test_what_is_wrong_with_a_file_is_reported_in_a_sentence(file, text, sentence):
    file.write_text(text)
    with raises(InputError, sentence):
        Connection("a:1", file).settings()


def test_certificates_that_are_not_there_are_reported(file):
    file.write_text(LOGIN + "ssl.ca.location=/ca.pem\n")
    with raises(InputError, Says("kafka.no-certificates", name="ssl.ca.location", value="/ca.pem")):
        Connection("a:1", file).check_files()


def test_a_file_that_is_not_there_is_reported(tmp_path):
    with raises(InputError, Says("output.unreadable", f"--kafka-config {tmp_path / 'none'}")):
        Connection("a:1", tmp_path / "none").settings()


def test_a_file_that_is_no_text_is_reported_with_the_byte(file):
    file.write_bytes(b"security.protocol=\xff\n")
    with raises(InputError, Says("reading.not-utf8", f"--kafka-config {file}", byte=0xFF, offset=18)):
        Connection("a:1", file).settings()
