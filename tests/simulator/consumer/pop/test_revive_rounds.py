"""When the revive services store again what nobody acknowledged: as the recorded rules say (tests/golden/pop)."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

from simulator.scenario import ScenarioError
from tests.says import Says, raises
from tests.simulator.small import fault, ran_tables, rows, scenario_of

INVISIBLE_S = 10


def delays(rate, duration="240s", broker=None, faults=()):
    """Seconds from the end of the invisible time until a message is stored again, of a group that is too slow twice.

    The third time it acknowledges it at once. There is one broker.
    """
    group = {"topic": "orders", "count": 2, "threads": 300, "service": "30s", "pop_threshold_for_queue": 1000}
    run = ran_tables(
        duration=duration, client={"release": "5.3.3"}, producers={"rate": rate, "threads": 4, "arrivals": "poisson"},
        brokers={"a": {"latency": {"constant": "1ms"}, "release": "5.3.3"} | (broker or {})}, faults=list(faults),
        consumers={"g": group | {"consume_mode": "POP", "pop_invisible_time": "10s", "max_reconsume_times": 1}},
    )  # fmt: skip
    first, second = ({}, [])
    for row in rows(run, "consumed"):
        message = row["sender"], row["send_seq"]
        if row["reconsume_times"] == 0:
            first[message] = row["stored_us"]
        else:
            second.append((message, row["stored_us"]))
    return sorted((at - first[one]) / 1e6 - INVISIBLE_S for one, at in second if one in first)


def ran_plain(script, *arguments):
    command = [sys.executable, "-m", f"tests.simulator.consumer.pop.{script}", *arguments]
    ran = subprocess.run(command, env=os.environ | {"NUMBA_DISABLE_JIT": "1"}, capture_output=True, check=True)
    return json.loads(ran.stdout)


def followed(rate, seconds):
    """Of each message that came again: ms at which it was stored again, by the model and by the recorded rules."""
    return ran_plain("followed_rounds", rate, str(seconds))


def quantile(found, percent):
    return found[len(found) * percent // 100]


@pytest.mark.parametrize(("rate", "seconds"), [("0.02/s", 2000), ("0.2/s", 300), ("5/s", 60)])
def test_each_message_comes_again_when_the_recorded_rules_say(rate, seconds):
    apart = [abs(ours - theirs) for ours, theirs in followed(rate, seconds)]
    assert len(apart) > 80
    assert sum(ms < 150 for ms in apart) > 0.95 * len(apart)
    assert max(apart) < 1_100


def test_a_broker_deals_the_pops_of_all_groups_and_topics_out_in_one_turn():
    popped = ran_plain("dealt_pops")
    assert len({subscription for subscription, _, _ in popped}) == 3
    assert all(service == pop % 8 for _, service, pop in popped)


def test_a_longer_interval_has_messages_come_again_later():
    default, longer = delays("5/s", "120s"), delays("5/s", "120s", {"revive_interval": "5s"})
    assert quantile(longer, 50) == pytest.approx(quantile(default, 50) + 2.2, abs=0.5)
    assert max(default) < 5.3 < max(longer) < 9.3


def test_a_service_that_finds_nothing_rests_for_up_to_reviveMaxSlow_intervals_more():
    quick, slow = (delays("0.02/s", "3600s", {"revive_max_slow": most}) for most in (1, 20))
    assert max(quick) < 4 < 6 < max(slow)


def test_what_a_killed_broker_revived_since_it_wrote_its_offsets_it_revives_again():
    kill = [fault("kill", "30s", "2s", "a")]
    run_s = [delays("5/s", "80s", faults=own) for own in ((), kill)]
    assert max(run_s[0]) < 5.3 < 6 < max(run_s[1])


@pytest.mark.parametrize("key", [{"revive_interval": "2s"}, {"revive_max_slow": 5}])
def test_a_release_without_pop_has_no_revive_service(key):
    own = {"latency": {"constant": "1ms"}, "release": "4.9.8"} | key
    with raises(ScenarioError, Says("broker.not-before-5", f"...{next(iter(key))}", release="4.9.8")):
        scenario_of(brokers={"a": own})
