"""What the metrics of a job are, as Prometheus shows it beside their names."""

from __future__ import annotations

from state.texts import Text


class MetricTexts:
    """What the metrics of a job are, as Prometheus shows it beside their names."""

    ATTEMPTS = Text("attempts written since this process started")
    ATTEMPT_FAILURES = Text("failed attempts since start")
    ATTEMPT_LATENCY = Text("virtual time of an attempt")
    BATCH_DURATION = Text("wall time of a micro-batch")
    BROKER_TPS = Text("messages stored a second, over a minute")
    BROKER_TPS_OF_SPAN = Text("messages stored a second, over {span_s} s")
    BROKER_SHARE = Text("part of the attempts since the last scrape")
    CONSUMER_OFFSET = Text("committed offsets of the broker's queues, their sum")
    CONSUMER_TPS = Text("messages consumed a second of virtual time")
    EVENTS = Text("events read")
    FAILURES = Text("failed sends since start, a batch is one")
    GET_LATENCY = Text("ms since the oldest message not committed was stored")
    GROUP_DIFF = Text("messages stored and not committed by the group")
    LAG_VERDICT = Text("1 for the verdict on the group's lag")
    PRODUCERS_AVOIDING = Text("producers that isolate the broker now")
    PRODUCER_OFFSET = Text("end offsets of the topic's queues")
    REJECTS = Text("events that could not be used")
    RESTARTS = Text("automatic restarts after a failure")
    RETRIES = Text("attempts after the first since start")
    SENDS = Text("finished sends since start, a batch is one")
    STATE_BYTES = Text("memory of the query's state")
    STATE_ROWS = Text("rows of the query's state")
    TIME_LAG = Text("virtual time due by the pace minus virtual time reached")
    TOPIC_TPS = Text("messages of the topic stored a second, over a minute")
    VIRTUAL_TIME = Text("virtual time reached")
