"""A second request beside an asynchronous one without an answer: which answer counts, and what both leave behind."""

import random
from collections import Counter

import pytest
import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from simulator.run.cell import Cell
from simulator.run.fresh import NEEDED, POOLS
from simulator.run.run_totals import total_run
from simulator.run.simulate import simulate
from simulator.scenario import parse_scenario
from tests.simulator.drawn import scenarios
from tests.simulator.engine.sending.test_hedging import HEDGING, attempts_of, text_with
from tests.simulator.hashed import hashes_of
from tests.simulator.row_digest import digest_of
from tests.simulator.run.test_cuts import cut_run
from tests.simulator.small import fault

MESSAGE = ["thread", "send_seq"]
ASYNC = {"threads": 4, "rate": "40/s", "mode": "async"}
OWN = """
from simulator.compiled.jit import entry
from simulator.compiled.records import Record
from simulator.policies.policy import PolicyPart

class State(Record):
    attempts: int
    after_us: int

@entry
def again(state: State, attempt: int, broker: int, outcome: int, now_us: int, word: int) -> int:
    return 0 if attempt < state.attempts else -1

@entry
def beside(state: State, attempt: int, now_us: int) -> int:
    return state.after_us if attempt < state.attempts else -1

def start(state: State, brokers: int, attempts: int, after_us: int) -> None:
    state.attempts, state.after_us = attempts, after_us

RETRY = PolicyPart(State, start, {"retry": again, "hedge": beside}, {"attempts": 4, "after_us": 5000})
"""


def text_of_async(client=None, **changes):
    """That of synchronous ones with asynchronous producers: b hangs from 5 s to 8 s; backed up after 1 ms of 2."""
    found = {"release": "5.3.3", "send_latency_fault_enable": False, "policy": HEDGING}
    return text_with(producers=ASYNC, client=found | (client or {}), **changes)


def hedging_after(after):
    """A policy that makes another attempt beside every one that takes longer."""
    return {"choose": "round_robin", "retry": {"own.py": {"source": OWN, "after": after}}}


def ran(**changes):
    """Rows of such a run: attempts and sends."""
    found = simulate(parse_scenario(text_of_async(**changes))).tables
    return {name: found[name].to_pandas() for name in ("attempts", "sends")}


@pytest.fixture(scope="module")
def tables():
    return ran()


@pytest.fixture(scope="module")
def failed():
    """Every request is answered with an error, another one by each broker."""
    codes = {"a": "SYSTEM_ERROR", "b": "NO_PERMISSION", "c": "MESSAGE_ILLEGAL"}
    found = ran(faults=[fault("code", "4s", "4s", broker=name, response_code=code) for name, code in codes.items()])
    return found | {"sends": found["sends"].query("result == 'MQBrokerException'").set_index(MESSAGE)}


def test_the_second_request_goes_to_another_broker_when_the_wait_is_over(tables):
    first, second = attempts_of(tables, 1), attempts_of(tables, 2)
    assert set(second.begin_us - first.begin_us) == {1_000}
    assert (first.broker.astype(str) != second.broker.astype(str)).all()


def test_the_callback_gets_the_answer_that_comes_first(tables):
    sends = tables["sends"].set_index(MESSAGE).end_us
    first, second = attempts_of(tables, 1).end_us, attempts_of(tables, 2).end_us
    assert (first.combine(second, min) == sends.loc[first.index]).all()


def test_nobody_waits_for_the_slower_answer(tables):
    first, second = attempts_of(tables, 1), attempts_of(tables, 2)
    hung = first.index[(first.latency_us > 1_000_000) & (second.latency_us // 1_000 == 2)]
    sends = tables["sends"].set_index(MESSAGE).loc[hung]
    assert len(hung) > 10
    assert set(sends.latency_us) == {3_000}


def test_the_slower_answer_is_counted_when_it_comes(tables):
    assert len(tables["attempts"]) == tables["sends"].attempts.sum()
    first = attempts_of(tables, 1)
    assert (first.latency_us > 1_000_000).sum() == ((first.broker == "b") & first.begin_us.between(5e6, 7e6)).sum()


def test_what_a_broker_reads_after_the_message_has_ended_is_stored_too(tables):
    twice = tables["sends"].query("attempts == 2")
    assert len(twice) > 20
    assert set(twice.copies_stored) == {2}


def test_every_message_calls_back_once(tables):
    assert len(tables["sends"]) == len(tables["sends"].drop_duplicates(MESSAGE)) == 360


def test_after_two_failures_the_callback_gets_the_last_one(failed):
    last = failed["attempts"].set_index(MESSAGE).loc[failed["sends"].index].query("attempt == 2")
    assert len(last) > 20
    assert (
        (failed["sends"].loc[last.index, ["end_us", "response_code"]] == last[["end_us", "response_code"]]).all().all()
    )


def test_one_failure_is_not_the_end_while_the_other_request_is_under_way():
    found = ran(faults=[fault("code", "4s", "4s", response_code="SYSTEM_ERROR")])
    first = attempts_of(found, 1)
    failed_first = first.index[first.outcome == "MQBrokerException"]
    assert len(failed_first) > 10
    assert set(found["sends"].set_index(MESSAGE).loc[failed_first].result) == {"SEND_OK"}


def test_a_third_attempt_waits_until_both_have_failed():
    brokers = {name: {"latency": {"constant": "300ms"}, "send_threads": 50} for name in "abc"}
    kills = [fault("restart", "5s", "1s", broker=name, graceful=False) for name in "ab"]
    attempts = ran(brokers=brokers, faults=kills)["attempts"].set_index(MESSAGE)
    third = attempts[attempts.attempt == 3].sort_index()
    both = attempts.loc[third.index].query("attempt < 3").groupby(MESSAGE)
    assert len(third) > 2
    assert (both.end_us.max() == third.begin_us).all()


def test_permits_are_given_back_once_whichever_answer_comes_first():
    client = {"enable_backpressure_for_async_mode": True, "back_pressure_for_async_send_num": 10}
    hangs = [fault("hang", "4s", "1s"), fault("hang", "6s", "3s", broker="all")]
    found = ran(client=client, faults=hangs)
    begun = found["attempts"].query("attempt == 1 and begin_us < 7e6").set_index(MESSAGE).index
    assert (found["sends"].set_index(MESSAGE).loc[begun].end_us > 7e6).sum() == 10


def test_a_refused_call_frees_its_sending_thread_while_the_other_request_is_under_way():
    client = {"release": "4.9.8", "async_sender_threads": 1, "policy": hedging_after("20us")}
    found = ran(client=client, faults=[fault("refuse", "4s", "4s")])
    refused = attempts_of(found, 1).query("outcome == 'RemotingConnectException'")
    assert len(refused) > 40
    assert set(found["sends"].result) == {"SEND_OK"}
    assert found["sends"].latency_us.max() < 5_000


@pytest.mark.parametrize("cuts", [[4, 6, 7], [5, 8]])
def test_a_run_that_is_cut_while_both_are_under_way_decides_the_same(cuts):
    text = text_of_async()
    found, _ = cut_run(text, cuts, random.Random(1))
    assert hashes_of(found) == hashes_of(simulate(parse_scenario(text)).tables)


def test_what_power_loss_takes_of_either_copy_is_counted():
    kinds = [fault("power_loss", "6s", "1s"), fault("hang", "7500ms", "1s", broker="c")]
    sends = ran(faults=kinds, brokers={name: {"latency": {"constant": "2ms"}} for name in "abc"})["sends"]
    assert len(sends) == 360
    assert 0 < (sends.copies_stored - sends.copies_kept).sum() < 100


@settings(max_examples=15, deadline=None, suppress_health_check=list(HealthCheck), derandomize=True)
@given(text=scenarios(), cuts=st.lists(st.integers(0, 60), max_size=4), after=st.sampled_from(["20us", "40ms"]))
def test_any_cut_and_a_tally_decide_as_the_uncut_run(text, cuts, after):
    text = hedged(text, after)
    scenario = parse_scenario(text)
    (found, states), uncut = cut_run(text, cuts, random.Random(1)), simulate(scenario)
    assert hashes_of(found) == hashes_of(uncut.tables)
    assert digest_of(scenario, uncut.attempts, uncut.sends) == int(total_run(scenario).digest[0])
    assert uncut.attempts.num_rows == sum(uncut.sends["attempts"].to_pylist())
    for plan, state in zip(uncut.plan.cells, states, strict=True):
        assert_nothing_is_held(plan, Cell.restore(plan, state).world)


def assert_nothing_is_held(plan, world):
    """After the last event no thread is held, no request under way, no record taken."""
    if plan.takes_records:  # else no producer has threads that could be held
        for number, threads in enumerate(plan.callback_threads):
            own = world.producer_states[number]
            assert (own.senders_busy, own.callbacks_left) == (0, threads)
    assert not world.in_flight.array.any()
    left = Counter()
    for pool, (region, _) in POOLS.items():
        if pool != "travelling" or plan.settings.networks_on:  # else nobody takes any
            left[region] += getattr(world.clock, pool).spare + NEEDED
    assert left == {region: len(getattr(world, region)) for region in left}


def hedged(text, after):
    """A drawn scenario whose senders are asynchronous and hedge every attempt that has no answer by then."""
    printed = yaml.safe_load(text)
    mixed_up = {"auto_batch", "start_detector_enable"}
    client = {key: value for key, value in printed["client"].items() if "batch" not in key and key not in mixed_up}
    client |= {"send_latency_fault_enable": False, "policy": hedging_after(after)}
    for group in printed["producers"]:
        group.get("client", {}).pop("send_latency_fault_enable", None)  # the policy decides
        if "batch" not in group and group.get("mode", "sync") != "oneway":
            group["mode"] = "async"
            group.pop("selector", None)
    return yaml.safe_dump(printed | {"client": client})
