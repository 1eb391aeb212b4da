"""What the filters of brokers are asked: `filter_questions.py FILE` writes SQL92 expressions with sets of properties.

Some by hand, most drawn from the grammar with a fixed seed, and every second of those with a token dropped, doubled or
changed. A line is an expression and its sets, URL-encoded, with tabs between.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from urllib.parse import quote_plus

DRAWN = 1_400
SETS = 8
BY_HAND = (
    "a > 10", "a > 10 and b = 'x'", "a >= 10 OR b <> 'x'", "a < b", "a = b", "a <> b", "a", "NOT a", "NOT (a = 1)",
    "TRUE", "FALSE", "NULL", "1", "'x'", "-1", "a = TRUE", "TRUE = a", "a = NULL", "NULL = a", "TRUE = 1", "1 = TRUE",
    "a IS NULL", "a IS NOT NULL", "(a = 1) IS NULL", "5 IS NULL", "NULL IS NULL", "a IS NULL IS NULL", "a is 5",
    "a is not 5", "a is", "a is not", "a BETWEEN 1 AND 5", "a BETWEEN 5 AND 1", "a NOT BETWEEN 5 AND 1",
    "a NOT BETWEEN 1 AND 5", "a BETWEEN b AND c", "a BETWEEN NULL AND 1", "a BETWEEN 'x' AND 'y'",
    "a BETWEEN 'y' AND 'x'", "a BETWEEN 1 AND 'x'", "a BETWEEN 'x' AND 1", "a BETWEEN TRUE AND 'x'",
    "a BETWEEN 'x' AND TRUE", "a BETWEEN FALSE AND TRUE", "a BETWEEN TRUE AND FALSE", "a BETWEEN 1 AND 2.5",
    "a BETWEEN -1 AND 1", "a BETWEEN 3000000000 AND 1", "a BETWEEN 1 AND 3000000000", "a BETWEEN 1 5",
    "a IN ('x')", "a IN ('x', 'y')", "a NOT IN ('x', 'y')", "a IN (1)", "a IN ()", "a IN 'x'", "5 IN ('x')",
    "(a) IN ('x')", "(a = 1) IN ('x')", "a IN ('e', 'd', 'c', 'b', 'a')", "a NOT IN ('x', 'y', 'x', 'y', 'z', 'long')",
    "(a IN ('e', 'd', 'c', 'b', 'a')) > 1", "(a IN ('x', 'x')) > 1", "a NOT", "a NOT 5", "a NOT NOT IN ('x')",
    "a CONTAINS 'x'", "a NOT CONTAINS 'x'", "a CONTAINS ''", "a NOT CONTAINS ''", "a CONTAINS b", "a CONTAINS",
    "a STARTSWITH 'x'", "a NOT STARTSWITH 'x'", "a ENDSWITH 'x'", "a NOT ENDSWITH 'x'", "5 CONTAINS '5'",
    "'xyz' CONTAINS 'y'", "a STARTSWITH ''", "a NOT ENDSWITH ''", "(a > 1) CONTAINS 'x'", "CONTAINS = 'x'",
    "a contains 'x'", "contains IS NULL", "a NOT ENDSWITH 5", "a ENDSWITH", "(a CONTAINS 'x') > 1",
    "a > 0.0", "a > 1.5", "a > 1e400", "a > 1e-400", "a > .5", "a > 5.", "a > 1E10", "a > 1.5E-3", "a > -1.5",
    "a > 123456789.5 > 1", "(a > 0.001) > 1", "(a > 12345678.9) > 1", "(a > 1e21) > 1", "(a > 0.00012) > 1",
    "(a > 100.0) > 1", "(a > 1234567.0) > 1", "(a > 3e-5) > 1", "a > 2147483647", "a > 2147483648",
    "(a > 3000000000l) > 1", "a > 9223372036854775807", "a > 9223372036854775808", "a > 10L", "a > 10l", "a = 007",
    "a = 0L", "a = 1.5.2", "a = 1x", "a > - 1", "a > -'x'", "a > --1\n", "a > 1 -- end", "a > 1 -- end\n",
    "a > 1 /* c */ and b = 'x'", "a > 1 /* c", "a > 1 / 2", "/", "/*", "/**/a = 1", "/* ** */ a = 1 /***/",
    "a = 'it''s'", "a = ''", "a = ''''", "a = 'x", "'", "a = \"x\"", "a == 1", "a != 1", "a = 1 && b = 2",
    "a = 1 || b = 2", "a = 1 xor b = 2", "a = 1 b = 2", "a = 1,", "a = 1)", "(a = 1", "((a = 1)", "()", "(", ")",
    "a =", "= 1", "a <", "a < > 1", "a >< 1", "a => 1", "a =< 1", "AND", "a AND", "AND a", "a OR", "OR", "NOT",
    "NOT NOT a", "a AND b", "a AND NOT b", "a OR b AND c", "(a OR b) AND c", "1 AND a", "a AND 1", "'x' OR a",
    "a > 1 > 2", "(a > 1) > 2", "a > (b > 1)", "a > TRUE", "a > 'x'", "'x' > a", "1 > 2", "1 < 2", "2 > a", "2 = a",
    "'2' = a", "1.5 = a", "1.5 > a", "3000000000 = a", "3000000000 > a", "a = 3000000000", "(a = b) = TRUE",
    "(a = b) = 'true'", "(a = b) = (c = c)", "TRUE = (a = b)", "a = b = c", "a <> b <> c", "1 = 1", "1 = 1.0",
    "1 = 3000000000", "1.0 = 3000000000", "'x' = 'x'", "'x' = 1", "1 = 'x'", "'true' = TRUE", "TRUE = TRUE",
    "TRUE = FALSE", "TRUE = 'x'", "-a > 1", "-a = 1", "- - 1 = 1", "-(a) < 5", "-(1.5) < a", "-3000000000 < a",
    "+a > 1", "+ a > +1", "++a > 1", "+", "+ +", "+ 'x'", "+(a", "+(a = 1", "+(a = 1)", "+(a IN ('x', 'y'))", "+ )",
    "-", "a > +", "a > -", "a + 1 > 2", "a * 2 > 1", "a LIKE 'x%'", "a IN ('x' 'y')", "a IN ('x',)", "a.b = 1",
    "$a = 1", "_a = 1", "a1 = 1", "1a = 1", "TAGS = 'x'", "KEYS IS NOT NULL", "a = 'x' -- no\n and b = 'y'", "",
    " ", "\t", "\n", "a\t=\t!", "a\n=\n!", "a\r\n=\r\n!", "a\r=\r!", "a =\n\n1 !", "a = 1\n)", "#", "a #", "a = 1 #",
    "a = 1 #\n", "\u00e9 = 1", "a = '\u00e9'", "a = '\u00e9", "a = 1 \u00e9", "a = '\U0001f600' \U0001f600",
    ".", "a = .", "a = . 5", "a = .x", "a = 'x\n", "a = 'x\ny", "a = '\\x' '", "a = \\", "~", "a\f=\f1", "a IS NULL OR",
    "a IS NULL b", "a NOT IN", "a NOT IN (", "a NOT IN ('x'", "a NOT IN ('x',", "a NOT BETWEEN", "a NOT BETWEEN 1",
    "a NOT BETWEEN 1 AND", "a IN (", "a IN ('x'", "a BETWEEN", "a BETWEEN 1", "a BETWEEN 1 AND", "NOT 5", "NOT 'x'",
    "NOT NULL", "NOT TRUE", "NULL OR a IS NULL", "NULL AND a = 1", "NULL = NULL", "a = (NULL)", "(NULL) IS NULL",
    "a > (NULL)", "a > (5)", "(5) > a", "(a) > 5", "((a)) = ((5))", "a IS NOT NULL AND a > 1",
    "a between 1 and 5 and b = 'x'",
    "and = 1", "a = and", "in in ('x')", "a not in ('x') and not b in ('y')", "a in ('x') = TRUE", "a > 1 = TRUE",
    "a = 1 IS NULL", "a IS NULL = TRUE", "a IS NOT NULL <> TRUE", "a > 1 IS NOT NULL",
)  # fmt: skip
VALUES = (
    "x", "y", "z", "xyz", "", " ", "1", "10", "11", "-1", "+5", "007", "5", "1.5", "10.0", " 10 ", "1e1", "0x10",
    "true", "TRUE", "false", "null", "NaN", "Infinity", "-0.0", "0.0", "0", "2147483648", "3000000000",
    "9223372036854775808", "10L", "10d", "it's", "\u00e9", "1_000", "0x1p3", ".5", "5.",
)  # fmt: skip
NAMES = ("a", "b", "c")
NUMBERS = ("0", "1", "5", "10", "10L", "2147483648", "1.5", "10.0", "1e1", "-1", "-1.5", "+5")
TEXTS = ("'x'", "'y'", "'10'", "'true'", "''", "'it''s'", "'1.5'")
SPOILS = (
    *("(", ")", "AND", "NOT", "IS", "IN", "=", "<", "'x'", "5", "1.5", "a", ",", "BETWEEN", "+", "-", "CONTAINS"),
    *("NULL", "!"),
)


def _operand(dice: random.Random) -> str:
    return dice.choice([dice.choice(each) for each in (NAMES, NAMES, NUMBERS, TEXTS, ("TRUE", "NULL"))])


def _condition(dice: random.Random, depth: int) -> list[str]:
    kind = dice.randrange(12 if depth else 8)
    negation = ["NOT"] if dice.random() < 0.4 else []
    name = dice.choice(NAMES)
    if kind < 4:
        left = name if dice.random() < 0.8 else _operand(dice)
        return [left, dice.choice(("=", "<>", ">", ">=", "<", "<=")), _operand(dice)]
    if kind == 4:
        return [name, *negation, "BETWEEN", dice.choice(NUMBERS), "AND", dice.choice(NUMBERS)]
    if kind == 5:
        texts = [dice.choice(TEXTS) for _ in range(dice.choice((1, 2, 3, 6)))]
        return [name, *negation, "IN", "(", *" , ".join(texts).split(" "), ")"]
    if kind == 6:
        return [name, "IS", *negation, "NULL"]
    if kind == 7:
        return [name, *negation, dice.choice(("CONTAINS", "STARTSWITH", "ENDSWITH")), dice.choice(TEXTS)]
    if kind == 8:
        return ["NOT", "(", *_condition(dice, depth - 1), ")"]
    return [
        *(["("] if kind > 9 else []), *_condition(dice, depth - 1), dice.choice(("AND", "OR", "and", "Or")),
        *_condition(dice, depth - 1), *([")"] if kind > 9 else []),
    ]  # fmt: skip


def _spoilt(dice: random.Random, tokens: list[str]) -> list[str]:
    at = dice.randrange(len(tokens))
    own, other = tokens[at], dice.choice(SPOILS)
    put: Sequence[Sequence[str]] = ((), (own, own), (other,), (own, other))
    return [*tokens[:at], *dice.choice(put), *tokens[at + 1 :]]


def _properties(dice: random.Random) -> Mapping[str, str]:
    return {name: dice.choice(VALUES) for name in NAMES if dice.random() < 0.85}


def questions() -> list[str]:
    """The lines of the file."""
    dice = random.Random(92)
    asked = list(BY_HAND)
    for number in range(DRAWN):
        tokens = _condition(dice, 3)
        asked.append(" ".join(_spoilt(dice, tokens) if number % 2 else tokens))
    lines = []
    for sql in asked:
        sets = ["&".join(f"{quote_plus(k)}={quote_plus(v)}" for k, v in _properties(dice).items()) for _ in range(SETS)]
        lines.append("\t".join([quote_plus(sql), *sets]))
    return lines


if __name__ == "__main__":
    Path(sys.argv[1]).write_text("\n".join(questions()) + "\n")
