"""The names of keys: their hashes follow neither the keys' numbers nor their frequencies."""

from __future__ import annotations

import numpy as np
import pytest

from simulator.client.selection.selectors import decimal_hash
from simulator.engine.shared.key_names import key_name
from simulator.run.simulate import simulate
from simulator.scenario import parse_scenario

HOT_KEY = """
name: orderly with a hot shard key
duration: 1m
seed: {seed}
client: {{release: 5.3.3}}
producers: {{group: shop, count: 4, threads: 4, rate: 50/s, selector: hash}}
topics: {{orders: {{queues: 8, keys: {{count: 50, skew: zipf 1.1}}}}}}
brokers:
  broker: {{count: 2, latency: {{constant: 300us}}}}
consumers:
  ledger: {{topic: orders, count: 4, threads: 20, service: {{constant: 20ms}}, consume_mode: ORDERLY}}
"""
SEEDS = range(4, 16)


def share_of_the_first_broker(seed: int) -> float:
    windows = simulate(parse_scenario(HOT_KEY.format(seed=seed)), tables=("windows",))
    attempts, brokers = windows.column("windows", "attempts"), windows.column("windows", "broker")
    return float(attempts[brokers == "broker-1"].sum() / attempts.sum())


def test_fifty_keys_of_which_some_are_hot_live_on_both_brokers():
    shares = [share_of_the_first_broker(seed) for seed in SEEDS]
    assert min(shares) > 0.1
    assert max(shares) < 0.9
    assert np.mean(shares) == pytest.approx(0.5, abs=0.15)


@pytest.mark.parametrize("queues", [3, 8, 10, 16, 64])
def test_names_hash_to_all_queues_alike(queues):
    places = [abs(decimal_hash(key_name(7, key))) % queues for key in range(100 * queues)]
    counts = np.bincount(places, minlength=queues)
    assert counts.min() > 50
    assert counts.max() < 160


def test_a_key_has_the_same_name_as_often_as_it_is_asked_for_and_another_with_another_seed():
    assert key_name(3, 5) == key_name(3, 5) != key_name(4, 5)
    assert len({key_name(3, key) for key in range(1000)}) == 1000
    assert {len(str(key_name(3, key))) for key in range(1000)} == {9}
