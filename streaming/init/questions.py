"""Five questions for an operator who has no file at hand."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from simulator.releases.ledger import NEWEST, RELEASES
from simulator.scenario.reading.scenario_error import did_you_mean
from simulator.units import parse_rate_per_s
from streaming.init.chosen_values import BROKERS, PRODUCERS, QUEUES, RATE_PER_S, OperatorAnswers
from streaming.init.cluster_facts import Sourced
from streaming.init.scenario_lines import ASSUMED
from streaming.init.texts.init_source_texts import InitSourceTexts
from streaming.texts.init_texts import InitTexts

ANSWERED = "answered"
GIVEN = InitSourceTexts.GIVEN()
TAKEN = InitSourceTexts.ANSWER_LEFT_EMPTY().at(ASSUMED)

Ask = Callable[[str], str]
Say = Callable[[str], None]


def count_in(text: str, most: int) -> int:
    """A whole number from 1 to `most`. Raises ValueError with the rest of a sentence."""
    if not text.isascii() or not text.isdigit() or not 1 <= int(text) <= most:
        raise ValueError(InitTexts.COUNT_EXPECTED(most=most, got=text))
    return int(text)


def release_in_words(text: str) -> str:
    """A release that is modelled. Raises ValueError with the rest of a sentence."""
    if text not in RELEASES:
        raise ValueError(
            InitTexts.RELEASE_EXPECTED(first=RELEASES[0], newest=NEWEST, got=text, near=did_you_mean(text, RELEASES))
        )
    return text


def rate_in(text: str) -> float:
    """Messages a second, with or without the unit. Raises ValueError with the rest of a sentence."""
    per_s = float(parse_rate_per_s(f"{text}/s" if text.replace(".", "", 1).isdigit() else text))
    if per_s <= 0:
        raise ValueError(InitTexts.RATE_EXPECTED(got=text))
    return per_s


def asked_answers(ask: Ask, say: Say) -> OperatorAnswers:
    """Ask five questions, each again until its answer can be used; an empty one takes the value in brackets."""

    def answer(question: str, default: Any, read: Callable[[str], Any]) -> Sourced[Any]:
        while True:
            text = ask(f"{question} [{default}] ").strip()
            if not text:
                return Sourced(read(str(default)), TAKEN)
            try:
                return Sourced(read(text), ANSWERED)
            except ValueError as error:
                say(str(error))

    return OperatorAnswers(
        brokers=answer(InitTexts.QUESTION_BROKERS(), BROKERS, lambda text: count_in(text, 100)),
        release=answer(InitTexts.QUESTION_RELEASE(), NEWEST, release_in_words),
        producers=answer(InitTexts.QUESTION_PRODUCERS(), PRODUCERS, lambda text: count_in(text, 1_000_000)),
        rate_per_s=answer(InitTexts.QUESTION_RATE(), f"{RATE_PER_S:g}", rate_in),
        queues=answer(InitTexts.QUESTION_QUEUES(), QUEUES, lambda text: count_in(text, 1024)),
    )
