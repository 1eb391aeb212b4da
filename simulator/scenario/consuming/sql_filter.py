"""What an SQL92 expression of a subscription takes of a topic's messages, by the group that sends them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from simulator.consumer.sql.sql_parser import ParsedSql, SqlDialect, parse_sql
from simulator.consumer.sql.sql_table import SqlTable, sql_table
from simulator.releases.broker_release import BROKERS
from simulator.scenario.brokers.broker import Broker
from simulator.scenario.distributions.message_properties import DrawnValues, MessageProperty
from simulator.scenario.producers import ProducerGroup
from simulator.scenario.topics import Topic

MISSING = DrawnValues((None,), (1.0,))
TAGS = "TAGS"


@dataclass(frozen=True)
class PropertyMix:
    """The properties of some messages, tags among them, by name."""

    drawn: Mapping[str, DrawnValues]

    def of(self, name: str) -> DrawnValues:
        """What that property may be."""
        return self.drawn.get(name, MISSING)

    def with_tag(self, tag: str) -> PropertyMix:
        """Of these messages, those with that tag."""
        return replace(self, drawn={**self.drawn, TAGS: DrawnValues((tag,), (1.0,))})

    @property
    def stored_bytes(self) -> float:
        """What the properties but for tags take in the commit log, on average: name, value and two separators."""
        return sum((len(name) + 2) * own.present + own.mean_length for name, own in self.drawn.items() if name != TAGS)


def mix_of(topic: Topic, group: ProducerGroup | None = None) -> PropertyMix:
    """The properties of the messages that a group sends to a topic; None: of those that nobody of the run sent."""
    own: Mapping[str, MessageProperty] = topic.properties | (group.properties if group is not None else {})
    found = {name: each.drawn() for name, each in own.items()}
    if topic.tags:
        total = sum(topic.tags.values())
        found[TAGS] = DrawnValues(tuple(topic.tags), tuple(weight / total for weight in topic.tags.values()))
    return PropertyMix(found)


def dialects(brokers: Mapping[str, Broker]) -> Iterator[SqlDialect]:
    """How the brokers read expressions, each way once."""
    yield from dict.fromkeys(BROKERS[broker.release].sql_dialect for broker in brokers.values())


@lru_cache(maxsize=1_000)
def read_sql(sql: str, dialect: SqlDialect) -> ParsedSql:
    """What a broker makes of an expression. Raises SqlError."""
    return parse_sql(sql, dialect)


def table_of(sql: str, dialect: SqlDialect, mix: PropertyMix) -> SqlTable:
    """Which of these messages an expression takes. Raises SqlError, and ValueError for too many combinations."""
    names = sorted(set(read_sql(sql, dialect).expression.names()))
    return _table(sql, dialect, tuple((name, mix.of(name).values) for name in names))


@lru_cache(maxsize=1_000)
def _table(sql: str, dialect: SqlDialect, values: Sequence[tuple[str, Sequence[str | None]]]) -> SqlTable:
    return sql_table(read_sql(sql, dialect).expression, dict(values))


def shares_of(sql: str, dialect: SqlDialect, mix: PropertyMix) -> tuple[float, float]:
    """Which part of these messages an expression takes, and at which part the broker throws, so that it does not."""
    table = table_of(sql, dialect, mix)
    return table.shares({name: mix.of(name).shares for name in table.names})
