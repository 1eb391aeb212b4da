"""The message of an orderly group that blocks its queue: it failed, again and again."""

from __future__ import annotations

from simulator.causes.poison import blocking_message
from tests.simulator.small import ran_tables, rows, scenario_of

GROUP = {"topic": "orders", "threads": 4, "service": "5ms", "release": "5.3.3", "consume_mode": "ORDERLY"}


def test_it_is_the_one_that_failed_most_often():
    keys = {
        "client": {"release": "5.3.3"}, "duration": "60s", "producers": {"rate": "5/s"},
        "consumers": {"billing": GROUP | {"fails_always": 0.01}},
    }  # fmt: skip
    failed = [
        (row["queue_id"], row["queue_offset"]) for row in rows(ran_tables(**keys), "consumed", result="again in place")
    ]
    found = blocking_message(scenario_of(**keys), "billing")
    assert found.times == max(map(failed.count, failed)) > 10
