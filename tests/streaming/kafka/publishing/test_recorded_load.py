"""A recording's messages arrive when their threads began with them, on a scenario that has these threads."""

from __future__ import annotations

import json
from pathlib import Path

import pyarrow as pa
import pytest

from simulator.plan.compile import compile_text
from streaming.errors import InputError
from streaming.kafka.publishing.recorded_load import load_of
from streaming.kafka.publishing.run_records import records_of
from streaming.recording.recording import Recording
from tests.says import Says, raises
from tests.simulator.small import fault, text_of

SLOW = fault("slow", "1s", "1s", factor=2)
PLAN = compile_text(text_of(duration="3s", producers={"count": 2, "threads": 2}, faults=[SLOW]))
MESSAGES = [
    # run_us, producer, thread, topic, send_seq
    (-5, 0, 0, "orders", 0), (700_000, 1, 1, "orders", 0), (700_000, 1, 1, "orders", 1), (10, 0, 1, "orders", 1),
    (900_000, 1, 1, "orders", 1), (2_999_999, 0, 0, "orders", 2), (3_000_000, 0, 0, "orders", 3),
]  # fmt: skip


def recording_of(*messages):
    names = ("run_us", "producer", "thread", "topic", "send_seq")
    columns = dict(zip(names, map(list, zip(*messages, strict=True)), strict=True))
    more = {"row": list(range(1, len(messages) + 1)), "problem": pa.nulls(len(messages), pa.string())}
    return Recording("rec", Path("rec"), {}, "d", pa.table({**columns, **more}))


def test_each_message_arrives_once_when_its_thread_began_with_it():
    said = [json.loads(r.value) for r in records_of(PLAN, load_of(recording_of(*MESSAGES), PLAN))]
    arrivals = [(r["at_us"], r["producer"], r["thread"], r["seq"]) for r in said if r["kind"] == "arrival"]
    assert arrivals == [(10, 0, 1, 0), (700_000, 1, 0, 0), (700_000, 1, 0, 1), (2_999_999, 0, 0, 0)]
    assert [r["table"] for r in said if r["kind"] == "observation"] == ["speed"]


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        ((1, 2, 0, "orders", 0), Says("kafka.messages-of-others", count=1)),
        ((1, 0, 0, "payments", 0), Says("kafka.topic-not-in-scenario", topic="payments")),
    ],
)
def test_a_scenario_without_the_recordings_producers_or_topics_is_refused(message, expected):
    with raises(InputError, expected):
        load_of(recording_of(message), PLAN)
