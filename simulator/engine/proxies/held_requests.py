"""What a proxy that stood still sends on of requests that its clients have given up.

Until it goes on, its socket takes what a client sends, cancellations too, up to the receive buffer; the rest waits at
the client. A process that goes on reads at once what is there. So it sends nothing on of a request whose cancellation
lies in the same buffer. The cancellations of the last ones in a full buffer come later, with what waited at the client:
these requests are sent on. What comes behind them is read faster than it is handled: its cancellations are in time.

Recorded: grpc-proxyhang-r1 to -r3 (the buffer was full after 18 s; 248 to 618 of 5,900 given up were stored, nearly all
of one stretch of 2.3 to 3.2 s), grpc-proxyhang-short-r1 and grpc-local-hang-r1 (it was not full: none were).
"""

from __future__ import annotations

from simulator.compiled.jit import rule
from simulator.compiled.records import Us
from simulator.engine.memory.events import UNHEARD_AT_PROXY
from simulator.engine.memory.links import GrpcClient
from simulator.engine.memory.send import Attempt, copy_attempt
from simulator.engine.memory.settings import FAR
from simulator.engine.memory.world import World
from simulator.engine.proxies.proxy_process import breaks_off_at
from simulator.engine.shared import heap
from simulator.engine.shared.open_messages import open_copy
from simulator.engine.shared.threads import message_of, producer_of
from simulator.kernel.pools import take

# Of a request, beside the body, and of a cancellation: 236 bytes were held a request of 64 bytes (grpc-proxyhang-r2); a
# RST_STREAM frame is 13 bytes (RFC 9113).
REQUEST_BYTES = 172
CANCELLATION_BYTES = 13


@rule()
def _hold(world: World, client: GrpcClient, on_us: Us, now_us: Us, bytes_more: int) -> None:
    """The client sends so much to a proxy that stands still until `on_us`."""
    if client.held_until_us != on_us:
        client.held_until_us = on_us
        client.held_bytes = 0
        client.full_us = FAR
    client.held_bytes += bytes_more
    if client.full_us == FAR and client.held_bytes > world.settings.proxy_receive_bytes:
        client.full_us = now_us


@rule()
def hold_request(world: World, send: Attempt, on_us: Us, now_us: Us) -> None:
    """A request comes to a proxy that stands still until `on_us`."""
    client = world.grpc_clients[producer_of(world, send)]
    world.proxied_parts[send.number].held_until_us = on_us
    _hold(world, client, on_us, now_us, REQUEST_BYTES + message_of(world, send).message_bytes)


@rule()
def cancel_held(world: World, send: Attempt, now_us: Us) -> None:
    """Its client gives a request up. The proxy sends it on if it is in the full buffer, and the cancellation behind."""
    part, client = world.proxied_parts[send.number], world.grpc_clients[producer_of(world, send)]
    on_us = part.held_until_us
    part.held_until_us = 0
    if on_us <= now_us:
        return
    _hold(world, client, on_us, now_us, CANCELLATION_BYTES)
    is_divided = send.attempt_begin_us < client.full_us <= now_us
    if not is_divided or breaks_off_at(world, part.proxy, now_us) <= on_us:
        return
    open_copy(world, send)
    left = take(world, world.clock.blocking, world.attempts)
    copy_attempt(left, send)
    world.proxied_parts[left.number].proxy = part.proxy
    heap.await_alone(world, left, UNHEARD_AT_PROXY, on_us)
