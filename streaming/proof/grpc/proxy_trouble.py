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
    brokers, found = recording.about["brokers"], []
    for action in recording.actions:
        if action.kind in PROCESS_FAULTS and action.target in {*recording.about.get("proxies", {}), *brokers}:
            end, kind = PROCESS_FAULTS[action.kind]
            until_ms, is_proxy = recording.until_ms(action, end), action.target not in brokers
            found.append(ProxyTrouble(action.target, kind, action.at_ms, until_ms, is_proxy))
    return found


def is_local(recording: ConsumerRecording) -> bool:
    """Whether proxies ran in the processes of brokers, whose names they have in the header."""
    return any(proxy.get("proxyMode") == "local" for proxy in recording.about.get("proxies", {}).values())
