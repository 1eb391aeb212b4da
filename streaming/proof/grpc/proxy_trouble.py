"""What was done to brokers and proxies in a recording of gRPC clients, from when to when."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from streaming.proof.consumers.consumer_recording import ConsumerRecording

BEGINS = {"kill9": ("port_open", "kill"), "sigterm": ("port_open", "restart"), "sigstop": ("sigcont", "hang")}


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
    for place, action in enumerate(recording.actions):
        if action.kind not in BEGINS or action.target not in {*proxies, *recording.about["brokers"]}:
            continue
        ends, kind = BEGINS[action.kind]
        later = (one for one in recording.actions[place:] if one.kind == ends and one.target == action.target)
        until_ms = next((one.at_ms for one in later), recording.end_ms)
        found.append(ProxyTrouble(action.target, kind, action.at_ms, until_ms, action.target in proxies))
    return found
