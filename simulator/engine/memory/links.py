"""The network between producers and brokers: links, what is under way on a connection, proxies and their clients."""

from __future__ import annotations

from simulator.compiled.records import Ms, Record, Us, Within
from simulator.engine.memory.periods_table import PROXY_DOWN, PROXY_STILL, PeriodTable
from simulator.kernel.pools import Taken

PROXY_PLACES = {PROXY_DOWN: 0, PROXY_STILL: 1}  # tables that proxies have, and which of a Proxy's they are
NO_PROXY = -1
NOTHING_COMES = -1  # ready_us: no route was asked for


class Link(Record):
    """Where the periods of its tables are."""

    cuts: Within[PeriodTable]  # LINK
    losses: Within[PeriodTable]  # LOSS
    late: Within[PeriodTable]  # LATE


class Ways(Record):
    """How long requests and answers are under way: numbers of distributions in world.latencies, negative: no time."""

    requests: int
    answers: int


class ConnectionOrder(Record):
    """What was last on a connection, which keeps the order; -1: nothing was."""

    arrives_us: Us  # when its last request is at the broker's machine
    read_us: Us  # when the process, which stood still, reads the last of those that lay there
    answered_us: Us  # when its last answer is at the client


class Travelling(Taken):
    """A request on its way to a broker, or its answer on the way back."""

    request: int  # the attempt that travels
    waiting: int  # the attempt that waits for the answer, unless it is another by then
    aside: int  # 1 + record of world.asides that waits instead, 0: none does
    deadline_us: Us  # an answer that comes then or later is too late
    wait_ms: Ms  # what the client waits for it once connected


class Proxy(Record):
    """Where the periods of its tables are."""

    down: Within[PeriodTable]  # PROXY_DOWN
    still: Within[PeriodTable]  # PROXY_STILL


class GrpcClient(Record):
    """A producer that sends over proxies; of another one `proxy` is NO_PROXY."""

    proxy: int  # to which the endpoints of its routes lead
    first: int  # where its list of proxies begins: it tries them in turn from there on
    refresh_us: Us  # when it asks for its routes next, through that list
    failed_us: Us  # when a connect failed last
    backoff_us: Us  # until the next one, 0: the channel is not in failure
    held_until_us: Us  # end of the standstill of a proxy that the next two are of
    held_bytes: int  # that the client has sent to it meanwhile
    full_us: Us  # when these filled the proxy's receive buffer, FAR: they do not


class LocalClient(Record):
    """What a producer that sends to proxies in brokers' processes knows of them beside that."""

    heartbeat_us: Us  # when it sends the next ones, to all brokers of its routes
    answered_us: Us  # when a broker that stands still answers one, 0: none will
    isolated: int  # the bit of each broker that has failed an attempt, and has answered no heartbeat since


class CachedRoute(Record):
    """What a proxy remembers of a topic's route beside the route."""

    loaded_us: Us  # when it was read last
    accessed_us: Us
    ready_us: Us  # when the answer to a reload is there, NOTHING_COMES: none is under way
    version: int  # which that answer is
    is_empty: int  # 1: there is no such topic
