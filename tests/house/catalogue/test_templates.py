"""The templates of pages hold no text of their own beyond labels: what stands there is in the catalogue."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from jinja2 import nodes

from streaming.page_frame import templates
from tests.house.catalogue.test_printed import LABEL, WORD
from tests.house.catalogue.test_texts import CATALOGUES, TEMPLATES
from tests.house.tree import ROOT

ENVIRONMENT = templates._templates()
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
