"""The proxy that a consumer's requests go to: as of producers (engine/proxies/endpoints.py).

In local mode brokers have proxies of their own, which answer for their messages alone.

Source: rocketmq-clients java 5.0.0-5.0.8, ClientImpl.startUp; rocketmq 5.3.3, proxy RouteActivity,
LocalTopicRouteService.
"""

from __future__ import annotations

from simulator.client.sending.grpc_send import next_connect_backoff_us
from simulator.compiled.jit import rule
from simulator.compiled.records import Us
from simulator.consumer.memory.consumer_world import ConsumerWorld
from simulator.consumer.memory.proxied.proxied_client import NO_PROXY
from simulator.kernel.row_table import next_row


@rule()
def _next_there(world: ConsumerWorld, number: int) -> int:
    """The first proxy of the client's list that accepts connections, or NO_PROXY."""
    count = world.settings.proxies
    for i in range(count):
        proxy = (world.proxied[number].first + i) % count
        if world.proxies[proxy].is_away == 0:
            return proxy
    return NO_PROXY


@rule()
def _found_proxy(world: ConsumerWorld, number: int, now_us: Us) -> int:
    """The proxy that a client's request goes to now, connected if need be, or NO_PROXY."""
    client = world.proxied[number]
    if client.backoff_us == 0 and world.proxies[client.proxy].is_away == 0:
        return client.proxy
    if client.backoff_us > 0 and now_us < client.failed_us + client.backoff_us:
        return NO_PROXY
    proxy = client.proxy if world.proxies[client.proxy].is_away == 0 else NO_PROXY
    if proxy == NO_PROXY and world.settings.proxy_lists == 1:
        proxy = _next_there(world, number)
    if proxy == NO_PROXY:
        client.failed_us = now_us
        client.backoff_us = next_connect_backoff_us(client.backoff_us)
        return NO_PROXY
    client.proxy = proxy
    client.backoff_us = 0
    return proxy


@rule()
def proxy_for(world: ConsumerWorld, number: int, now_us: Us) -> int:
    """The proxy that a request of an instance goes to now, or NO_PROXY: it is UNAVAILABLE."""
    client, proxy = world.proxied[number], _found_proxy(world, number, now_us)
    is_another = proxy != client.shown
    client.shown = proxy
    if is_another and world.output.proxied_consumers.room > 0 and number < world.settings.instances:
        row = world.output.proxied_consumer_rows[next_row(world.output, world.output.proxied_consumers)]
        row.at_us = now_us
        row.instance = number
        row.proxy = proxy
    return proxy


@rule()
def proxy_before(world: ConsumerWorld, number: int, broker: int, now_us: Us) -> int:
    """The proxy that a request of an instance about a broker's messages goes to, or NO_PROXY: it is UNAVAILABLE.

    In local mode it is the broker's own.
    """
    if world.settings.proxies_local == 0:
        return proxy_for(world, number, now_us)
    return NO_PROXY if world.proxies[broker].is_away == 1 else broker


@rule(inlined=True)
def proxy_of(world: ConsumerWorld, number: int, broker: int) -> int:
    """The proxy that such requests of an instance have gone to."""
    return world.proxied[number].proxy if world.settings.proxies_local == 0 else broker


@rule()
def answering_proxy(world: ConsumerWorld, number: int, now_us: Us) -> int:
    """The same, NO_PROXY also where that proxy stands still."""
    proxy = proxy_for(world, number, now_us)
    return NO_PROXY if proxy != NO_PROXY and world.proxies[proxy].stands_still == 1 else proxy


@rule()
def ask_for_endpoints(world: ConsumerWorld, number: int) -> None:
    """The client asks for its routes through its own list, whatever its endpoints were."""
    client = world.proxied[number]
    if world.proxies[client.proxy].is_away == 1:
        proxy = _next_there(world, number)
        if proxy != NO_PROXY:
            client.proxy = proxy
            client.backoff_us = 0
