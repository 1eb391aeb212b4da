"""Which combinations of property values an expression tells apart, and takes."""

from __future__ import annotations

import pytest

from simulator.consumer.sql.sql_parser import PLAIN_SQL, parse_sql
from simulator.consumer.sql.sql_table import sql_table
from tests.says import Says, raises

NUMBERS = tuple(map(str, range(1, 1001)))


def table(sql, **values):
    return sql_table(parse_sql(sql, PLAIN_SQL).expression, values)


def test_values_that_answer_every_condition_alike_are_one_class():
    found = table("amount > 10 AND (region = 'eu' OR amount > 500)", amount=NUMBERS, region=("eu", "us", "asia"))
    assert found.sizes == (3, 2)
    assert found.taken == (False, False, True, False, True, True)


def test_the_share_taken_is_that_of_the_values():
    found = table("amount > 900 AND region = 'eu'", amount=NUMBERS, region=("eu", "us"))
    shares = {"amount": [1 / 1000] * 1000, "region": [0.25, 0.75]}
    assert found.shares(shares) == (pytest.approx(0.025), 0)


def test_a_message_without_the_property_is_not_taken_either_way():
    assert table("a = 'x'", a=("x", None)).taken == (True, False)
    assert table("a <> 'x'", a=("x", None)).taken == (False, False)
    assert table("a IS NULL", a=("x", None)).taken == (False, True)


def test_values_that_make_the_broker_throw_are_counted_and_not_taken():
    found = table("amount > 10", amount=("20", "9.90"))
    assert found.taken == (True, False)
    assert found.shares({"amount": [0.4, 0.6]}) == (0.4, 0.6)


def test_two_properties_that_are_compared_keep_all_their_values():
    found = table("a = b", a=("1", "2", "3"), b=("2", "3"))
    assert found.sizes == (3, 2)
    assert sum(found.taken) == 2


def test_too_many_combinations_are_refused():
    with raises(ValueError, Says("sql.too-many-combinations", count=1_100_000, most=1_000_000)):
        table("a < b", a=NUMBERS, b=tuple(map(str, range(1100))))
