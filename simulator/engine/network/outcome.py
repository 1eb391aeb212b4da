"""What a client knows of a request: its outcome, that the answer is missing, that the connection closed before."""

from __future__ import annotations

import numpy as np

from simulator import codes
from simulator.compiled.jit import rule
from simulator.compiled.records import Ms, Us
from simulator.engine.memory.send import Attempt
from simulator.engine.memory.world import World
from simulator.engine.network.connection import close, closes_at
from simulator.engine.network.cutting import close_after_timeout
from simulator.engine.network.heartbeats import heartbeat_closes_at
from simulator.engine.shared.threads import client_of
from simulator.kernel.randomness import ATTEMPT_SERVED, attempt_word, below, mix, signed


@rule(inlined=True)
def word_of(send: Attempt) -> int:
    """What is random about the attempt."""
    return signed(attempt_word(send.draw, ATTEMPT_SERVED, send.attempt) >> np.uint64(32))


@rule(inlined=True)
def timed_out(world: World, send: Attempt, word: int, deadline_us: Us) -> int:
    """When the client notices that the answer is missing."""
    send.outcome = codes.RESPONSE_TIMEOUT
    send.code = codes.NO_CODE
    settings = world.settings
    return deadline_us + settings.timeout_notice_us + below(mix(word), settings.timeout_spread_us)


@rule()
def lost(world: World, send: Attempt, word: int, now_us: Us, wait_ms: Ms) -> int:
    """The same of a request that waits `wait_ms` once connected; the connection may close, then or before."""
    noticed_us = timed_out(world, send, word, now_us + send.connect_us + wait_ms * 1000)
    ends_us = cut_short(world, send, now_us, noticed_us)
    if ends_us == noticed_us:
        close_after_timeout(world, send, wait_ms, noticed_us)
    return ends_us


@rule(inlined=True)
def cut_short(world: World, send: Attempt, now_us: Us, end_us: Us) -> int:
    """`end_us`, or when the connection closes before: what is under way on it fails then (failFast)."""
    if world.clock.closed == 0 and world.settings.heartbeats_close == 0:
        return end_us
    return _cut_at_close(world, send, now_us, end_us)


@rule()
def _cut_at_close(world: World, send: Attempt, now_us: Us, end_us: Us) -> int:
    """The same where a connection closes or may."""
    known_us = min(closes_at(world, send, now_us), end_us)
    closes_us = heartbeat_closes_at(world, send, now_us, known_us)
    if closes_us < known_us:
        close(world, send, closes_us)
    if closes_us >= end_us or client_of(world, send.thread).fails_fast == 0:
        return end_us
    send.outcome = codes.SEND_FAILURE
    send.code = codes.NO_CODE
    return closes_us


@rule(inlined=True)
def name_outcome(world: World, send: Attempt) -> None:
    """The outcome that goes with the code of the answer."""
    if send.code == 0:
        send.outcome = codes.SEND_OK
    elif codes.FLUSH_DISK_TIMEOUT <= send.code <= codes.FLUSH_SLAVE_TIMEOUT:
        send.outcome = codes.SEND_STATUS
    elif send.code == codes.GO_AWAY and client_of(world, send.thread).go_away_is_send_failure == 1:
        send.outcome, send.code = codes.SEND_FAILURE, codes.NO_CODE
    else:
        send.outcome = codes.BROKER_ERROR
