"""The results of deliveries in words are those of the model."""

from __future__ import annotations

from simulator.consumer.memory import fate
from state.group_table import DELIVERY_RESULTS, HANDLED_RESULTS, NOT_FAILED_RESULTS


def test_every_fate_has_its_word():
    fates = {value for name, value in vars(fate).items() if name.isupper() and isinstance(value, int)}
    assert fates - {fate.NO_TOPIC, fate.LEVELS_COUNTED} == set(range(len(DELIVERY_RESULTS)))


def test_what_counts_as_handled_is_what_the_model_counts():
    assert [DELIVERY_RESULTS[one] for one in fate.WELL_HANDLED] == list(HANDLED_RESULTS)
    assert {*HANDLED_RESULTS, DELIVERY_RESULTS[fate.DUPLICATE]} == set(NOT_FAILED_RESULTS)
