"""What of timer messages does not fit the brokers that they are sent to."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from simulator.releases.broker_release import BROKERS
from simulator.scenario.brokers.broker import Broker
from simulator.scenario.later.delay import Delay
from simulator.scenario.producers import ProducerGroup
from simulator.scenario.reading.scenario_error import Problem
from simulator.scenario.texts.broker_texts import BrokerTexts
from simulator.units import format_duration


def timer_problems(producers: Sequence[ProducerGroup], brokers: Mapping[str, Broker]) -> Iterator[Problem]:
    """Brokers without a wheel, and delays that brokers refuse."""
    if any(group.delay is not None and group.delay.timers for group in producers):
        for name, broker in brokers.items():
            if BROKERS[broker.release].timer_wheel_enable is None:
                text = BrokerTexts.NO_TIMER_MESSAGES(release=broker.release)
                yield Problem(("brokers", name, "release"), text)
            elif not broker.timer_wheel_enable:
                text = BrokerTexts.WITHOUT_WHEEL()
                yield Problem(("brokers", name, "timer_wheel_enable"), text)
    for i, group in enumerate(producers):
        if group.delay is not None:
            yield from _too_long(i, group.delay, brokers)


def _too_long(place: int, delay: Delay, brokers: Mapping[str, Broker]) -> Iterator[Problem]:
    key = "delay_time" if delay.deliver_time_us is None else "deliver_time"
    longest_us = max((max(timer) for timer in delay.timers), default=0)
    for name, broker in brokers.items():
        if longest_us > broker.timer_max_delay_us:
            text = BrokerTexts.DELAY_TOO_LONG(
                broker=name, most=format_duration(broker.timer_max_delay_us), got=format_duration(longest_us)
            )
            yield Problem(("producers", place, "delay", key), text)
            return
