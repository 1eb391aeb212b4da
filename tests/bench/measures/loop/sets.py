"""What replica sets cost a run: a hundred brokers that are sets of three machines, against the same without slaves."""

from __future__ import annotations

from collections.abc import Iterator
from statistics import median
from time import process_time
from typing import Any

import yaml

from simulator.run.run_totals import total_run
from simulator.scenario import Scenario, parse_scenario
from tests.bench.measure import Context, Entry, interleaved, median_ratio
from tests.bench.measures.loop.scaling import BROKER, grown_text

BROKERS, PRODUCERS = 100, 100
SET = {"replicas": 3, "mode": "controller", "release": "5.3.3"}
REPETITIONS = 9


def _scenario(seconds: int, **broker: Any) -> Scenario:
    content = yaml.safe_load(grown_text(PRODUCERS, BROKERS, seconds))
    content["brokers"] = {name: BROKER | {"release": "5.3.3"} | broker for name in content["brokers"]}
    killed = list(content["brokers"])[:10]
    content["faults"] = [{"at": "2s", "for": "5s", "broker": killed, "kind": "kill"}]
    return parse_scenario(yaml.safe_dump(content, sort_keys=False))


def cpu_s(scenario: Scenario) -> float:
    """CPU seconds of a run that counts its totals, planning and all."""
    began = process_time()
    total_run(scenario)
    return process_time() - began


def measure(context: Context) -> Iterator[Entry]:
    """The ratio of neighbours; ten of the hundred are killed for five seconds in both."""
    seconds, repetitions = (9, 1) if context.quick else (60, REPETITIONS)
    sets, plain = _scenario(seconds, **SET), _scenario(seconds)
    context.tell("compiling")
    for scenario in (sets, plain):
        cpu_s(scenario)
    context.tell("in turn")
    mine, theirs = interleaved(repetitions, lambda: cpu_s(sets), lambda: cpu_s(plain))
    yield Entry(
        "a_hundred_sets_vs_none", median_ratio(mine, theirs), "x", f"{median(mine):.2f} s of CPU",
        f"{median(theirs):.2f} s without slaves", more={"repetitions": repetitions},
    )  # fmt: skip
