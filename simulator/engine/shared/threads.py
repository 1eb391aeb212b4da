"""Sender threads and pool threads: the producer that one is of, and the views that each chooses by."""

from __future__ import annotations

from simulator.client.faults.fault_item import FaultTable
from simulator.client.view import View
from simulator.compiled.jit import rule
from simulator.engine.memory.client_kind import ClientKind
from simulator.engine.memory.send import Attempt, Message
from simulator.engine.memory.sender_thread import ThreadKind
from simulator.engine.memory.world import World


@rule(inlined=True)
def kind_of(world: World, thread: int) -> ThreadKind:
    """What a sender thread has in common with those of its group of producers."""
    return world.thread_kinds[world.threads[thread].group]


@rule(inlined=True)
def client_of(world: World, thread: int) -> ClientKind:
    """The rules and settings of the client that a sender thread sends with."""
    return world.client_kinds[world.threads[thread].group]


@rule(inlined=True)
def producer_of(world: World, send: Attempt) -> int:
    """Number in the cell of the producer whose message that is."""
    return world.threads[send.thread].producer


@rule(inlined=True)
def asker_of(world: World, send: Attempt) -> int:
    """Number in the cell of whose connection carries the request to the broker: the producer's, or its proxy's."""
    if world.settings.proxies == 0:
        return producer_of(world, send)
    return _asker_over(world, send)


@rule()
def _asker_over(world: World, send: Attempt) -> int:
    producer = producer_of(world, send)
    proxy = world.grpc_clients[producer].proxy
    return producer if proxy < 0 else proxy_client(world, proxy)


@rule(inlined=True)
def proxy_client(world: World, proxy: int) -> int:
    """Number among the producers of a proxy's remoting client."""
    return world.settings.producers - world.settings.proxies + proxy


@rule(inlined=True)
def message_of(world: World, send: Attempt) -> Message:
    """The message of an attempt."""
    return world.messages[send.message]


@rule(inlined=True)
def row_count(world: World, producer: int) -> int:
    """How many rows of views a producer has: one for each of its sender threads, then one for each of its pools'."""
    own = world.producers[producer]
    return own.thread_count + own.pool_count


@rule(inlined=True)
def row_at(world: World, producer: int, place: int) -> int:
    """The row at a place of them; the first is that of the producer's first sender thread."""
    own = world.producers[producer]
    in_pool = place - own.thread_count
    return own.first_thread + place if in_pool < 0 else own.pool_first + in_pool


@rule(inlined=True)
def view_of(world: World, row: int, topic: int) -> View:
    """A thread's view of a topic."""
    return world.views[row * world.settings.topics + topic]


@rule(inlined=True)
def faults_of(world: World, producer: int) -> FaultTable:
    """A producer's fault table, for those that have no view of it at hand."""
    return view_of(world, world.producers[producer].first_thread, 0).faults
