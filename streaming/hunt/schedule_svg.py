"""A schedule as a small picture: a row a fault, a bar from its begin to its end, over the virtual time of the run."""

from __future__ import annotations

from dataclasses import dataclass

from markupsafe import Markup

from simulator.hunt.load_step import LOAD
from simulator.hunt.schedule import Schedule
from simulator.scenario import Scenario
from streaming.clock import clock
from streaming.page_frame.colours import COLOURS
from streaming.page_frame.templates import rendered

WIDTH, LEFT, RIGHT, ROW, FOOT = 640, 210, 14, 22, 22
TICKS = 4
OWN, ADDED = "#8a94a6", COLOURS[0]


@dataclass(frozen=True)
class FaultBar:
    """A row of the picture; places in pixels."""

    text: str
    y: float
    x: float
    width: float
    colour: str


def schedule_svg(scenario: Scenario, schedule: Schedule) -> Markup:
    """The picture's text. scenario: the case's own, whose own faults are grey; times are those of its run."""
    end_us = scenario.duration_us
    added = sum(one.kind != LOAD for one in schedule.strikes)
    own = scenario.faults[: len(scenario.faults) - added]
    rows = [(_titles(scenario, number), fault.at_us, fault.for_us, OWN) for number, fault in enumerate(own)]
    rows += [
        (f"{one.place} {one.kind.replace('_', ' ')}", one.at_us, one.length_us or None, ADDED)
        for one in schedule.strikes
    ]

    def place(us: float) -> float:
        return LEFT + (WIDTH - LEFT - RIGHT) * min(us / end_us, 1.0)

    bars = [
        FaultBar(
            text, 4.0 + ROW * row, place(at_us), max(place(at_us + (for_us or end_us)) - place(at_us), 2.0), colour
        )
        for row, (text, at_us, for_us, colour) in enumerate(rows)
    ]  # fmt: skip
    ticks = [(place(end_us * tick / TICKS), clock(end_us * tick // TICKS)) for tick in range(TICKS + 1)]
    height = ROW * len(bars) + FOOT
    return Markup(
        rendered("hunt/schedule.svg", bars=bars, ticks=ticks, width=WIDTH, height=height, left=LEFT, row_px=ROW,
                 foot=height - FOOT)
    )  # fmt: skip


def _titles(scenario: Scenario, number: int) -> str:
    fault = scenario.faults[number]
    struck = fault.brokers or fault.consumers or fault.struck_producers or fault.struck_proxies or ()
    return f"{', '.join(map(str, struck))} {fault.kind.replace('_', ' ')}".strip()
