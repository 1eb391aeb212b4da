"""The gallery's upgrade: a name server restarts, and then the first broker that it knows."""

from __future__ import annotations

from pathlib import Path

import pytest

from simulator.run.simulate import simulate
from simulator.scenario import load_scenario

FILE = Path(__file__).parents[4] / "conf" / "scenarios" / "name-server-then-broker.yaml"
NAME_SERVER = "{at: 1m, for: 15s, name_server: 1, kind: name_server_down}"
BROKER = "{at: AT, for: 30s, broker: broker-b, kind: restart}"
SOON, AFTER_A_MINUTE = BROKER.replace("AT", "85s"), BROKER.replace("AT", "135s")


@pytest.mark.parametrize(
    ("changes", "failed"),
    [
        ({}, 443),
        ({"faults": f"[{NAME_SERVER}]"}, 0),
        ({"faults": f"[{SOON}]"}, 0),
        ({"faults": f"[{NAME_SERVER}, {AFTER_A_MINUTE}]"}, 0),
        ({"name_servers.need_wait_for_service": "true"}, 0),
    ],
    ids=["both", "name server alone", "broker alone", "broker a minute later", "waiting for service"],
)
def test_only_both_restarts_soon_after_each_other_fail_messages(changes, failed):
    run = simulate(load_scenario(FILE, changes), tables=("sends",))
    assert (~run.column("sends", "acknowledged").astype(bool)).sum() == failed
