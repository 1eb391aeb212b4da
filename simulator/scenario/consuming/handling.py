"""How a consumer group handles messages: which fail, and how often they come again."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, Field, PlainSerializer

from simulator.consumer.rules.reconsume import DEFAULT_MAX_RECONSUME_TIMES, SUSPEND_LEAST_MS, SUSPEND_MOST_MS
from simulator.scenario.faults.fault_values import Probability
from simulator.scenario.reading.fields import (
    DURATION_MAX_US,
    DURATION_MS_TEXT,
    Flag,
    Model,
    choice,
    duration_ms,
    duration_us,
    whole,
)
from simulator.scenario.texts.consumer_texts import ConsumerTexts
from simulator.units import US_PER_S, format_duration

RECONSUME_TIMES_MAX = 10_000
ENTRIES_MAX = 10_000_000
LEVEL_MAX = 1_000
MINUTE_US = 60 * US_PER_S
SUSPEND_MS = 1_000
POP = "POP"
POP_SHARE_MAX = 10_000
POP_BATCH_MAX = 32  # PopMessageProcessor refuses more
POP_THRESHOLD_MAX = 1_000  # DefaultMQPushConsumerImpl.checkConfig
POP_INVISIBLE_US = 60 * US_PER_S
# of DefaultMQPushConsumerImpl: what is outside counts as 60 s
POP_INVISIBLE_LEAST_US, POP_INVISIBLE_MOST_US = 5 * US_PER_S, 300 * US_PER_S
RESULTS = ("later", "null", "exception", "ack_index")

SuspendTimeMs = Annotated[int, duration_ms(SUSPEND_LEAST_MS, SUSPEND_MOST_MS), DURATION_MS_TEXT]


def _whole_minutes(time_us: int) -> int:
    if time_us % MINUTE_US:
        raise ValueError(ConsumerTexts.WHOLE_MINUTES(got=format_duration(time_us)))
    return time_us


ConsumeTimeoutUs = Annotated[
    int, duration_us(MINUTE_US, DURATION_MAX_US), AfterValidator(_whole_minutes), PlainSerializer(format_duration)
]
InvisibleTimeUs = Annotated[
    int, duration_us(POP_INVISIBLE_LEAST_US, POP_INVISIBLE_MOST_US), PlainSerializer(format_duration)
]


@dataclass(frozen=True)
class ConsumeMode:
    """What can be said of a kind of consumption before it runs."""

    in_order: bool  # one thread at a time is at a queue
    in_place: bool  # a message that fails holds its queue up, and comes again there


MODES = {
    "CONCURRENTLY": ConsumeMode(in_order=False, in_place=False),
    "ORDERLY": ConsumeMode(in_order=True, in_place=True),
    "POP": ConsumeMode(in_order=False, in_place=False),
}


class Deduplicate(Model):
    """The memory of a group that skips messages which it has handled: one for all its instances."""

    window_us: Annotated[int, duration_us(1, DURATION_MAX_US), PlainSerializer(format_duration)] = Field(
        alias="window", title="a duration such as 10m", description="how long it remembers a message"
    )
    entries: Annotated[int, whole(1, ENTRIES_MAX)] = Field(description="how many messages it remembers at most")


class Handling(Model):
    """What of a group's messages fails, and what is done then. Defaults: DefaultMQPushConsumer 4.2.0 to 5.3.3."""

    fails: Probability | None = Field(None, description="share of deliveries that fail, drawn by message and delivery")
    fails_always: Probability | None = Field(None, description="share of messages that fail at every delivery")
    fails_with: Annotated[Literal["later", "null", "exception", "ack_index"], choice(*RESULTS)] = Field(
        "later", description="what the listener does: RECONSUME_LATER, null, an exception, or success with an ackIndex"
    )
    max_reconsume_times: Annotated[int, whole(-1, RECONSUME_TIMES_MAX)] = Field(
        DEFAULT_MAX_RECONSUME_TIMES,
        description="retries until a message is a dead letter; -1: 16, or without end if the group is ORDERLY",
    )
    delay_level_when_next_consume: Annotated[int, whole(-1, LEVEL_MAX)] = Field(
        0, description="delay level of a retry; 0: 2 more than the number of the retry, -1: a dead letter at once"
    )
    consume_timeout_us: ConsumeTimeoutUs | None = Field(
        None, alias="consume_timeout", title="whole minutes such as 15m",
        description="what takes longer is sent back by a sweep in turn of this period; default 15m",
    )  # fmt: skip
    deduplicate: Deduplicate | None = Field(
        None, title="a mapping such as {window: 10m, entries: 100000}",
        description="the group skips messages that it has handled; default it does not",
    )  # fmt: skip
    consume_mode: Annotated[Literal["CONCURRENTLY", "ORDERLY", "POP"], choice(*MODES)] = Field(
        "CONCURRENTLY",
        description="ORDERLY: queues are locked, one thread is at a queue, and what fails holds its queue up "
        "(with grpc: FIFO); "
        "POP: nobody owns a queue, and what is not acknowledged comes again (5.0.0 and later)",
    )
    suspend_current_queue_time_ms: SuspendTimeMs = Field(
        SUSPEND_MS, alias="suspend_current_queue_time",
        description="ORDERLY: how long a queue stands still after a failure (suspendCurrentQueueTimeMillis)",
    )  # fmt: skip
    pop_batch_nums: Annotated[int, whole(1, POP_BATCH_MAX)] = Field(32, description="POP: messages of a pop")
    pop_invisible_time_us: InvisibleTimeUs = Field(
        POP_INVISIBLE_US, alias="pop_invisible_time", title="a duration such as 60s",
        description="POP: what is not acknowledged for so long comes again (popInvisibleTime)",
    )  # fmt: skip
    pop_share_queue_num: Annotated[int, whole(0, POP_SHARE_MAX)] = Field(
        0, description="POP: an instance pops its own queues and those of so many others; 0: all queues"
    )
    pop_threshold_for_queue: Annotated[int, whole(1, POP_THRESHOLD_MAX)] = Field(
        96, description="POP: an instance pops no more while it has not acknowledged more messages of a broker"
    )
    new_group: Flag = Field(
        False, description="the group has never run: it starts with the scenario, and has no retry topic yet"
    )

    @property
    def can_fail(self) -> bool:
        """Whether some messages fail without a fault."""
        return self.fails is not None or self.fails_always is not None

    @property
    def mode(self) -> ConsumeMode:
        """How its queues are consumed."""
        return MODES[self.consume_mode]

    @property
    def is_pop(self) -> bool:
        """Whether its instances pop, and acknowledge each message."""
        return self.consume_mode == POP

    def without_failures(self, content: dict[str, Any]) -> dict[str, Any]:
        """The content of a group without the keys that mean nothing while they have their defaults."""
        fields = Handling.model_fields
        unset = {field.alias or name for name, field in fields.items() if getattr(self, name) == field.default}
        return {key: value for key, value in content.items() if key not in unset}
