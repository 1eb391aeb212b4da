"""What a consumption costs in large groups and behind large backlogs."""

from __future__ import annotations

from collections.abc import Sequence
from time import process_time
from typing import Any

import yaml

from simulator.plan.compile import compile_scenario
from simulator.plan.run_plan import Plan
from simulator.run.cell import Cell
from simulator.scenario import parse_scenario
from simulator.workload import arrivals
from tests.bench.measure import Context, Entry, interleaved

INSTANCES = (10, 100, 1_000)
BACKLOGS = (1_000, 100_000, 300_000, 1_000_000, 10_000_000)  # the first is consumed before what is counted
FULL = 2  # from that one on every queue's cache in the client is full all the time; the one before runs empty
THREADS = 2_000  # of all instances together
MESSAGES_PER_S = 20_000
FEW_PER_S = 100  # with so few messages the timers of instances are nearly all there is to do
PRODUCERS = 100
QUEUES = 125  # on each of 8 brokers: an instance of 1,000 has one or two
JOINS_S = 100  # after which the group is there
BEHIND_S = 5  # so long there is a backlog of 100,000
SETTLING = 5  # windows that are not counted
BROKER = {"latency": {"constant": "1ms"}, "send_threads": 64}


def _text(group: dict[str, Any], seconds: float, rate: float, queues: int, later: dict[str, str], **more: Any) -> str:
    changes = {"rate_changes": later} if later else {}
    content: dict[str, Any] = {
        "name": "consumers grow",
        "seed": 5,
        "duration": f"{seconds:g}s",
        "client": {"release": "5.3.3"},
        "producers": {"count": PRODUCERS, "threads": 10, "rate": f"{rate / PRODUCERS:g}/s"} | changes,
        "topics": {"orders": {"queues": queues}},
        "brokers": {f"broker-{n}": BROKER for n in range(8)},
        "consumers": {"billing": {"topic": "orders"} | group},
    }
    return yaml.safe_dump(content | more, sort_keys=False)


def with_instances(count: int, seconds: int, rate: int = MESSAGES_PER_S) -> Plan:
    """A group of that many instances, the same threads and the same messages a second in all."""
    group = {"count": count, "threads": THREADS // count, "service": {"constant": "20ms"}}
    return compile_scenario(parse_scenario(_text(group, seconds, rate, QUEUES, {})))


def bytes_of(plan: Plan) -> int:
    """What is remembered of the instances, without what they hold of queues: those are as many in any group."""
    machine = Cell(plan.cells[0], ()).consumers
    assert machine is not None
    return sum(part.values.nbytes for name, part in machine.parts().items() if not name.endswith("process_queues"))


def behind(backlog: int, seconds: int) -> Plan:
    """A group that is so many messages behind when it joins; then none come, and 20,000 a second can be consumed."""
    group = {"count": 10, "threads": 20, "service": {"constant": "10ms"}}
    joins = [{"at": f"{JOINS_S}s", "consumer": "billing-*", "kind": "scale_out"}]
    later = {f"{JOINS_S}s": "0/s"}
    return compile_scenario(parse_scenario(_text(group, JOINS_S + seconds, backlog / JOINS_S, 8, later, faults=joins)))


def consumed(plan: Plan, first_window: int) -> tuple[float, int]:
    """Nanoseconds of the consumer machine from a window on, and how many messages were consumed meanwhile."""
    cell = Cell(plan.cells[0], ())
    machine = cell.consumers
    assert machine is not None
    took, step = 0.0, machine.step

    def timed(*arguments: Any) -> Any:
        nonlocal took
        began = process_time()
        found = step(*arguments)
        took += process_time() - began
        return found

    setattr(machine, "step", timed)  # noqa: B010
    before = 0
    for window in range(plan.windows):
        if window == first_window:
            took, before = 0.0, int(machine.world.clock.consumed)
        streams = plan.cells[0].streams_at(window * plan.window_us)
        events = arrivals(streams, plan.seed, window, plan.window_us, plan.duration_us)
        cell.step(events, (window + 1) * plan.window_us)
    return took * 1e9, int(machine.world.clock.consumed) - before


def marginal_ns(found: Sequence[tuple[float, int]]) -> list[float]:
    """Nanoseconds of each consumption beyond the windows of the first size, in which nothing is left to consume."""
    (fixed_ns, few), *others = found
    return [(ns - fixed_ns) / (count - few) for ns, count in others]


def text_of(sizes: tuple[int, ...], costs: list[float]) -> str:
    return ", ".join(f"{size:,}: {cost:.0f} ns" for size, cost in zip(sizes, costs, strict=True))


def _least(plans: list[Plan], first: int, repetitions: int) -> list[tuple[float, int]]:
    """Of each plan the round that took least."""
    sides = [lambda plan=plan: consumed(plan, first) for plan in plans]  # type: ignore[misc]
    return [min(found) for found in interleaved(repetitions, *sides)]


def instances(context: Context) -> Entry:
    """10 to 1,000 instances."""
    seconds, repetitions = (SETTLING + 3, 1) if context.quick else (SETTLING + 15, 5)
    context.tell("instances")
    plans = [with_instances(count, seconds) for count in INSTANCES]
    found = _least(plans, SETTLING, repetitions)
    costs = [ns / count for ns, count in found]
    idle = _least([with_instances(count, seconds, FEW_PER_S) for count in INSTANCES], SETTLING, repetitions)
    name = "consumption_cost_10_to_1000_instances"
    few, *_, many = [ns / count for (ns, _), (_, count) in zip(idle, found, strict=True)]
    few_kib, *_, many_kib = [bytes_of(plan) / 1024 for plan in plans]
    more = {
        "few_idle_ns": round(few), "many_idle_ns": round(many), "few_kib": round(few_kib), "many_kib": round(many_kib),
    }  # fmt: skip
    return Entry(name, max(costs) / costs[0], "x", text_of(INSTANCES, costs), more=more)


def backlogs(context: Context) -> Entry:
    """Backlogs of 10^5 to 10^7 messages when the group joins, beyond what one of 10^3 costs."""
    seconds, repetitions, sizes = (BEHIND_S, 1, BACKLOGS[:3]) if context.quick else (BEHIND_S, 3, BACKLOGS)
    context.tell("backlogs")
    costs = marginal_ns(_least([behind(backlog, seconds) for backlog in sizes], JOINS_S + 2, repetitions))
    name = "consumption_cost_backlog_1e3_to_1e7"
    full = costs[FULL - 1 :]
    more = {"with_full_caches": round(max(full) / min(full), 3)}
    return Entry(name, max(costs) / min(costs), "x", text_of(sizes[1:], costs), more=more)
