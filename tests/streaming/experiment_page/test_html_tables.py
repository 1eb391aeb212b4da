"""Tables for a page: figures stay whole, words are read from the left, names break where a reader would."""

from __future__ import annotations

from streaming.page_frame.html_tables import NO_BREAK, sentence, text_table

LONG = "exact Poisson interval (Garwood); Student t over runs"
TABLE = text_table(
    "t", ("measure", "old", "interval"), [("p99_ms[a<b]", "4.1 % (3 to 6), not shown", LONG), ("x", "-", "")]
)


def test_a_figure_breaks_before_its_interval_only():
    assert f"<td>4.1{NO_BREAK}% (3{NO_BREAK}to{NO_BREAK}6), not{NO_BREAK}shown</td>" in TABLE


def test_a_column_with_words_is_text_from_its_head_to_its_last_cell():
    assert TABLE.count(' class="text"') == 3


def test_a_name_may_break_after_an_underscore_and_is_escaped():
    assert '<th scope="row">p99_<wbr>ms<wbr>[a&lt;b]</th>' in TABLE


def test_a_sentence_breaks_at_no_figures_unit_nor_interval():
    told = sentence("fails 4.1 % ± 0.3 (3 to 6), 2 seeds <b, after 30 s, p99 14 ms lower").replace(NO_BREAK, "~")
    assert told == "fails 4.1~%~±~0.3 (3 to 6), 2 seeds &lt;b, after 30~s, p99 14~ms lower"
