"""Replay of `sql-*.jsonl`: what a broker makes of an SQL92 expression, and which properties it takes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from simulator.consumer.sql.java_values import JavaError, java_text
from simulator.consumer.sql.sql_expression import Expression
from simulator.consumer.sql.sql_parser import SqlError, parse_sql
from streaming.proof.golden.consumer.consumer_replay import Answers, ConsumerReplay


class SqlReplay(ConsumerReplay):
    """One expression: its error, or what it evaluates to for sets of properties, and whether the broker takes each."""

    def answers(self) -> Answers:
        """The error or the tree, then each set of properties."""
        case = self.case
        try:
            found = parse_sql(case["expr"], self.broker.sql_dialect).expression
        except SqlError as refused:
            yield "error", case.get("error"), str(refused)
            return
        yield "tree", case.get("tree"), str(found)
        for properties, value, passes in case.get("match", ()):
            got = value_of(found, properties)
            yield f"properties {properties}", [value, passes], [got, int(got == "true")]


def value_of(expression: Expression, properties: Mapping[str, str]) -> Any:
    """The value as Java prints it, or the name of what is thrown."""
    try:
        value = expression.evaluate(properties)
    except JavaError as thrown:
        return thrown.name
    return "null" if value is None else java_text(value)
