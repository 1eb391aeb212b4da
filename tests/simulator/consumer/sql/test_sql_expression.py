"""Which properties an SQL92 expression takes: nothing, kinds of values, errors."""

from __future__ import annotations

import pytest

from simulator.consumer.sql.java_values import JavaError
from simulator.consumer.sql.sql_parser import SQL_WITH_TEXT_WORDS, parse_sql


def value(text, **properties):
    return parse_sql(text, SQL_WITH_TEXT_WORDS).expression.evaluate(properties)


def test_a_missing_property_makes_a_comparison_neither_true_nor_false():
    assert value("a > 1") is None
    assert value("NOT (a > 1)") is None
    assert value("a > 1 OR b = 'x'", b="x") is True
    assert value("a > 1 AND b = 'x'", b="y") is False


def test_nothing_equals_nothing_but_only_the_left_side_makes_it_unknown():
    assert value("a = b") is True
    assert value("a = 'x'") is None
    assert value("a = b", a="x") is False


def test_not_in_does_not_take_a_missing_property():
    assert value("a NOT IN ('x')") is None
    assert value("a NOT IN ('x')", a="y") is True


def test_a_property_alone_is_never_true():
    assert value("a", a="true") is False
    assert value("NOT a", a="true") is True


def test_a_text_is_read_as_the_kind_of_number_that_it_is_compared_with():
    assert value("a > 10", a="11") is True
    assert value("a > 10.0", a="10.5") is True
    assert value("a > 3000000000", a="3000000001") is True


@pytest.mark.parametrize("text", ["10.5", "3000000000", " 11", "ten", ""])
def test_what_is_no_integer_is_an_error_that_drops_the_message(text):
    with pytest.raises(JavaError, match="NumberFormatException"):
        value("a > 10", a=text)


def test_texts_are_ordered_as_doubles():
    assert value("a < b", a="9", b="10") is True
    with pytest.raises(JavaError, match="illegal to compare string"):
        value("a < b", a="eu", b="us")


def test_true_on_the_left_of_a_text_is_an_error_and_on_the_right_is_not():
    assert value("a = TRUE", a="True") is True
    with pytest.raises(JavaError, match="ClassCastException"):
        value("TRUE = a", a="true")


def test_an_empty_part_is_in_no_text():
    assert value("a CONTAINS ''", a="x") is False
    assert value("a NOT CONTAINS ''", a="x") is False
