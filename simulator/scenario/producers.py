"""The producers of a scenario: groups of alike application processes that send to topics."""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field, model_validator

from simulator.scenario.errors import Problem, ProblemsError, raise_any
from simulator.scenario.fields import Model, RatePerS, choice, decimal, name_of, whole
from simulator.units import shown

COUNT_MAX = 1_000_000
THREADS_MAX = 1_024
BATCH_MAX = 100_000
SELECTORS = ("none", "hash", "random", "machine_room")  # none: the client's own strategy
WEIGHT_TOTAL_MAX = 2**31  # a topic is drawn with a random number below it


def read_weights(value: Any) -> dict[str, int]:
    """Weights of topics as the smallest whole numbers in the same proportion, in the order of the names.

    A list of names gives each the same weight.
    """
    if isinstance(value, list | tuple):
        value = dict.fromkeys([_topic_name(name, i) for i, name in enumerate(value)], 1)
    if not isinstance(value, dict) or not value:
        raise ValueError(f"expected a list of topics or a mapping of topic to weight, got {shown(value)}")
    weights = {name: _weight(value[name], name) for name in sorted(value)}
    scale = math.lcm(*(weight.denominator for weight in weights.values()))
    wholes = {name: int(weight * scale) for name, weight in weights.items()}
    shared = math.gcd(*wholes.values())
    smallest = {name: weight // shared for name, weight in wholes.items()}
    if sum(smallest.values()) > WEIGHT_TOTAL_MAX:
        raise ValueError(f"the weights need whole numbers that add up to more than {WEIGHT_TOTAL_MAX}; round them")
    return smallest


def _topic_name(value: Any, index: int) -> str:
    try:
        return name_of("topic")(value)
    except ValueError as error:
        raise ProblemsError([Problem((index,), str(error))]) from None


def _weight(value: Any, name: str) -> Fraction:
    expected = "a weight above 0"
    try:
        weight = decimal(value, expected)
        if weight <= 0:
            raise ValueError(f"expected {expected}, got {shown(value)}")
    except ValueError as error:
        raise ProblemsError([Problem((name,), str(error))]) from None
    return weight


class ProducerGroup(Model):
    """`count` producers of `threads` sender threads each.

    `rate_per_s` is exact and for one producer, all its threads together. `arrivals`: poisson; uniform = gaps
    uniform in 0.5..1.5 of the mean; steady = a fixed gap with a random phase. `when_blocked`: queue = the
    application hands messages to a queue of `hand_off_queue` messages a thread; skip = a blocked thread
    sends less. `batch` messages make one send, so that there are rate / batch sends a second. `selector`: who chooses
    the queue. `topics` are whole weights in lowest terms, by name; the loader fills in all topics.
    """

    group: Annotated[str, BeforeValidator(name_of("producer group"))] = "producers"
    count: Annotated[int, whole(1, COUNT_MAX)] = Field(description=f"a whole number from 1 to {COUNT_MAX}")
    mode: Annotated[Literal["sync", "async", "oneway"], choice("sync", "async", "oneway")] = "sync"
    threads: Annotated[int, whole(1, THREADS_MAX)] = 1
    rate_per_s: RatePerS = Field(alias="rate", description="a rate such as 100/s")
    arrivals: Annotated[Literal["poisson", "uniform", "steady"], choice("poisson", "uniform", "steady")] = "poisson"
    when_blocked: Annotated[Literal["queue", "skip"], choice("queue", "skip")] = "queue"
    hand_off_queue: Annotated[int, whole(1, 100_000_000)] = 10_000
    batch: Annotated[int, whole(1, BATCH_MAX)] = 1
    selector: Annotated[Literal["none", "hash", "random", "machine_room"], choice(*SELECTORS)] = "none"
    topics: Annotated[dict[str, int], BeforeValidator(read_weights)] = Field(
        description="a list of topics or a mapping of topic to weight"
    )

    @model_validator(mode="after")
    def _check(self) -> ProducerGroup:
        raise_any(self._problems())
        return self

    def _problems(self) -> Iterator[Problem]:
        if self.batch > 1 and self.mode != "sync":
            yield Problem(("batch",), f"batches are sent with mode sync; expected 1 with mode {self.mode}")
        if self.batch > 1 and self.selector != "none":
            yield Problem(("selector",), f"a batch has no selector in the client; expected none, got {self.selector}")

    @property
    def blocking(self) -> str:
        """What a message does that finds its thread blocked, for whoever reads the result."""
        if self.when_blocked == "skip":
            return "closed loop: a blocked thread sends nothing"
        return f"open arrivals, hand-off queue {self.hand_off_queue:,}"

    @property
    def mean_gap_us(self) -> float:
        """Mean virtual time between two messages of one producer, in microseconds."""
        return float(1_000_000 / self.rate_per_s)
