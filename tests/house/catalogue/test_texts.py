"""What programs print stands in the catalogue of its room: no sentence is written where it is raised."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from string import Formatter

import pytest

from state.texts import Text
from tests.house.tree import ROOT, tree_of
from tests.site.sentences import product_files, wrong_in

# Rooms whose texts are in a catalogue, and files of them that are not yet.
ROOMS = (
    "simulator", "state", "streaming",
)  # fmt: skip
NOT_YET = (
    # what nobody sees but who writes rules for the event loop
    "simulator/__init__.py",
    "simulator/compiled/",
    # what RocketMQ says, in its own words
    "simulator/consumer/allocation/",
    "simulator/consumer/rules/tags.py",
    "simulator/consumer/sql/java_values.py",
    "simulator/consumer/sql/sql_building.py",
    "simulator/consumer/sql/sql_expression.py",
    "simulator/consumer/sql/sql_lexer.py",
    "simulator/consumer/sql/sql_parser.py",
    # a page of docs/, whose words are the tables' own
    "state/describe.py",
    # what Python and a JVM read, and no user
    "streaming/__init__.py",
    "streaming/face/sendlab/__init__.py",
    "streaming/spark/java_archive.py",
)
# Texts of the same wording all the same: sentences around others, and those whose facts have names of their own.
SAME_WORDING = (
    ("amendment.other-value", "reading.other-name"),
    ("case.behind", "cause.backlog"),
    ("case.double-owned", "cause.double-owned"),
    ("case.unowned", "cause.unowned"),
    ("fit.number-expected", "init.number-expected"),
    ("hunt.place-expected", "proof.outcome-expected"),
    ("output.unreadable", "reading.cannot-be-read"),
    ("policy.a-whole-number-expected", "reject.whole-number-expected"),
)
WORDS = 4  # so many words in a row are a sentence
DOCUMENTED = (ast.Module, ast.ClassDef, ast.FunctionDef)
MARKUP = re.compile(r"<[^<>]*>")
KEPT_AS = (["text"], ["what"])
ERRORS = re.compile(r"(Error|Problem|Interrupted|Unreadable|UnreadableBlock|BadValue|DamagedOutput|note|reject)$")


def of_rooms() -> list[Path]:
    """The modules of rooms with a catalogue, without the catalogues."""
    names = [path for path in product_files(*ROOMS) if not path.stem.endswith("_texts")]
    return [path for path in names if not str(path.relative_to(ROOT)).startswith(NOT_YET)]


def catalogues() -> dict[str, dict[str, Text]]:
    """Every class of texts by its name: its texts by theirs."""
    found: dict[str, dict[str, Text]] = {}
    for path in product_files():
        if path.stem.endswith("_texts"):
            module = __import__(".".join(path.relative_to(ROOT).with_suffix("").parts), fromlist=["texts"])
            for name, owner in vars(module).items():
                if isinstance(owner, type) and name.endswith("Texts") and owner.__module__ == module.__name__:
                    found[name] = {own: text for own, text in vars(owner).items() if isinstance(text, Text)}
    return found


CATALOGUES = catalogues()
TEMPLATES = sorted(path for end in ("html", "svg") for room in ROOMS for path in (ROOT / room).rglob(f"*.{end}"))
TEXTS = {text.id: text for texts in CATALOGUES.values() for text in texts.values()}


def written_in(source: str) -> Iterator[str]:
    """Sentences that a module gives an error or a problem, or keeps for one, a line each."""
    for function in ast.walk(tree_of(source)):
        if not isinstance(function, ast.FunctionDef):
            continue
        for node in ast.walk(function):
            if isinstance(node, ast.Call) and ERRORS.search(_last_name(node.func)):
                parts: list[ast.AST] = [*node.args]
            elif isinstance(node, ast.Assign) and [getattr(name, "id", "") for name in node.targets] in KEPT_AS:
                parts = [node.value]
            elif isinstance(node, ast.Yield | ast.Return) and node.value is not None:
                parts = [node.value] if isinstance(node.value, ast.JoinedStr) else []
            else:
                continue
            for part in parts:
                yield from (f"{each.lineno}: {ast.unparse(each)}" for each in _strings(part) if _is_sentence(each))


def _last_name(called: ast.expr) -> str:
    return str(getattr(called, "attr", getattr(called, "id", "")))


def _strings(node: ast.AST) -> Iterator[ast.Constant | ast.JoinedStr]:
    """The strings of an expression, but not what its calls are given."""
    if isinstance(node, ast.JoinedStr) or (isinstance(node, ast.Constant) and isinstance(node.value, str)):
        yield node
    elif not isinstance(node, ast.Call):
        for part in ast.iter_child_nodes(node):
            yield from _strings(part)


def _is_sentence(node: ast.Constant | ast.JoinedStr) -> bool:
    parts = node.values if isinstance(node, ast.JoinedStr) else [node]
    text = MARKUP.sub(" ", " ".join(part.value for part in parts if isinstance(part, ast.Constant)))
    return len(re.findall(r"(?<!\w)[A-Za-z]+(?!\w)", text)) >= WORDS


def calls() -> Iterator[tuple[str, str, str, list[str | None]]]:
    """Every use of a text: place, class, name, the facts that it is given; None for what a mapping gives."""
    for path in product_files():
        source = path.read_text("utf-8")
        if not re.search(r"Texts\.[A-Z]", source):
            continue
        for node in ast.walk(tree_of(source)):
            if isinstance(node, ast.Call) and _is_text(node.func):
                assert isinstance(node.func, ast.Attribute)
                where = f"{path.relative_to(ROOT)}:{node.lineno}"
                yield where, ast.unparse(node.func.value), node.func.attr, [key.arg for key in node.keywords]


def _is_text(node: ast.AST) -> bool:
    return isinstance(node, ast.Attribute) and node.attr.isupper() and ast.unparse(node.value) in CATALOGUES


@pytest.mark.parametrize("path", of_rooms(), ids=lambda path: str(path.relative_to(ROOT)))
def test_no_sentence_is_written_where_it_is_raised(path):
    assert list(written_in(path.read_text("utf-8"))) == []


def test_a_sentence_that_is_written_where_it_is_raised_is_seen():
    raised = 'def f():\n    raise ValueError(f"expected more than {x} of them")'
    assert [line[:2] for line in written_in(raised)] == ["2:"]


def test_every_use_gives_a_text_its_facts():
    wrong = [
        (where, f"{owner}.{name}", facts, sorted(CATALOGUES[owner][name].names))
        for where, owner, name, facts in calls()
        if name not in CATALOGUES[owner] or set(facts) != CATALOGUES[owner][name].names
    ]
    assert wrong == []


def test_every_text_is_used():
    sources = [path.read_text("utf-8") for path in (*product_files(), *TEMPLATES)]
    used = {use for source in sources for use in re.findall(r"\b\w+Texts\.[A-Z0-9_]+\b", source)}
    assert {f"{owner}.{name}" for owner, texts in CATALOGUES.items() for name in texts} - used == set()


def test_an_id_names_one_text():
    assert len(TEXTS) == sum(len(texts) for texts in CATALOGUES.values())


def bare(template: str) -> str:
    """A text without the names of its facts."""
    return "".join(
        f"{literal}{{{'!' if conversion else ''}{conversion or ''}:{form}}}" if name is not None else literal
        for literal, name, form, conversion in Formatter().parse(template)
    )


def test_two_texts_of_the_same_wording_are_one():
    found: dict[str, list[str]] = {}
    for text in TEXTS.values():
        found.setdefault(bare(text.template), []).append(text.id)
    same = {tuple(sorted(ids)) for ids in found.values() if len(ids) > 1}
    assert same == set(SAME_WORDING)


def test_texts_have_the_words_of_the_field_and_short_sentences():
    assert [(text.id, wrong) for text in TEXTS.values() for wrong in wrong_in(text.template)] == []
