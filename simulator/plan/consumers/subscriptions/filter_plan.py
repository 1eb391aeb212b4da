"""SQL92 filters as the machine reads them: by group of producers, which combinations of property values are taken."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from simulator.client.faults.hash_order import java_hash
from simulator.compiled.records import Array
from simulator.compiled.region_store import filled
from simulator.consumer.memory.consumer_group import DrawnProperty, SqlReading, SqlTerm
from simulator.consumer.sql.sql_table import SqlTable
from simulator.kernel.randomness import MESSAGE_PROPERTY, MESSAGE_TAG
from simulator.plan.thread_list import sender_threads
from simulator.scenario import Scenario
from simulator.scenario.consuming.sql_filter import TAGS, PropertyMix, dialects, mix_of, table_of
from simulator.scenario.distributions.message_properties import DrawnValues

NO_FILTERS = (
    "sent_by", "drawn_properties", "property_edges", "sql_readings", "sql_terms", "sql_classes", "sql_answers",
)  # fmt: skip


class _Filters:
    """The tables so far; what is equal is there once: a property, and an expression's reading of a mix."""

    def __init__(self) -> None:
        self.properties: dict[tuple[int, int, DrawnValues], int] = {}
        self.drawn: list[tuple[int, int, int, int]] = []
        self.edges: list[Array] = []
        self.readings: list[tuple[int, int, int]] = []
        self.terms: list[tuple[int, int, int]] = []
        self.classes: list[int] = []
        self.answers: list[int] = []
        self._put: dict[tuple[str, Sequence[int]], tuple[int, int, int]] = {}

    def _property(self, name: str, topic: int, mix: PropertyMix) -> int:
        purpose, entity = (MESSAGE_TAG, topic) if name == TAGS else (MESSAGE_PROPERTY, java_hash(name))
        known = (purpose, entity, mix.of(name))
        if known not in self.properties:
            edges = mix.of(name).thresholds()
            self.properties[known] = len(self.drawn)
            self.drawn.append((purpose, entity, sum(map(len, self.edges)), len(edges)))
            self.edges.append(edges)
        return self.properties[known]

    def put(self, scenario: Scenario, sql: str, topic: int, mix: PropertyMix) -> None:
        """Put what an expression takes of the messages of a mix."""
        table = table_of(sql, next(dialects(scenario.brokers)), mix)
        properties = tuple(self._property(name, topic, mix) for name in table.names)
        if (sql, properties) not in self._put:
            self._put[sql, properties] = self._reading(table, properties)
        self.readings.append(self._put[sql, properties])

    def _reading(self, table: SqlTable, properties: Sequence[int]) -> tuple[int, int, int]:
        found = (len(self.terms), len(properties), len(self.answers))
        for number, classes, stride in zip(properties, table.classes, table.strides, strict=True):
            self.terms.append((number, stride, len(self.classes)))
            self.classes += classes
        self.answers += table.taken
        return found


def filter_regions(scenario: Scenario, topics: Sequence[str]) -> tuple[Mapping[str, Array], list[int]]:
    """Regions of the machine by name, empty without SQL92, and the first reading of each (group, topic), -1 for none.

    A reading for each group of producers follows, and one for what nobody of the run sent. `topics`: by number.
    """
    build, first = _Filters(), list[int]()
    for group in scenario.consumers.values():
        for topic, reading in group.readings.items():
            first.append(-1 if reading.sql is None else len(build.readings))
            if reading.sql is not None:
                for own in (*scenario.producers, None):
                    build.put(scenario, reading.sql, topics.index(topic), mix_of(scenario.topics[topic], own))
    if not build.readings:
        return dict.fromkeys(NO_FILTERS, np.empty(0, np.int64)), first
    return {
        "sent_by": sender_threads(scenario).group,
        "drawn_properties": _filled(DrawnProperty, build.drawn, "purpose", "entity", "first_edge", "values"),
        "property_edges": np.concatenate([np.empty(0, np.int64), *build.edges]),
        "sql_readings": _filled(SqlReading, build.readings, "first_term", "terms", "first_answer"),
        "sql_terms": _filled(SqlTerm, build.terms, "property", "stride", "first_class"),
        "sql_classes": np.array(build.classes, np.int64),
        "sql_answers": np.array(build.answers, np.int64),
    }, first


def _filled(record: type, rows: Sequence[tuple[int, ...]], *names: str) -> Array:
    columns = np.array(rows, np.int64).reshape(-1, len(names)).T
    return filled(record, len(rows), **dict(zip(names, columns, strict=True)))
