"""The attempt that is to be explained, in the tables of a run."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pyarrow.dataset as ds

from simulator.explain.moment import AskedAttempt
from simulator.scenario.reading.scenario_error import not_known
from simulator.units import US_PER_S, parse_duration_us
from streaming.clock import virtual_time
from streaming.errors import InputError
from streaming.explain.texts.explain_texts import ExplainTexts
from streaming.outputs.dataset import RunOutput

COLUMNS = (
    "cell", "producer", "thread", "topic", "send_seq", "attempt", "broker", "queue_id", "begin_us", "latency_us",
    "outcome", "pick_reason",
)  # fmt: skip
MESSAGE = (
    "producer", "thread", "topic", "send_seq", "arrival_us", "end_us", "result", "response_code", "acknowledged",
    "attempts", "broker", "copies_stored", "copies_kept", "mode",
)  # fmt: skip
CLOCK = re.compile(r"(?:(\d+):)?(\d+):(\d{2}(?:\.\d{1,6})?)")
NEAR_US = 60 * US_PER_S


@dataclass(frozen=True)
class Asked:
    """Which attempt: of a message by its number, or the first at or after a moment; None: whichever."""

    producer: int | None = None
    thread: int | None = None
    topic: str | None = None
    send_seq: int | None = None
    attempt: int = 1
    at_us: int | None = None
    broker: str | None = None


@dataclass(frozen=True)
class Found:
    """The attempt; what came of it and of the message's others, in order, as rows of `attempts`.

    message: its row of `sends`, None where that table was not written or it has not ended.
    """

    attempt: AskedAttempt
    row: dict[str, Any]
    attempts: list[dict[str, Any]]
    message: dict[str, Any] | None = None

    @property
    def made(self) -> int:
        """How many attempts the message made, also those that reached no broker and are no rows of `attempts`."""
        return max(self.attempts[-1]["attempt"], (self.message or {}).get("attempts", 0))


def messages_of(output: RunOutput, names: Mapping[str, object]) -> list[dict[str, Any]]:
    """The rows of `sends` that those values of columns name; None is any."""
    found: list[dict[str, Any]] = []
    for batch in output.batches("sends", MESSAGE, where(names)):
        found += batch.to_pylist()
    return found


def message_without_attempts(output: RunOutput, asked: Asked) -> dict[str, Any] | None:
    """The row of `sends` of a message that is asked for by its number and ended before any attempt, None if it is none.

    Raises InputError if several threads or topics have such a message.
    """
    if asked.send_seq is None:
        return None
    names = {"producer": asked.producer, "thread": asked.thread, "topic": asked.topic, "send_seq": asked.send_seq}
    found = messages_of(output, names)
    _one_value(asked, found)
    return found[0] if found and not found[0]["attempts"] else None


def _one_value(asked: Asked, rows: Sequence[Mapping[str, Any]]) -> None:
    for name, option in (("topic", "--topic"), ("thread", "--thread")):
        values = sorted({row[name] for row in rows})
        if len(values) > 1:
            known = ", ".join(map(str, values))
            raise InputError(ExplainTexts.MORE_THAN_ONE(message=asked.send_seq, name=name, option=option, known=known))


def moment_asked(text: str) -> int:
    """Microseconds of virtual time of h:mm:ss, m:ss or a duration such as 63.1s. Raises InputError."""
    clock = CLOCK.fullmatch(text)
    if clock is not None:
        whole, _, fraction = clock[3].partition(".")
        seconds = (int(clock[1] or 0) * 60 + int(clock[2])) * 60 + int(whole)
        return seconds * US_PER_S + int(fraction.ljust(6, "0") or 0)
    try:
        return parse_duration_us(text)
    except ValueError:
        raise InputError(ExplainTexts.MOMENT_EXPECTED().at(f"--at {text}")) from None


def _rows(output: RunOutput, asked: ds.Expression) -> Iterator[dict[str, Any]]:
    for batch in output.batches("attempts", COLUMNS, asked):
        yield from batch.to_pylist()


def _check(output: RunOutput, asked: Asked) -> None:
    if not output.is_written("attempts"):
        raise InputError(ExplainTexts.ATTEMPTS_NOT_WRITTEN().at(output.path))
    output.check_complete()
    topics = output.about.get("topics", [])
    if asked.topic is not None and asked.topic not in topics:
        raise InputError(f"--topic {asked.topic}: " + not_known("topic", asked.topic, topics))
    if asked.broker is not None and asked.broker not in output.brokers:
        raise InputError(f"--broker {asked.broker}: " + not_known("broker", asked.broker, list(output.brokers)))
    if asked.producer is not None and not 0 <= asked.producer < output.producers:
        raise InputError(ExplainTexts.PRODUCER_EXPECTED(most=output.producers - 1).at(f"--producer {asked.producer}"))


def where(names: Mapping[str, object]) -> ds.Expression:
    """Rows that have those values; None is any."""
    found = ds.scalar(True)
    for name, value in names.items():
        if value is not None:
            found = found & (ds.field(name).isin([value]) if isinstance(value, str) else ds.field(name) == value)
    return found


def _first_at(output: RunOutput, asked: Asked) -> dict[str, Any]:
    assert asked.at_us is not None
    names = {"producer": asked.producer, "thread": asked.thread, "topic": asked.topic, "broker": asked.broker}
    begin = ds.field("begin_us")
    for until_us in (asked.at_us + NEAR_US, None):
        near = begin >= asked.at_us if until_us is None else (begin >= asked.at_us) & (begin < until_us)
        first = min(_rows(output, where(names) & near), key=lambda row: row["begin_us"], default=None)
        if first is not None:
            break
    if asked.at_us < output.removed_before_us and (first is None or not _is_left(output, asked.at_us, first)):
        raise InputError(output.rows_removed.at(f"--at {virtual_time(asked.at_us)}"))
    if first is not None:
        return first
    to = f" to {asked.broker}" if asked.broker else ""
    raise InputError(
        ExplainTexts.NO_ATTEMPT_AFTER(to=to, at=virtual_time(asked.at_us), reached=_reached(output)).at(output.path)
    )


def _is_left(output: RunOutput, at_us: int, first: Mapping[str, Any]) -> bool:
    """Whether no attempt between a moment and the first that was found can have been removed.

    Rows are removed in the order in which a cell wrote them: none is missing after one that ended before the moment.
    """
    ended: set[int] = set()
    for batch in output.batches("attempts", ["cell"], ds.field("end_us") <= at_us):
        ended.update(batch.column("cell").unique().to_pylist())
    return first["begin_us"] == at_us or len(ended) == int(output.about.get("cells", 1))


def _reached(output: RunOutput) -> str:
    return ExplainTexts.REACHED(reached=virtual_time(output.end_us))


def find_attempt(output: RunOutput, asked: Asked) -> Found:
    """The attempt of a run that was asked for. Raises InputError if there is none, or more than one."""
    _check(output, asked)
    at = _first_at(output, asked) if asked.at_us is not None else None
    of = {
        "producer": asked.producer if at is None else at["producer"],
        "thread": asked.thread if at is None else at["thread"],
        "topic": asked.topic if at is None else at["topic"],
        "send_seq": asked.send_seq if at is None else at["send_seq"],
    }
    attempts = sorted(_rows(output, where(of)), key=lambda row: (row["topic"], row["thread"], row["attempt"]))
    _one_value(asked, attempts)
    number = asked.attempt if at is None else at["attempt"]
    row = next((row for row in attempts if row["attempt"] == number), None)
    if row is None and attempts:
        made = attempts[-1]["attempt"]
        raise InputError(ExplainTexts.NO_SUCH_ATTEMPT(made=made).at(f"--attempt {number}"))
    if row is None:
        named = {name: value for name, value in of.items() if name != "send_seq" and value is not None}
        whose = f" of {', '.join(f'{name} {value}' for name, value in named.items())}" if named else ""
        sentence = ExplainTexts.NO_ATTEMPT_OF(message=asked.send_seq, of=whose, reached=_reached(output))
        more = f"; {output.rows_removed}" if output.removed_before_us else ""
        raise InputError(sentence.followed_by(more).at(output.path))
    before = next((each["broker"] for each in attempts if each["attempt"] == number - 1), None)
    names = [name for name in COLUMNS if name not in ("latency_us", "outcome")]
    own = messages_of(output, {name: row[name] for name in ("producer", "thread", "topic", "send_seq")})
    attempt = AskedAttempt(**{name: row[name] for name in names}, last_broker=before)
    return Found(attempt, row, attempts, own[0] if own else None)
