"""Templates of pages: every value is escaped, figures stay whole, words are read from the left, names break well."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest
from jinja2 import UndefinedError

import streaming
from streaming.page_frame.cell_text import NO_BREAK, breakable, sentence
from streaming.page_frame.templates import Folded, kit, rendered
from streaming.page_frame.text_table import TextTable

LONG = "exact Poisson interval (Garwood); Student t over runs"
ROWS = (("p99_ms[a<b]", "4.1 % (3 to 6), not shown", LONG), ("x", "-", ""))
ROOM = Path(streaming.__file__).parent
TEMPLATES = [file for kind in ("html", "svg") for file in ROOM.rglob(f"*.{kind}")]


@pytest.fixture(scope="module")
def table():
    return kit().text_table(TextTable("t", ("measure", "old", "interval"), ROWS))


def test_a_figure_breaks_before_its_interval_only(table):
    assert f"<td>4.1{NO_BREAK}% (3{NO_BREAK}to{NO_BREAK}6), not{NO_BREAK}shown</td>" in table


def test_a_column_with_words_is_text_from_its_head_to_its_last_cell(table):
    assert table.count(' class="text"') == 3


def test_a_name_may_break_after_an_underscore_and_is_escaped(table):
    assert '<th scope="row">p99_<wbr>ms<wbr>[a&lt;b]</th>' in table
    assert breakable("MQClientException <_[") == "MQClient<wbr>Exception &lt;_<wbr>["


def test_a_sentence_breaks_at_no_figures_unit_nor_interval():
    text = sentence("fails 4.1 % ± 0.3 (3 to 6), 2 seeds, after 30 s, p99 14 ms lower").replace(NO_BREAK, "~")
    assert text == "fails 4.1~%~±~0.3 (3 to 6), 2 seeds, after 30~s, p99 14~ms lower"


def test_an_indented_line_continues_the_one_before_it():
    source = "<b>\n  {{ x }}\n  {% if y %}\n    ms,\n    s\n  {% endif %}</b>\n<i>"
    assert Folded.preprocess(None, source, None) == "<b>{{ x }}{% if y %}ms, s{% endif %}</b>\n<i>"


def test_a_value_that_a_template_needs_and_does_not_get_is_an_error():
    with pytest.raises(UndefinedError, match="why"):
        rendered("live/trouble.html")


def test_a_value_cannot_become_markup():
    assert "<p>&lt;img&gt; &amp; &#39;</p>" in rendered("live/trouble.html", why="<img> & '")


@pytest.mark.parametrize("file", TEMPLATES, ids=lambda file: file.name)
def test_no_template_turns_the_escaping_off(file):
    assert not re.search(r"\|\s*safe|autoescape|Markup", file.read_text())


def test_every_template_style_and_script_is_part_of_the_wheel():
    project = tomllib.loads((ROOM.parent / "pyproject.toml").read_text())
    packed = {
        file
        for package, patterns in project["tool"]["setuptools"]["package-data"].items()
        for pattern in patterns
        for file in (ROOM.parent / package.replace(".", "/")).glob(pattern)
    }
    assert {*TEMPLATES, *ROOM.rglob("*.css"), *ROOM.rglob("*.js")} <= packed
