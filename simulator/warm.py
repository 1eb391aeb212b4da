"""Compile everything that is compiled and keep it on disk: `python -m simulator.warm`, part of the set-up."""

from __future__ import annotations

import shutil
import sys

import numba

from simulator.compiled import jit
from simulator.consumer.machine.late_consumer_rules import LATE_CONSUMER_RULES
from simulator.engine.late_rules import LATE_RULES
from simulator.plan.compile import compile_scenario
from simulator.releases.ledger import NEWEST, RELEASES
from simulator.releases.producer_release import client_of
from simulator.replay.row_loop import replay
from simulator.run.cell import ROOM, Cell
from simulator.run.simulate import simulate
from simulator.scenario import parse_scenario

TINY = """
name: warm
duration: 2s
client: {release: RELEASE, send_latency_fault_enable: true}
producers: {count: 2, rate: 20/s}
topics: {orders: {queues: 2}}
brokers:
  broker-a: {latency: {constant: 1ms}}
  broker-b: {latency: {constant: 1ms}}
faults: [{at: 1s, for: 1s, broker: broker-b, kind: refuse}]
"""
READ = "consumers: {billing: {topic: orders, service: {constant: 1ms}}}\n"


def warm() -> None:
    """Compile the rules of every release, the workload, the event loop, the consumers and the replays."""
    for release in RELEASES:
        client_of(release)
    jit.ready(replay)
    for rule in (*LATE_RULES, *LATE_CONSUMER_RULES):
        rule.compile()
    scenario = parse_scenario(TINY.replace("RELEASE", NEWEST))
    simulate(scenario)
    cell = compile_scenario(scenario).cells[0]
    Cell.restore(cell, Cell(cell).snapshot(), tuple(ROOM))
    simulate(parse_scenario(TINY.replace("RELEASE", NEWEST) + READ))


def prune() -> None:
    """Remove compiled code of other versions of the sources."""
    current = jit.compiled_folder()
    if current == type(current)(numba.config.CACHE_DIR):
        for other in current.parent.iterdir():
            if other.is_dir() and other != current:
                shutil.rmtree(other, ignore_errors=True)


if __name__ == "__main__":
    warm()
    prune()
    sys.exit(0)
