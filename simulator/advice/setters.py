"""The client's settings as Java that can be pasted, with nothing that the release does not have.

Source: javap of DefaultMQProducer and ClientConfig, rocketmq-client 4.2.0, 5.0.0, 5.1.4 and 5.3.3.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from simulator.releases.producer_release import CLIENTS
from simulator.scenario import Scenario


class Setter(NamedTuple):
    """A setter of DefaultMQProducer and the field of `Client` that says whether a release has it.

    `field`: of the scenario's client.
    """

    field: str
    name: str
    has: str = ""

    def is_in(self, release: str) -> bool:
        """Whether a release has it."""
        return not self.has or getattr(CLIENTS[release], self.has)


SETTERS = (
    Setter("send_latency_fault_enable", "setSendLatencyFaultEnable"),
    Setter("latency_max_ms", "setLatencyMax"),
    Setter("not_available_duration_ms", "setNotAvailableDuration"),
    Setter("retry_times_when_send_failed", "setRetryTimesWhenSendFailed"),
    Setter("retry_times_when_send_async_failed", "setRetryTimesWhenSendAsyncFailed"),
    Setter("retry_another_broker_when_not_store_ok", "setRetryAnotherBrokerWhenNotStoreOK"),
    Setter("send_msg_timeout_ms", "setSendMsgTimeout"),
    Setter("send_msg_max_timeout_per_request_ms", "setSendMsgMaxTimeoutPerRequest", "has_max_timeout_per_request"),
    Setter("enable_backpressure_for_async_mode", "setEnableBackpressureForAsyncMode", "has_back_pressure"),
    Setter("back_pressure_for_async_send_num", "setBackPressureForAsyncSendNum", "has_back_pressure"),
    Setter("back_pressure_for_async_send_size_bytes", "setBackPressureForAsyncSendSize", "has_back_pressure"),
)
DETECTOR_PROPERTY = "com.rocketmq.startDetectorEnable"


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
    if client.start_detector_property and CLIENTS[client.release].has_detector:
        lines.append(f'System.setProperty("{DETECTOR_PROPERTY}", "true"); // before the producer is made')
    wanted = [one for one in SETTERS if one.is_in(client.release)]
    lines += [
        f"producer.{one.name}({_java(getattr(client, one.field))});"
        for one in wanted
        if getattr(client, one.field) is not None and _is_changed(one, client, before)
    ]
    lines += [f"producer.addRetryResponseCode({code});" for code in sorted(client.retry_response_codes)]
    return "\n".join(lines)


def _is_changed(setter: Setter, client: Any, before: Any) -> bool:
    default = type(client).model_fields[setter.field].default
    return any(getattr(each, setter.field) != default for each in (client, before))
