"""What does not change during a run: the scenario as single numbers."""

from __future__ import annotations

from simulator.compiled.records import Ms, Record, Us, Within
from simulator.kernel.machine_memory import MachineClock
from simulator.kernel.pools import Pool

FAR = 1 << 62  # later than any event
NEVER_MS = 1 << 50  # as microseconds it still fits 64 bits


class Settings(Record):
    """The settings of a cell."""

    window_us: Us
    topics: int
    brokers: int
    producers: int
    detector_on: int  # 1: some clients have a detector that runs
    detect_period_us: Us
    detect_interval_ms: Ms
    detect_timeout_us: Us
    refused_after_us: Us
    timeout_notice_us: Us  # a time-out is noticed at least that long after its deadline
    timeout_spread_us: Us  # and less than that much longer
    routes_on: int  # 1: something changes a route during the run, so producers poll
    name_servers: int
    name_servers_answer: int  # 1: also what they do not know, with a code
    poll_period_us: Us
    connections_on: int  # 1: a broker process or a network goes away during the run
    links_on: int  # 1: the network between some producers and brokers is cut or loses packets
    networks_on: int  # 1: requests or answers of some producers take time on the network
    groups: int
    version_count: int
    added_latencies: int  # number in world.latencies of the first that slow brokers add, -1 if none does
    sender_places: int  # in world.idle_senders of a producer: the most threads that send for a producer's callers
    sender_queue: int  # messages that may wait for one of them
    sockets_of_all: int  # 1: some send asynchronously, some do not, none by a policy: any request may lie in a socket
    orders_checked: int  # 1: some topic's messages are checked for the order in which they are stored
    held_count: int  # route objects that were replaced and may still be in use, of each (producer, topic); 0: none is
    heartbeats_close: int  # 1: a broker may be silent for so long that heartbeats close its connections
    ends_apart: int  # 1: copies of a message that ended may still be open, or a batch ends with it
    auto_batch: int  # 1: some clients make batches
    seed: int  # of the names of keys
    silences: int  # in which processes of producers are away, or stand still
    scripted: int  # 1: a script stands for connections and brokers (memory/script.py)
    refusal_us: Us  # what an attempt that the transport refuses takes of its thread, at least
    refusal_spread_us: Us  # and less than that much more
    proxies: int  # over which gRPC clients send; their remoting clients are the last producers of the cell
    proxy_lists: (
        int  # 1: a client has the addresses of all proxies, 0: that of the one that answered its request for a route
    )
    proxy_refresh_us: Us  # age at which a proxy asks for a route again
    proxies_weigh: int  # 1: ProxyRelease.weighs
    proxies_local: int  # 1: each broker has one in its own process, of the broker's number
    proxy_receive_bytes: int  # of the requests of a client, held by the socket of a proxy that stands still
    proxy_hop: int  # number in world.latencies of what the way over a proxy takes, request and answer together
    policy_on: int  # 1: a policy decides instead of the client's strategy
    policy_reason: int  # codes.PICK_* of its choices
    choose_cells: int  # of a record of the policy's part that chooses, and so on
    avoid_cells: int
    retry_cells: int
    avoid_per_broker: int  # 1: that part has a record for each broker of each producer
    policy_tick_us: Us  # 0: the policy has no period
    policy_heartbeats: int  # 1: at every tick it hears which brokers answer


class Clock(MachineClock):
    """What moves on with every event."""

    next_window: int  # window that is open
    timers_set: int  # of its events
    free_place: int  # first free place of the backlog, -1 if none
    skipped: int  # arrivals that met a blocked thread and were not sent
    sends_ended: int
    sends_failed: int  # of those, with any result but SEND_OK and SENT_ONEWAY
    attempts_again: int  # of those, beyond the first of each
    poll_place: int  # in world.pollers, of the next poll
    poll_round_us: Us  # begin of its round
    blocking: Within[Pool]  # of world.attempts, for messages whose sender threads wait for them, and what travels
    asynchronous: Within[Pool]  # the same for the others: what a mode takes is numbered alike beside any other
    messages: Within[Pool]  # of world.attempts, whose numbers messages have that need one of their own
    asides: Within[Pool]
    appending: Within[Pool]
    unflushed: Within[Pool]
    travelling: Within[Pool]
    batches: Within[Pool]
    closed: int  # connections that are closed, or will be
