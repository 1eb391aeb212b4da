"""Numbers are a hash of what they are for."""

from __future__ import annotations

import numpy as np
import pytest

from simulator.engine.broker.replication import SLAVE_WORD
from simulator.engine.broker.slowness import ADDED_WORD
from simulator.engine.broker.waiting import FLUSH_WORD
from simulator.kernel import randomness
from simulator.kernel.randomness import ATTEMPT_BITS, attempt_word, below, hash3, hash4, mix, signed_words
from simulator.scenario.brokers.storage import SLAVES_MAX
from simulator.scenario.policy.policy_settings import NUMBER_MAX

NUMBERS = {name: value for name, value in vars(randomness).items() if name.isupper() and isinstance(value, int)}
OF_ATTEMPTS = {name: value for name, value in NUMBERS.items() if name.startswith("ATTEMPT_")}


@pytest.mark.parametrize(
    ("word", "mixed"), [(0, 0xE220A8397B1DCDAF), (1234567, 0x599ED017FB08FC85), (2**64 - 1, 0xE4D971771B652C20)]
)
def test_mix_is_splitmix64(word, mixed):
    """Source: the reference splitmix64.c by Vigna, first output for a state of `word`."""
    assert int(mix(np.uint64(word))) == mixed


def test_every_word_of_a_key_counts():
    base = int(hash4(1, 2, 3, 4))
    assert (
        len({base, int(hash4(0, 2, 3, 4)), int(hash4(1, 0, 3, 4)), int(hash4(1, 2, 0, 4)), int(hash4(1, 2, 3, 0))}) == 5
    )
    assert int(hash3(1, 2, 3)) != int(hash3(2, 1, 3))


def test_below_is_even():
    found = np.bincount([below(np.uint64(hash4(9, 1, 0, i)), 10) for i in range(20_000)], minlength=10)
    assert found.min() > 1_850
    assert found.max() < 2_150


@pytest.mark.parametrize("n", [1, 2, 2**31])
def test_below_stays_below(n):
    assert 0 <= below(np.uint64(0), n) <= below(np.uint64(2**64 - 1), n) == n - 1


def test_words_of_many_keys_are_those_of_each():
    a, b = [0, 5, 1 << 41], [3, 3, 7]
    each = [int(np.uint64(hash4(11, 2, one, other)).astype(np.int64)) for one, other in zip(a, b, strict=True)]
    assert signed_words(11, 2, a, b).tolist() == each


def test_every_purpose_has_a_number_of_its_own():
    purposes = [value for name, value in NUMBERS.items() if name not in OF_ATTEMPTS]
    assert len(purposes) > 30
    assert len(set(purposes)) == len(purposes)


def test_every_draw_of_an_attempt_has_a_number_of_its_own():
    numbers = [value for name, value in OF_ATTEMPTS.items() if name != "ATTEMPT_BITS"]
    assert sorted(numbers) == list(range(len(numbers)))


def test_the_draws_of_an_attempt_do_not_overlap_at_any_number_of_attempts_that_a_scenario_allows():
    """Retries of the client are at most 100; the parts of a policy count up to NUMBER_MAX."""
    most = 1 + NUMBER_MAX
    assert most < 1 << ATTEMPT_BITS
    words = {int(attempt_word(7, purpose, attempt)) for purpose in range(9) for attempt in (1, 65, 101, most)}
    assert len(words) == 9 * 4


def test_no_two_draws_of_an_attempt_are_one():
    """What is salted by adding to the word of the service time: a flush, the slaves, what a slow broker adds."""
    from_service = {FLUSH_WORD, ADDED_WORD, *(SLAVE_WORD + slave for slave in range(SLAVES_MAX))}
    assert 0 not in from_service  # the time-out
    assert len(from_service) == 2 + SLAVES_MAX
