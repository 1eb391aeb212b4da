"""Pops of a group whose tag is rare: what wakes one that waits, by the release of the broker."""

from __future__ import annotations

import pytest

from tests.simulator.small import ran_tables, rows

RARE = {"topics": {"orders": "rare"}, "count": 1, "threads": 4, "service": "1ms", "consume_mode": "POP"}


def latest_s(release, per_s=1_000, **keys):
    """Seconds until the message that waits longest is handled, of one in `per_s`."""
    run = ran_tables(
        duration="20s", client={"release": "5.3.3"}, producers={"rate": "1000/s", "threads": 8, "count": 2},
        brokers={"a": {"latency": {"constant": "200us"}, "release": release}},
        topics={"orders": {"queues": 1, "tags": {"bulk": per_s - 1, "rare": 1}}}, consumers={"billing": RARE | keys},
    )  # fmt: skip
    found = rows(run, "consumed")
    assert len(found) > 1
    return max(row["end_us"] - row["arrival_us"] for row in found) / 1e6


@pytest.mark.parametrize("release", ["5.2.0", "5.3.1", "5.5.0"])
def test_a_pop_looks_on_while_messages_are_left(release):
    assert latest_s(release, per_s=4_000) < 0.1


def test_in_5_3_0_it_waits_with_messages_left():
    assert latest_s("5.3.0", per_s=4_000) > 2


def test_where_fewer_than_800_messages_lie_between_two_that_pass_no_release_waits():
    assert latest_s("5.3.0", per_s=50) < 0.1


def taken_by(mode, kept=False):
    """What a group with an SQL92 expression handles, and when it has the first message, in us."""
    own = {
        "latency": {"constant": "200us"},
        "release": "5.3.3",
        "enable_property_filter": True,
        "filter_latency": "1ms",
    }
    keys = {"enable_calc_filter_bit_map": True, "enable_consume_queue_ext": True} if kept else {}
    reading = {"topics": {"orders": {"sql": "region = 'us'"}}, "count": 2, "threads": 4, "service": "1ms"}
    run = ran_tables(
        duration="10s", client={"release": "5.3.3"}, producers={"rate": "200/s", "threads": 8, "batch": 20},
        brokers={"a": own | keys}, topics={"orders": {"queues": 1, "properties": {"region": {"eu": 4, "us": 1}}}},
        consumers={"billing": reading | {"consume_mode": mode}},
    )  # fmt: skip
    found = rows(run, "consumed")
    return sorted((row["sender"], row["send_seq"], row["queue_offset"]) for row in found), found[0]["begin_us"]


def test_windows_count_what_pops_looked_at_and_gave():
    reading = {"topics": {"orders": {"sql": "region = 'us'"}}, "service": "1ms", "consume_mode": "POP"}
    run = ran_tables(
        duration="10s", client={"release": "5.3.3"}, producers={"rate": "100/s", "threads": 8},
        brokers={"a": {"latency": {"constant": "200us"}, "release": "5.3.3", "enable_property_filter": True}},
        topics={"orders": {"queues": 2, "properties": {"region": {"eu": 4, "us": 1}}}}, consumers={"billing": reading},
    )  # fmt: skip
    names = ("looked_at", "properties_read", "given")
    looked_at, read, gave = (int(run.column("consumer_windows", name).sum()) for name in names)
    assert looked_at == read == pytest.approx(run.sends.num_rows, abs=5)
    assert gave == run.column("pops", "popped").sum() == pytest.approx(looked_at / 5, rel=0.2)


def test_a_pop_group_takes_by_sql_what_a_pull_group_takes():
    popped, pulled = taken_by("POP")[0], taken_by("CONCURRENTLY")[0]
    assert len(popped) > 300
    assert len(set(popped) ^ set(pulled)) < 20  # what is under way at the end


def test_answers_that_are_kept_save_the_time_of_reading_properties():
    assert taken_by("POP")[1] - taken_by("POP", kept=True)[1] >= 5_000
