"""The gRPC clients by language: their releases, and what their producers do otherwise than that of Java.

Source: Maven Central, org.apache.rocketmq:rocketmq-client-java; rocketmq-clients, tags golang/v5.1.4 (producer.go,
loadBalancer.go), cpp-5.0.4 and cpp-5.1.1 (ProducerImpl, SendContext, TopicPublishInfo), csharp-5.2.1 (Producer.cs,
PublishingLoadBalancer.cs), nodejs-1.0.0 (Producer.ts), rust-5.0.0 (producer.rs, client.rs), python 5.1.1 (producer.py,
queue_selector.py).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from simulator.client.sending.grpc_send import BROKERS_IN_TURN, MAX_ATTEMPTS, NEXT_QUEUES, ONE_BROKER

GRPC_RELEASES = ("5.0.0", "5.0.1", "5.0.2", "5.0.3", "5.0.4", "5.0.5", "5.0.6", "5.0.7", "5.0.8")
NEWEST_GRPC = GRPC_RELEASES[-1]


@dataclass(frozen=True, kw_only=True)
class GrpcLanguage:
    """The client of one language."""

    library: str
    releases: tuple[str, ...]
    # setMaxAttempts and its like; with 1 it cannot be set
    max_attempts: int = MAX_ATTEMPTS
    tries: int = BROKERS_IN_TURN
    # a broker that failed an attempt gets no message before its next heartbeat
    isolates: bool = True
    # after TOO_MANY_REQUESTS it waits and tries again
    retries_throttled: bool = True
    retries_transactions: bool = True
    # it asks for its routes again, every 30 s
    polls_routes: bool = True
    # first release whose synchronous send waits for one request timeout in all; "": none
    bounded_from: str = ""

    def is_bounded(self, release: str) -> bool:
        """Whether a synchronous send of a release ends after one request timeout, whatever its attempts do then."""
        return self.bounded_from != "" and self.releases.index(release) >= self.releases.index(self.bounded_from)


GRPC_LANGUAGES: Mapping[str, GrpcLanguage] = {
    "java": GrpcLanguage(library="rocketmq-client-java", releases=GRPC_RELEASES),
    # its look for the next broker looks at one queue again and again (apache/rocketmq-clients#1324)
    "go": GrpcLanguage(
        library="rocketmq-clients/golang",
        releases=("5.0.0", "5.1.0", "5.1.2", "5.1.4"),
        tries=ONE_BROKER,
        isolates=False,
    ),
    # up to 5.0.4 nothing isolates, from 5.1.0 on under another name than is looked for
    "cpp": GrpcLanguage(
        library="rocketmq-clients/cpp",
        releases=("5.0.0", "5.0.1", "5.0.3", "5.0.4", "5.1.0", "5.1.1"),
        isolates=False,
        bounded_from="5.1.1",
    ),
    "csharp": GrpcLanguage(library="RocketMQ.Client", releases=("5.1.0", "5.2.1")),
    "python": GrpcLanguage(
        library="rocketmq-python-client",
        releases=("5.1.0", "5.1.1"),
        tries=NEXT_QUEUES,
        isolates=False,
        retries_throttled=False,
    ),
    "nodejs": GrpcLanguage(library="rocketmq-client-nodejs", releases=("1.0.0",), retries_transactions=False),
    "rust": GrpcLanguage(
        library="rocketmq (Rust)",
        releases=("5.0.0",),
        max_attempts=1,
        tries=NEXT_QUEUES,
        isolates=False,
        retries_throttled=False,
        polls_routes=False,
    ),
}
EVERY_GRPC_RELEASE = tuple(sorted({release for own in GRPC_LANGUAGES.values() for release in own.releases}))
