"""Transactions of gRPC producers: which proxy can end one, and who answers a check.

The proxy over which a half message went remembers where that is, for 30 s, and so does one that passes a check on. Only
it can end the transaction: another proxy, or a new process, finds no such transaction, and the next check decides. A
broker asks, in turn, proxies that it believes to have clients of the group (online_clients.py). A proxy has the next of
those answer (RecoverOrphanedTransactionCommand); where none is left the check is lost. Whoever says unknown sends
nothing. A client waits 3 s for the answer to an end request (requestTimeout), and cancels it then.

A proxy knows a producer by each topic that it sends to, as its group. So producers of several groups that send to one
topic answer checks for each other.

In local mode the proxy in the broker's own process is the only one there is for a half message. The client ends the
transaction there, and the broker asks the group's clients in turn, all of which send heartbeats there.

Source: rocketmq-clients java 5.0.0-5.0.8, ProducerImpl.onRecoverOrphanedTransactionCommand, .endTransaction; rocketmq
5.0.0-5.3.3, proxy ClientActivity.heartbeat, AbstractTransactionService, TransactionDataManager,
ClusterTransactionService, ProxyClientRemotingProcessor.checkTransactionState, LocalServiceManager,
LocalTransactionService, LocalProxyRelayService.
"""

from __future__ import annotations

from simulator.compiled.jit import rule
from simulator.compiled.records import Us
from simulator.consumer.memory.consumer_world import ConsumerWorld
from simulator.consumer.memory.half_message import NO_LINK, HalfMessage, HalfQueue, HalfRequest, TransactionGroup
from simulator.consumer.memory.proxied.proxied_client import NO_PROXY
from simulator.consumer.memory.queue_log import SENDER_SHIFT
from simulator.consumer.transactions.dead_streams import goes_to_dead_stream
from simulator.consumer.transactions.online_clients import is_online, is_proxy_listed, proxy_of_producer

KEPT_US = 30_000_000  # transactionDataExpireMillis
LOST = -1


@rule()
def _remember(world: ConsumerWorld, half: HalfMessage, proxy: int, now_us: Us) -> None:
    half.proxy = proxy
    half.proxy_lives = world.proxies[proxy].lives
    half.kept_until_us = now_us + KEPT_US


@rule()
def remember_sent(world: ConsumerWorld, half: HalfMessage, producer: int, now_us: Us) -> None:
    """The answer to a half message has passed its producer's proxy."""
    proxy = half.broker if world.settings.proxies_local == 1 else proxy_of_producer(world, producer, now_us)
    if proxy != NO_PROXY:
        _remember(world, half, proxy, now_us)


@rule(inlined=True)
def _waits_us(world: ConsumerWorld, half: HalfMessage) -> Us:
    """How long the client of a half message waits for the answer to an end request."""
    return world.transaction_groups[world.group_of_thread[half.sender >> SENDER_SHIFT]].waits_us


@rule()
def passed_on_at(world: ConsumerWorld, half: HalfMessage, request: HalfRequest, now_us: Us) -> Us:
    """When the proxy of its producer passes the end of a transaction on, LOST: nobody does.

    The proxy is away, finds no such transaction, or stands still until the client has cancelled its call.
    """
    proxy = half.broker if world.settings.proxies_local == 1 else proxy_of_producer(world, request.producer, now_us)
    if proxy == NO_PROXY or half.proxy != proxy:
        return LOST
    side = world.proxies[proxy]
    if side.is_away == 1 or half.proxy_lives != side.lives:
        return LOST
    at_us = max(now_us, side.back_us) if side.stands_still == 1 else now_us
    if at_us > half.kept_until_us or at_us - now_us >= _waits_us(world, half):
        return LOST
    half.proxy = NO_LINK  # pollNoExpireTransactionData: it is forgotten
    return at_us + world.settings.hop_us


@rule()
def _clients_on(world: ConsumerWorld, own: TransactionGroup, proxy: int, now_us: Us) -> int:
    """Producers of a group that are online at a proxy."""
    found = 0
    for place in range(own.first_answering, own.first_answering + own.answering):
        number = world.answering[place]
        found += int(is_online(world, number, proxy, now_us))
    return found


@rule()
def _next_client(world: ConsumerWorld, own: TransactionGroup, proxy: int, now_us: Us) -> int:
    """The next of the group's producers that are online at a proxy."""
    side = world.proxies[proxy]
    side.asked += 1
    turn = side.asked % _clients_on(world, own, proxy, now_us)
    for place in range(own.first_answering, own.first_answering + own.answering):
        number = world.answering[place]
        if is_online(world, number, proxy, now_us):
            if turn == 0:
                return number
            turn -= 1
    return NO_LINK


@rule()
def _asked_by_broker(world: ConsumerWorld, half: HalfMessage, own: TransactionGroup, now_us: Us) -> int:
    """The same in local mode (ProducerManager.getAvailableChannel)."""
    if world.proxies[half.broker].is_away == 1 or _clients_on(world, own, half.broker, now_us) == 0:
        return NO_LINK
    _remember(world, half, half.broker, now_us)
    return _next_client(world, own, half.broker, now_us)


@rule()
def asked_over_proxies(world: ConsumerWorld, queue: HalfQueue, half: HalfMessage, group: int, now_us: Us) -> int:
    """The producer that a check goes to by way of a proxy, which remembers the half message; NO_LINK: there is none."""
    own, listed = world.transaction_groups[group], 0
    if world.settings.proxies_local == 1:
        return _asked_by_broker(world, half, own, now_us)
    for proxy in range(world.settings.proxies):
        listed += int(is_proxy_listed(world, queue, own, proxy, now_us))
    if listed == 0:
        return NO_LINK
    queue.asked += 1
    turn = queue.asked % listed
    for proxy in range(world.settings.proxies):
        if is_proxy_listed(world, queue, own, proxy, now_us):
            if turn == 0 and _clients_on(world, own, proxy, now_us) == 0:
                goes_to_dead_stream(world, own, proxy, now_us)
                return NO_LINK
            if turn == 0:
                _remember(world, half, proxy, max(now_us, check_passes_at(world, proxy, now_us)))
                return _next_client(world, own, proxy, now_us)
            turn -= 1
    return NO_LINK


@rule()
def check_passes_at(world: ConsumerWorld, proxy: int, now_us: Us) -> Us:
    """When a proxy has passed on a check that a broker sends it: one that stands still does as it goes on."""
    side = world.proxies[proxy]
    at_us = max(now_us, side.back_us) if side.stands_still == 1 else now_us
    return at_us + world.settings.hop_us
