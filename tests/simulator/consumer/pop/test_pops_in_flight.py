"""enablePopMessageThreshold: a queue of which too much is in flight gives nothing until some of it is settled."""

from __future__ import annotations

from simulator.scenario import ScenarioError
from tests.says import Says, raises
from tests.simulator.small import ran_tables, rows, scenario_of

LIMIT = {"enable_pop_message_threshold": True, "pop_inflight_message_threshold": 10}


def billing(release="5.3.3", limit=LIMIT, **keys):
    broker = {"latency": {"constant": "1ms"}, "release": release} | limit
    group = {"topic": "orders", "count": 2, "threads": 100, "service": "2s", "consume_mode": "POP", "pop_batch_nums": 4}
    return ran_tables(
        duration="20s", client={"release": "5.3.3"}, producers={"rate": "40/s", "threads": 20},
        brokers={"a": broker}, topics={"orders": {"queues": 2}}, consumers={"billing": group | keys},
    )  # fmt: skip


def most_invisible(run):
    return max(row["invisible"] for row in rows(run, "pops"))


def test_of_each_queue_so_many_are_in_flight_and_a_batch_more():
    assert 20 < most_invisible(billing()) <= 2 * (10 + 4)
    assert most_invisible(billing(limit={})) > 60


def test_from_5_3_1_on_a_pop_that_waits_looks_as_soon_as_the_queue_gives_again():
    """Before, the next message that is stored wakes it: so often here that the same comes to the group."""
    later, before = (len(rows(billing(release), "consumed")) for release in ("5.3.1", "5.2.0"))
    assert 100 < before <= later + 10


def test_a_queue_with_less_in_flight_gives_all_the_time():
    free, limited = (
        [(row["send_seq"], row["begin_us"]) for row in rows(billing(limit=own, service="1ms"), "consumed")]
        for own in ({}, LIMIT)
    )
    assert free == limited


def test_a_release_before_5_2_0_has_it_not():
    own = {"latency": {"constant": "1ms"}, "release": "5.1.4", "enable_pop_message_threshold": True}
    with raises(ScenarioError, Says("broker.not-before-5-2", "...enable_pop_message_threshold", release="5.1.4")):
        scenario_of(brokers={"a": own})
