"""What a broker reads of an SQL92 expression, and where it stops."""

from __future__ import annotations

import pytest

from simulator.consumer.sql.sql_parser import PLAIN_SQL, SQL_WITH_TEXT_WORDS, SqlError, parse_sql


def tree(text, dialect=SQL_WITH_TEXT_WORDS):
    return str(parse_sql(text, dialect).expression)


def refused(text, dialect=SQL_WITH_TEXT_WORDS):
    with pytest.raises(SqlError) as caught:
        parse_sql(text, dialect)
    return caught.value


def test_and_binds_closer_than_or():
    assert tree("a = 1 OR b = 2 AND c IN ('x')") == "((a == 1) || ((b == 2) && c IN ( x )))"


def test_not_belongs_to_what_follows_it_alone():
    assert tree("NOT a = 1") == "((NOT a) == 1)"
    assert tree("NOT (a = 1)") == "(NOT (a == 1))"
    assert "Value '(NOT a)' cannot be compared" in str(refused("NOT a > 1"))


def test_between_is_two_comparisons():
    assert tree("a NOT BETWEEN 5 AND 1") == "((a < 5) || (a > 1))"


def test_what_follows_an_expression_is_ignored():
    assert parse_sql("a = 1 xor b = 2", PLAIN_SQL).ignored == (1, 7)
    assert parse_sql("a = 1 -- and b\n", PLAIN_SQL).ignored is None


def test_contains_is_a_word_from_5_1_3_on():
    assert tree("a NOT CONTAINS 'x'") == "(NOT CONTAINS a)"
    assert refused("a NOT CONTAINS 'x'", PLAIN_SQL).column == 3
    assert parse_sql("a CONTAINS 'x'", PLAIN_SQL).ignored == (1, 3)


@pytest.mark.parametrize(
    ("text", "place"),
    [("a > ", (1, 4)), ("a\n= !", (2, 4)), ("a = 1 && b = 2", (1, 7)), ("a IN (1)", (1, 7)), ("a = 'x", (1, 7))],
)
def test_an_error_has_its_line_and_column(text, place):
    error = refused(text)
    assert (error.line, error.column) == place


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        ("a = NULL", "java.lang.RuntimeException: 'NULL' cannot be compared."),
        ("a > 'x'", "java.lang.RuntimeException: Value ''x'' cannot be compared."),
        ("a > 0.0", "java.lang.RuntimeException: 0.0 is less than 4.9E-324"),
        ("1", "org.apache.rocketmq.filter.parser.ParseException: Expression will not result in a boolean value: 1"),
        ("a = 9223372036854775808", 'java.lang.NumberFormatException: For input string: "9223372036854775808"'),
    ],
)
def test_some_expressions_are_read_and_not_built(text, cause):
    assert str(refused(text)) == cause


def test_the_older_parser_does_not_list_what_it_looked_at_in_vain():
    assert '"+"' in str(refused("a >"))
    assert '"+"' not in str(refused("a >", PLAIN_SQL))


def test_an_expression_that_is_nested_without_end_is_refused_in_a_sentence():
    assert "nested too deeply" in str(refused("(" * 5_000 + "a = 1" + ")" * 5_000))
