"""One delivery of a message to a consumer group: a row of the table `consumed`, in words."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any

from streaming.explain.explanation import moment

HANDLED, DUPLICATE = "handled", "skipped as a duplicate"
SENT_BACK, SENT_BY_CLIENT, DEAD_LETTER = "sent back", "sent by the client", "dead letter"
IN_PLACE, AGAIN_SOON, TO_THE_NEXT, NOT_SENT_BACK = (
    "again in place",
    "again in 5 s",
    "left to the next owner",
    "not sent back",
)
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
        return self.result not in (HANDLED, DUPLICATE)

    def in_words(self, group: str) -> str:
        """Who had it, when, and what became of it: one sentence."""
        when = f"from {moment(self.begin_us)} to {moment(self.end_us)} on thread {self.consume_thread}"
        text = {
            HANDLED: f"{self.instance} handled it {when}",
            DUPLICATE: f"{self.instance} skipped it at {moment(self.end_us)}: deduplicate knew it as handled",
        }.get(self.result, f"{self.instance} could not handle it {when}: {_outcome(self.result, group)}")
        return f"{text}; it had lost the queue meanwhile and committed nothing." if self.dropped else f"{text}."


def _outcome(result: str, group: str) -> str:
    return {
        SENT_BACK: f"it was sent back, to come again through %RETRY%{group}",
        SENT_BY_CLIENT: f"the client itself sent it again, to %RETRY%{group}",
        DEAD_LETTER: f"it was given up, as a dead letter in %DLQ%{group}",
        IN_PLACE: "the queue stands still until it comes again",
        AGAIN_SOON: "it could not be sent back, and the instance tries again after 5 s",
        TO_THE_NEXT: "the instance had lost the queue, and the next owner gets it",
        NOT_SENT_BACK: "the instance no longer cached it, so it was not sent back",
    }.get(result, result)


def delivery_of(row: dict[str, Any]) -> GroupDelivery:
    """The delivery of a row with COLUMNS."""
    return GroupDelivery(**{field.name: row[field.name] for field in fields(GroupDelivery)})
