"""One delivery of a message to a consumer group: a row of the table `consumed`, in words."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any

from state.texts import Sentence, Text
from streaming.explain.explanation import moment
from streaming.explain.texts.consumption_texts import ConsumptionTexts

HANDLED, DUPLICATE = "handled", "skipped as a duplicate"
SENT_BACK, SENT_BY_CLIENT, DEAD_LETTER = "sent back", "sent by the client", "dead letter"
IN_PLACE, AGAIN_SOON, TO_THE_NEXT, NOT_SENT_BACK = (
    "again in place",
    "again in 5 s",
    "left to the next owner",
    "not sent back",
)
TOO_LATE, NOT_ACKNOWLEDGED, INVISIBLE_AGAIN = "too late to acknowledge", "not acknowledged", "invisible again"
UNHANDLED = "failed, not acknowledged"
UNACKNOWLEDGED = {  # of POP groups: handled
    TOO_LATE: ConsumptionTexts.TOO_LATE,
    NOT_ACKNOWLEDGED: ConsumptionTexts.NO_ACKNOWLEDGEMENT,
}
OUTCOMES: dict[str, Text] = {
    SENT_BACK: ConsumptionTexts.OUTCOME_SENT_BACK,
    SENT_BY_CLIENT: ConsumptionTexts.OUTCOME_SENT_BY_CLIENT,
    DEAD_LETTER: ConsumptionTexts.OUTCOME_DEAD_LETTER,
    IN_PLACE: ConsumptionTexts.OUTCOME_IN_PLACE,
    AGAIN_SOON: ConsumptionTexts.OUTCOME_AGAIN_IN_5_S,
    TO_THE_NEXT: ConsumptionTexts.OUTCOME_NEXT_OWNER,
    NOT_SENT_BACK: ConsumptionTexts.OUTCOME_NOT_SENT_BACK,
    INVISIBLE_AGAIN: ConsumptionTexts.OUTCOME_INVISIBLE_AGAIN,
    UNHANDLED: ConsumptionTexts.OUTCOME_NOT_ACKNOWLEDGED,
}
COLUMNS = (
    "cell", "topic", "broker", "queue_id", "queue_offset", "instance", "consume_thread", "arrival_us", "stored_us",
    "begin_us", "end_us", "times", "dropped", "reconsume_times", "result", "sender", "send_seq",
)  # fmt: skip


@dataclass(frozen=True)
class GroupDelivery:
    """Its row of `consumed`: place in the group's queues, who handled it and when, and what became of it."""

    topic: str
    broker: str
    queue_id: int
    queue_offset: int
    instance: str
    consume_thread: int
    stored_us: int
    begin_us: int
    end_us: int
    times: int
    dropped: bool
    reconsume_times: int
    result: str

    @property
    def place(self) -> tuple[str, str, int, int]:
        """Topic, broker, queue and offset."""
        return self.topic, self.broker, self.queue_id, self.queue_offset

    @property
    def has_failed(self) -> bool:
        """Whether the application could not handle it."""
        return self.result not in (HANDLED, DUPLICATE) and not self.is_unacknowledged

    @property
    def is_unacknowledged(self) -> bool:
        """Whether a POP group's instance had it, and its broker heard of no end of that in time."""
        return self.result in UNACKNOWLEDGED

    @property
    def is_left_to_its_time(self) -> bool:
        """Whether nothing but the end of its invisible time has a POP group's message come again."""
        return self.is_unacknowledged or self.result == UNHANDLED

    def in_words(self, group: str, is_simple: bool = False) -> Sentence:
        """Who had it, when, and what became of it: one sentence. `is_simple`: the group has SimpleConsumers."""
        end, ended = moment(self.end_us), ConsumptionTexts.LOST_THE_QUEUE() if self.dropped else "."
        if self.result == DUPLICATE:
            return ConsumptionTexts.DUPLICATE(instance=self.instance, end=end, ended=ended)
        when = ConsumptionTexts.WHEN(begin=moment(self.begin_us), end=end, thread=self.consume_thread)
        if is_simple and self.result == UNHANDLED:
            return ConsumptionTexts.NOT_ACKNOWLEDGED_BY_APPLICATION(instance=self.instance, when=when)
        if self.is_unacknowledged:
            return UNACKNOWLEDGED[self.result](instance=self.instance, when=when)
        if self.result == HANDLED:
            return ConsumptionTexts.HANDLED(instance=self.instance, when=when, ended=ended)
        outcome = _outcome(self.result, group)
        return ConsumptionTexts.NOT_HANDLED(instance=self.instance, when=when, outcome=outcome, ended=ended)


def _outcome(result: str, group: str) -> str:
    return OUTCOMES[result](group=group) if result in OUTCOMES else result


def delivery_of(row: dict[str, Any]) -> GroupDelivery:
    """The delivery of a row with COLUMNS."""
    return GroupDelivery(**{field.name: row[field.name] for field in fields(GroupDelivery)})
