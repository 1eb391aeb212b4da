"""A scenario without POP, gRPC clients and SQL92 filters pays nothing for them: none of their rules is run."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

OF_POPS = (
    "consumer/pop/", "consumer/shared/revive_log.py", "consumer/machine/pop_windows.py", "consumer/rules/pop_delays.py",
    "consumer/broker/ordered_pops.py", "consumer/broker/arriving_pops.py", "consumer/broker/held_pops.py",
    "consumer/broker/popping.py",
)  # fmt: skip
OF_PROXIES = (
    "consumer/proxied/", "consumer/links/proxy_choice.py", "consumer/transactions/over_proxies.py", "engine/proxies/",
    "engine/sending/over_proxy.py", "client/sending/grpc_send.py",
)  # fmt: skip
OF_SQL = ("consumer/sql/", "consumer/queue_log/property_filter.py")
GRPC = {"grpc": {"release": "5.0.8"}}


def called(producer=(), group=(), **more):
    """Functions of POP, proxies and filters that a run calls, which is plain Python for that."""
    own = {"latency": {"constant": "1ms"}, "enable_property_filter": True}
    pulling = {"topic": "t", "count": 2, "threads": 2, "service": "2ms", "release": "5.3.3"}
    text = json.dumps({
        "name": "s", "duration": "6s", "client": {"release": "5.3.3"},
        "producers": {"count": 2, "rate": "2/s"} | dict(producer),
        "topics": {"t": {"queues": 2, "properties": {"region": ["eu", "us"]}}},
        "brokers": {"a": own, "b": {"like": "a"}}, "consumers": {"g": pulling | dict(group)},
    } | more)  # fmt: skip
    command = [sys.executable, "-m", "tests.simulator.plan.failover.called"]
    env = os.environ | {"NUMBA_DISABLE_JIT": "1"}
    done = subprocess.run(command, input=text, env=env, capture_output=True, text=True, check=True)
    return {name for name in json.loads(done.stdout) if name.startswith((*OF_POPS, *OF_PROXIES, *OF_SQL))}


def test_a_run_without_them_calls_none_of_their_rules():
    assert called() == set()


@pytest.mark.parametrize(
    ("kinds", "given"),
    [
        (OF_POPS, {"group": {"consume_mode": "POP"}}),
        (OF_PROXIES, {"producer": GRPC, "proxies": {"count": 2}}),
        (OF_SQL, {"group": {"topic": None, "topics": {"t": {"sql": "region = 'eu'"}}}}),
    ],
)
def test_a_run_with_one_of_them_calls_its_rules_and_none_of_the_others(kinds, given):
    found = called(**given)
    assert found
    assert {name for name in found if not name.startswith(kinds)} == set()
