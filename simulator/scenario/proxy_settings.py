"""The proxies of a scenario, over which gRPC clients send and receive."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from pydantic import Field, PlainSerializer, model_validator

from simulator.releases.ledger import NEWEST, first_with
from simulator.releases.proxy_release import FIRST_WITH_PROXIES, PROXIES, has_proxies
from simulator.scenario.client_settings import Release, SizeBytes
from simulator.scenario.distributions.latency_settings import Latency
from simulator.scenario.reading.fields import (
    DURATION,
    DURATION_TEXT,
    Flag,
    Model,
    PeriodUs,
    Reads,
    choice,
    duration_us,
    whole,
)
from simulator.scenario.reading.scenario_error import Problem, raise_any
from simulator.scenario.texts.broker_texts import BrokerTexts
from simulator.units import format_duration

PROXIES_MAX = 64
MODES = ("cluster", "local")
# what proxies have that are processes of their own
OF_CLUSTER = (
    "count", "one_host", "use_endpoint_port_from_request", "send_latency_enable", "start_detector_enable",
)  # fmt: skip
# Measured (conf/traces/grpc/hop-r1): by 1.9 ms, the median, a send over a proxy of 5.3.3 took longer than one straight.
HOP_US = 2_000
# Measured (conf/traces/grpc/grpc-proxyhang-r2, -r3): the kernel held 558,043 and 559,012 bytes for a stopped proxy.
RECEIVE_BUFFER_BYTES = 546 * 1024
INVISIBLE_US, INVISIBLE_LEAST_US, INVISIBLE_MOST_US = 60_000_000, 10_000_000, 43_200_000_000


InvisibleUs = Annotated[int, duration_us(INVISIBLE_LEAST_US, INVISIBLE_MOST_US), DURATION_TEXT]


class HopTime(Latency):
    """How long a send takes longer over a proxy, request and answer together."""

    resolved_away: ClassVar[tuple[str, ...]] = ()


def _read_hop(value: object) -> object:
    return value if isinstance(value, dict | HopTime) else {"constant": value}


def _hop_text(hop: HopTime) -> object:
    if hop.constant_us is not None:
        return format_duration(hop.constant_us)
    return hop.model_dump(by_alias=True, exclude_none=True)


HOP = Reads(
    _read_hop, expects="a duration such as 2ms or a distribution such as {lognormal: {p50: 2ms, p99: 9ms}}",
    schema={"anyOf": [DURATION]},
)  # fmt: skip


class ProxySettings(Model):
    """`count` proxies in cluster mode, each before all brokers, and a client hangs on one; or one in each broker.

    Source of the defaults: rocketmq 5.3.3-5.5.0, proxy ProxyConfig.
    """

    count: Annotated[int, whole(1, PROXIES_MAX)] = Field(2, description="number of proxies: proxy-1, proxy-2, ...")
    mode: Annotated[Literal["cluster", "local"], choice(*MODES)] = Field(
        "cluster", description="cluster: processes of their own, before all brokers; local: one in each broker's"
    )
    release: Release = Field(NEWEST, description="release of the proxies")
    one_host: Flag = Field(
        False, description="they share a host, each with a port of its own; default each on a host of its own"
    )
    use_endpoint_port_from_request: Flag = Field(
        False, description="a client's routes name the ports of its own list, not that of the proxy that answers"
    )
    topic_route_service_cache_refresh_us: PeriodUs = Field(
        20_000_000, alias="topic_route_service_cache_refresh",
        description="age at which a route is read again (topicRouteServiceCacheRefreshSeconds)",
    )  # fmt: skip
    default_invisible_time_us: InvisibleUs = Field(
        INVISIBLE_US, alias="default_invisible_time",
        description="until a message that a PushConsumer does not acknowledge is due again (defaultInvisibleTimeMills)",
    )  # fmt: skip
    send_latency_enable: Flag = Field(
        False, description="a proxy leaves out brokers that were slow or failed (5.2.0 and later)"
    )
    start_detector_enable: Flag = Field(
        False, description="with send_latency_enable: it probes brokers that failed, which else stay left out"
    )
    receive_buffer_bytes: SizeBytes = Field(
        RECEIVE_BUFFER_BYTES, alias="receive_buffer",
        description="bytes of a client's requests that the socket of a proxy takes while the process stands still; the "
        "default is measured on Linux",
    )  # fmt: skip
    hop: Annotated[HopTime, HOP, PlainSerializer(_hop_text)] = Field(
        HopTime.model_validate({"constant": format_duration(HOP_US)}),
        description="how long a send takes longer over a proxy, request and answer together; the default is measured",
    )

    @model_validator(mode="after")
    def _check(self) -> ProxySettings:
        if self.is_local:
            raise_any(
                Problem((key,), BrokerTexts.OF_CLUSTER_MODE()) for key in OF_CLUSTER if key in self.model_fields_set
            )
        if not has_proxies(self.release):
            text = BrokerTexts.NO_PROXY_BEFORE(first=FIRST_WITH_PROXIES, release=self.release)
            raise_any([Problem(("release",), text)])
        if self.send_latency_enable and not PROXIES[self.release].measures:
            text = BrokerTexts.PROXY_NOT_BEFORE(release=self.release, first=first_with(PROXIES, "measures"))
            raise_any([Problem(("send_latency_enable",), text)])
        if self.start_detector_enable and not self.send_latency_enable:
            text = BrokerTexts.DETECTOR_WITHOUT_FAULT_STRATEGY()
            raise_any([Problem(("start_detector_enable",), text)])
        return self

    @property
    def is_local(self) -> bool:
        """Whether each broker has one in its own process."""
        return self.mode == "local"

    @property
    def names(self) -> list[str]:
        """Names of the proxies, none of those in brokers."""
        return [] if self.is_local else [f"proxy-{number}" for number in range(1, self.count + 1)]

    @property
    def lists_all(self) -> bool:
        """Whether the routes of a client lead to all proxies of its list."""
        return self.use_endpoint_port_from_request or not self.one_host
