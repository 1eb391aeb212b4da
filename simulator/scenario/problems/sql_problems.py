"""What of SQL92 expressions does not fit the brokers that read them, or the properties of the messages."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from simulator.consumer.sql.sql_parser import SqlError
from simulator.scenario.brokers.broker import Broker
from simulator.scenario.consuming.consumers import ConsumerGroup
from simulator.scenario.consuming.sql_filter import TAGS, dialects, mix_of, read_sql, shares_of
from simulator.scenario.producers import ProducerGroup
from simulator.scenario.reading.scenario_error import Problem, not_known
from simulator.scenario.texts.consumer_texts import ConsumerTexts
from simulator.scenario.texts.reading_texts import ReadingTexts
from simulator.scenario.topics import Topic
from simulator.units import shown
from state.texts import joined, sentence_of

CLASS = re.compile(r"^(?:[\w.]+\.)?\w*(?:Exception|Error): ")
EXPECTED = re.compile(r"\.\s*Was expecting(?: one of)?:\s*")
# what other languages write, and what SQL92 does instead; the first that stands where the broker stopped
SPELLINGS = (
    (re.compile(r"\s*=?="), "="), (re.compile(r"\s*!="), "<>"), (re.compile(r"\s*&&?"), "AND"),
    (re.compile(r"\s*\|\|?"), "OR"), (re.compile(r'\s*"'), "'text' in single quotes"),
    (re.compile(r"\s*!"), "NOT (...)"),
)  # fmt: skip


def sql_problems(
    groups: Mapping[str, ConsumerGroup],
    topics: Mapping[str, Topic],
    producers: Sequence[ProducerGroup],
    brokers: Mapping[str, Broker],
) -> Iterator[Problem]:
    """The problems, each at the expression that has it."""
    for name, group in groups.items():
        for topic, reading in group.readings.items():
            if reading.sql is not None and topic in topics:
                senders = [own for own in producers if topic in own.topics]
                for text in _problems(reading.sql, topic, topics[topic], senders, brokers):
                    yield Problem(("consumers", name, "topics", topic, "sql"), text)


def _problems(
    sql: str, name: str, topic: Topic, senders: Sequence[ProducerGroup], brokers: Mapping[str, Broker]
) -> Iterator[str]:
    trees: dict[str, str] = {}
    for broker in brokers.values():
        try:
            trees[str(read_sql(sql, broker.rules.sql_dialect).expression)] = broker.release
        except SqlError as error:
            yield ConsumerTexts.BROKER_CANNOT_READ(
                release=broker.release, sql=shown(sql), remark=remark(error), spelling=_spelling(sql, error)
            )
            return
    if len(trees) > 1:
        ways = ", ".join(ConsumerTexts.READS_AS(release=release, tree=tree) for tree, release in trees.items())
        yield ConsumerTexts.BROKERS_READ_UNLIKE(ways=ways)
        return
    mixes = [mix_of(topic, group) for group in senders] or [mix_of(topic)]
    known = sorted({property for mix in mixes for property in mix.drawn})
    dialect = next(dialects(brokers))
    for asked in dict.fromkeys(read_sql(sql, dialect).expression.names()):
        if asked not in known:
            has = not_known("property", asked, known) if known else ConsumerTexts.NO_PROPERTIES(topic=name)
            yield (
                ConsumerTexts.SET_PROPERTIES(why=has) if asked != TAGS else ConsumerTexts.TOPIC_WITHOUT_TAGS(topic=name)
            )
            return
    try:
        taken = [shares_of(sql, dialect, mix)[0] for mix in mixes]
    except ValueError as error:
        yield sentence_of(error)
        return
    if not any(taken):
        ignored = ignored_text(sql, next(iter(brokers.values())))
        more = joined("; ", ["", ignored]) if ignored else ""
        yield ConsumerTexts.SQL_MATCHES_NOTHING(sql=shown(sql), topic=name, ignored=more)


def remark(error: SqlError) -> str:
    """What the broker says, in one line: SUBSCRIPTION_PARSE_FAILED without the name of the class."""
    text = CLASS.sub("", str(error))
    said, _, expected = EXPECTED.sub("\0", text).partition("\0")
    tokens = [token.strip().strip('"') for token in expected.split("...") if token.strip()]
    if not tokens:
        return said if " column " in said else f"{said} (line {error.line}, column {error.column})"
    return f"{said}; expected {', '.join(tokens)}"


def _spelling(sql: str, error: SqlError) -> str:
    lines = sql.splitlines() or [""]
    rest = lines[min(error.line, len(lines)) - 1][max(error.column - 1, 0) :]
    return next((ReadingTexts.DID_YOU_MEAN(near=right) for wrong, right in SPELLINGS if wrong.match(rest)), "")


def ignored_text(sql: str, broker: Broker) -> str:
    """What brokers do not read of an expression, as a sentence; nothing where they read it to its end."""
    ignored = read_sql(sql, broker.rules.sql_dialect).ignored
    if ignored is None:
        return ""
    line, column = ignored
    rest = sql.splitlines()[line - 1][column - 1 :]
    return ConsumerTexts.REST_IGNORED(line=line, column=column, rest=shown(rest))
