"""What faults do to proxies, as consumers meet it: receives that are under way fail with the connection."""

from __future__ import annotations

from simulator.compiled.jit import rule
from simulator.compiled.records import Us
from simulator.consumer.broker.held_pops import release_pop
from simulator.consumer.links.proxy_choice import proxy_of
from simulator.consumer.memory import consumer_settings as kinds
from simulator.consumer.memory.consumer_world import ConsumerWorld
from simulator.consumer.memory.held_queue import POP_ANSWERED, POP_ASKED, POP_FAILED, POP_HELD
from simulator.consumer.memory.instance import NOBODY
from simulator.consumer.memory.proxied.proxied_client import NOT_PROXIED
from simulator.consumer.pop.pop_answers import forget_answer
from simulator.consumer.shared.holdings import pop_at


@rule()
def act_on_proxy(world: ConsumerWorld, kind: int, proxy: int, value: int, now_us: Us) -> None:
    """A proxy goes away or is back, stands still or goes on; `value` of one that stands still: until when."""
    side = world.proxies[proxy]
    if kind == kinds.PROXY_AWAY:
        side.is_away = 1
        side.lives += 1
        _fail_receives(world, proxy, now_us)
    elif kind == kinds.PROXY_BACK:
        side.is_away = 0
    elif kind == kinds.PROXY_HANG:
        side.stands_still = 1
        side.back_us = value
    else:
        side.stands_still = 0


@rule()
def _fail_receives(world: ConsumerWorld, proxy: int, now_us: Us) -> None:
    """What the proxy's clients wait for fails; what the broker has answered to the proxy comes again later."""
    for number in range(world.settings.instances):
        kind = world.groups[world.instances[number].group].proxied.kind
        if kind == NOT_PROXIED or (world.settings.proxies_local == 0 and world.proxied[number].proxy != proxy):
            continue
        at = world.instances[number].first_holding
        while at != NOBODY:
            holding = world.holdings[at]
            asked = proxy_of(world, number, world.logs[holding.log].broker)
            if asked == proxy and POP_ASKED <= holding.state <= POP_ANSWERED:
                if holding.state == POP_HELD:
                    release_pop(world, at)
                forget_answer(world, holding)
                pop_at(world, at, POP_FAILED, now_us + world.settings.link_us)
            at = holding.next_holding
