"""What most scenarios do not need of the event loop: each of these rules is compiled when it is first called.

The loop and the plain synchronous send call them through `world.late`, so that they need not import them.
"""

from __future__ import annotations

from simulator.client.steps.steps import Ending
from simulator.compiled.late import late
from simulator.compiled.records import Ms, Us
from simulator.engine.broker.orders import append
from simulator.engine.broker.roles import change_role
from simulator.engine.dispatch import handle_in_way
from simulator.engine.memory.events import APPENDING, BEGINNING, ROLE
from simulator.engine.memory.send import Attempt, GivenMessage
from simulator.engine.memory.world import LateRules, World
from simulator.engine.network.sync_transport import waits_unread
from simulator.engine.network.travelling import move, send_off
from simulator.engine.proxies.broker_endpoints import take_broker_now
from simulator.engine.routes.route_polls import find
from simulator.engine.senders.closed_loop import await_next
from simulator.engine.sending.ended import end_with_others
from simulator.engine.sending.local_transaction import run_local_transaction
from simulator.engine.sending.over_proxy import begin_over_proxy, happen_over_proxy
from simulator.engine.sending.unflushed import learn_fate
from simulator.engine.sending.ways import begin_way
from simulator.engine.shared.threads import kind_of, message_of
from simulator.engine.timers import next_after


@late
def in_other_way(world: World, kind: int, number: int, now_us: Us, arrival_us: Us, topic: int, draw: int) -> int:
    """Of messages that are not plain: one begins, or an event of theirs."""
    if kind == BEGINNING:
        begin_way(world, number, now_us, GivenMessage(arrival_us, topic, draw))
    else:
        handle_in_way(world, kind, number, now_us)
    return 0


@late
def over_proxy(world: World, kind: int, number: int, now_us: Us, arrival_us: Us, topic: int, draw: int) -> int:
    """The same of messages over a proxy."""
    if kind == BEGINNING:
        begin_over_proxy(world, number, now_us, GivenMessage(arrival_us, topic, draw))
    else:
        happen_over_proxy(world, kind, world.attempts[number], now_us)
    return 0


@late
def happen_at_broker(world: World, kind: int, number: int, now_us: Us) -> int:
    """A copy is appended or flushed apart from its message, or a broker's role changes."""
    if kind == APPENDING:
        append(world, world.appending[number])
    elif kind == ROLE:
        change_role(world, number, now_us)
    else:
        learn_fate(world, world.unflushed[number], now_us)
    return 0


@late
def move_request(world: World, kind: int, number: int, now_us: Us) -> int:
    """A request that is under way."""
    move(world, kind, world.travelling[number], now_us)
    return 0


@late
def fire_timer(world: World, kind: int, now_us: Us) -> int:
    """A timer other than the window's."""
    return next_after(world, kind, now_us)


@late
def send_over_network(world: World, send: Attempt, now_us: Us, wait_ms: Ms) -> int:
    """Send the request of an attempt over a network that takes time: when the client knows its end."""
    return send_off(world, send, now_us, wait_ms)


@late
def wait_unread(world: World, send: Attempt, now_us: Us, wait_ms: Ms) -> int:
    """1 if the request waits in its connection until the broker's process goes on."""
    return waits_unread(world, send, now_us, wait_ms)


@late
def find_route(world: World, send: Attempt, now_us: Us) -> int:
    """Ask the name server: the number of queues, or UNANSWERED."""
    return find(world, send, now_us)


@late
def take_broker(world: World, send: Attempt, now_us: Us) -> int:
    """The broker that a gRPC client chooses in local mode, below 0: it knows none."""
    return take_broker_now(world, send, now_us)


@late
def end_apart(
    world: World, send: Attempt, end_us: Us, result: int, code: int, attempts: int, broker: int, queue_id: int
) -> int:
    """A message has ended, with its batch, or before it is known what its copies come to."""
    end_with_others(world, send, end_us, Ending(result, code, attempts, broker, queue_id))
    return 0


@late
def go_on_in_way(
    world: World, send: Attempt, now_us: Us, result: int, code: int, attempts: int, broker: int, queue_id: int
) -> int:
    """What the thread of a message that has ended does next: its local transaction, or its next message."""
    ending, thread = Ending(result, code, attempts, broker, queue_id), send.thread
    if kind_of(world, thread).local < 0 or run_local_transaction(world, send, now_us, ending) == 0:
        await_next(world, thread, now_us, message_of(world, send).begin_us)
    return 0


LATE_RULES = (
    in_other_way, over_proxy, happen_at_broker, move_request, fire_timer, send_over_network, wait_unread, find_route,
    take_broker, end_apart, go_on_in_way,
)  # fmt: skip


def fill_late_rules(own: LateRules) -> None:
    """Let the loop call them."""
    for one in LATE_RULES:
        setattr(own, one.__name__, one)
