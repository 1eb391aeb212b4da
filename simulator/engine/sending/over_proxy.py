"""A message of a gRPC client: each attempt goes to a proxy, which chooses the queue and asks the broker.

begin_over_proxy -> begin_over -> (the way to the proxy) -> at_proxy -> (broker, and the way back) -> end_over ->
begin_over ... -> the end of the message. The client chooses a queue, too, and names it in its receipts: a proxy does
not look at it. A client that gives up cancels its call: a proxy that goes on after that reads both, and sends little on
(proxies/held_requests.py).
In local mode the client's choice of a broker counts, and the proxy calls the broker that it is part of.
"""

from __future__ import annotations

import numpy as np

from simulator import codes
from simulator.client.message_queue import NO_QUEUE, broker_of, queue_id_of
from simulator.client.selection.selectors import decimal_hash
from simulator.client.sending.grpc_send import delay_before_us, is_throttled, result_of
from simulator.client.steps.steps import Ending
from simulator.compiled.jit import rule
from simulator.compiled.records import Us
from simulator.engine.broker.orders import await_append
from simulator.engine.memory.events import AGAIN_OVER_PROXY, AT_PROXY, OVER_PROXY, UNHEARD_AT_PROXY
from simulator.engine.memory.links import NO_PROXY
from simulator.engine.memory.send import IDLE, Attempt, GivenMessage, copy_attempt
from simulator.engine.memory.sender_thread import SELECT_BY_HASH, WAY_GRPC, WAY_GRPC_ASYNC
from simulator.engine.memory.settings import FAR
from simulator.engine.memory.world import World
from simulator.engine.network.connection import connecting_us
from simulator.engine.network.request import ask_broker, read_by_broker
from simulator.engine.proxies.broker_endpoints import isolate
from simulator.engine.proxies.cached_routes import choose_at_proxy, choose_by_group
from simulator.engine.proxies.endpoints import proxy_for
from simulator.engine.proxies.held_requests import cancel_held, hold_request
from simulator.engine.proxies.measured_brokers import cost_at_proxy
from simulator.engine.proxies.proxy_process import breaks_off_at, goes_on_at, is_there
from simulator.engine.sending.choosing import charge_at_proxy
from simulator.engine.sending.ended import end_message
from simulator.engine.sending.local_transaction import run_local_transaction
from simulator.engine.sending.message import PASSED, fill_message
from simulator.engine.sending.one_attempt import leave_thread
from simulator.engine.sending.sync_send import open_in_thread, open_record
from simulator.engine.shared import heap
from simulator.engine.shared.key_names import key_name
from simulator.engine.shared.open_messages import decide_copy, open_copy
from simulator.engine.shared.rows import count_attempt, put_attempt
from simulator.engine.shared.threads import client_of, kind_of, message_of, producer_of
from simulator.kernel.latency import service_us
from simulator.kernel.pools import give_back, take
from simulator.kernel.randomness import ATTEMPT_PROXY_SCAN, ATTEMPT_PROXY_WAY, attempt_word, below, signed
from simulator.kernel.row_table import next_row

# The proxy gives a request 2 s (MessagingProcessor.DEFAULT_TIMEOUT_MILLIS); its remoting client gives up at a scan, one
# a second, a second after that: with the client's usual 3 s nobody sees it.
PROXY_WAITS_US = 3_000_000
PROXY_SCAN_US = 1_000_000
UNAVAILABLE_US = 300  # three attempts at a proxy that is away: about a millisecond


@rule(inlined=True)
def _deadline(world: World, send: Attempt) -> int:
    client = client_of(world, send.thread)
    deadline_us = send.attempt_begin_us + client.send_msg_timeout_ms * 1000
    if client.bound_us > 0 and kind_of(world, send.thread).way == WAY_GRPC:
        return min(deadline_us, message_of(world, send).begin_us + client.bound_us)
    return deadline_us


@rule()
def _hop_us(world: World, send: Attempt) -> int:
    """What the way over the proxy takes of the attempt, request and answer together."""
    word = signed(attempt_word(send.draw, ATTEMPT_PROXY_WAY, send.attempt) >> np.uint64(32))
    return service_us(world.latencies[world.settings.proxy_hop].edges, word)


@rule()
def begin_over_proxy(world: World, thread: int, now_us: Us, message: GivenMessage) -> None:
    """Begin a message on an idle thread, which an asynchronous one does not hold."""
    is_async = kind_of(world, thread).way == WAY_GRPC_ASYNC
    if is_async:
        send = take(world, world.clock.asynchronous, world.attempts)
        open_record(world, send, thread, now_us, message)
    else:
        send = open_in_thread(world, thread, now_us, message)
    refused = fill_message(world, message_of(world, send))
    if refused == PASSED:
        begin_over(world, send, now_us)
        return
    end_message(world, send, now_us, Ending(codes.NO_MASTER, refused, 0, -1, -1))
    if is_async:
        give_back(world.clock.asynchronous, send)
    else:
        give_back(world.clock.blocking, send)
        world.thread_states[thread].doing = IDLE


@rule()
def _has_proxy(world: World, send: Attempt, now_us: Us) -> bool:
    """Whether the client has a connection to the proxy of the next attempt; in local mode it chooses the broker."""
    if world.settings.proxies_local == 0:
        proxy = proxy_for(world, producer_of(world, send), now_us)
    else:
        has_broker = world.late.take_broker(world, send, now_us) >= 0 and is_there(world, send.broker, now_us)
        proxy = send.broker if has_broker else NO_PROXY
    world.proxied_parts[send.number].proxy = proxy
    world.proxied_parts[send.number].held_until_us = 0
    return proxy != NO_PROXY


@rule(inlined=True)
def _proxy_of(world: World, send: Attempt) -> int:
    """The proxy that an attempt has been sent to: of a broker in local mode, that of its number."""
    return send.broker if world.settings.proxies_local == 1 else world.proxied_parts[send.number].proxy


@rule(inlined=True)
def _code_of(world: World, send: Attempt) -> int:
    """The broker's code as the client's proxy passes it on; in local mode it has none (LocalMessageService)."""
    is_lost = world.settings.proxies_local == 1 and send.outcome == codes.BROKER_ERROR
    return codes.NO_CODE if is_lost else send.code


@rule()
def begin_over(world: World, send: Attempt, now_us: Us) -> None:
    """Send the request of the next attempt to the client's proxy."""
    send.attempt += 1
    send.attempt_begin_us = now_us
    send.broker = -1
    send.queue_id = -1
    send.connect_us = 0
    send.stored_us = -1
    send.code = codes.NO_CODE
    send.reason = codes.PICK_BY_PROXY
    if not _has_proxy(world, send, now_us):
        send.outcome = codes.UNAVAILABLE
        heap.await_alone(world, send, OVER_PROXY, now_us + UNAVAILABLE_US)
    else:
        heap.await_alone(world, send, AT_PROXY, now_us + _hop_us(world, send) // 2)


@rule(inlined=True)
def _end_at(world: World, send: Attempt, outcome: int, at_us: Us) -> None:
    send.outcome = outcome
    heap.await_alone(world, send, OVER_PROXY, at_us)


@rule()
def at_proxy(world: World, send: Attempt, now_us: Us) -> None:
    """The request is at the proxy: it is forwarded at once, or when the proxy's process goes on."""
    proxy = _proxy_of(world, send)
    breaks_us, on_us = breaks_off_at(world, proxy, now_us), goes_on_at(world, proxy, now_us, now_us)
    deadline_us = _deadline(world, send)
    if breaks_us <= min(on_us, deadline_us):
        _end_at(world, send, codes.UNAVAILABLE, max(breaks_us, now_us))
    elif on_us >= deadline_us:
        hold_request(world, send, on_us, now_us)
        _end_at(world, send, codes.DEADLINE_EXCEEDED, deadline_us)
    elif on_us > now_us:
        hold_request(world, send, on_us, now_us)
        heap.await_alone(world, send, AT_PROXY, on_us)
    else:
        _forward(world, send, proxy, now_us, min(breaks_us, deadline_us))


@rule()
def _choose(world: World, send: Attempt, proxy: int, now_us: Us) -> int:
    """The packed queue that the proxy chooses, by the message group or in turn, or NO_QUEUE."""
    if kind_of(world, send.thread).selector != SELECT_BY_HASH:
        return choose_at_proxy(world, proxy, send.topic, now_us)
    send.reason = codes.PICK_BY_GROUP
    name = key_name(world.settings.seed, message_of(world, send).key)
    return choose_by_group(world, proxy, send.topic, decimal_hash(name), now_us)


@rule()
def _ask(world: World, send: Attempt, proxy: int, now_us: Us, until_us: Us) -> int:
    """Have the proxy choose a queue and ask its broker; gives when it knows, FAR without a queue."""
    if world.settings.proxies_local == 1:
        return read_by_broker(world, send, now_us, max((until_us - now_us + 999) // 1000, 1))
    picked = _choose(world, send, proxy, now_us)
    if picked == NO_QUEUE:
        return FAR
    send.broker = broker_of(picked)
    send.queue_id = queue_id_of(picked)
    send.connect_us = connecting_us(world, send, now_us)
    scan_us = below(attempt_word(send.draw, ATTEMPT_PROXY_SCAN, send.attempt), PROXY_SCAN_US)
    wait_us = min(until_us - now_us - send.connect_us, PROXY_WAITS_US + scan_us)
    return ask_broker(world, send, now_us, max((wait_us + 999) // 1000, 1))


@rule()
def _forward(world: World, send: Attempt, proxy: int, now_us: Us, until_us: Us) -> None:
    """The proxy asks the broker; the client waits until `until_us` at most, when its time is over or the proxy goes."""
    deadline_us = _deadline(world, send)
    end_us = _ask(world, send, proxy, now_us, deadline_us)
    if end_us == FAR:
        send.outcome, end_us = codes.NO_MASTER, now_us
    if world.settings.orders_checked == 1 and send.broker >= 0:
        await_append(world, send)
    end_us = goes_on_at(world, proxy, now_us, end_us) + _hop_us(world, send) // 2
    if end_us < until_us:
        heap.await_alone(world, send, OVER_PROXY, end_us)
    elif until_us < deadline_us:
        _end_at(world, send, codes.UNAVAILABLE, until_us)
    else:
        _end_at(world, send, codes.DEADLINE_EXCEEDED, deadline_us)


@rule()
def _put_proxied(world: World, send: Attempt, end_us: Us) -> None:
    """Put out an attempt that has ended, if the table is wanted."""
    if world.output.proxied_attempts.room == 0:
        return
    row = world.output.proxied_attempt_rows[next_row(world.output, world.output.proxied_attempts)]
    row.thread = send.thread
    row.topic = send.topic
    row.send_seq = send.send_seq
    row.attempt = send.attempt
    row.proxy = world.proxied_parts[send.number].proxy
    row.broker = send.broker
    row.outcome = send.outcome
    row.code = send.code
    row.begin_us = send.attempt_begin_us
    row.end_us = end_us


@rule()
def _serve_unheard(world: World, left: Attempt, now_us: Us) -> None:
    """A request is at the proxy of whose answer nobody hears."""
    proxy = _proxy_of(world, left)
    if _ask(world, left, proxy, now_us, now_us + PROXY_WAITS_US) != FAR and world.settings.orders_checked == 1:
        await_append(world, left)
    decide_copy(world, left.message, 0)
    give_back(world.clock.blocking, left)


@rule()
def _is_tried_again(world: World, send: Attempt) -> bool:
    """Whether the client of this language makes another attempt of such a message after such a failure."""
    client = client_of(world, send.thread)
    if client.retries_transactions == 0 and kind_of(world, send.thread).local >= 0:
        return False
    return client.retries_throttled == 1 or not is_throttled(send.outcome, _code_of(world, send))


@rule(inlined=True)
def _is_over(world: World, send: Attempt, now_us: Us) -> bool:
    """Whether a synchronous send has waited for as long as it does in all."""
    bound_us = client_of(world, send.thread).bound_us
    if bound_us == 0 or kind_of(world, send.thread).way != WAY_GRPC:
        return False
    return now_us >= message_of(world, send).begin_us + bound_us


@rule()
def _go_on_unheard(world: World, send: Attempt, now_us: Us) -> None:
    """The caller gets an error, and the client makes the next attempt all the same: nobody hears of it."""
    open_copy(world, send)
    left = take(world, world.clock.blocking, world.attempts)
    copy_attempt(left, send)
    left.attempt += 1
    left.attempt_begin_us = now_us
    if world.settings.proxies_local == 1:
        world.proxied_parts[left.number].index = world.proxied_parts[send.number].index
        world.proxied_parts[left.number].excluded = world.proxied_parts[send.number].excluded
    if _has_proxy(world, left, now_us):
        heap.await_alone(world, left, UNHEARD_AT_PROXY, now_us + _hop_us(world, left) // 2)
    else:
        decide_copy(world, left.message, 0)
        give_back(world.clock.blocking, left)


@rule()
def end_over(world: World, send: Attempt, now_us: Us) -> None:
    """The client learns how an attempt ended: it returns, throws, or tries again, after a pause if it was throttled."""
    client = client_of(world, send.thread)
    if send.outcome == codes.DEADLINE_EXCEEDED and world.proxied_parts[send.number].held_until_us > 0:
        cancel_held(world, send, now_us)
    another = send.outcome != codes.SEND_OK and send.attempt < client.attempts_total and _is_tried_again(world, send)
    if another and _is_over(world, send, now_us):
        _go_on_unheard(world, send, now_us)
        another = False
    _put_proxied(world, send, now_us)
    if send.broker >= 0:  # else no broker was asked
        count_attempt(world, send, now_us)
        put_attempt(world, send, now_us, int(another))
        latency_ms = now_us // 1000 - send.attempt_begin_us // 1000
        if world.settings.proxies_local == 0:
            cost = cost_at_proxy(send.broker, latency_ms, send.outcome)
            charge_at_proxy(world, producer_of(world, send), now_us, cost)
        elif send.outcome != codes.SEND_OK:
            isolate(world, send)
    if not another:
        _finish(world, send, now_us)
        return
    delay_us = delay_before_us(send.attempt + 1, send.outcome, _code_of(world, send))
    if delay_us > 0:
        heap.await_alone(world, send, AGAIN_OVER_PROXY, now_us + delay_us)
    else:
        begin_over(world, send, now_us)


@rule()
def _finish(world: World, send: Attempt, now_us: Us) -> None:
    """The message ends: its caller gets a receipt or an exception."""
    result = result_of(send.outcome, _code_of(world, send))
    ending, kind = Ending(result, send.code, send.attempt, send.broker, send.queue_id), kind_of(world, send.thread)
    end_message(world, send, now_us, ending)
    if kind.way == WAY_GRPC_ASYNC:
        give_back(world.clock.asynchronous, send)
    elif kind.local >= 0 and run_local_transaction(world, send, now_us, ending) == 1:
        give_back(world.clock.blocking, send)
    else:
        leave_thread(world, send, now_us)


@rule()
def happen_over_proxy(world: World, kind: int, send: Attempt, now_us: Us) -> None:
    """What happens to a message of a gRPC client."""
    if kind == AT_PROXY:
        at_proxy(world, send, now_us)
    elif kind == OVER_PROXY:
        end_over(world, send, now_us)
    elif kind == AGAIN_OVER_PROXY:
        begin_over(world, send, now_us)
    elif kind == UNHEARD_AT_PROXY:
        _serve_unheard(world, send, now_us)
