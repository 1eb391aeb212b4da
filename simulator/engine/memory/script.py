"""A script in the place of connections and brokers: what was recorded is what they answer, when it was recorded.

Recorded cases pass through the event loop so. Only where settings.scripted is 1, which goes with routes that change
or connections that close: no other run asks for it.
"""

from __future__ import annotations

from typing import Protocol

from simulator.compiled.records import Directory, Ms, Us
from simulator.engine.memory.send import Attempt


class Connecting(Protocol):
    """Microseconds that connecting takes before the request of a send is sent."""

    def __call__(self, send: Attempt, now_us: Us, /) -> int: ...


class Connect(Protocol):
    """connection.CONNECTED, or when the client knows that the request cannot be sent, and sets the outcome."""

    def __call__(self, send: Attempt, now_us: Us, wait_ms: Ms, /) -> int: ...


class Serve(Protocol):
    """When the broker answers the request of a send, which gets its code; FAR = never."""

    def __call__(self, send: Attempt, now_us: Us, /) -> int: ...


class Probe(Protocol):
    """1 if the broker answers a detector's probe in time."""

    def __call__(self, broker: int, now_us: Us, /) -> int: ...


class Script(Directory):
    """What the script answers."""

    connecting: Connecting
    connect: Connect
    serve: Serve
    probe: Probe
