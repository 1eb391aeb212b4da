"""Pages are made of templates, which hold no text of their own beyond labels: that is in the catalogue."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from jinja2 import nodes

from streaming.page_frame import templates
from tests.house.catalogue.test_printed import LABEL, WORD
from tests.house.catalogue.test_texts import CATALOGUES, TEMPLATES
from tests.house.tree import ROOT, tree_of
from tests.site.sentences import DOCUMENTED, PRODUCT, product_files

ENVIRONMENT = templates._templates()
ELEMENT = re.compile(
    r"(?<!\?P)</?(?:a|body|div|figure|g|h[1-6]|head|html|i|li|line|main|ol|p|path|polyline|rect|script|section|small|span|style"
    r"|svg|t[dhr]|table|tbody|thead|ul)(?: [^<>]*)?/?>|<\w+ [a-z-]+="
)
READ_OUT = re.compile(r'(?:aria-label|title)="([^"]*)"')
TAG = re.compile(r"<[^<>]*(?:>|$)|^[^<>]*>")
FIELD = "{}"
STRING = re.compile(r"""(["'`])((?:(?!\1)[^\n\\]|\\.)*)\1""")
SCRIPTS = sorted((ROOT / "streaming").rglob("*.js"))


def texts_in(source: str) -> Iterator[str]:
    """What a template shows or has read out: between tags, in attributes, and in strings that macros are given."""
    tree = ENVIRONMENT.parse(source)
    for output in tree.find_all(nodes.Output):
        parts = [node.data if isinstance(node, nodes.TemplateData) else FIELD for node in output.nodes]
        text = "".join(parts)
        yield from READ_OUT.findall(text)
        yield from TAG.sub("|", text).split("|")
    yield from (node.value for node in tree.find_all(nodes.Const) if isinstance(node.value, str))


def sentences_in(source: str) -> list[str]:
    """The texts of more than LABEL words."""
    return [text for text in texts_in(source) if sum(1 for word in text.split() if WORD.fullmatch(word)) > LABEL]


def script_sentences(source: str) -> list[str]:
    """The strings of a script of more than LABEL words; comments apart."""
    code = re.sub(r"^ *//.*$|/\*.*?\*/", "", source, flags=re.MULTILINE)
    texts = [re.sub(r"\$\{[^}]*\}", FIELD, match[2]) for match in STRING.finditer(code)]
    return [text for text in texts if sum(1 for word in text.split() if WORD.fullmatch(word)) > LABEL]


def uses_in(source: str) -> Iterator[tuple[str, str, set[str]]]:
    """Every text of the catalogue that a template uses: class, name, facts that it is given."""
    for call in ENVIRONMENT.parse(source).find_all(nodes.Call):
        own = call.node
        if isinstance(own, nodes.Getattr) and isinstance(own.node, nodes.Name) and own.node.name in CATALOGUES:
            yield own.node.name, own.attr, {fact.key for fact in call.kwargs}


def markup_in(source: str) -> list[str]:
    """The strings of a module that hold elements of a page; docstrings apart, and what plotly reads in a hover text."""
    tree = tree_of(source)
    documented = {id(node.body[0].value) for node in ast.walk(tree) if isinstance(node, DOCUMENTED) and _is_text(node)}
    texts = (node for node in ast.walk(tree) if isinstance(node, ast.Constant) and isinstance(node.value, str))
    return [node.value for node in texts if id(node) not in documented and ELEMENT.search(node.value)]


def _is_text(node: ast.AST) -> bool:
    return bool(node.body) and isinstance(node.body[0], ast.Expr) and isinstance(node.body[0].value, ast.Constant)


@pytest.mark.parametrize("room", PRODUCT)
def test_pages_are_made_of_templates_alone(room):
    found = {str(path.relative_to(ROOT)): markup_in(path.read_text("utf-8")) for path in product_files(room)}
    assert {path: texts for path, texts in found.items() if texts} == {}


@pytest.mark.parametrize("held", ['f"<li>{x}</li>"', '"</table>"', "'<svg viewBox=\"0 0 1 1\">'", 'f"<div class={x}>"'])
def test_markup_in_a_string_is_seen(held):
    assert markup_in(f"def f(x):\n    return {held}\n")


def test_docstrings_hover_texts_and_names_of_groups_are_no_markup():
    assert markup_in('"""<table>"""\nx = "<b>a</b><br>%{x}<extra></extra>"\ny = r"(?P<span>\\d+)"\n') == []


@pytest.mark.parametrize("path", TEMPLATES, ids=lambda path: str(path.relative_to(ROOT)))
def test_a_template_holds_labels_alone(path: Path):
    assert sentences_in(path.read_text("utf-8")) == []


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_a_script_holds_labels_alone(path: Path):
    """Its sentences stand in an attribute of the element that shows them."""
    assert script_sentences(path.read_text("utf-8")) == []


@pytest.mark.parametrize("quote", ['"', "'", "`"])
def test_a_sentence_in_a_script_is_seen(quote):
    assert script_sentences(f"place.textContent = {quote}no answer from the server{quote};")


@pytest.mark.parametrize("path", TEMPLATES, ids=lambda path: str(path.relative_to(ROOT)))
def test_a_template_gives_every_text_its_facts(path: Path):
    wrong = [use for use in uses_in(path.read_text("utf-8")) if use[2] != CATALOGUES[use[0]][use[1]].names]
    assert wrong == []


@pytest.mark.parametrize(
    "held",
    [
        "<p>No page was drawn</p>",
        '<div aria-label="Lines: draw or leave">{{ x }}</div>',
        '{{ kit.figure_card("a", "The load of queues") }}',
        "<p>{{ count }} are not yet simulated</p>",
    ],
)
def test_a_sentence_of_a_template_is_seen(held):
    assert len(sentences_in(held)) == 1


def test_labels_and_markup_are_no_sentences():
    assert (
        sentences_in('<section class="card wide full"><h2>Rate changes</h2>{{ TemplateTexts.QUEUES() }}</section>')
        == []
    )
