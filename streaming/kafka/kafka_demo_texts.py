"""What `make kafka-demo` prints while it runs."""

from __future__ import annotations

from state.texts import Text


class KafkaDemoTexts:
    """What `make kafka-demo` prints while it runs."""

    BROKER_BACK = Text("the broker is back")
    BROKER_GONE = Text("no broker; {shown}")
    BROKER_LISTENS = Text("a Kafka broker listens on {bootstrap}")
    BROKER_SHOT = Text("first decisions; {shown}; killing the broker with SIGKILL")
    COMPARED = Text("{rows:,} rows without Kafka; in files {files}, in its topic {topic}, {twice:,} twice")
    ENDED = Text("publish ended with {publish}, the job with {run}: their output is in {folder}/*.log")
    JOB_SHOWN = Text("the page shows it {state}, at {at}: {messages:,} {messages:message|messages}, {failed:,} failed")
    LOOK_AT = Text("sendlab serve: look at {page} while the job runs")
    NO_JOB_YET = Text("the page shows no job yet")
    OTHER_ROWS = Text("OTHER ROWS")
    PUBLISHING = Text(
        "sendlab publish: {length} of virtual time at {pace}, shuffled within 5 s, 1 % of the records twice"
    )
    RUNNING = Text("sendlab run --source kafka --sink parquet --sink kafka: the job starts")
    SAME_ROWS = Text("the same rows")
