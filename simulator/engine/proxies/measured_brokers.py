"""What a proxy has measured of its brokers: fault items as a remoting client has them, with sendLatencyEnable.

An attempt that fails isolates its broker and makes it unreachable; then only the detector finds it reachable again, or
a message that is sent to it because no other broker is both. A request that is not answered is charged when its client
gives up: the proxy itself does up to a second later. Source: rocketmq 5.2.0-5.5.0, proxy ProducerProcessor.sendMessage,
TopicRouteService.updateFaultItem.
"""

from __future__ import annotations

from simulator import codes
from simulator.client.steps.steps import NOBODY, Charge
from simulator.compiled.jit import rule
from simulator.compiled.records import Ms
from simulator.engine.memory.client_kind import ClientKind
from simulator.engine.memory.world import World
from simulator.engine.shared.threads import client_of, proxy_client


@rule(inlined=True)
def client_of_proxy(world: World, proxy: int) -> ClientKind:
    """A proxy's remoting client."""
    return client_of(world, world.producers[proxy_client(world, proxy)].first_thread)


@rule()
def cost_at_proxy(broker: int, latency_ms: Ms, outcome: int) -> Charge:
    """The update of a broker after an attempt that ended so; of nobody where the proxy went away meanwhile."""
    failed = 0 if outcome in codes.STORED else 1
    return Charge(NOBODY if outcome == codes.UNAVAILABLE else broker, latency_ms, failed, 1 - failed)
