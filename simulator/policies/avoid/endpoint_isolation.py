"""Isolation as RocketMQ's gRPC clients do it: any failure isolates a broker, and a heartbeat that is answered heals it.

Source: rocketmq-clients, Java: ProducerImpl.send0, ClientImpl.doHeartbeat, ClientManagerImpl (a heartbeat every 10 s to
every endpoint). A broker that is isolated is chosen only if all are.
"""

from __future__ import annotations

from simulator.compiled.jit import entry
from simulator.compiled.records import Record, Us
from simulator.policies.policy import NO_ANSWER, PolicyPart, has_failed

HEARTBEAT_US = 10_000_000
NEVER_US = -1


class IsolatedEndpoint(Record):
    """A broker as a producer sees it."""

    is_isolated: int
    rejoins_us: Us  # when the answer to the last heartbeat is there


@entry
def is_joined(state: IsolatedEndpoint, broker: int, now_us: Us) -> int:
    """1 unless the broker is isolated and no answer has come since."""
    return 1 if state.is_isolated == 0 or NEVER_US < state.rejoins_us <= now_us else 0


@entry
def isolate(state: IsolatedEndpoint, broker: int, attempt: int, now_us: Us, latency_us: Us, outcome: int) -> int:
    """A failure isolates; an answer that is still on its way heals that, too."""
    if state.rejoins_us <= now_us:
        if state.rejoins_us != NEVER_US:
            state.is_isolated = 0
        state.rejoins_us = NEVER_US
    if has_failed(outcome):
        state.is_isolated = 1
    return 0


@entry
def hear_heartbeat(state: IsolatedEndpoint, broker: int, now_us: Us, answered_after_us: Us) -> int:
    """The broker rejoins when it answers."""
    if state.is_isolated == 1 and answered_after_us != NO_ANSWER:
        state.rejoins_us = now_us + answered_after_us
    return 0


def start(state: IsolatedEndpoint, brokers: int, heartbeat_us: int) -> None:
    """Nobody is isolated."""
    state.rejoins_us = NEVER_US


PART = PolicyPart(
    IsolatedEndpoint,
    start,
    {"allowed": is_joined, "ended": isolate, "heartbeat": hear_heartbeat},
    {"heartbeat_us": HEARTBEAT_US},
    per_broker=True,
    tick="heartbeat_us",
)
