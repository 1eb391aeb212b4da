"""The proxy that a gRPC client's requests go to.

A client is given a list of proxies and asks one of them for routes, whose answer names the endpoints that messages go
to. A proxy puts the hosts of the client's list there and its own port (RouteActivity.convertToAddressList). So of
proxies on hosts of their own, or with useEndpointPortFromRequest, all are in the list, and a channel whose connection
closes takes the next one at once, in the order that the client shuffled (IpNameResolverFactory, pick_first). Proxies of
one host with ports of their own are not: the client learns of another one when it asks for its routes again, through
its own list. A proxy that hangs keeps its connections, so nobody leaves it.

Source: rocketmq-clients java 5.0.0-5.0.8, ClientImpl.startUp, RpcClientImpl; rocketmq 5.3.3-5.5.0, proxy RouteActivity.
"""

from __future__ import annotations

from simulator.client.sending.grpc_send import ROUTE_REFRESH_US, next_connect_backoff_us
from simulator.compiled.jit import rule
from simulator.compiled.records import Us
from simulator.engine.memory.links import NO_PROXY, GrpcClient
from simulator.engine.memory.world import World
from simulator.engine.proxies.proxy_process import is_there


@rule()
def _next_there(world: World, client: GrpcClient, now_us: Us) -> int:
    """The first proxy of the client's list that accepts connections, or NO_PROXY."""
    count = world.settings.proxies
    for i in range(count):
        proxy = (client.first + i) % count
        if is_there(world, proxy, now_us):
            return proxy
    return NO_PROXY


@rule()
def _connect(world: World, client: GrpcClient, now_us: Us) -> int:
    """A channel without a connection looks for one, unless it waits after the last time."""
    if client.backoff_us > 0 and now_us < client.failed_us + client.backoff_us:
        return NO_PROXY
    proxy = client.proxy if is_there(world, client.proxy, now_us) else NO_PROXY
    if proxy == NO_PROXY and world.settings.proxy_lists == 1:
        proxy = _next_there(world, client, now_us)
    if proxy == NO_PROXY:
        client.failed_us = now_us
        client.backoff_us = next_connect_backoff_us(client.backoff_us)
    return proxy


@rule()
def proxy_for(world: World, producer: int, now_us: Us) -> int:
    """The proxy that a request which the client sends now goes to, or NO_PROXY: it is UNAVAILABLE."""
    client = world.grpc_clients[producer]
    if now_us >= client.refresh_us:
        client.refresh_us += ((now_us - client.refresh_us) // ROUTE_REFRESH_US + 1) * ROUTE_REFRESH_US
        if not is_there(world, client.proxy, now_us):
            asked = _next_there(world, client, now_us)
            if asked != NO_PROXY:
                client.proxy = asked
                client.backoff_us = 0
    if client.backoff_us == 0 and is_there(world, client.proxy, now_us):
        return client.proxy
    proxy = _connect(world, client, now_us)
    if proxy != NO_PROXY:
        client.proxy = proxy
        client.backoff_us = 0
    return proxy
