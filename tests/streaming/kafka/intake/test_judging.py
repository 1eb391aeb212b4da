"""Records are read or refused each on its own account, whatever is beside them."""

from __future__ import annotations

import json
import random

import pyarrow as pa
import pytest

from simulator.run.reject_texts import RejectTexts
from streaming.kafka.intake.event_records import MAX_BYTES
from streaming.kafka.intake.judging import Vocabulary, judge
from streaming.kafka.intake.record_reader import read

NAMES = Vocabulary("small", 2, ("orders", "clicks"), ("a", "b"), ("shop", "web"))
ARRIVAL = {
    "v": 1, "kind": "arrival", "run": "small", "cell": 1, "at_us": 7, "producer": 2, "thread": 0, "topic": "clicks",
    "seq": 3, "draw": -(2**63) + 1,
}  # fmt: skip
PERIOD = {
    "v": 1, "kind": "observation", "run": "small", "cell": 0, "at_us": 7, "until_us": 9, "broker": "b",
    "table": "speed", "value": 0,
}  # fmt: skip


def judged(*records):
    return judge(pa.array([r if isinstance(r, bytes) else json.dumps(r).encode() for r in records], pa.binary()), NAMES)


def test_every_kind_of_record_is_distinguished_from_the_others():
    found = judged(ARRIVAL, {**PERIOD, "table": "loss", "group": "web"}, {**ARRIVAL, "kind": "time"}, PERIOD)
    assert [list(found.arrivals), list(found.observations), list(found.times)] == [[0], [1, 3], [2]]
    assert (found.topic[0], found.cell[0], found.place[1], found.place[3]) == (1, 1, 3, 1)
    assert found.column("draw")[0] == ARRIVAL["draw"]
    assert found.rejected == []


@pytest.mark.parametrize(
    ("record", "reason"),
    [
        (b"", RejectTexts.NOT_JSON()),
        (b"nonsense", RejectTexts.NOT_JSON()),
        (b"[1]", RejectTexts.NOT_AN_OBJECT()),
        (b"{} {}", RejectTexts.NOT_JSON()),
        (b"\xff{}", RejectTexts.NOT_UTF8()),
        (b'{"a":' * 30_000, RejectTexts.TOO_LONG(most=MAX_BYTES)),
        (b"[" * 60_000, RejectTexts.NOT_JSON()),
        (b"{" + b" " * MAX_BYTES + b"}", RejectTexts.TOO_LONG(most=MAX_BYTES)),
        (b'{"v":1,"kind":"end","run":"\\ud800"}', RejectTexts.NOT_A_TEXT(field="run")),
        ({**ARRIVAL, "at_us": 1.5}, RejectTexts.NOT_WHOLE_64(field="at_us")),
        ({**ARRIVAL, "at_us": 2**63}, RejectTexts.NOT_WHOLE_64(field="at_us")),
        ({**ARRIVAL, "seq": True}, RejectTexts.NOT_WHOLE_64(field="seq")),
        ({**ARRIVAL, "at_us": float("nan")}, RejectTexts.NOT_WHOLE_64(field="at_us")),
        ({**ARRIVAL, "topic": 7}, RejectTexts.NOT_A_TEXT(field="topic")),
        ({**ARRIVAL, "v": 2}, RejectTexts.OTHER_VERSION(version=1)),
        ({**ARRIVAL, "kind": "arival"}, RejectTexts.NO_KIND(known="arrival, observation, time, end")),
        ({**ARRIVAL, "run": "large"}, RejectTexts.OTHER_RUN(run="small")),
        ({**ARRIVAL, "cell": 2}, RejectTexts.NO_CELL()),
        ({**ARRIVAL, "topic": "payments"}, RejectTexts.NO_TOPIC()),
        ({**ARRIVAL, "seq": None}, RejectTexts.FIELD_MISSING(field="seq")),
        ({**PERIOD, "broker": "z"}, RejectTexts.NO_BROKER()),
        ({**PERIOD, "table": "weather"}, RejectTexts.NO_TABLE(known="speed, answer, stall")),
        ({**PERIOD, "table": "link"}, RejectTexts.NO_GROUP()),
        ({**PERIOD, "group": "web"}, RejectTexts.GROUP_WITHOUT_LINK()),
    ],
)
def test_what_cannot_be_used_has_a_reason_and_spoils_nothing_else(record, reason):
    found = judged(ARRIVAL, record, PERIOD)
    ((number, said),) = found.rejected
    assert number == 1
    assert said.startswith(reason)
    assert [list(found.arrivals), list(found.observations)] == [[0], [2]]


def test_a_record_without_a_value_is_refused():
    found = judge(pa.array([None, json.dumps(ARRIVAL).encode()], pa.binary()), NAMES)
    assert (found.rejected, list(found.arrivals)) == ([(0, "no value")], [1])


def test_fields_that_nobody_knows_are_no_fault():
    assert judged({**ARRIVAL, "note": {"deep": [1, None]}}).rejected == []


@pytest.mark.parametrize(
    "spelling", ['{"v": 1,\n"kind": "end", "run": "small"}', ' {"v":1,"kind":"end","run":"small"}']
)
def test_the_spelling_of_json_does_not_matter(spelling):
    assert list(judged(spelling.encode(), ARRIVAL).ends) == [0]


def test_a_record_is_read_alike_alone_and_among_others():
    draw = random.Random(3)
    good = [json.dumps({**ARRIVAL, "seq": n, "at_us": draw.randrange(10**12)}).encode() for n in range(3_000)]
    bad = {7: b"x", 600: b'{"v":1}{"v":1}', 601: b"   ", 2_999: b'{"seq":1e3}'}
    mixed = [bad.get(n, value) for n, value in enumerate(good)]
    table, reasons = read(pa.array(mixed, pa.binary()))
    assert {number for number, _ in reasons} == bad.keys()
    alone = [read(pa.array([value], pa.binary()))[0].to_pylist()[0] for value in mixed[590:610]]
    assert table.slice(590, 20).to_pylist() == alone


def test_a_record_that_is_not_utf8_where_nobody_reads_is_refused_among_others_as_alone():
    record = b'{"v": 1, "kind": "end", "run": "small", "\xd6": 1}'
    assert judged(record).rejected == judged(record, ARRIVAL).rejected == [(0, RejectTexts.NOT_UTF8())]
