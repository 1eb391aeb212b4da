"""What a recording determines of a scenario."""

from __future__ import annotations

from typing import Any

from simulator.releases.producer_release import CLIENTS
from streaming.recording.recording import Recording


def settings_of(recording: Recording) -> dict[str, Any]:
    """Keys of a scenario that the recording determines, but for the rate and the faults."""
    about = recording.about
    settings: dict[str, Any] = {
        "client.release": about["release"],
        "client.send_latency_fault_enable": about["sendLatencyFaultEnable"],
        "client.send_msg_timeout": f"{about['sendMsgTimeout']}ms",
        "client.retry_times_when_send_failed": about["retryTimesWhenSendFailed"],
        "client.retry_another_broker_when_not_store_ok": about["retryAnotherBrokerWhenNotStoreOK"],
    }
    own = CLIENTS[about["release"]]
    for key, table, default in (
        ("client.latency_max", about["latencyMax"], own.latency_max_ms),
        ("client.not_available_duration", about["notAvailableDuration"], own.not_available_duration_ms),
    ):
        if tuple(table) != default:
            settings[key] = [f"{ms}ms" for ms in table]
    if about["startDetectorEnable"]:
        settings["client.start_detector_property"] = True
    cap = about.get("sendMsgMaxTimeoutPerRequest")
    if isinstance(cap, int) and cap >= 0:
        settings["client.send_msg_max_timeout_per_request"] = f"{cap}ms"
    if type(about.get("duration_s")) is int:
        settings["duration"] = f"{about['duration_s']}s"
    return settings
