"""What is printed comes from a catalogue: no sentence is given to a function that prints, and some rooms hold none.

Labels of up to LABEL words, headings of tables, and help texts of options may stand in code.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.house.catalogue.test_texts import MARKUP, WORDS, of_rooms
from tests.house.tree import ROOT, tree_of

LABEL = 2  # so many words are a label
# What puts a string before a user: consoles, progress bars, the doctor's checks, evidence, metrics.
PRINTING = re.compile(
    r"(^|\.)(print|out|echo|secho|say|_?tell|note|notes\.append|status|working|add_task|update|LiveProgress|Check|comment|Sourced|assumed|\w+MetricFamily)$"
)
# Rooms whose functions and constants hold no sentence, wherever it goes: returned, collected or written to a file.
WITHOUT_SENTENCES = (
    "streaming/commands/",
    "streaming/differences/",
    "streaming/init/",
    "streaming/proof/commands/",
)  # fmt: skip
HEADINGS = ("add_column", "Table", "TextTable")  # what is given to these heads a table or its columns
WORD, STYLE = re.compile(r"\W*[A-Za-z][A-Za-z'-]*\W*"), re.compile(r"\[/?[a-z ]*\]")
TABLE_ROW = "| "  # begins a row of a Markdown table
# Constants of such rooms that are data and not for reading.
DATA = ("streaming/commands/faults_command.py: CHANGE", "streaming/commands/faults_command.py: CONSUMERS",
        "streaming/commands/faults_command.py: EXAMPLE")  # fmt: skip


def strings(node: ast.AST) -> Iterator[ast.Constant | ast.JoinedStr]:
    """The strings below a node as they stand there, without docstrings and the formats of their fields."""
    if isinstance(node, ast.JoinedStr):
        yield node
        for part in node.values:
            if isinstance(part, ast.FormattedValue):
                yield from strings(part.value)
    elif isinstance(node, ast.Constant):
        if isinstance(node.value, str):
            yield node
    elif not (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)):
        for child in ast.iter_child_nodes(node):
            yield from strings(child)


def words_in(node: ast.Constant | ast.JoinedStr) -> int:
    """How many words of its own a string has, without those of its fields, and without markup."""
    parts = node.values if isinstance(node, ast.JoinedStr) else [node]
    text = "".join(str(part.value) if isinstance(part, ast.Constant) else "{}" for part in parts)
    return sum(1 for word in MARKUP.sub(" ", STYLE.sub(" ", text)).split() if WORD.fullmatch(word))


def printed_in(source: str) -> Iterator[str]:
    """The strings of more than LABEL words that a module gives a function which prints, a line each."""
    for node in ast.walk(tree_of(source)):
        if isinstance(node, ast.Call) and PRINTING.search(ast.unparse(node.func)):
            for part in (*node.args, *(key.value for key in node.keywords)):
                for each in _outside_calls(part):
                    if words_in(each) > LABEL:
                        yield f"{each.lineno}: {ast.unparse(each)}"


def _outside_calls(node: ast.AST) -> Iterator[ast.Constant | ast.JoinedStr]:
    """The strings of an expression, but not what its calls are given."""
    if isinstance(node, ast.JoinedStr | ast.Constant):
        yield from strings(node)
    elif not isinstance(node, ast.Call | ast.Dict):
        for part in ast.iter_child_nodes(node):
            yield from _outside_calls(part)


def sentences_in(source: str, path: str = "") -> Iterator[str]:
    """The sentences of a module's functions and constants, a line each; headings of tables are none."""
    tree = tree_of(source)
    headings = {
        id(each)
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and ast.unparse(node.func).rpartition(".")[2] in HEADINGS
        for each in strings(node)
    }
    for node in _read(tree):
        if isinstance(node, ast.Assign) and f"{path}: {ast.unparse(node.targets[0])}" in DATA:
            continue
        for each in strings(node):
            is_row = ast.unparse(each).lstrip("f").strip("'\"").startswith(TABLE_ROW)
            if id(each) not in headings and not is_row and words_in(each) >= WORDS:
                yield f"{each.lineno}: {ast.unparse(each)}"


def _read(tree: ast.Module) -> Iterator[ast.AST]:
    """The functions of a module, and its constants that are a string; tables of help texts are neither."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield from node.body
    for statement in tree.body:
        if isinstance(statement, ast.Assign) and isinstance(statement.value, ast.Constant | ast.JoinedStr):
            yield statement


def without_sentences() -> list[Path]:
    """The modules of rooms that hold none."""
    return [path for path in of_rooms() if str(path.relative_to(ROOT)).startswith(WITHOUT_SENTENCES)]


@pytest.mark.parametrize("path", of_rooms(), ids=lambda path: str(path.relative_to(ROOT)))
def test_no_sentence_is_written_where_it_is_printed(path):
    assert list(printed_in(path.read_text("utf-8"))) == []


@pytest.mark.parametrize("path", without_sentences(), ids=lambda path: str(path.relative_to(ROOT)))
def test_some_rooms_hold_no_sentence(path):
    assert list(sentences_in(path.read_text("utf-8"), str(path.relative_to(ROOT)))) == []


@pytest.mark.parametrize("room", WITHOUT_SENTENCES)
def test_every_room_that_is_named_is_there(room):
    assert any(str(path.relative_to(ROOT)).startswith(room) for path in without_sentences())


@pytest.mark.parametrize(
    "printed",
    [
        'console.print(f"tables are in {out}", highlight=False)',
        'bar.add_task("pages of the book", total=3)',
        'Check("memory", OK, "end the other programs")',
        'typer.echo("seen" if x else "nothing was seen")',
    ],
)
def test_a_printed_sentence_is_seen(printed):
    assert len(list(printed_in(printed))) == 1


@pytest.mark.parametrize(
    "printed",
    [
        'console.print(f"page: {written}", style="bold")',
        'console.print(Texts.TABLES_IN(out="a b c d"))',
        'print(json.dumps({"a": f"{x:%Y %m %d %H}"}))',
    ],
)
def test_labels_and_texts_of_a_catalogue_may_be_printed(printed):
    assert list(printed_in(printed)) == []


@pytest.mark.parametrize(
    "held",
    [
        'def f():\n    """One two three four."""\n    return "every page is the same"',
        'def f():\n    """One two three four."""\n    notes.append(f"no page lies before {x}")',
        'SAID = "every page is the same"\nHELP = {"a": "one two three four"}',
    ],
)
def test_a_sentence_of_a_room_is_seen(held):
    assert len(list(sentences_in(held))) == 1


def test_headings_rows_of_tables_and_formats_are_no_sentences():
    held = 'def f():\n    table.add_column("one two three four")\n    yield "| one | two | three | four |"\n'
    assert list(sentences_in(held + '    return f"{moment:%Y-%m-%d %H:%M:%S} UTC"')) == []
