"""Numbers are a hash of what they are for."""

from __future__ import annotations

import numpy as np
import pytest

from simulator.randomness import below, hash3, hash4, mix, signed_words


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
