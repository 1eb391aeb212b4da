"""The producers of a scenario: groups of alike application processes that send to topics."""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction
from itertools import pairwise
from typing import Annotated, Any, ClassVar, Literal

from pydantic import Field, PlainSerializer, model_validator

from simulator.scenario.client_settings import ClientOverride
from simulator.scenario.distributions.latency_settings import Latency
from simulator.scenario.distributions.message_properties import Properties
from simulator.scenario.grpc_settings import GrpcSettings
from simulator.scenario.later.delay import Delay
from simulator.scenario.later.transaction import Transaction, unsuitable
from simulator.scenario.policy.own_function import own_function
from simulator.scenario.rate_changes import RATE_CHANGES, RateChanges, rate_changes_text
from simulator.scenario.reading.fields import (
    DURATION,
    FLAG,
    Model,
    RatePerS,
    Reads,
    choice,
    decimal,
    name_of,
    named_as,
    whole,
)
from simulator.scenario.reading.scenario_error import Problem, ProblemsError, raise_any, unknown_key
from simulator.scenario.texts.field_texts import FieldTexts
from simulator.scenario.texts.producer_texts import ProducerTexts
from simulator.units import format_duration, shown
from state.texts import sentence_of

COUNT_MAX = 1_000_000
THREADS_MAX = 1_024
BATCH_MAX = 100_000
SELECT_ARGUMENTS = ("queues", "message", "arg")
SELECTORS = ("none", "hash", "random", "machine_room")  # none: the client's own strategy
ARRIVALS = ("poisson", "uniform", "steady", "closed")
WEIGHT_TOTAL_MAX = 2**31  # a topic is drawn with a random number below it


def read_weights(value: Any) -> dict[str, int]:
    """Weights of topics as the smallest whole numbers in the same proportion, in the order of the names.

    A list of names gives each the same weight.
    """
    if isinstance(value, list | tuple):
        value = dict.fromkeys([_topic_name(name, i) for i, name in enumerate(value)], 1)
    if not isinstance(value, dict) or not value:
        raise ValueError(ProducerTexts.TOPICS_EXPECTED(got=shown(value)))
    weights = {name: _weight(value[name], name) for name in sorted(value)}
    scale = math.lcm(*(weight.denominator for weight in weights.values()))
    wholes = {name: int(weight * scale) for name, weight in weights.items()}
    shared = math.gcd(*wholes.values())
    smallest = {name: weight // shared for name, weight in wholes.items()}
    if sum(smallest.values()) > WEIGHT_TOTAL_MAX:
        raise ValueError(ProducerTexts.WEIGHTS_TOO_FINE(most=WEIGHT_TOTAL_MAX))
    return smallest


def _topic_name(value: Any, index: int) -> str:
    try:
        return name_of("topic")(value)
    except ValueError as error:
        raise ProblemsError([Problem((index,), sentence_of(error))]) from None


def _weight(value: Any, name: str) -> Fraction:
    expected = "a weight above 0"
    try:
        weight = decimal(value, expected)
        if weight <= 0:
            raise ValueError(FieldTexts.EXPECTED(expected=expected, got=shown(value)))
    except ValueError as error:
        raise ProblemsError([Problem((name,), sentence_of(error))]) from None
    return weight


class Think(Latency):
    """How long a thread of a closed loop waits between the end of a send and its next."""

    resolved_away: ClassVar[tuple[str, ...]] = ()


def read_think(value: Any) -> Any:
    """The mapping of a distribution: as it is, or that of one duration for all."""
    return value if isinstance(value, dict | Think) else {"constant": value}


def think_text(think: Think | None) -> Any:
    """The text or mapping that `read_think` reads back."""
    if think is None or think.constant_us is not None:
        return None if think is None else format_duration(think.constant_us or 0)
    return think.model_dump(by_alias=True, exclude_none=True)


class Selector(Model):
    """Who chooses the queue: one of SELECTORS, or a function, whose file's text the loader puts in `source`."""

    built_in: str | None = None
    function: str | None = Field(
        None, title="a function such as my_selector.py:choose",
        description="your own choose(queues, message, arg): a file beside the scenario, or package.module:name",
    )  # fmt: skip
    source: str | None = None

    @model_validator(mode="after")
    def _check(self) -> Selector:
        if self.built_in is None:
            try:
                own_function(self.function or "", self.source or "", SELECT_ARGUMENTS)
            except ValueError as error:
                raise ProblemsError([Problem(("function",), sentence_of(error))]) from None
        return self

    @property
    def kind(self) -> str:
        """One of SELECTORS, or own."""
        return self.built_in or "own"

    @property
    def own(self) -> tuple[str, str] | None:
        """Function and source, None of the client's own selectors."""
        return (self.function, self.source or "") if self.function is not None else None


def read_selector(value: Any) -> Any:
    """A selector by name or as {function: my_selector.py:choose}."""
    if isinstance(value, dict):
        raise_any(Problem((key,), unknown_key(str(key), ("function",))) for key in value if key not in SELECTOR_KEYS)
    if isinstance(value, Selector) or (isinstance(value, dict) and "built_in" not in value):
        return value
    if not isinstance(value, str) or value not in SELECTORS:
        text = ProducerTexts.SELECTOR_EXPECTED(selectors=", ".join(SELECTORS), got=shown(value))
        raise ValueError(text)
    return {"built_in": value}


SELECTOR_KEYS = ("function", "source")
BY_STRATEGY = Selector.model_validate({"built_in": "none"})


def selector_text(selector: Selector) -> Any:
    """The text or mapping that `read_selector` reads back."""
    return selector.built_in or {"function": selector.function, "source": selector.source}


THINK = Reads(
    read_think, expects="a duration such as 5ms or a distribution such as {exponential: {mean: 5ms}}",
    schema={"anyOf": [DURATION]},
)  # fmt: skip
SELECTOR = Reads(
    read_selector, expects=f"one of {', '.join(SELECTORS)}, or {{function: my_selector.py:choose}}",
    schema={"anyOf": [{"enum": list(SELECTORS)}]},
)  # fmt: skip
WEIGHTS = Reads(
    read_weights, expects="a list of topics or a mapping of topic to weight",
    schema={"type": ["array", "object"], "additionalProperties": {"type": "number", "exclusiveMinimum": 0}},
)  # fmt: skip


class ProducerGroup(Model):
    """`count` producers of `threads` sender threads each.

    `rate_per_s` is exact and for one producer, all its threads together. `arrivals`: poisson; uniform = gaps
    uniform in 0.5..1.5 of the mean; steady = a fixed gap with a random phase; closed = no rate, each thread sends,
    waits for the end of its send, thinks for `think` and sends again. `when_blocked`: queue = the application hands
    messages to a queue of `hand_off_queue` messages a thread; skip = what arrives while the thread is blocked is not
    sent. `batch` messages make one send, so that there are rate / batch sends a second. `selector`: who chooses
    the queue. `topics` are whole weights in lowest terms, by name; the loader fills in all topics.
    """

    group: Annotated[str, named_as("producer group")] = Field(
        "producers", description="name of the group; of several without one the second is producers-2"
    )
    count: Annotated[int, whole(1, COUNT_MAX)] = Field(description="number of producers; each is a process")
    mode: Annotated[Literal["sync", "async", "oneway"], choice("sync", "async", "oneway")] = Field(
        "sync", description="how they send"
    )
    threads: Annotated[int, whole(1, THREADS_MAX)] = Field(1, description="sender threads of a producer")
    rate_per_s: RatePerS | None = Field(
        None, alias="rate", title="a rate such as 100/s",
        description="messages of one producer, all its threads together; none in a closed loop",
    )  # fmt: skip
    rate_changes: Annotated[RateChanges, RATE_CHANGES, PlainSerializer(rate_changes_text)] = Field(
        (), title="a mapping of moments to rates such as {30s: 80/s, 2m: 40/s}",
        description="other rates from those moments on, each from the next window on",
    )  # fmt: skip
    arrivals: Annotated[Literal["poisson", "uniform", "steady", "closed"], choice(*ARRIVALS)] = Field(
        "poisson", description="uniform: gaps of 0.5 to 1.5 of the mean; steady: a fixed gap; closed: a thread sends, "
        "waits for the end, thinks and sends again",
    )  # fmt: skip
    think: Annotated[Think, THINK, PlainSerializer(think_text)] | None = Field(
        None, title="a duration such as 5ms or a distribution such as {exponential: {mean: 5ms}}",
        description="think time of a closed loop's thread between two messages",
    )  # fmt: skip
    when_blocked: Annotated[Literal["queue", "skip"], choice("queue", "skip")] = Field(
        "queue", description="a message whose thread is blocked: queue it, or skip it"
    )
    hand_off_queue: Annotated[int, whole(1, 100_000_000)] = Field(
        10_000, description="capacity of the hand-off queue of each thread"
    )
    batch: Annotated[int, whole(1, BATCH_MAX)] = Field(1, description="messages of one send; rate counts messages")
    selector: Annotated[Selector, SELECTOR, PlainSerializer(selector_text)] = Field(
        BY_STRATEGY, description="who chooses the queue: none is the client's own strategy"
    )
    delay: Delay | None = Field(
        None,
        title="a mapping such as {level: 3} or {delay_time: 90s}",
        description="how long their messages wait; default not delayed",
    )
    client: ClientOverride | None = Field(
        None, title="a mapping such as {release: 5.3.3}",
        description="settings of the group's clients that differ from client",
    )  # fmt: skip
    grpc: GrpcSettings | None = Field(
        None, title="a mapping such as {release: 5.0.8}",
        description="their clients are gRPC ones and send over proxies; default remoting ones, as client says",
    )  # fmt: skip
    transaction: Transaction | None = Field(
        None, title="a mapping such as {local: 20ms, outcome: {commit: 95, rollback: 5}}",
        description="they send in transactions; default they do not",
    )  # fmt: skip
    trace: Annotated[bool, FLAG] = Field(
        False,
        description="message trace: contexts of their sends go to RMQ_SYS_TRACE_TOPIC, by a group NAME-trace that this "
        "makes (4.4.0 and later)",
    )
    properties: Properties = Field(
        {}, title="a mapping such as {region: [eu]}",
        description="properties of their messages, instead of the topic's of the same name",
    )  # fmt: skip
    topics: Annotated[dict[str, int], WEIGHTS] = Field(
        title="a list of topics or a mapping of topic to weight",
        description="topics and their weights; default all topics alike",
    )

    @model_validator(mode="after")
    def _check(self) -> ProducerGroup:
        raise_any(self._problems())
        return self

    def _problems(self) -> Iterator[Problem]:
        yield from self._loop_problems()
        if self.batch > 1 and self.mode == "oneway":
            yield Problem(("batch",), ProducerTexts.BATCH_ONE_WAY())
        if self.transaction is not None:
            for text in unsuitable(self.mode, self.batch, self.arrivals, self.by_strategy):
                yield Problem(("transaction",), text)
            if self.transaction.idle >= self.count:
                text = ProducerTexts.TOO_MANY_IDLE(count=self.count, got=self.transaction.idle)
                yield Problem(("transaction", "idle"), text)
            if self.delay is not None:
                text = ProducerTexts.TRANSACTION_DELAY()
                yield Problem(("delay",), text)
        if self.batch > 1 and self.delay is not None:
            yield Problem(("delay",), ProducerTexts.BATCH_DELAY())
        if self.batch > 1 and not self.by_strategy:
            text = ProducerTexts.BATCH_SELECTOR(got=self.selector.kind)
            yield Problem(("selector",), text)

    def _loop_problems(self) -> Iterator[Problem]:
        if self.arrivals != "closed":
            if self.rate_per_s is None:
                text = ProducerTexts.RATE_MISSING()
                yield Problem(("rate",), text)
            if self.think is not None:
                text = ProducerTexts.THINK_OUTSIDE_A_LOOP(arrivals=self.arrivals)
                yield Problem(("think",), text)
            return
        if self.rate_changes:
            yield Problem(("rate_changes",), ProducerTexts.LOOP_RATE_CHANGES())
        if self.rate_per_s is not None:
            text = ProducerTexts.LOOP_RATE()
            yield Problem(("rate",), text)
        if self.think is None:
            text = ProducerTexts.THINK_MISSING()
            yield Problem(("think",), text)
        elif self.mode != "sync" and self.think.service_table_us()[-1] == 0:
            text = ProducerTexts.NO_THINK_TIME(mode=self.mode)
            yield Problem(("think",), text)
        if self.when_blocked == "skip":
            text = ProducerTexts.LOOP_SKIPS()
            yield Problem(("when_blocked",), text)

    def rate_at(self, at_us: int) -> Fraction:
        """Messages of one producer a second at a moment; 0 in a closed loop."""
        rates = [rate for begin_us, rate in self.rate_changes if begin_us <= at_us]
        return rates[-1] if rates else self.rate_per_s or Fraction(0)

    def messages_until(self, until_us: int) -> float:
        """Messages that one producer wants to send from the begin of the run to a moment, on average."""
        edges = [0, *(at_us for at_us, _ in self.rate_changes if at_us < until_us), until_us]
        return sum(float(self.rate_at(begin)) * (end - begin) / 1e6 for begin, end in pairwise(edges))

    @property
    def by_strategy(self) -> bool:
        """Whether the client's own strategy chooses the queue."""
        return self.selector.kind == "none"

    @property
    def when_thread_blocked(self) -> Literal["closed", "skip", "queue"]:
        """What of messages whose thread is blocked: there are none in a closed loop, they are skipped, or they wait."""
        return "closed" if self.arrivals == "closed" else self.when_blocked

    @property
    def blocking(self) -> str:
        """The same in words, for whoever reads the result."""
        if self.when_thread_blocked == "closed":
            think = think_text(self.think)
            if isinstance(think, dict):
                ((kind, how),) = think.items()
                think = f"{kind} {' '.join(f'{key} {value}' for key, value in how.items())}"
            returned = "send" if self.mode == "sync" else "hand-over"
            return ProducerTexts.CLOSED_LOOP(returned=returned, think=think)
        if self.when_thread_blocked == "skip":
            return ProducerTexts.SKIPPING()
        return ProducerTexts.HAND_OFF(queue=self.hand_off_queue)
