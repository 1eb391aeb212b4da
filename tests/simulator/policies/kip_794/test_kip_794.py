"""What the KIP published of its partitioner comes out of the rules: the order, and every ratio within a fifth."""

import pytest

from tests.simulator.policies.kip_794.producer import OLD, PUBLISHED_MS, run

SLOW_RECORDS_PER_S = 50 * 31  # batches that 20 ms a request let pass, full ones


@pytest.fixture(scope="module")
def found():
    return {name: run(name) for name in PUBLISHED_MS}


def test_the_configurations_are_in_the_published_order(found):
    assert sorted(found, key=lambda name: -found[name].mean_ms) == list(PUBLISHED_MS)


@pytest.mark.parametrize("other", [name for name in PUBLISHED_MS if name != OLD])
def test_a_mean_over_that_of_another_configuration_is_within_a_fifth(found, other):
    for name in PUBLISHED_MS:
        published = PUBLISHED_MS[name] / PUBLISHED_MS[other]
        assert found[name].mean_ms / found[other].mean_ms == pytest.approx(published, rel=0.2)


def test_the_old_one_sends_the_slow_broker_more_than_it_can_take(found):
    assert found[OLD].slow_percent / 100 * 2048 > SLOW_RECORDS_PER_S


def test_another_seed_comes_to_the_same():
    assert run("defaults", seed=2).mean_ms == pytest.approx(PUBLISHED_MS["defaults"], rel=0.2)
