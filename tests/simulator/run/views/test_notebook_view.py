"""How a notebook shows a result: names are escaped, counts have separators, and a long table is cut."""

from __future__ import annotations

import pyarrow as pa

from simulator.run.views.notebook_view import notebook_view


def shown(*arguments, **more):
    return "".join(notebook_view(*arguments, **more).split())


def test_names_and_sentences_are_escaped():
    html = shown("a<b", pa.table({"rows": [1]}), ["one & two"])
    assert html.startswith("<p><b>a&lt;b</b></p><ul><li>one&amp;two</li></ul><table")


def test_counts_have_separators_and_measures_four_digits():
    html = shown("", pa.table({"rows": [1_234_567], "mean": [1234.5678]}))
    assert "<td>1,234,567</td><td>1,235</td>" in html
    assert "<ul>" not in html


def test_a_long_table_is_cut():
    html = notebook_view("", pa.table({"rows": [*range(100)]}), most=10)
    assert html.count("<tr>") < 15
