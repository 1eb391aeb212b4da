"""Which replay takes which recording of another system's client."""

from __future__ import annotations

from collections.abc import Mapping

from streaming.proof.golden.policies.botocore import AdaptiveReplay, StandardReplay
from streaming.proof.golden.policies.finagle import AccrualReplay, BackoffReplay, BudgetReplay, PeakEwmaReplay
from streaming.proof.golden.policies.grpc import OutlierReplay, RetryReplay
from streaming.proof.golden.policies.kafka import AccumulatorReplay, PartitionerReplay
from streaming.proof.golden.policies.netflix import AimdReplay, Gradient2Replay, VegasReplay, WindowedAimdReplay
from streaming.proof.golden.policies.policy_replay import PolicyReplay
from streaming.proof.golden.policies.resilience4j import AttemptsReplay, BreakerReplay

POLICY_REPLAYS: Mapping[str, type[PolicyReplay]] = {
    "botocore_adaptive": AdaptiveReplay,
    "botocore_standard": StandardReplay,
    "finagle_backoff": BackoffReplay,
    "finagle_failureaccrual": AccrualReplay,
    "finagle_p2c_peakewma": PeakEwmaReplay,
    "finagle_retrybudget": BudgetReplay,
    "grpc_outlier": OutlierReplay,
    "grpc_retry": RetryReplay,
    "kafka_accumulator": AccumulatorReplay,
    "kafka_partitioner": PartitionerReplay,
    "netflix_aimd": AimdReplay,
    "netflix_gradient2": Gradient2Replay,
    "netflix_vegas": VegasReplay,
    "netflix_windowed_aimd": WindowedAimdReplay,
    "resilience4j_circuitbreaker": BreakerReplay,
    "resilience4j_retry": AttemptsReplay,
}
