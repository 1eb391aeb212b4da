"""Every policy in every situation: `python -m tests.simulator.policies.matrix.table > matrix.txt` in this folder.

One small cluster of six brokers and two producers; 30 s, something goes wrong from the tenth second to the twentieth.
A policy is RocketMQ's own, or one part with the plainest others: any queue, nobody avoided, three attempts at once.
"""

from __future__ import annotations

from collections.abc import Iterator
from copy import deepcopy
from typing import Any, NamedTuple

from simulator.experiments.experiment_measures import MeasuredRun, measures_of
from simulator.policies.catalogue import PARTS
from simulator.run.run_totals import total_run
from simulator.scenario.loading.scenario_file import scenario_of

WARM_UP_US = 2_000_000
CLUSTER = {
    "name": "matrix",
    "seed": 7,
    "duration": "30s",
    "producers": {"count": 2, "threads": 8, "rate": "70/s"},
    "topics": {"orders": {"queues": 2}},
}
BROKER = {"latency": {"lognormal": {"p50": "1ms", "p99": "12ms"}}, "append": {"base": "20us"}, "send_threads": 2}
ONE, ALL = "broker-3", "all"


def _fault(kind: str, broker: Any = ONE, **more: Any) -> dict[str, Any]:
    return {"at": "10s", "for": "10s", "broker": broker, "kind": kind, **more}


SITUATIONS: dict[str, list[dict[str, Any]]] = {
    "healthy": [],
    "hang": [_fault("hang")],
    "kill": [_fault("kill")],
    "refuse": [_fault("refuse")],
    "slow x20": [_fault("slow", factor=20)],
    "slow x300": [_fault("slow", factor=300)],
    "slower and slower": [_fault("slow", factor=300, ramp="8s")],
    "pauses": [_fault("pause", every="2s", until="20s") | {"for": "400ms"}],
    "disk stalls": [_fault("disk_stall", every="4s", until="20s") | {"for": "1s"}],
    "packet loss": [_fault("packet_loss", probability=0.2, rto="200ms")],
    "partition": [_fault("partition")],
    "busy answers": [_fault("code", response_code="SYSTEM_BUSY")],
    "errors": [_fault("code", response_code="SYSTEM_ERROR")],
    "overload": [_fault("slow", ALL, factor=60)],
    "two hang": [_fault("hang", ["broker-3", "broker-5"])],
    "all hang": [_fault("hang", ALL) | {"for": "4s"}],
    "rolling restart": [{"at": "8s", "broker": ALL, "kind": "rolling_restart", "each": "2s", "pause": "1s"}],
}  # fmt: skip
RELEASES = {
    f"RocketMQ {release}, strategy {'on' if on else 'off'}": {"release": release, "send_latency_fault_enable": on}
    for release in ("4.9.8", "5.3.3")
    for on in (False, True)
}
POLICIES: dict[str, dict[str, Any]] = RELEASES | {
    f"{kind}: {name}": {"release": "5.3.3", "policy": {kind: name}} for kind, known in PARTS.items() for name in known
}
COLUMNS = {
    "success %": lambda run: f"{100 - run['failed_percent']:.2f}",
    "mean ms": lambda run: f"{run['mean_ms']:.1f}",
    "p99 ms": lambda run: f"{run['p99_ms']:.0f}",
    "attempts": lambda run: f"{run['attempts_per_message']:.3f}",
    "copies": lambda run: f"{run['copies_per_message']:.4f}",
    "busiest %": lambda run: f"{run['max_queue_share_percent']:.1f}",
}
HEAD = f"{'situation':18} {'policy':34}" + "".join(f"{name:>11}" for name in COLUMNS)


class Row(NamedTuple):
    """A line of the matrix."""

    situation: str
    policy: str
    cells: tuple[str, ...]

    @property
    def line(self) -> str:
        """The line as it is kept."""
        return f"{self.situation:18} {self.policy:34}" + "".join(f"{cell:>11}" for cell in self.cells)


def row(situation: str, policy: str) -> Row:
    """What a policy comes to in a situation."""
    brokers = {f"broker-{number}": BROKER for number in range(1, 7)}
    found = CLUSTER | {"client": POLICIES[policy], "brokers": brokers, "faults": SITUATIONS[situation]}
    scenario, problems = scenario_of(deepcopy(found))
    if scenario is None:
        raise ValueError(problems)
    run = measures_of(MeasuredRun(total_run(scenario, WARM_UP_US), scenario, WARM_UP_US))
    return Row(situation, policy, tuple(shown(run) for shown in COLUMNS.values()))


def read(text: str) -> list[Row]:
    """The rows of a kept matrix."""
    lines = [line for line in text.splitlines()[1:] if line]
    return [Row(line[:18].rstrip(), line[19:53].rstrip(), tuple(line[53:].split())) for line in lines]


def lines(situation: str) -> Iterator[str]:
    """The lines of a situation, a policy each."""
    return (row(situation, policy).line for policy in POLICIES)


if __name__ == "__main__":
    print(HEAD)
    for each in SITUATIONS:
        print("\n".join(lines(each)), flush=True)
