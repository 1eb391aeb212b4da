"""Tests hold the id, place and facts of what is printed: none writes down words of a text of the catalogue."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from string import Formatter

import pytest

from tests.house.catalogue.test_texts import DOCUMENTED, TEXTS
from tests.house.tree import ROOT

# Rooms of tests in which none does; beside them are the makers of pictures, pages and measurements.
ROOMS = ("golden", "house", "simulator", "state", "streaming")
# Files of them in which these words are not those of a text.
OTHER_WORDS = (
    "tests/house/catalogue/test_tests_hold_ids.py",  # an example of what is seen
    "tests/simulator/scenario/policy/test_policy_check.py",  # a policy's source
)
QUOTES = ("import-note.whole-sends",)  # texts that quote what RocketMQ logs, which tests of logs hold, too
IN_A_ROW = 4  # so many words of a text, one after the other, are a part of its wording
WORD = re.compile(r"[A-Za-z_]{2,}")
ID = re.compile(r"[a-z0-9-]+\.[a-z0-9-]+")


def rows_of_words(text: str) -> Iterator[tuple[str, ...]]:
    """Every IN_A_ROW words that stand next to each other."""
    words = [word.lower() for word in WORD.findall(text)]
    yield from (tuple(words[at : at + IN_A_ROW]) for at in range(len(words) - IN_A_ROW + 1))


@cache
def wordings() -> dict[tuple[str, ...], str]:
    """The rows of words of all texts, without their facts: whose they are."""
    return {
        row: text.id
        for text in TEXTS.values()
        if text.id not in QUOTES
        for literal, *_ in Formatter().parse(text.template)
        for row in rows_of_words(literal)
    }


def worded(source: str) -> Iterator[str]:
    """The strings of a module that hold words of a text, a line each: where, whose words, the string."""
    tree = ast.parse(source)
    docstrings = {
        id(node.body[0].value)
        for node in ast.walk(tree)
        if isinstance(node, DOCUMENTED) and node.body and isinstance(node.body[0], ast.Expr)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docstrings:
            own = next((wordings()[row] for row in rows_of_words(node.value) if row in wordings()), None)
            if own is not None and not ID.fullmatch(node.value):
                yield f"{node.lineno}: {own}: {node.value}"


def files_of_tests() -> list[Path]:
    """The modules of the rooms."""
    return [path for room in ROOMS for path in sorted((ROOT / "tests" / room).rglob("*.py"))]


@pytest.mark.parametrize("path", files_of_tests(), ids=lambda path: str(path.relative_to(ROOT)))
def test_no_test_writes_down_words_of_a_text(path):
    found = list(worded(path.read_text("utf-8")))
    assert bool(found) is (str(path.relative_to(ROOT)) in OTHER_WORDS), found


def test_words_of_a_text_are_seen():
    compared = (
        'def test():\n    """no broker has replicas or slaves"""\n    assert f"{x}: no broker has replicas or slaves"'
    )
    assert [line[:17] for line in worded(compared)] == ["3: measure.no-set"]
