"""The client of a group of producers that sends over proxies: rocketmq-client-java."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from simulator.client.sending.grpc_send import MAX_ATTEMPTS, REQUEST_TIMEOUT_MS
from simulator.releases.grpc_release import GRPC_RELEASES, NEWEST_GRPC
from simulator.scenario.reading.fields import Model, TimeoutMs, choice, named_as, whole


class GrpcSettings(Model):
    """What a producer of rocketmq-client-java is built with.

    Source of the defaults: rocketmq-clients java 5.0.0 to 5.0.8, ProducerBuilderImpl, ClientConfigurationBuilder.
    """

    release: Annotated[str, choice(*GRPC_RELEASES)] = Field(NEWEST_GRPC, description="release of rocketmq-client-java")
    max_attempts: Annotated[int, whole(1, 100)] = Field(
        MAX_ATTEMPTS, description="attempts of a message (setMaxAttempts)"
    )
    proxy: Annotated[str, named_as("proxy")] | None = Field(
        None, title="a proxy such as proxy-1", description="the proxy that all of them hang on at first; default drawn"
    )
    request_timeout_ms: TimeoutMs = Field(
        REQUEST_TIMEOUT_MS, alias="request_timeout", description="time for each attempt (setRequestTimeout)"
    )
