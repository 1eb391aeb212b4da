"""What docs/consumers.md says that consumers notice of each kind of fault, compared with runs."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from simulator.scenario.faults.fault_kinds import CONSUMER, KINDS
from tests.simulator.small import ran_tables

TEXT = (Path(__file__).parents[4] / "docs/consumers.md").read_text(encoding="utf-8")
TABLE = TEXT.partition("## What consumers notice of a broker's faults")[2].partition("\nHow a client")[0]
OWN = {
    "partition": {"producers": "all"}, "pause": {"for": "29s", "every": "30s"}, "slow": {"factor": 40},
    "packet_loss": {"probability": 0.2}, "slow_link": {"delay": "300ms"}, "code": {"response_code": "SYSTEM_BUSY"},
    "status": {"send_status": "FLUSH_DISK_TIMEOUT"}, "read_only": {"topic": "orders"},
    "queues": {"topic": "orders", "queues": 4}, "scale_in": {"drain": "1ms"},
    "rolling_restart": {"each": "60s", "pause": "1s"}, "name_server_down": {"name_server": 1},
    "name_server_hang": {"name_server": 1}, "name_server_slow": {"name_server": 1, "delay": "1s"},
    "name_server_cut": {"name_server": 1, "consumer": "billing"}, "controller_down": {"controller": 1},
}  # fmt: skip


def said():
    """(kind, whether consumers are named in the fault) -> what the table says of pulls."""
    found = {}
    for line in TABLE.splitlines():
        cells = [cell.strip() for cell in line.split("|")]
        if len(cells) > 4 and cells[1].startswith("`"):
            of_consumers = "with `consumer`" in cells[1]
            kinds = re.findall(r"`(\w+)`", cells[1].partition(" with ")[0])
            found |= {(kind, of_consumers): cells[2] for kind in kinds}
    return found


def test_the_table_names_every_kind_that_strikes_brokers():
    broker_kinds = {name for name, kind in KINDS.items() if kind.target != CONSUMER}
    assert {kind for kind, _ in said()} == broker_kinds
    assert set(said().values()) == {"wait", "fail", "go on", "-"}


@pytest.mark.parametrize(("kind", "of_consumers"), [key for key, pulls in said().items() if pulls != "-"])
def test_pulls_go_on_or_stop_as_the_table_says(kind, of_consumers):
    own = {"consumer": "billing"} if of_consumers else OWN.get(kind, {})
    place = {} if kind.startswith(("name_server", "controller")) else {"broker": "b"}
    length = {} if kind == "rolling_restart" else {"for": "60s"}
    run = ran_tables(
        duration="90s", brokers={"b": {"latency": {"constant": "1ms"}, "slaves": 1}}, producers={"rate": "40/s"},
        consumers={"billing": {"topic": "orders", "service": "100ms", "threads": 1, "pull_threshold_for_queue": 10}},
        faults=[{"at": "30s", "kind": kind} | place | length | own],
    )  # fmt: skip
    begun = run.column("consumed", "begin_us") / 1e6
    meanwhile = int(((begun > 40) & (begun < 58)).sum())
    assert (meanwhile > 170) is (said()[kind, of_consumers] == "go on")
    assert meanwhile in range(171, 182) or meanwhile == 0
