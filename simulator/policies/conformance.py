"""What a part of a policy must keep to, tried on drawn events of a small cluster: for parts that users write.

Every question that the event loop asks is asked, three times from the same start: the answers must be the same, also
when the memory is moved to another place half way, as a checkpoint does.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, get_type_hints

import numpy as np

from simulator import codes
from simulator.client.view import QueueList
from simulator.compiled.jit import ready
from simulator.compiled.records import Array, Cells, OutsideError, Record, raise_if_outside, size_of
from simulator.policies.breach_texts import BreachTexts
from simulator.policies.policy import NO_ANSWER, NO_HEDGE, NO_PLACE, NO_RETRY, Ask, PolicyPart
from state.texts import sentence_of

RULES = {"choose": ("choose", "sent", "ended"), "avoid": ("allowed", "sent", "ended", "tick", "heartbeat"),
         "retry": ("retry", "sent", "ended", "wait", "hedge", "may_hedge")}  # fmt: skip
NEEDED = {"choose": "choose", "avoid": "allowed", "retry": "retry"}
BROKERS, QUEUES_EACH, STEPS = 5, 4, 400
LARGE_CLUSTER, CELLS_MOST = 1_000, 1_000_000
LONGEST_WAIT_US = 3_600_000_000
STEP_US = 700_000  # at most, between two events
OUTCOMES = (codes.SEND_OK, codes.SEND_OK, codes.SEND_STATUS, codes.BROKER_ERROR, codes.CONNECT_REFUSED,
            codes.RESPONSE_TIMEOUT, codes.SEND_FAILURE, codes.TOO_MUCH_REQUEST)  # fmt: skip

Begin = Callable[[str], None]
Values = Mapping[str, int | float]


class BreachError(Exception):
    """What a part does that it must not, as the end of a sentence."""


def breach_of(kind: str, part: PolicyPart, values: Values, begin: Begin) -> str | None:
    """The first thing that a part of that kind does wrong, or None; `begin` is called with what is tried next."""
    try:
        _check_shape(kind, part)
        first = _answers(kind, part, values, begin, moved=False)
        if _answers(kind, part, values, begin, moved=False) != first:
            return BreachTexts.NOT_FROM_ITS_ARGUMENTS()
        if _answers(kind, part, values, begin, moved=True) != first:
            return BreachTexts.NOT_FROM_ITS_STATE()
    except BreachError as error:
        return sentence_of(error)
    except OutsideError as error:
        return BreachTexts.OUTSIDE_A_REGION(error=str(error))
    return None


def _check_shape(kind: str, part: PolicyPart) -> None:
    if NEEDED[kind] not in part.rules:
        raise BreachError(BreachTexts.NO_RULE(rule=NEEDED[kind]))
    unknown = [name for name in part.rules if name not in RULES[kind]]
    if unknown:
        raise BreachError(BreachTexts.UNKNOWN_RULE(rule=unknown[0], known=", ".join(RULES[kind])))
    cells = size_of(part.state) + part.behind(LARGE_CLUSTER)
    if not 0 <= part.behind(LARGE_CLUSTER) <= CELLS_MOST:
        raise BreachError(BreachTexts.TOO_MANY_NUMBERS(cells=cells, brokers=LARGE_CLUSTER, most=CELLS_MOST))
    if part.tick and part.tick not in part.parameters:
        raise BreachError(BreachTexts.NO_PARAMETER(name=part.tick))


class _Trial:
    """The memory of a part, and what a choice is made from."""

    def __init__(self, kind: str, part: PolicyPart, values: Values) -> None:
        self.kind, self.part = kind, part
        one = np.zeros(size_of(part.state) + part.behind(BROKERS), np.int64)
        try:
            part.start(part.state.at(one), BROKERS, **values)
        except Exception as error:
            raise BreachError(BreachTexts.CANNOT_START(kind=type(error).__name__, error=str(error))) from None
        self.size, self.memory = len(one), np.tile(one, BROKERS if part.per_broker else 1)
        self.allowed, self.in_flight = np.ones(BROKERS, np.int64), np.zeros(BROKERS, np.int64)
        self.queues = np.zeros(size_of(QueueList) + 2 * BROKERS * QUEUES_EACH, np.int64)
        listed = QueueList.at(self.queues)
        listed.count = BROKERS * QUEUES_EACH
        for place in range(listed.count):
            listed.queues[place].broker, listed.queues[place].queue_id = place % BROKERS, place // BROKERS
        self.ask_memory: Array = np.zeros(size_of(Ask), np.int64)
        self.ask = Ask.at(self.ask_memory)
        self.ask.queues, self.ask.brokers, self.ask.first = listed, BROKERS, 0
        self.ask.allowed, self.ask.in_flight = Cells.of(self.allowed), Cells.of(self.in_flight)

    def ask_rule(self, name: str, broker: int, *arguments: Any) -> int:
        """What a rule answers over the record of a broker, or the one of all; 0 of a rule that the part has not."""
        function = self.part.rules.get(name)
        if function is None:
            return 0
        ready(function)
        own = next(iter(get_type_hints(getattr(function, "py_func", function)).values()), None)
        layout = own if isinstance(own, type) and issubclass(own, Record) and own is not Record else self.part.state
        record = layout.at(self.memory, broker * self.size if self.part.per_broker else 0)
        found = function(record, *arguments)
        raise_if_outside()
        return int(found)

    def move(self) -> None:
        """What a checkpoint does: the same numbers in another place."""
        self.memory = np.concatenate([np.empty(7, np.int64), self.memory])[7:].copy()


def _answers(kind: str, part: PolicyPart, values: Values, begin: Begin, *, moved: bool) -> list[int]:
    trial, draw, now_us = _Trial(kind, part, values), np.random.Generator(np.random.Philox(7)), 0
    found: list[int] = []
    ask: Callable[..., Iterator[int]] = {"choose": _choose, "avoid": _avoid, "retry": _retry}[kind]
    for step in range(STEPS):
        now_us += int(draw.integers(0, STEP_US))
        broker, attempt = int(draw.integers(BROKERS)), int(draw.integers(1, 4))
        outcome, latency_us = int(draw.choice(OUTCOMES)), int(draw.integers(100, 4_000_000))
        word = int(draw.integers(-(2**63), 2**63 - 1))
        if step == STEPS // 2 and moved:
            trial.move()
        begin(f"{NEEDED[kind]}, step {step + 1} of {STEPS}")
        found += ask(trial, draw, now_us, attempt, broker, outcome, word)
        trial.ask_rule("sent", broker, broker, attempt, now_us)
        trial.in_flight[broker] += 1
        begin(f"ended, step {step + 1} of {STEPS}")
        now_us += latency_us
        trial.ask_rule("ended", broker, broker, attempt, now_us, latency_us, outcome)
        trial.in_flight[broker] -= 1
        if kind == "avoid" and trial.part.tick and step % 10 == 9:
            begin("tick")
            for number in range(BROKERS if part.per_broker else 1):
                trial.ask_rule("tick", number, now_us)
            begin("heartbeat")
            for number in range(BROKERS):
                trial.ask_rule("heartbeat", number, number, now_us, NO_ANSWER if number == broker else latency_us)
    return [*found, *trial.memory.tolist()]


def _choose(trial: _Trial, draw: Any, now_us: int, attempt: int, broker: int, outcome: int, word: int) -> Iterator[int]:
    trial.allowed[:] = draw.integers(0, 2, BROKERS)
    trial.allowed[broker] = 1
    ask = trial.ask
    ask.now_us, ask.word, ask.attempt, ask.message_bytes = now_us, word, attempt, 1024
    ask.last_broker = -1 if attempt == 1 else int(draw.integers(BROKERS))
    place = trial.ask_rule("choose", 0, ask)
    count = BROKERS * QUEUES_EACH
    if place != NO_PLACE and not 0 <= place < count:
        raise BreachError(BreachTexts.OUTSIDE_THE_LIST(place=place, count=count))
    if place == NO_PLACE:
        raise BreachError(BreachTexts.NO_CHOICE())
    if trial.allowed[place % BROKERS] == 0:
        raise BreachError(BreachTexts.NOT_ALLOWED())
    yield place


def _avoid(trial: _Trial, draw: Any, now_us: int, attempt: int, broker: int, outcome: int, word: int) -> Iterator[int]:
    for number in range(BROKERS):
        before = trial.memory.copy()
        answer = trial.ask_rule("allowed", number, number, now_us)
        if answer not in (0, 1):
            raise BreachError(BreachTexts.ALLOWED_ANSWER(answer=answer))
        if not (before == trial.memory).all():
            raise BreachError(BreachTexts.ALLOWED_CHANGES())
        yield answer


def _retry(trial: _Trial, draw: Any, now_us: int, attempt: int, broker: int, outcome: int, word: int) -> Iterator[int]:
    wait_us = trial.ask_rule("retry", 0, attempt, broker, outcome, now_us, word)
    if wait_us != NO_RETRY and not 0 <= wait_us <= LONGEST_WAIT_US:
        raise BreachError(BreachTexts.RETRY_ANSWER(answer=wait_us))
    yield wait_us
    before_us = trial.ask_rule("wait", 0, now_us)
    if not 0 <= before_us <= LONGEST_WAIT_US:
        raise BreachError(BreachTexts.WAIT_ANSWER(answer=before_us))
    yield before_us
    beside_us = trial.ask_rule("hedge", 0, attempt, now_us) if "hedge" in trial.part.rules else NO_HEDGE
    if beside_us != NO_HEDGE and not 0 < beside_us <= LONGEST_WAIT_US:
        raise BreachError(BreachTexts.HEDGE_ANSWER(answer=beside_us))
    yield beside_us
    may = trial.ask_rule("may_hedge", 0, attempt, now_us) if beside_us != NO_HEDGE else 0
    if may not in (0, 1):
        raise BreachError(BreachTexts.MAY_HEDGE_ANSWER(answer=may))
    yield may
