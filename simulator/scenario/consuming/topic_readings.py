"""What a consumer group reads of a topic: which tags, and how long a thread is at a message of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Any, ClassVar

from pydantic import AfterValidator, Field, PlainSerializer, model_validator

from simulator.consumer.rules.tags import SUB_ALL, Subscription, passes_tag, subscription
from simulator.scenario.distributions.latency_settings import Latency
from simulator.scenario.distributions.message_mix import TAG_NAME
from simulator.scenario.producers import read_think, think_text
from simulator.scenario.reading.fields import DURATION, Model, Reads, named_as, sorted_by_name
from simulator.scenario.reading.scenario_error import Path, Problem, not_known, raise_any
from simulator.scenario.texts.consumer_texts import ConsumerTexts
from simulator.scenario.topics import Topic
from simulator.units import shown

EXPRESSION_MAX = 4_096


class ConsumeTime(Latency):
    """How long a thread is at one message."""

    resolved_away: ClassVar[tuple[str, ...]] = ()


CONSUME_TIME = Reads(
    read_think, expects="a duration such as 50ms or a distribution such as {exponential: {mean: 50ms}}",
    schema={"anyOf": [DURATION]},
)  # fmt: skip
TimeOfMessage = Annotated[ConsumeTime, CONSUME_TIME, PlainSerializer(think_text)]


def expression_of(value: Any) -> str:
    """A tag expression that the client takes; raises ValueError for one that it refuses."""
    if not isinstance(value, str) or not value or len(value) > EXPRESSION_MAX:
        raise ValueError(ConsumerTexts.TAGS_EXPECTED(got=shown(value)))
    try:
        subscription(value)
    except ValueError:
        raise ValueError(ConsumerTexts.CLIENT_REFUSES(tags=shown(value))) from None
    return value


EXPRESSION = Reads(
    expression_of, expects='a tag expression such as "TagA || TagB", or "*"', schema={"type": "string", "minLength": 1}
)


def sql_text(value: Any) -> str:
    """The text of an SQL92 expression, which brokers read; raises ValueError for one that FilterAPI refuses."""
    if not isinstance(value, str) or not value or len(value) > EXPRESSION_MAX:
        raise ValueError(ConsumerTexts.SQL_EXPECTED(got=shown(value)))
    return value


SQL = Reads(sql_text, expects="an SQL92 expression", schema={"type": "string", "minLength": 1})


class TopicReading(Model):
    """A topic of a group: the tags or properties it subscribes to, and its own times at a message."""

    tags: Annotated[str, EXPRESSION] = Field(SUB_ALL, description="tag expression of the subscription; * for all")
    sql: Annotated[str, SQL] | None = Field(
        None, title="an SQL92 expression such as region = 'eu' AND amount > 10",
        description="SQL92 expression of the subscription, over properties, instead of tags",
    )  # fmt: skip
    service: TimeOfMessage | None = Field(
        None, title="a duration such as 50ms or a distribution such as {exponential: {mean: 50ms}}",
        description="how long a thread is at one message of the topic; default the group's",
    )  # fmt: skip
    service_of_tags: dict[Annotated[str, TAG_NAME], TimeOfMessage] = Field(
        {}, title="a mapping of tags to durations such as {TagA: 5ms}",
        description="how long a thread is at one message with that tag",
    )  # fmt: skip

    @model_validator(mode="after")
    def _check(self) -> TopicReading:
        if self.sql is not None and self.tags != SUB_ALL:
            raise_any([Problem(("sql",), ConsumerTexts.TAGS_AND_SQL())])
        return self

    @property
    def is_filtered(self) -> bool:
        """Whether it leaves messages of the topic out."""
        return self.sql is not None or self.tags != SUB_ALL

    @property
    def subscription(self) -> Subscription:
        """What the client makes of the expression."""
        return subscription(self.tags)


def read_readings(value: Any) -> Any:
    """Topics with what is read of each: of a list of topics, or of a mapping to tag expressions, everything else."""
    if isinstance(value, list | tuple) and all(isinstance(name, str) for name in value):
        value = dict.fromkeys(value, SUB_ALL)
    if not isinstance(value, dict) or not value:
        raise ValueError(ConsumerTexts.SUBSCRIPTIONS_EXPECTED(got=shown(value)))
    return {name: {"tags": own} if isinstance(own, str) else own for name, own in value.items()}


def readings_text(readings: Mapping[str, TopicReading]) -> Any:
    """The mapping that `read_readings` reads back."""
    return {name: own.model_dump(by_alias=True, exclude_defaults=True) for name, own in readings.items()}


READINGS = Reads(
    read_readings, expects="a list of topics, or a mapping of topic to tag expression",
    schema={"anyOf": [
        {"type": "array", "items": {"type": "string"}, "minItems": 1},
        {"type": "object", "additionalProperties": {"type": "string"}},
    ]},
)  # fmt: skip
ReadTopicName = Annotated[str, named_as("topic", 255)]
TopicReadings = Annotated[dict[ReadTopicName, TopicReading], AfterValidator(sorted_by_name("topic"))]


def reading_problems(readings: Mapping[str, TopicReading], topics: Mapping[str, Topic]) -> Iterator[Problem]:
    """What of the topics that a group reads does not fit the scenario's topics, each with its path below them."""
    for name, own in readings.items():
        if name not in topics:
            yield Problem((name,), not_known("topic", name, topics))
        elif topics[name].auto_create:
            yield Problem((name,), ConsumerTexts.MADE_TOPIC_READ(topic=name))
        else:
            yield from _tag_problems((name,), own, tuple(topics[name].tags))


def _tag_problems(path: Path, own: TopicReading, tags: Sequence[str]) -> Iterator[Problem]:
    for tag in own.service_of_tags:
        if tag not in tags:
            text = not_known("tag", tag, tags) if tags else ConsumerTexts.NO_TAGS(topic=path[0])
            yield Problem((*path, "service_of_tags", tag), text)
    if own.subscription.is_all:
        return
    if not tags:
        text = ConsumerTexts.MATCHES_NO_TAGS(tags=shown(own.tags), topic=path[0])
        yield Problem((*path, "tags"), text)
    elif not any(passes_tag(own.subscription, tag) for tag in tags):
        text = ConsumerTexts.MATCHES_NOTHING(tags=shown(own.tags), topic=path[0], known=", ".join(tags))
        yield Problem((*path, "tags"), text)
