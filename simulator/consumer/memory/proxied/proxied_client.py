"""Consumers over gRPC, and the proxies that they hang on."""

from __future__ import annotations

from simulator.compiled.records import Record, Us

# which client of rocketmq-client-java the instances of a group are
NOT_PROXIED, PUSH, SIMPLE = range(3)
NO_PROXY = -1
NEVER_SHOWN = -2
NEVER_ASKED = -2  # version of a route that a proxy has not read yet
NOTHING_COMES = -1  # ready_us: no route was asked for


class ProxiedSettings(Record):
    """The settings of a group that consumes over proxies."""

    kind: int
    cache_count: int  # maxCacheMessageCount, of all process queues of an instance together
    cache_bytes: int
    polling_us: Us  # how long the broker may hold a pop
    timeout_us: Us  # how long the client waits for an answer to a receive
    by_queue: int  # 1: ProxyRelease.assigns_queues_in_order, of a group that consumes in order
    renews: int  # 1: proxies renew what is about to be visible again (ProxyRelease.renews_receipts)


class ProxySide(Record):
    """A proxy as consumers and transactional producers meet it."""

    is_away: int  # 1: its process is not there
    stands_still: int
    still_us: Us  # since when it stands still
    back_us: Us  # until when
    lives: int  # processes so far: what one knew of receipt handles is lost with it
    name_server: int
    beat_us: Us  # phase of the heartbeats by which brokers know that transactional producers are online
    asked: int  # clients that it had answer a check so far: they take turns


class KnownRoute(Record):
    """What a proxy remembers of the route of a topic."""

    loaded_us: Us
    ready_us: Us  # when the answer to a reload is there, or NOTHING_COMES
    version: int
    coming: int  # version of that answer


class ProxiedClient(Record):
    """An instance that consumes over a proxy, or a producer that sends half messages over one."""

    proxy: int  # that it hangs on
    first: int  # where its list of proxies begins
    failed_us: Us  # when a connect failed last
    backoff_us: Us  # until the next one, 0: the channel is not in failure
    seen_us: Us  # when a proxy had a heartbeat last
    refresh_us: Us  # of a producer: when it asks for its routes next
    joined_us: Us  # of a producer: since when its proxy lists it
    shown: int  # the proxy of its last row, NO_PROXY: it had none, NEVER_SHOWN: there is no row yet
    receives: int  # of a SimpleConsumer so far, or in local mode scans of a PushConsumer: they take the queues in turn
