"""Which producers a proxy lists, and what brokers know of that: the way of a check-back to a gRPC client.

A proxy lists a producer from its session on, until it has had no heartbeat of it (one each 10 s) for 120 s. So one that
is killed or stands still stays listed for two minutes. Each 20 s a proxy says to the brokers for which groups it lists
anybody. A broker believes that until it has not heard it for 120 s, or the connection to the proxy closes. Both look
each 10 s. So checks go for up to 4 min and 20 s to a proxy that nobody of the group is left at, and are lost there.

A producer whose proxy dies hangs on another one a second later, or with its next question for routes; one without
another proxy as its channel connects again. What stood still until it was struck off is listed again with its settings,
which it sends every 5 min.
Source: rocketmq 5.3.3, proxy ClusterTransactionService.scanProducerHeartBeat, ClusterServiceManager.init,
ClientActivity.heartbeat, .ProducerChangeListenerImpl, broker ProducerManager.scanNotActiveChannel,
ClientHousekeepingService; rocketmq-clients java 5.0.8, ClientSessionImpl, ClientManagerImpl.
"""

from __future__ import annotations

from simulator.client.sending.grpc_send import ROUTE_REFRESH_US, next_connect_backoff_us
from simulator.compiled.jit import rule
from simulator.compiled.records import Us
from simulator.consumer.links.proxy_choice import ask_for_endpoints, proxy_for
from simulator.consumer.memory import consumer_settings as kinds
from simulator.consumer.memory.consumer_world import ConsumerWorld
from simulator.consumer.memory.half_message import NO_CLIENT, HalfQueue, TransactionGroup, TransactionProducer
from simulator.engine.memory.settings import FAR

HEARTBEAT_US = 10_000_000  # of a gRPC client
SETTINGS_US, SYNC_PARTS = 300_000_000, 10  # of a phase of 30 s
SESSION_US = 1_000_000  # until a client whose connection closed has a session again
EXPIRES_US, SCAN_US = 120_000_000, 10_000_000  # of proxies and brokers
BEAT_US = 20_000_000  # transactionHeartbeatPeriodSecond
LONG_AGO_US = -(1 << 60)  # since when proxies list the producers that a run begins with
NEVER = -FAR


@rule()
def proxy_of_producer(world: ConsumerWorld, producer: int, now_us: Us) -> int:
    """The proxy that a producer hangs on, or NO_PROXY."""
    number = world.transaction_producers[producer].client
    client = world.proxied[number]
    before, asked_us = client.proxy, client.refresh_us
    if now_us >= client.refresh_us:
        client.refresh_us += ((now_us - client.refresh_us) // ROUTE_REFRESH_US + 1) * ROUTE_REFRESH_US
        ask_for_endpoints(world, number)
        if client.proxy != before:
            client.joined_us = asked_us
    proxy = proxy_for(world, number, now_us)
    if client.proxy != before and client.joined_us == FAR:
        client.joined_us = now_us + SESSION_US
    return proxy


@rule(inlined=True)
def _struck_off_us(own: TransactionProducer, silent_us: Us) -> Us:
    """When its proxy strikes a producer off that sends no heartbeat from then on."""
    heard_us = silent_us - (silent_us - own.heartbeat_us) % HEARTBEAT_US
    return (heard_us + EXPIRES_US) // SCAN_US * SCAN_US + SCAN_US


@rule()
def lists_dead(world: ConsumerWorld, producer: int, proxy: int, now_us: Us) -> bool:
    """Whether a proxy lists a process of a producer that was killed."""
    own = world.transaction_producers[producer]
    return (own.channels >> proxy) & 1 == 1 and now_us < _struck_off_us(own, own.died_us)


@rule()
def is_online(world: ConsumerWorld, producer: int, proxy: int, now_us: Us) -> bool:
    """Whether a proxy lists the process of a producer: in local mode each of them lists all."""
    own = world.transaction_producers[producer]
    if own.is_gone == 1 or (own.frozen_us > 0 and now_us >= _struck_off_us(own, own.frozen_us)):
        return False
    if world.settings.proxies_local == 0 and proxy_of_producer(world, producer, now_us) != proxy:
        return False
    return world.proxied[own.client].joined_us <= now_us


@rule()
def _beat_before_us(world: ConsumerWorld, proxy: int, from_us: Us, until_us: Us) -> Us:
    """The last heartbeat of a proxy in that time; NEVER: there was none."""
    beat_us = until_us - (until_us - world.proxies[proxy].beat_us) % BEAT_US
    return beat_us if beat_us >= from_us else NEVER


@rule()
def _heard_us(world: ConsumerWorld, own: TransactionGroup, proxy: int, now_us: Us) -> Us:
    """When a proxy said last that it lists clients of the group, NEVER: it did not."""
    side, heard_us = world.proxies[proxy], NEVER
    until_us = min(now_us, side.still_us) if side.stands_still == 1 else now_us
    for place in range(own.first_answering, own.first_answering + own.answering):
        number = world.answering[place]
        producer = world.transaction_producers[number]
        if producer.is_gone == 0 and proxy_of_producer(world, number, now_us) == proxy:
            frozen_us = _struck_off_us(producer, producer.frozen_us) if producer.frozen_us > 0 else FAR
            joined_us = world.proxied[producer.client].joined_us
            heard_us = max(heard_us, _beat_before_us(world, proxy, joined_us, min(until_us, frozen_us)))
        if (producer.channels >> proxy) & 1 == 1:
            struck_us = _struck_off_us(producer, producer.died_us)
            heard_us = max(heard_us, _beat_before_us(world, proxy, producer.left_us, min(until_us, struck_us)))
    return heard_us


@rule()
def is_proxy_listed(world: ConsumerWorld, queue: HalfQueue, own: TransactionGroup, proxy: int, now_us: Us) -> bool:
    """Whether a broker believes that clients of a group are online at a proxy."""
    if world.proxies[proxy].is_away == 1:
        return False
    heard_us = _heard_us(world, own, proxy, now_us)
    if heard_us == NEVER or heard_us < queue.started_us:
        return False
    scans = (heard_us + EXPIRES_US - queue.started_us) // SCAN_US + 1
    return now_us < queue.started_us + scans * SCAN_US


@rule()
def note_proxy(world: ConsumerWorld, kind: int, proxy: int, now_us: Us) -> None:
    """A proxy has gone away or is back, stands still or goes on."""
    side = world.proxies[proxy]
    if kind == kinds.PROXY_HANG:
        side.still_us = now_us
    elif kind == kinds.PROXY_RESUME:
        side.beat_us = now_us
    else:
        for number in range(world.settings.transaction_producers):
            if world.transaction_producers[number].client != NO_CLIENT and world.settings.proxies_local == 0:
                _note_proxy_of(world, number, kind, proxy, now_us)


@rule()
def _note_proxy_of(world: ConsumerWorld, number: int, kind: int, proxy: int, now_us: Us) -> None:
    """The same for one producer: its session ends with the proxy, and it looks for another one."""
    own = world.transaction_producers[number]
    client = world.proxied[own.client]
    if kind == kinds.PROXY_AWAY:
        own.streams &= ~(1 << proxy)
        own.channels &= ~(1 << proxy)
    if client.proxy != proxy:
        return
    if kind == kinds.PROXY_AWAY:
        client.joined_us = FAR
        proxy_of_producer(world, number, now_us)
        return
    connects_us, backoff_us = client.failed_us, client.backoff_us
    while connects_us < now_us and backoff_us > 0:
        connects_us += backoff_us
        backoff_us = next_connect_backoff_us(backoff_us)
    client.joined_us = max(connects_us, now_us)


@rule()
def note_started(world: ConsumerWorld, producer: int, now_us: Us) -> None:
    """Another process of a producer begins."""
    own = world.transaction_producers[producer]
    if own.client != NO_CLIENT:
        world.proxied[own.client].joined_us = now_us


@rule()
def note_thawed(world: ConsumerWorld, producer: int, now_us: Us) -> None:
    """A process goes on: where its proxy has struck it off meanwhile it is listed again with its settings."""
    own = world.transaction_producers[producer]
    if own.client == NO_CLIENT or now_us < _struck_off_us(own, own.frozen_us):
        return
    phase_us = own.began_us + own.heartbeat_us * SYNC_PARTS
    synced_us = own.frozen_us - (own.frozen_us - phase_us) % SETTINGS_US  # the last time before
    world.proxied[own.client].joined_us = max(now_us, synced_us + SETTINGS_US)
