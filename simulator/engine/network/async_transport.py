"""A request of an asynchronous send on its way: asked at once or laid in a socket, thrown out by a scan, refused."""

from __future__ import annotations

from simulator import codes
from simulator.client.sending.async_send import REFUSED, SCAN_GRACE_MS, scan_at
from simulator.compiled.jit import rule
from simulator.compiled.records import Ms, Us
from simulator.engine.broker.orders import await_append
from simulator.engine.memory.events import IN_ASYNC
from simulator.engine.memory.routes import NO_ANSWER, NO_REPLY
from simulator.engine.memory.send import Attempt
from simulator.engine.memory.world import World
from simulator.engine.network.heartbeats import heartbeat_closes_at
from simulator.engine.network.request import ask_broker, has_master, read_by_broker
from simulator.engine.network.sockets import READ_WITHIN_US, lay_in_socket, read_at, read_next, take_from_socket
from simulator.engine.routes.route_polls import delivered_at
from simulator.engine.shared import heap
from simulator.engine.shared.open_messages import decide_copy
from simulator.engine.shared.threads import client_of, producer_of
from simulator.kernel.randomness import ATTEMPT_REFUSED, attempt_word, below

US_PER_MS = 1000


@rule(inlined=True)
def connect_ms_of(send: Attempt) -> Ms:
    """What connecting took of an attempt, on the client's clock."""
    return (send.attempt_begin_us + send.connect_us) // US_PER_MS - send.attempt_begin_us // US_PER_MS


@rule(inlined=True)
def wait_of(world: World, send: Attempt) -> Ms:
    """What is waited for the answer once connected, or REFUSED."""
    client = client_of(world, send.thread)
    return client.rules.async_wait(world.async_parts[send.number].timeout_ms, connect_ms_of(send))


@rule()
def request(world: World, send: Attempt, now_us: Us, wait_ms: Ms) -> None:
    """Send the request of an attempt that waits `wait_ms` (of rules.async_wait) for its answer once connected."""
    part = world.async_parts[send.number]
    if send.attempt > 1 and wait_ms != REFUSED and has_master(world, send, now_us) == 0:
        _ask_name_server(world, send, now_us, wait_ms)
        return
    if wait_ms == REFUSED:
        end_us = ask_broker(world, send, now_us, REFUSED)
        if send.outcome == codes.RESPONSE_TIMEOUT:
            send.outcome = codes.TOO_MUCH_REQUEST
            part.refusals += 1
            word = attempt_word(send.draw, ATTEMPT_REFUSED, send.attempt)
            end_us += world.settings.refusal_us + below(word, world.settings.refusal_spread_us)
        _await_end(world, send, end_us)
        return
    scan_us = _thrown_out_at(world, send, now_us + send.connect_us, wait_ms)
    on_us = read_at(world, send, now_us)
    waits = now_us < on_us and on_us + READ_WITHIN_US < scan_us and has_master(world, send, now_us) == 1
    if waits and heartbeat_closes_at(world, send, now_us, on_us) == on_us:
        send.outcome = codes.RESPONSE_TIMEOUT  # so far
        lay_in_socket(world, send, on_us)
    else:
        end_us = ask_broker(world, send, now_us, _until(scan_us, now_us + send.connect_us))
        _answered(world, send, end_us, scan_us)


@rule(inlined=True)
def _said_by_name_server(world: World, send: Attempt, now_us: Us) -> int:
    """The version that the name server in use delivers, or NO_ANSWER or NO_REPLY."""
    if world.settings.routes_on == 0:
        return 0
    return delivered_at(world, world.name_servers[producer_of(world, send)], send.topic, now_us)


@rule()
def _ask_name_server(world: World, send: Attempt, now_us: Us, wait_ms: Ms) -> None:
    """A retry without an address goes to the name server, which up to 4.9.8 ignores what it does not know.

    Source: rocketmq 4.2.0-5.3.3, onExceptionImpl (findBrokerAddressInPublish is not looked at), NettyRemotingClient
    .getAndCreateChannel(null), DefaultRequestProcessor.processRequest of the name server (5.0.0: a code).
    """
    scan_us = _thrown_out_at(world, send, now_us + send.connect_us, wait_ms)
    send.stored_us = -1
    send.code = codes.NO_CODE
    end_us = now_us + world.settings.refused_after_us
    said = _said_by_name_server(world, send, now_us)
    if said == NO_ANSWER:
        send.outcome = codes.CONNECT_REFUSED
    elif said != NO_REPLY and world.settings.name_servers_answer == 1:
        send.outcome, send.code = codes.BROKER_ERROR, codes.REQUEST_CODE_NOT_SUPPORTED
    else:
        send.outcome, end_us = codes.RESPONSE_TIMEOUT, scan_us
    _answered(world, send, end_us, scan_us)


@rule()
def read_request(world: World, send: Attempt, now_us: Us) -> None:
    """A broker that goes on reads the first request of a connection; the next one of it comes right behind."""
    part = world.async_parts[send.number]
    follower = take_from_socket(world, send)
    connect_us = send.connect_us
    scan_us = _thrown_out_at(world, send, send.attempt_begin_us + connect_us, wait_of(world, send))
    send.connect_us = 0  # that was before
    end_us = read_by_broker(world, send, now_us, _until(scan_us, now_us))
    _answered(world, send, end_us, scan_us)
    send.connect_us = connect_us
    if part.beside < 0:
        decide_copy(world, send.message, 0)
    read_next(world, follower, now_us)


@rule()
def _thrown_out_at(world: World, send: Attempt, sent_us: Us, wait_ms: Ms) -> int:
    """The scan that throws the request of a send out, if there is no answer before; sent_us: when it is written."""
    producer = world.producers[producer_of(world, send)]
    expires_us = sent_us + (wait_ms + SCAN_GRACE_MS) * US_PER_MS
    return scan_at(expires_us, producer.first_scan_us, producer.scan_period_us)


@rule(inlined=True)
def _until(scan_us: Us, sent_us: Us) -> int:
    """Milliseconds, rounded up, so that whatever answers before the scan differs from it afterwards."""
    return (scan_us - sent_us + US_PER_MS - 1) // US_PER_MS


@rule()
def _answered(world: World, send: Attempt, end_us: Us, scan_us: Us) -> None:
    """The attempt ends at `end_us`, or the scan at `scan_us` throws the request out."""
    answered = send.outcome in (codes.SEND_OK, codes.SEND_STATUS, codes.BROKER_ERROR)
    if send.outcome == codes.RESPONSE_TIMEOUT or (answered and end_us >= scan_us):
        send.outcome = codes.RESPONSE_TIMEOUT
        send.code = codes.NO_CODE
        end_us = scan_us
    _await_end(world, send, end_us)


@rule()
def _await_end(world: World, send: Attempt, end_us: Us) -> None:
    """The attempt ends then."""
    if world.settings.orders_checked == 1:
        await_append(world, send)
    send.ends_us = end_us
    heap.await_alone(world, send, IN_ASYNC, end_us)
