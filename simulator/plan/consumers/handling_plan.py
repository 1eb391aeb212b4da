"""How groups handle messages, and what brokers do with those that come back, as the machine reads it."""

from __future__ import annotations

import numpy as np

from simulator.compiled.records import Array
from simulator.compiled.region_store import filled
from simulator.consumer.memory.consumer_group import ConsumerTally
from simulator.consumer.memory.consumer_side import ServingBroker
from simulator.consumer.memory.fate import LEVELS_COUNTED, NO_TOPIC, FailedHandling
from simulator.consumer.rules.reconsume import max_reconsume_times
from simulator.engine.memory.settings import FAR
from simulator.plan.consumers.consumption_plan import kind_of
from simulator.plan.consumers.own_topics import groups_that_fail
from simulator.plan.consumers.sweep_plan import timeout_us
from simulator.releases.broker_release import BROKERS
from simulator.releases.consumer_release import ConsumerClient
from simulator.scenario import Scenario


def put_handling(
    handling: FailedHandling, scenario: Scenario, name: str, client: ConsumerClient, retry_topic: int
) -> None:
    """Fill the record of a group; the dead letters' topic is behind that of its retries."""
    own = scenario.consumers[name]
    handling.retry_topic = retry_topic
    handling.dead_topic = NO_TOPIC if retry_topic == NO_TOPIC else retry_topic + 1
    handling.fails_ppm, handling.fails_always_ppm = own.fails or 0, own.fails_always or 0
    handling.acks_some = int(own.fails_with == "ack_index")
    handling.most_reconsumes = max_reconsume_times(own.max_reconsume_times, kind_of(own).most_reconsumes)
    handling.counts_last_try = 1
    handling.next_level = own.delay_level_when_next_consume
    handling.only_held = int(client.sends_back_only_held)
    # a shutdown that can wait interrupts what is still being handled then; before, threads were left alone
    handling.interrupted = int(client.await_termination_millis_when_shutdown is not None)
    handling.timeout_us = timeout_us(scenario, name)
    handling.sweep_goes_on = int(client.sweep_goes_on)
    handling.is_new = int(own.new_group)


def serving_brokers(scenario: Scenario) -> Array:
    """Region `serving` at the start."""
    sides = [BROKERS[broker.release] for broker in scenario.brokers.values()]
    return filled(
        ServingBroker, len(sides), delays_dead_letters=[side.delays_dead_letters for side in sides],
        counts_sent_retry_sooner=[side.counts_sent_retry_sooner for side in sides],
        corrects_to_first=[side.corrects_to_first for side in sides],
        asks_page_cache=[side.asks_page_cache for side in sides],
    )  # fmt: skip


def fresh_tallies(scenario: Scenario) -> Array:
    """Region `tallies` at the start: the retry topic of a new group is not there yet."""
    born_us = [FAR if group.new_group else 0 for group in scenario.consumers.values()]
    return filled(ConsumerTally, len(born_us), born_us=born_us)


def no_retries(scenario: Scenario) -> Array:
    """Region `sent_back` at the start."""
    groups = len(scenario.consumers) if groups_that_fail(scenario) else 0
    return np.zeros(groups * LEVELS_COUNTED, np.int64)
