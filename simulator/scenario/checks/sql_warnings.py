"""What of SQL92 filters is probably not meant: refused by brokers, read in part, or an error for some messages."""

from __future__ import annotations

from collections.abc import Iterator

from simulator.scenario.consuming.sql_filter import dialects, mix_of, shares_of
from simulator.scenario.problems.sql_problems import ignored_text
from simulator.scenario.scenario import Scenario
from simulator.scenario.texts.warning_texts import WarningTexts


def sql_warnings(scenario: Scenario) -> Iterator[str]:
    """The warnings, a sentence each, group by group."""
    refusing = [name for name, broker in scenario.brokers.items() if not broker.enable_property_filter]
    for name, group in scenario.consumers.items():
        expressions = {topic: own.sql for topic, own in group.readings.items() if own.sql is not None}
        if expressions and refusing and group.grpc is None:  # nobody asks for it where a proxy pops
            brokers, count = ", ".join(refusing), len(refusing)
            yield WarningTexts.PULLS_REFUSED(brokers=brokers, count=count, group=name)
        for topic, sql in expressions.items():
            yield from _of_expression(scenario, name, topic, sql)


def _of_expression(scenario: Scenario, name: str, topic: str, sql: str) -> Iterator[str]:
    ignored = ignored_text(sql, next(iter(scenario.brokers.values())))
    if ignored:
        yield WarningTexts.OF_EXPRESSION(group=name, topic=topic, what=ignored)
    senders = [group for group in scenario.producers if topic in group.topics]
    failing = [
        shares_of(sql, next(dialects(scenario.brokers)), mix_of(scenario.topics[topic], group))[1] for group in senders
    ]
    if any(failing):
        yield WarningTexts.EXPRESSION_THROWS(group=name, topic=topic, share=f"{max(failing):.0%}")
