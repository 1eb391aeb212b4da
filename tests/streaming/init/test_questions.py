"""Five questions for an operator who has no file."""

from __future__ import annotations

from simulator.units import shown
from streaming.init.cluster_facts import ClusterFacts
from streaming.init.cluster_scenario import ClusterWriter
from streaming.init.questions import asked_answers, rate_in
from streaming.texts.init_texts import InitTexts
from tests.says import Says, prints, raises


def answered(*answers):
    said, asked, given = [], [], iter(answers)

    def ask(question):
        asked.append(question)
        return next(given)

    return asked_answers(ask, said.append), asked, said


def test_there_are_five_questions_and_their_answers_are_the_scenario():
    answers, asked, _ = answered("2", "4.9.8", "20", "2000/s", "4")
    made = ClusterWriter(ClusterFacts(), answers).write("five answers")
    assert len(asked) == 5
    words = " ".join(made.text.split())
    assert "broker-b: {like: broker-a}" in words
    assert "broker-c" not in words
    assert "release: 4.9.8 # answered" in words
    assert "count: 20 # answered" in words
    assert "rate: 100/s" in words
    assert "queues: 4 # answered" in words


def test_a_wrong_answer_is_asked_again_with_the_reason():
    answers, asked, said = answered("three", "3", "5.3.4", "5.3.3", "1", "0", "12", "8")
    assert len(asked) == 8
    assert said[0] == InitTexts.COUNT_EXPECTED(most=100, got="three")
    assert prints(said[1], InitTexts.RELEASE_EXPECTED, got="5.3.4", near="; did you mean 5.3.3?")
    assert answers.rate_per_s.value == 12.0


def test_an_empty_answer_is_marked_as_assumed():
    answers, _, _ = answered("", "", "", "", "")
    made = ClusterWriter(ClusterFacts(), answers).write("five answers")
    assert "count: 10" in made.text
    assert {"count", "release", "queues"} <= set(made.assumed)


def test_a_rate_that_is_none_is_named_as_it_was_given():
    assert [rate_in(text) for text in ("12", "1.5", "120/min")] == [12.0, 1.5, 2.0]
    with raises(ValueError, Says("unit.expected", noun="rate", got=shown("fast"))):
        rate_in("fast")
