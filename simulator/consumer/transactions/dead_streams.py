"""The telemetry stream of a gRPC producer that was killed: its proxy notices with the first check that it writes there.

That check is lost, and the next round asks again. A channel is available while the proxy has its stream, and the proxy
lets go of a stream only when a write fails, not as the connection closes.
Source: rocketmq 5.3.3, proxy GrpcClientChannel.writeTelemetryCommand, .isActive, broker
ProducerManager.getAvailableChannel; recorded: grpc-tx-kill-r1, where a check of the first round after the kill is lost.
"""

from __future__ import annotations

from simulator.compiled.jit import rule
from simulator.compiled.records import Us
from simulator.consumer.memory.consumer_world import ConsumerWorld
from simulator.consumer.memory.half_message import NO_CLIENT, TransactionGroup
from simulator.consumer.memory.proxied.proxied_client import NO_PROXY
from simulator.consumer.transactions.online_clients import lists_dead


@rule()
def leave_stream(world: ConsumerWorld, producer: int, now_us: Us) -> None:
    """A producer's process is killed: its proxy has its stream still, in local mode every proxy."""
    own = world.transaction_producers[producer]
    if own.client == NO_CLIENT:
        return
    own.died_us = now_us
    own.left_us = world.proxied[own.client].joined_us
    if world.settings.proxies_local == 1:
        own.streams = (1 << world.settings.proxies) - 1
    elif world.proxied[own.client].proxy != NO_PROXY:
        own.streams = 1 << world.proxied[own.client].proxy
    own.channels = own.streams


@rule()
def goes_to_dead_stream(world: ConsumerWorld, group: TransactionGroup, proxy: int, now_us: Us) -> bool:
    """Whether a check that a proxy passes on is lost, as it writes it to the stream of a process that is gone."""
    for place in range(group.first_answering, group.first_answering + group.answering):
        number = world.answering[place]
        own = world.transaction_producers[number]
        if (own.streams >> proxy) & 1 == 1 and lists_dead(world, number, proxy, now_us):
            own.streams &= ~(1 << proxy)
            return True
    return False
