"""A receive: the request to the proxy, its pop at the broker, and the answer.

A PushConsumer always has one under way for each broker, unless the cache of that process queue is full; it looks again
after a second then, however soon the cache is empty (apache/rocketmq-clients#1340).
Source: rocketmq-clients java 5.0.0-5.0.8, ProcessQueueImpl.receiveMessage, ConsumerImpl.receiveMessage; rocketmq 5.3.3,
proxy ReceiveMessageActivity, broker PopMessageRequestHeader.isTimeoutTooMuch.
"""

from __future__ import annotations

from simulator.compiled.jit import rule
from simulator.compiled.records import Us
from simulator.consumer.broker.arriving_pops import go_on_at_slave, is_for_slave
from simulator.consumer.broker.held_pops import release_pop
from simulator.consumer.broker.popping import serve_or_hold
from simulator.consumer.links.instance_routes import knows_master
from simulator.consumer.links.proxy_choice import proxy_before
from simulator.consumer.links.reaching import LINK_OPEN, LINK_REFUSED, member_at
from simulator.consumer.memory.consumer_world import ConsumerWorld
from simulator.consumer.memory.held_queue import POP_ASKED, POP_DUE, POP_FAILED, POP_HELD, Holding
from simulator.consumer.memory.instance import NOBODY
from simulator.consumer.memory.proxied.proxied_client import NO_PROXY
from simulator.consumer.shared.holdings import group_of, pop_at, queue_of
from simulator.consumer.shared.pop_places import place_of_pop

FULL_US = 1_000_000  # RECEIVING_BACKOFF_DELAY_WHEN_CACHE_IS_FULL
STALE_US = 500_000  # a pop that arrives so long after its polling time is refused (POLLING_TIMEOUT)


@rule()
def _share_of(world: ConsumerWorld, holding: Holding, limit: int) -> int:
    """What of a limit of the whole client one process queue has."""
    queues, at = 0, world.instances[holding.instance].first_holding
    while at != NOBODY:
        queues += 1
        at = world.holdings[at].next_holding
    return max(1, limit // max(queues, 1))


@rule()
def receive_unless_full(world: ConsumerWorld, number: int, now_us: Us) -> None:
    """A PushConsumer receives, or waits as the cache of the process queue is full."""
    holding, queue = world.holdings[number], queue_of(world, number)
    own = group_of(world, holding)
    most = _share_of(world, holding, own.proxied.cache_count)
    if queue.msg_count >= most or queue.msg_size >= _share_of(world, holding, own.proxied.cache_bytes):
        pop_at(world, number, POP_DUE, now_us + FULL_US)
        return
    holding.most = min(max(most - queue.msg_count, 1), own.pop.batch)
    send_receive(world, number, now_us)


@rule()
def send_receive(world: ConsumerWorld, number: int, now_us: Us) -> None:
    """The request goes to the client's proxy, which asks the broker."""
    holding = world.holdings[number]
    own = group_of(world, holding).proxied
    proxy = proxy_before(world, holding.instance, world.logs[holding.log].broker, now_us)
    if proxy == NO_PROXY:
        pop_at(world, number, POP_FAILED, now_us + world.settings.link_us)
        return
    holding.until_us = now_us + own.polling_us
    holding.unheard_us = 0
    side = world.proxies[proxy]
    if side.stands_still == 1 and side.back_us >= now_us + own.timeout_us:
        pop_at(world, number, POP_FAILED, now_us + own.timeout_us)
    else:
        begins_us = max(now_us, side.back_us) if side.stands_still == 1 else now_us
        if begins_us > now_us and world.settings.proxies_local == 1:
            _poll_from(holding, begins_us, own.polling_us, now_us + own.timeout_us)
        pop_at(world, number, POP_ASKED, begins_us + world.settings.hop_us + world.settings.link_us)


@rule(inlined=True)
def _poll_from(holding: Holding, begins_us: Us, polling_us: Us, unheard_us: Us) -> None:
    """A proxy in the broker's process polls from when it goes on, also after the client has given up.

    A message that comes then is lost to the client (grpc-local-hang-r1). With a proxy of its own the broker knows when
    it was asked.
    """
    holding.until_us = begins_us + polling_us
    holding.unheard_us = unheard_us


@rule()
def go_on_at_broker(world: ConsumerWorld, number: int, now_us: Us) -> None:
    """A pop that is at the broker: it arrives, something was appended, or its time is over."""
    if is_for_slave(world, number):
        go_on_at_slave(world, number, now_us)
        return
    holding = world.holdings[number]
    own = group_of(world, holding).proxied
    serving = world.serving[world.logs[holding.log].broker]
    asked_us = holding.until_us - own.polling_us
    back_us = max(serving.back_us, now_us + 1)
    gives_up = serving.is_away == 0 and serving.stands_still == 1 and back_us >= asked_us + own.timeout_us
    if holding.state == POP_HELD and (serving.stands_still == 0 or gives_up):
        release_pop(world, number)
    if serving.is_away != 0:
        pop_at(world, number, POP_FAILED, now_us + world.settings.link_us)
    elif gives_up:
        pop_at(world, number, POP_FAILED, max(asked_us + own.timeout_us, now_us + 1))
    elif serving.stands_still == 1:
        pop_at(world, number, holding.state, back_us)
    elif holding.state != POP_ASKED or _is_let_in(world, number, asked_us, now_us):
        serve_or_hold(world, number, now_us)


@rule()
def _is_let_in(world: ConsumerWorld, number: int, asked_us: Us, now_us: Us) -> bool:
    """Whether the pop reaches a broker that serves it; else the client gets an error, at once or in time."""
    holding = world.holdings[number]
    log, own = world.logs[holding.log], group_of(world, holding).proxied
    link = member_at(world, log.broker, holding.instance).link
    place = place_of_pop(world, holding.subscription, log.broker)
    if link != LINK_OPEN and link != LINK_REFUSED:
        pop_at(world, number, POP_FAILED, max(asked_us + own.timeout_us, now_us + 1))
        return False
    is_refused = world.pop_places[place].refuses == 1
    if is_refused:
        world.pop_waits[place].refused += 1
    is_stale = now_us - holding.until_us > STALE_US
    is_known = knows_master(world, holding.instance, log.topic, log.broker)
    if link == LINK_REFUSED or is_refused or is_stale or not is_known:
        pop_at(world, number, POP_FAILED, now_us + world.settings.link_us)
        return False
    return True
