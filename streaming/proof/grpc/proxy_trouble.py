"""What was done to brokers and proxies in a recording of gRPC clients, from when to when."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from streaming.proof.consumers.consumer_recording import PROCESS_FAULTS, ConsumerRecording


@dataclass(frozen=True)
class ProxyTrouble:
    """A fault of a broker or a proxy, milliseconds of the recording."""

    target: str
    kind: str
    at_ms: int
    until_ms: int
    is_proxy: bool


def proxy_troubles(recording: ConsumerRecording) -> Sequence[ProxyTrouble]:
    """Every fault of a broker or a proxy, by time; one that nothing ends lasts until the end."""
    proxies, found = recording.about.get("proxies", {}), []
    for action in recording.actions:
        if action.kind in PROCESS_FAULTS and action.target in {*proxies, *recording.about["brokers"]}:
            end, kind = PROCESS_FAULTS[action.kind]
            until_ms, is_proxy = recording.until_ms(action, end), action.target in proxies
            found.append(ProxyTrouble(action.target, kind, action.at_ms, until_ms, is_proxy))
    return found
