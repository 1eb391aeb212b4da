"""A text of the catalogue: its id, its facts, its place, and the errors that carry them."""

from __future__ import annotations

import pickle

import pytest

from state.sentence_error import SentenceError
from state.texts import Text, at, joined, sentence_of
from tests.says import Said, Says


class ShopTexts:
    SOLD_OUT = Text("{what} is sold out; {left:,} left")
    WEIGHS = Text("{grams:,.3g} g")
    LEFT = Text("{count} {count:cup is|cups are} left")
    NEAR = Text("; did you mean {near}?")
    NOT_HERE = Text("no {what}{near}")


def test_a_text_has_the_id_of_its_place_in_the_catalogue():
    assert ShopTexts.SOLD_OUT.id == "shop.sold-out"


def test_a_sentence_is_its_words_and_keeps_its_facts():
    sentence = ShopTexts.SOLD_OUT(what="tea", left=1200)
    assert (sentence, sentence.facts) == ("tea is sold out; 1,200 left", {"what": "tea", "left": 1200})


def test_a_fact_that_is_missing_is_no_sentence():
    with pytest.raises(KeyError):
        ShopTexts.SOLD_OUT(what="tea")


def test_places_stand_before_it_from_the_outside_in():
    sentence = ShopTexts.SOLD_OUT(what="tea", left=0).at("shelf[2]").at("list.yaml:4")
    assert (sentence.place, str(sentence)[:22]) == ("list.yaml:4: shelf[2]", "list.yaml:4: shelf[2]:")


def test_facts_of_a_sentence_in_it_are_its_own():
    assert ShopTexts.NOT_HERE(what="tae", near=ShopTexts.NEAR(near="tea")).facts == {"what": "tae", "near": "tea"}


@pytest.mark.parametrize(("count", "words"), [(1, "1 cup is left"), (2, "2 cups are left"), (0, "0 cups are left")])
def test_a_word_goes_with_its_number(count, words):
    assert ShopTexts.LEFT(count=count) == words


@pytest.mark.parametrize(
    ("grams", "words"), [(1149.6, "1,150 g"), (999.4, "999 g"), (2.5, "2.5 g"), (0.000012, "0.000012 g")]
)
def test_no_number_has_an_exponent(grams, words):
    assert ShopTexts.WEIGHS(grams=grams) == words


def test_sentences_in_a_row_keep_what_each_of_them_says():
    tea, milk = (ShopTexts.SOLD_OUT(what=what, left=0) for what in ("tea", "milk"))
    row = ShopTexts.NOT_HERE(what=joined("; ", [tea, milk]), near="")
    assert row == "no tea is sold out; 0 left; milk is sold out; 0 left"
    assert Says("shop.sold-out", what="tea") in Said(row)
    assert Says("shop.sold-out", what="coffee") not in Said(row)


def test_facts_that_no_file_could_hold_are_kept_as_printed(tmp_path):
    assert ShopTexts.SOLD_OUT(what=tmp_path, left=0).facts["what"] == str(tmp_path)


def test_an_error_carries_what_it_was_made_with():
    error = SentenceError(ShopTexts.SOLD_OUT(what="tea", left=0).at("list.yaml"))
    assert (error.id, error.place, error.facts["what"]) == ("shop.sold-out", "list.yaml", "tea")
    assert (SentenceError("sold out").id, SentenceError("sold out").facts) == ("", {})


def test_an_error_keeps_it_on_its_way_from_a_worker():
    error = pickle.loads(pickle.dumps(SentenceError(ShopTexts.SOLD_OUT(what="tea", left=0))))
    assert sentence_of(error) == Says("shop.sold-out", what="tea")


def test_a_plain_text_gets_its_place_too():
    assert at("list.yaml", "sold out") == "list.yaml: sold out"


@pytest.mark.parametrize(
    ("says", "is_said"),
    [
        (Says("shop.sold-out"), True),
        (Says("shop.sold-out", what="tea"), True),
        (Says("shop.sold-out", "list.yaml: tea"), True),
        (Says("shop.sold-out", "...: tea"), True),
        (Says("shop.not-here"), False),
        (Says("shop.sold-out", what="milk"), False),
        (Says("shop.sold-out", "list.yaml"), False),
        (Says("shop.sold-out", size=3), False),
    ],
)
def test_a_test_expects_an_id_a_place_and_facts(says, is_said):
    error = SentenceError(ShopTexts.SOLD_OUT(what="tea", left=0).at("tea").at("list.yaml"))
    assert (says in Said(error)) is is_said
