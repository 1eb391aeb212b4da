"""Replay of `defaults-*.jsonl`, and which field of RocketMQ's classes is which setting of the release tables."""

from __future__ import annotations

import re
from dataclasses import dataclass, fields

from simulator.releases.broker_release import BrokerRelease
from simulator.releases.consumer_release import ConsumerClient
from streaming.proof.golden.consumer.consumer_replay import Answers, ConsumerReplay

CLIENT = {
    *("DefaultMQPushConsumer", "ClientConfig", "DefaultMQPushConsumerImpl", "RebalanceService", "RebalancePushImpl"),
    *("ProcessQueue", "ConsumeMessageOrderlyService"),
}
BROKER = {
    *("BrokerConfig", "MessageStoreConfig", "SubscriptionGroupConfig", "RebalanceLockManager", "ConsumerManager"),
    "ScheduleMessageService",
}
# Fields that are not called here what they are called there.
OTHERWISE = {
    ("ClientConfig", "pullTimeDelayMillsWhenException"): "pull_time_delay_mills_when_exception",
    ("DefaultMQPushConsumerImpl", "PULL_TIME_DELAY_MILLS_WHEN_CACHE_FLOW_CONTROL"): (
        "pull_time_delay_mills_when_flow_control"
    ),
    ("DefaultMQPushConsumerImpl", "ASYNC_TIMEOUT"): "pop_async_timeout",
    ("RebalanceService", "waitInterval"): "rebalance_wait_interval",
    ("RebalanceService", "minInterval"): "rebalance_min_interval",
    ("ProcessQueue", "REBALANCE_LOCK_MAX_LIVE_TIME"): "lock_max_live_time",
    ("ProcessQueue", "REBALANCE_LOCK_INTERVAL"): "lock_interval",
    ("ScheduleMessageService", "FIRST_DELAY_TIME"): "schedule_first_delay",
    ("ScheduleMessageService", "DELAY_FOR_A_WHILE"): "schedule_delay_for_a_while",
    ("ScheduleMessageService", "DELAY_FOR_A_PERIOD"): "schedule_delay_for_a_period",
}
# Set by what the recorder did not call.
LATER = {("ConsumerManager", "channelExpiredTimeout"), ("RebalancePushImpl", "messageModel")}
STRATEGIES = {"AllocateMessageQueueAveragely": "AVG"}


@dataclass(frozen=True)
class Setting:
    """What a release table says of a field."""

    name: str
    value: object


def setting_of(owner: str, field: str, client: ConsumerClient, broker: BrokerRelease) -> Setting | None:
    """The setting that a field of a class is, None for a field that the tables do not know."""
    owner = owner.rpartition(".")[2]
    table = client if owner in CLIENT else broker if owner in BROKER else None
    if table is None or (owner, field) in LATER:
        return None
    name = OTHERWISE.get((owner, field), _snake(field))
    if name not in {each.name for each in fields(table)}:
        return None
    return Setting(name, getattr(table, name))


def _snake(field: str) -> str:
    """camelCase or CAPITALS as a name of this project."""
    return field.lower() if field.isupper() else re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", field).lower()


class DefaultsReplay(ConsumerReplay):
    """One field of one class; a field that no table knows is not asked about."""

    def answers(self) -> Answers:
        """The value of the field and that of the setting."""
        case = self.case
        found = setting_of(case["class"], case["field"], self.client, self.broker)
        if found is not None:
            yield f"{case['class']}.{case['field']}", _plain(case["value"]), found.value


def _plain(value: object) -> object:
    """A recorded value; a strategy is known by its class."""
    first = str(value).split(" ")[0].rpartition(".")[2]
    return STRATEGIES.get(first, value)
