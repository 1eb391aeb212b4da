"""Kafka's partitioner where every message is sent at once."""

import pytest

from simulator.policies.choose.kafka_partitioner import PART
from tests.simulator.policies.made import RulesOf, ask_of, chosen_of, part_with

RULES = RulesOf(PART)

QUEUES = (0, 0, 1, 1, 2, 2)
EVERY_TIME = {"batch": 1}  # another queue for every message


def with_requests(*counts, **parameters):
    """A partitioner that has sent so many requests to each broker."""
    state = part_with(PART, **parameters)
    for broker, count in enumerate(counts):
        for _ in range(count):
            RULES.sent(state, broker, 1, 0)
    return state


def part_of(state, broker, now_us=0, **asked):
    """The part of many choices that go to a broker."""
    found = chosen_of(PART, state, ask_of(*QUEUES, message_bytes=1, now_us=now_us, **asked))
    return found[broker] / found.total()


def test_a_queue_is_used_for_a_batch_of_bytes():
    state, ask = part_with(PART, batch=4096), ask_of(*QUEUES, message_bytes=1024)
    places = []
    for word in range(40):
        ask.word = word << 58
        places.append(RULES.choose(state, ask))
    assert all(len(set(places[first : first + 4])) == 1 for first in range(0, 40, 4))


def test_queues_alike_are_chosen_alike():
    assert part_of(part_with(PART, **EVERY_TIME), 1) == pytest.approx(1 / 3, abs=0.1)


def test_a_queue_whose_broker_has_more_requests_is_chosen_less():
    assert part_of(with_requests(0, 4, 0, **EVERY_TIME), 1) == pytest.approx(1 / 11, abs=0.05)


def test_without_adaptation_it_is_chosen_as_often():
    assert part_of(with_requests(0, 4, 0, adaptive=0, **EVERY_TIME), 1) == pytest.approx(1 / 3, abs=0.1)


def test_a_broker_that_took_nothing_for_longer_than_the_time_out_is_left_out():
    state = with_requests(0, 5, 0, availability_us=1000, **EVERY_TIME)
    RULES.choose(state, ask_of(*QUEUES, message_bytes=1, now_us=1001))
    assert part_of(state, 1, now_us=1001) == 0


def test_an_answer_makes_it_available_again():
    state = with_requests(0, 6, 0, availability_us=1000, **EVERY_TIME)
    RULES.ended(state, 1, 1, 900, 900, 0)
    assert part_of(state, 1, now_us=1001) > 0


def test_a_broker_that_others_avoid_is_left_at_once():
    state = part_with(PART)
    RULES.choose(state, ask_of(*QUEUES, message_bytes=1, allowed=(0, 1, 0)))
    assert part_of(state, 1, allowed=(1, 0, 1)) == 0
