"""The settings of gRPC clients and of proxies as Java and configuration that can be pasted.

Source: rocketmq-clients java 5.0.8, ProducerBuilder, PushConsumerBuilder, SimpleConsumerBuilder,
ClientConfigurationBuilder; rocketmq 5.3.3, proxy ProxyConfig.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from simulator.advice.advice_texts import AdviceTexts
from simulator.scenario import Scenario
from simulator.scenario.consuming.consumers import ConsumerGroup
from simulator.scenario.consuming.grpc_consumer import GrpcConsumer
from simulator.scenario.grpc_settings import GrpcSettings
from simulator.scenario.proxy_settings import ProxySettings
from simulator.units import format_duration_ms

OF_PROXIES = {
    "send_latency_enable": ("sendLatencyEnable", 1),
    "start_detector_enable": ("startDetectorEnable", 1),
    "use_endpoint_port_from_request": ("useEndpointPortFromRequest", 1),
    "topic_route_service_cache_refresh_us": ("topicRouteServiceCacheRefreshSeconds", 1_000_000),
    "default_invisible_time_us": ("defaultInvisibleTimeMills", 1_000),
}  # of the scenario: ProxyConfig's own name, and how many of the scenario's units are one of its
RECEIVE = "simpleConsumer.receive({}, Duration.ofMillis({}));"
TIMEOUT = "clientConfigurationBuilder.setRequestTimeout(Duration.ofMillis({}));"
LIBRARY = "// org.apache.rocketmq:rocketmq-client-java:"


def producer_lines(scenario: Scenario, base: Scenario) -> Iterator[str]:
    """Lines for the producers over gRPC that differ from those of `base`."""
    for own, before in zip(scenario.producers, base.producers, strict=True):
        if own.grpc is None or own.grpc == before.grpc:
            continue
        if own.grpc.client != "java":
            yield _in_words(own.group, own.grpc)
            continue
        yield f"{LIBRARY}{own.grpc.release}, {own.group}"
        if before.grpc is None or own.grpc.request_timeout_ms != before.grpc.request_timeout_ms:
            yield TIMEOUT.format(own.grpc.request_timeout_ms)
        if before.grpc is None or own.grpc.max_attempts != before.grpc.max_attempts:
            yield f"producerBuilder.setMaxAttempts({own.grpc.max_attempts});"


def _in_words(group: str, grpc: GrpcSettings) -> str:
    """What the client of another language is set to: its names differ."""
    timeout = format_duration_ms(grpc.request_timeout_ms)
    if grpc.language.max_attempts == 1:
        return AdviceTexts.ONE_ATTEMPT_CLIENT(client=grpc.client_text, group=group, timeout=timeout)
    return AdviceTexts.OTHER_CLIENT(client=grpc.client_text, group=group, timeout=timeout, attempts=grpc.max_attempts)


def consumer_lines(own: ConsumerGroup, grpc: GrpcConsumer, before: ConsumerGroup) -> Iterator[str]:
    """Lines for a group over gRPC that differs from what it is in `before`."""
    yield f"{LIBRARY}{grpc.release}"
    if own.count != before.count:
        yield f"// {own.count} instances instead of {before.count}"
    is_new = before.grpc is None or before.grpc.kind != grpc.kind
    if grpc.kind == "push":
        if is_new or own.threads != before.threads:
            yield f"pushConsumerBuilder.setConsumptionThreadCount({own.threads});"
        return
    if own.threads != before.threads:
        yield AdviceTexts.RECEIVING_THREADS(threads=own.threads, before=before.threads)
    if is_new or before.grpc is None or grpc.invisible_duration_ms != before.grpc.invisible_duration_ms:
        yield RECEIVE.format(grpc.max_message_num, grpc.invisible_duration_ms)


def proxy_lines(own: ProxySettings | None, before: ProxySettings | None) -> Iterator[str]:
    """What differs between proxies, as a line of their rmq-proxy.json, and their release."""
    if own is None or before is None or own == before:
        return
    if own.release != before.release:
        yield AdviceTexts.PROXIES_OF(release=own.release, before=before.release)
    found: dict[str, Any] = {}
    for field, (name, units) in OF_PROXIES.items():
        value = getattr(own, field)
        if value != getattr(before, field):
            found[name] = value if isinstance(value, bool) else value // units
    if found:
        yield f"// rmq-proxy.json: {json.dumps(found)}"
