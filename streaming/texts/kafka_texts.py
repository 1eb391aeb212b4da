"""What is printed about Kafka: its brokers, logins, topics and records."""

from __future__ import annotations

from state.texts import Text


class KafkaTexts:
    """What is printed about Kafka: its brokers, logins, topics and records."""

    ADDRESS_EXPECTED = Text("expected HOST:PORT, several with commas")
    AFTER_THE_END = Text("after the end of the run")
    ANOTHER_TOPIC = Text(
        "has {last:,} {last:record|records}, this job has read {read:,}: it is another topic of that name; start over "
        "with --fresh"
    )
    CONNECTION_CLOSED = Text("the server closes the connection: check security.protocol, user name and password")
    LINE_EXPECTED = Text("expected KEY=VALUE")
    LINES = Text("lines KEY=VALUE")
    LOCAL_BROKER_NOT_STARTED = Text("the local Kafka broker did not start; its log is {log}")
    LOGIN_MISSING = Text("{name} is missing: --kafka-config FILE has to give it, or {variable}")
    MESSAGES_OF_OTHERS = Text(
        "{count:,} {count:message is|messages are} of producers or threads that the scenario has not; sendlab "
        "calibrate makes one that fits"
    )
    NOT_PERMITTED = Text("this user may not do that: {why}")
    NO_BROKER_ANSWERS = Text("no Kafka broker answers; check that it runs and that the address is right")
    NO_CERTIFICATES = Text("{name}={value}: no such file; expected certificates in PEM")
    NO_CERTIFICATE_MADE = Text("the broker's certificate could not be made: {why}")
    NO_FOLDER_MADE = Text("the broker's folder could not be made: {why}")
    NO_PARTITION = Text("there is no partition {partition} any more; start over with --fresh")
    NO_TOPIC = Text("there is no topic {topic}{near}")
    OTHER_PREFIX = Text("; did you mean sendlab watch {near}?")
    PAGE_NOT_STARTED = Text("the live page did not begin; its log is {log}")
    RECORDS_GONE = Text(
        "the records from {read:,} to {first:,} come next and are gone (retention or compaction); start "
        "over with --fresh"
    )
    RECORDS_NOT_TAKEN = Text(
        "{failed:,} {failed:record was|records were} not taken, {records:,} {records:was|were}: {reason}"
    )
    STATE_OF_OTHER_TOPICS = Text("the state is of other topics than this run reads")
    TOPIC_DELETED = Text(
        "topic {topic} was deleted while the job read it; what was read is in the tables; publish it "
        "again and start over with --fresh"
    )
    TOPIC_NOT_IN_SCENARIO = Text("topic {topic} is not in the scenario")
    UNKNOWN_AUTHORITY = Text(
        "its certificate is signed by an unknown authority: ssl.ca.location has to name the file with "
        "the authority's certificate"
    )
    UNKNOWN_CONFIG_KEY = Text("unknown key {name}; did you mean {near}?")
    WRITTEN_BY_JOB = Text("; sendlab run makes it with --sink kafka --topic-prefix {prefix}")
