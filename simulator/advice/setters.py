"""The client's settings as Java that can be pasted, with nothing that the release does not have.

Source: javap of DefaultMQProducer and ClientConfig, rocketmq-client 4.2.0, 5.0.0, 5.1.4 and 5.3.3.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from simulator.client.releases import RELEASES
from simulator.scenario import Scenario

OLDEST = RELEASES[0]


class Setter(NamedTuple):
    """A setter of DefaultMQProducer and the first release that has it. `field`: of the scenario's client."""

    field: str
    name: str
    since: str = OLDEST


SETTERS = (
    Setter("send_latency_fault_enable", "setSendLatencyFaultEnable"),
    Setter("latency_max_ms", "setLatencyMax"),
    Setter("not_available_duration_ms", "setNotAvailableDuration"),
    Setter("retry_times_when_send_failed", "setRetryTimesWhenSendFailed"),
    Setter("retry_times_when_send_async_failed", "setRetryTimesWhenSendAsyncFailed"),
    Setter("retry_another_broker_when_not_store_ok", "setRetryAnotherBrokerWhenNotStoreOK"),
    Setter("send_msg_timeout_ms", "setSendMsgTimeout"),
    Setter("send_msg_max_timeout_per_request_ms", "setSendMsgMaxTimeoutPerRequest", "5.3.3"),
    Setter("enable_backpressure_for_async_mode", "setEnableBackpressureForAsyncMode", "5.0.0"),
    Setter("back_pressure_for_async_send_num", "setBackPressureForAsyncSendNum", "5.0.0"),
    Setter("back_pressure_for_async_send_size_bytes", "setBackPressureForAsyncSendSize", "5.0.0"),
)
DETECTOR_PROPERTY, DETECTOR_SINCE = "com.rocketmq.startDetectorEnable", "5.1.4"


def has_setter(setter: Setter, release: str) -> bool:
    """Whether a release has a setter."""
    return RELEASES.index(release) >= RELEASES.index(setter.since)


def _java(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, tuple):
        return f"new long[] {{{', '.join(map(str, value))}}}"
    return str(value)


def java(scenario: Scenario, base: Scenario) -> str:
    """Lines for what differs from the client of `base`, or from its release's defaults: for a DefaultMQProducer."""
    client, before = scenario.client, base.client
    lines = [f"// org.apache.rocketmq:rocketmq-client:{client.release}"]
    if client.start_detector_property and DETECTOR_SINCE in RELEASES[: RELEASES.index(client.release) + 1]:
        lines.append(f'System.setProperty("{DETECTOR_PROPERTY}", "true"); // before the producer is made')
    wanted = [one for one in SETTERS if has_setter(one, client.release)]
    lines += [
        f"producer.{one.name}({_java(getattr(client, one.field))});"
        for one in wanted
        if getattr(client, one.field) is not None and _told(one, client, before)
    ]
    lines += [f"producer.addRetryResponseCode({code});" for code in sorted(client.retry_response_codes)]
    return "\n".join(lines)


def _told(setter: Setter, client: Any, before: Any) -> bool:
    default = type(client).model_fields[setter.field].default
    return any(getattr(each, setter.field) != default for each in (client, before))
