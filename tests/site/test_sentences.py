"""What the check of the documents' sentences finds; `make lint` runs it over all of them."""

from __future__ import annotations

import pytest

from tests.site.sentences import WORDS_MAX, sentences, wrong_in, wrong_in_code, wrong_in_data

LONG = "word " * WORDS_MAX


def test_a_sentence_of_more_words_is_found_across_lines():
    assert list(wrong_in(f"A short one. {LONG}\nend.")) == [f"41 words, at most 40: {LONG}end."]


@pytest.mark.parametrize(
    "page", [f"{LONG}.", f"- {LONG}\n- {LONG}", f"| {LONG} | {LONG} |", f"{LONG}:\n\n    {LONG} x"]
)
def test_items_cells_and_code_are_not_one_sentence(page):
    assert list(wrong_in(page)) == []


def test_a_link_counts_with_its_text_and_code_as_one_word():
    assert list(sentences("See [a page](docs/a.md), `b c d`.")) == ["See [a page], code."]


def test_a_refused_word_is_named_with_a_better_one():
    assert list(wrong_in("It starts anew.")) == ["say again, not 'anew': It starts anew."]


@pytest.mark.parametrize(
    "code", ["told = 1", "def _rows_told(): ...", "class LastNight: ...", "x = 1  # the door", '"""A wish."""']
)
def test_a_name_a_comment_and_a_docstring_of_code_are_read(code):
    assert len(list(wrong_in_code(code + "\n"))) == 1


@pytest.mark.parametrize("code", ["midnight = indoors = 1", 'KEY = "told"', "unfolded = 1  # a shelve"])
def test_parts_of_words_and_texts_that_are_data_are_not(code):
    assert list(wrong_in_code(code + "\n")) == []


@pytest.mark.parametrize(
    "data", ["cause: It starts anew.", "- {figures: [{because: it is told so}]}", "a: b\n---\n- for ever"]
)
def test_the_texts_of_a_data_file_are_read_however_deep(data):
    assert len(list(wrong_in_data(data))) == 1


def test_keys_and_comments_of_a_data_file_are_not():
    assert list(wrong_in_data("anew: 1  # it starts anew")) == []
