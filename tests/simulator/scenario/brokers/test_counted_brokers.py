"""Brokers by the number, and faults that strike some of them."""

from __future__ import annotations

import pytest

from simulator.scenario import ScenarioError, parse_scenario
from tests.says import Said, Says, raises

TEXT = """
name: counted
duration: 60s
client: {release: 4.9.8}
producers: {count: 2, rate: 10/s}
topics: {orders: {queues: 2}}
brokers:
  broker: {count: COUNT, latency: {constant: 1ms}}
  spare: {like: broker}
faults: [{at: 10s, for: 5s, broker: TARGET, kind: hang}]
"""


def scenario(count=3, target="all", seed=1):
    text = TEXT.replace("COUNT", str(count)).replace("TARGET", target)
    return parse_scenario(text, overrides={"seed": str(seed)})


def struck(**keys):
    return [period.broker for period in scenario(**keys).fault_periods()]


def refused(**keys):
    with pytest.raises(ScenarioError) as error:
        scenario(**keys)
    return Said(error.value)


def test_a_count_makes_brokers_with_padded_names():
    assert list(scenario(count=2).brokers) == ["broker-1", "broker-2", "spare"]
    assert list(scenario(count=12).brokers)[:2] == ["broker-01", "broker-02"]


def test_counts_cannot_blow_the_scenario_up():
    many = "".join(f"  b{i}: {{count: 10000, like: broker}}\n" for i in range(30))
    with raises(ScenarioError, Says("reading.too-many-counted", "...b0.count", most=10000)):
        parse_scenario(TEXT.replace("COUNT", "3").replace("TARGET", "all").replace("faults:", f"{many}faults:"))


def test_who_is_like_them_is_like_the_first():
    assert scenario().brokers["spare"].latency == scenario().brokers["broker-1"].latency


def test_a_pattern_strikes_whom_it_fits():
    assert struck(target="broker-*") == ["broker-1", "broker-2", "broker-3"]


def test_the_seed_draws_whom_a_number_strikes():
    drawn = {tuple(struck(count=9, target="{any: 2}", seed=seed)) for seed in range(20)}
    assert len(drawn) > 5
    assert all(len(set(pair)) == 2 for pair in drawn)
    assert struck(target="{any: 2}", seed=5) == struck(target="{any: 2}", seed=5)


@pytest.mark.parametrize("target", ["{any: 2}", "broker-*", "[broker-1, spare]"])
def test_what_is_written_reads_back(target):
    whole = scenario(target=target)
    assert parse_scenario(whole.to_yaml()).digest() == whole.digest()


@pytest.mark.parametrize(
    ("keys", "sentence"),
    [
        ({"count": 0}, Says("reading.count-out-of-range", "...:8: brokers.broker.count", most=10000, count=0)),
        ({"target": "{any: 9}"}, Says("fault.more-than-all", "...faults[0].broker", most=4, got=9)),
        ({"target": "{some: 2}"}, Says("fault.brokers-expected", "...faults[0].broker")),
        ({"target": "brooker-*"}, Says("fault.no-broker-fits", "...faults[0].broker", target="brooker-*")),
        ({"target": "broker-7"}, Says("reading.not-known", "...faults[0].broker", what="broker", name="broker-7")),
    ],
)
def test_bad_input_gets_one_sentence(keys, sentence):
    assert sentence in refused(**keys)
