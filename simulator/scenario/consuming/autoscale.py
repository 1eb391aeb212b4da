"""Scaling a consumer group by its lag, with the keys that KEDA has."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field, model_validator

from simulator.scenario.reading.fields import (
    DURATION_MAX_US,
    DURATION_TEXT,
    Flag,
    Model,
    PeriodUs,
    duration_us,
    whole,
)
from simulator.scenario.reading.scenario_error import Problem, raise_any
from simulator.scenario.texts.consumer_texts import ConsumerTexts

LAG_MAX = 10**9
MOST_MAX = 1_000
CooldownUs = Annotated[int, duration_us(0, DURATION_MAX_US), DURATION_TEXT]


class Autoscale(Model):
    """How many instances a group has: its lag / threshold, rounded up, between least and most.

    Defaults of the last two keys: KEDA's Kafka scaler (kafka_scaler.go).
    """

    threshold: Annotated[int, whole(1, LAG_MAX)] = Field(
        description="lag for each instance, messages stored and not committed (KEDA: lagThreshold)"
    )
    poll_us: PeriodUs = Field(30_000_000, alias="poll", description="how often it looks (KEDA: pollingInterval)")
    cooldown_us: CooldownUs = Field(
        300_000_000, alias="cooldown",
        description="how long fewer must have been enough before instances stop (stabilizationWindowSeconds)",
    )  # fmt: skip
    least: Annotated[int, whole(1, MOST_MAX)] = Field(1, description="fewest instances (minReplicaCount)")
    most: Annotated[int, whole(1, MOST_MAX)] = Field(description="most instances (maxReplicaCount)")

    allow_idle_consumers: Flag = Field(
        False, description="instances may outnumber the queues (allowIdleConsumers); default no more than these"
    )
    limit_to_partitions_with_lag: Flag = Field(
        False, description="no more instances than queues that have a lag (limitToPartitionsWithLag)"
    )

    @model_validator(mode="after")
    def _check(self) -> Autoscale:
        if self.least > self.most:
            raise_any([Problem(("least",), ConsumerTexts.LEAST_ABOVE_MOST(most=self.most, got=self.least))])
        if self.allow_idle_consumers and self.limit_to_partitions_with_lag:
            text = ConsumerTexts.KEDA_REFUSES()
            raise_any([Problem(("limit_to_partitions_with_lag",), text)])
        return self
