"""What POP decides: the rules of `pop_rules`, and the model's, answer as the classes of every recorded release did."""

from __future__ import annotations

import gzip
import json
from functools import cache

import pytest

from simulator.consumer.rules import pop_delays
from simulator.releases.broker_release import BROKERS
from tests.golden import pop_rules as rules

RELEASES = ("5.0.0", "5.1.4", "5.2.0", "5.3.0", "5.3.3", "5.4.0", "5.5.0")
of_every_release = pytest.mark.parametrize("release", RELEASES)


@cache
def recorded(folder, kind, release):
    return json.loads(gzip.decompress((folder / f"{kind}-{release}.json.gz").read_bytes()))


@pytest.fixture(scope="session")
def folder(request):
    return request.config.rootpath / "tests/golden/pop"


@of_every_release
def test_who_pops_which_queues(folder, release):
    for case in recorded(folder, "alloc", release):
        queues = [tuple(queue) for queue in case["mq"]]
        asked = (case["s"], case["share"], case["cid"], queues, case["cids"])
        if "ex" in case:
            with pytest.raises(ValueError, match=case["ex"]):
                rules.assigned(*asked)
        else:
            assert [list(queue) for queue in rules.assigned(*asked)] == case["r"], case["id"]


def answer_of(order, release, op):
    kind, now, *asked = op
    if kind == "p":
        return order.pop(now, asked[0], asked[2], asked[3])
    if kind == "b":
        old = {} if rules.since(release, "5.1.0") else {"invisible": asked[1]}
        return int(order.is_blocked(now, asked[0], **old))
    if kind == "a":
        return order.ack(asked[0], asked[1])
    order.change(*asked)
    return asked[-1]


@of_every_release
def test_order_within_a_queue(folder, release):
    kind = rules.Order if rules.since(release, "5.1.0") else rules.Order500
    for case in recorded(folder, "order", release):
        order = kind(release)
        for number, op in enumerate(case["ops"]):
            assert answer_of(order, release, op) == op[-1], (case["id"], number, op)


@of_every_release
def test_which_queues_a_pop_reads_and_from_where(folder, release):
    for case in recorded(folder, "read", release):
        held = {(topic, queue): rest for topic, queue, *rest in case["held"]}
        found, reads = 0, []
        for topic, queue in rules.places_read(release, case):
            first, count, committed = held[topic, queue]
            begin = rules.initial_offset(release, case, topic, first, first + count) if committed is None else committed
            if found >= case["most"] or (topic == "t" and queue == case["locked"]):
                continue
            got = min(max(0, first + count - max(begin, first)), case["most"] - found)
            reads.append([topic, queue, begin, case["most"] - found, got])
            found += got
        assert reads == case["reads"], case["id"]
        assert case["code"] == (0 if found else 210)
        points = [[t, q, begin, got, case["inv"] - rules.ACK_TIME_INTERVAL_MS] for t, q, begin, _, got in reads if got]
        assert [[*point[:4], point[5]] for point in case["points"]] == ([] if case["order"] else points), case["id"]


@of_every_release
def test_what_wakes_a_pop_that_waits(folder, release):
    for case in recorded(folder, "wake", release):
        asked = (case["queue"], case["what"] == "revived", case["v2"] == 1)
        assert int(rules.wakes(release, *asked)) == case["woken"], case["id"]


@of_every_release
def test_rounds_of_a_revive_service(folder, release):
    for case in recorded(folder, "revive", release):
        second = case["v2"] == 1 and rules.since(release, "5.2.0")
        service = rules.ReviveService(release, case["log"], case["behind"] == 1, "r2" if second else "r1")
        for number, expected in enumerate(case["rounds"]):
            refuses = case["refuses"] == 1 and number < 4
            assert service.round(expected[0], refuses) == expected, (case["id"], number)


@of_every_release
def test_what_the_buffer_takes_stores_and_commits(folder, release):
    for case in recorded(folder, "buffer", release):
        buffer = rules.Buffer(case["merge"] == 1)
        for number, (kind, now, *rest) in enumerate(case["ops"]):
            *asked, latest, stored = rest
            buffer.stored = []
            if kind == "pop":
                assert int(buffer.pop(now, *asked[:3])) == asked[3]
            elif kind == "skip":
                buffer.skip(now, asked[0])
            elif kind == "ack":
                assert int(buffer.ack(now, *asked[:2])) == asked[2], (case["id"], number)
            else:
                assert buffer.scan(now) == asked[0], (case["id"], number)
            assert (buffer.latest, sorted(buffer.stored, key=str)) == (latest, sorted(stored, key=str)), (
                case["id"],
                number,
            )


@of_every_release
def test_when_a_client_pops_and_what_for(folder, release):
    for case in recorded(folder, "ask", release):
        asked = (case["invisible"], case["batch"])
        assert rules.refuses_to_start(*asked) == case["refused"], case["id"]
        for waiting, said in case["pops"]:
            assert rules.pop_request(*asked, case["threshold"], waiting) == said, case["id"]


@of_every_release
def test_what_a_client_asks_for_a_message_that_failed(folder, release):
    for case in recorded(folder, "fail", release):
        for level, times, age, asked in case["rows"]:
            assert rules.asks_after_failure(case["most"], level, times, age) == asked, (case["id"], level, times, age)


def asked_by_model(case, level, times, age):
    delay_us = pop_delays.pop_delay_us(level, times)
    if times >= (16 if case["most"] == -1 else case["most"]):
        delay_us = pop_delays.pop_delay_of_old_us(age * 1000)
    none = {pop_delays.ACKNOWLEDGED: rules.GIVEN_UP, pop_delays.NO_DELAY: rules.NO_LEVEL}
    return none.get(delay_us, delay_us // 1000)


@of_every_release
def test_the_model_asks_the_same_for_a_message_that_failed(folder, release):
    for case in recorded(folder, "fail", release):
        for level, times, age, asked in case["rows"]:
            assert asked_by_model(case, level, times, age) == asked, (case["id"], level, times, age)


@of_every_release
def test_the_model_s_brokers_pop_by_these_rules(release):
    broker = BROKERS[release]
    assert broker.pops_descending == (rules.queue_order(release, 0, 3) == [2, 1, 0])
    woken = (broker.wakes_pops_on_retry != "none", broker.wakes_pops_on_retry == "any")
    assert woken == tuple(rules.wakes(release, queue, is_revived=True, second=False) for queue in (-1, 0))
    assert broker.pop_from_retry_probability == sum(rules.reads_retry_first(release, drawn) for drawn in range(100))
