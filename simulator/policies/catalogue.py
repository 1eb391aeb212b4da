"""The parts that a policy can be made of, by name."""

from __future__ import annotations

from collections.abc import Mapping

from simulator.policies.avoid import (
    breaker,
    concurrency_limit,
    dead_marking,
    endpoint_isolation,
    nobody,
    outlier_ejection,
    outliers,
)
from simulator.policies.choose import kafka_partitioner, least_outstanding, p2c, random_queue, round_robin
from simulator.policies.policy import PolicyPart
from simulator.policies.retry import adaptive_retry, backup_requests, parts

CHOOSE: Mapping[str, PolicyPart] = {
    "random": random_queue.PART,
    "round_robin": round_robin.PART,
    "least_outstanding": least_outstanding.PART,
    "p2c_peak_ewma": p2c.PART,
    "kafka": kafka_partitioner.PART,
}
AVOID: Mapping[str, PolicyPart] = {
    "none": nobody.PART,
    "outlier_ejection": outlier_ejection.PART,
    "outlier_grpc": outliers.PART,
    "failure_accrual": dead_marking.PART,
    "circuit_breaker": breaker.PART,
    "aimd": concurrency_limit.AIMD,
    "vegas": concurrency_limit.VEGAS,
    "gradient2": concurrency_limit.GRADIENT2,
    "rocketmq_grpc": endpoint_isolation.PART,
}
RETRY: Mapping[str, PolicyPart] = {
    "attempts": parts.ATTEMPTS,
    "none": parts.NEVER,
    "resilience4j": parts.INTERVAL,
    "budget": parts.BUDGET,
    "throttle": parts.THROTTLE,
    "aws_standard": parts.AWS_STANDARD,
    "aws_adaptive": adaptive_retry.PART,
    "hedging": backup_requests.PART,
}
PARTS: Mapping[str, Mapping[str, PolicyPart]] = {"choose": CHOOSE, "avoid": AVOID, "retry": RETRY}
