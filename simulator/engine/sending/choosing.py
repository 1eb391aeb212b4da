"""Where the event loop asks the client to choose a queue and to charge a broker, and puts out what that changed."""

from __future__ import annotations

from simulator import codes
from simulator.client.faults.fault_item import FaultTable
from simulator.client.rules import Rules
from simulator.client.steps.steps import NOBODY, Charge
from simulator.client.view import View
from simulator.compiled.jit import rule
from simulator.compiled.records import Us
from simulator.engine.memory.send import Attempt
from simulator.engine.memory.world import World
from simulator.engine.proxies.measured_brokers import client_of_proxy
from simulator.engine.sending.policy_calls import choose_by_policy
from simulator.engine.shared.rows import put_fault_item, put_removed_items
from simulator.engine.shared.threads import client_of, faults_of, producer_of, proxy_client, view_of


@rule(inlined=True)
def choose(world: World, send: Attempt, view: View, now_us: Us, last_broker: int, reset_index: int) -> int:
    """The packed queue that the client's strategy chooses by a view, or NO_QUEUE; the view says why."""
    if world.settings.policy_on == 1:
        return choose_by_policy(world, send, view, now_us, -1)
    client = client_of(world, send.thread)
    picked = client.rules.select(view, now_us // 1000, last_broker, reset_index)
    if view.pick_reason == codes.PICK_FALLBACK and client.strategy_on == 1:
        put_removed_items(world, producer_of(world, send), view.faults, now_us)
    return picked


@rule(inlined=True)
def charge(world: World, send: Attempt, now_us: Us, cost: Charge) -> None:
    """Tell the fault table of the send's producer what an attempt cost a broker; the strategy must be on."""
    faults = view_of(world, send.thread, send.topic).faults
    _update(world, client_of(world, send.thread).rules, producer_of(world, send), faults, now_us, cost)


@rule(inlined=True)
def charge_at_proxy(world: World, producer: int, now_us: Us, cost: Charge) -> None:
    """The same of the proxy that a producer hangs on, if it measures its brokers."""
    proxy = world.grpc_clients[producer].proxy
    client, own = client_of_proxy(world, proxy), proxy_client(world, proxy)
    if client.strategy_on == 1 and cost.broker != NOBODY:
        _update(world, client.rules, own, faults_of(world, own), now_us, cost)


@rule(inlined=True)
def _update(world: World, rules: Rules, producer: int, faults: FaultTable, now_us: Us, cost: Charge) -> None:
    now_ms = now_us // 1000
    changed = rules.update(faults, now_ms, cost.broker, cost.latency_ms, cost.isolation, cost.reachable)
    if changed == 1:
        put_fault_item(world, producer, faults, cost.broker, now_us)
