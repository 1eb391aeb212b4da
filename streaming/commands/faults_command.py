"""`sendlab faults`: the kinds of faults, each with what it does and an example."""

from __future__ import annotations

import json

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from simulator.scenario.faults.fault_kinds import CONSUMER, CONTROLLER, KINDS, NAME_SERVER, Kind
from simulator.scenario.reading.scenario_error import not_known
from streaming.errors import InputError
from streaming.texts.command_result_texts import CommandResultTexts

EXAMPLE = """\
name: {name}
duration: 3m
client: {{release: 4.9.8, send_latency_fault_enable: true}}
producers: {{group: shop, count: 10, threads: 2, rate: 5/s}}
topics: {{orders: {{queues: 4}}}}
brokers:
  broker-a: {{latency: {{lognormal: {{p50: 1ms, p99: 12ms}}}}}}
  broker-b: {{like: broker-a{seen_with}}}
  broker-c: {{like: broker-a}}
  broker-d: {{like: broker-a}}
{others}faults:
  - {fault}
{change}"""
CONSUMERS = "consumers:\n  billing: {topic: orders, count: 3, threads: 4, service: 50ms, release: 5.3.3}\n"
# by what a kind strikes: what else the scenario has; and the change of a broker that is noticed late, or not
OTHERS = {CONSUMER: CONSUMERS, CONTROLLER: "controllers: {embedded: false}\n"}
LATE = (NAME_SERVER, CONTROLLER)
CHANGE = "  - {at: 65s, for: 60s, broker: broker-b, kind: kill}\n"


def example_scenario(kind: Kind) -> str:
    """A whole scenario with the fault, as YAML."""
    seen_with = f", {kind.seen_with}" if kind.seen_with else ""
    others, change = OTHERS.get(kind.target, ""), CHANGE if kind.target in LATE else ""
    name = kind.name.replace("_", " ")
    return EXAMPLE.format(name=name, seen_with=seen_with, others=others, fault=kind.example, change=change)


def _as_row(kind: Kind) -> dict[str, object]:
    return {
        "kind": kind.name,
        "meaning": kind.meaning,
        "sets": kind.sets,
        "strikes": kind.target,
        "needs": list(kind.needs),
        "may": _optional(kind),
        "for_is_optional": kind.lasting,
        "example": kind.example,
    }


def _optional(kind: Kind) -> list[str]:
    return [*kind.may, *(["consumer"] if kind.cuts_consumers else []), *(["ramp"] if kind.ramps else [])]


def faults_command(name: str | None, as_json: bool, console: Console) -> None:
    """Print all kinds, or one with a whole scenario. Raises InputError for a kind that does not exist."""
    if name is not None and name not in KINDS:
        raise InputError(not_known("fault kind", name, KINDS))
    shown = list(KINDS.values()) if name is None else [KINDS[name]]
    if as_json:
        console.print_json(json.dumps([_as_row(kind) for kind in shown]))
    elif name is not None:
        _print_kind(shown[0], console)
    else:
        table = Table(box=None, pad_edge=False, show_lines=False)
        for column in ("kind", "what happens", "example"):
            table.add_column(column, overflow="fold", no_wrap=column == "kind")
        for kind in shown:
            table.add_row(kind.name, kind.meaning, escape(kind.example))
        console.print(table)


def _print_kind(kind: Kind, console: Console) -> None:
    needs = ", ".join(keys.replace("|", " or ") for keys in kind.needs) or "none"
    may = ", ".join(_optional(kind)) or "none"
    length = CommandResultTexts.FAULT_LASTS() if kind.lasting else CommandResultTexts.FAULT_NEEDS_FOR()
    also = CommandResultTexts.FAULT_AFFECTS_CONSUMERS
    whom = also(target=kind.target) if kind.cuts_consumers else kind.target
    text = CommandResultTexts.FAULT_KIND(
        kind=kind.name, meaning=kind.meaning, effect=kind.sets, whom=whom, needs=needs, may=may, length=length
    )
    console.print(text + example_scenario(kind), markup=False, highlight=False, soft_wrap=True)
