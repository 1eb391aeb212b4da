"""The detector's rounds in the event loop: every producer probes what is due, all at the same moments."""

from __future__ import annotations

from simulator.client.faults.detector_round import detect_by_one_round
from simulator.compiled.jit import rule
from simulator.compiled.records import Us, beyond
from simulator.engine.memory.periods_table import ANSWER, ANSWER_REFUSE, ANSWER_VALUE, DOWN, LINK_CUT, SPEED
from simulator.engine.memory.settings import FAR
from simulator.engine.memory.world import World
from simulator.engine.network.connection import link_at, link_delay, link_of
from simulator.engine.routes.addresses import has_address
from simulator.engine.shared.periods import periods_of, skip_past, start_after_standstill, value_at
from simulator.engine.shared.rows import put_fault_item
from simulator.engine.shared.threads import client_of, faults_of
from simulator.policies.policy import NO_ANSWER


@rule()
def _answers_in_time(world: World, broker: int, now_us: Us, delay_us: Us) -> int:
    """Whether a probe sent now is answered within the detector's time-out; the probe itself takes no thread.

    delay_us: what the link to the broker adds.
    """
    return 1 if _free_after(world, broker, now_us) + delay_us < world.settings.detect_timeout_us else 0


@rule()
def _free_after(world: World, broker: int, now_us: Us) -> int:
    """Microseconds until a send thread of the broker is free, FAR if it refuses connections."""
    if value_at(world, periods_of(world, broker, ANSWER), now_us, 0) & ~ANSWER_VALUE == ANSWER_REFUSE:
        return FAR
    skip_past(world, periods_of(world, broker, SPEED), now_us)
    fixed = world.brokers[broker]
    free_us = world.servers[fixed.first_server]
    for server in range(fixed.first_server + 1, fixed.first_server + fixed.server_count):
        free_us = min(free_us, world.servers[server])
    return start_after_standstill(world, broker, max(now_us, free_us)) - now_us


@rule(inlined=True)
def _group_of(world: World, producer: int) -> int:
    return world.threads[world.producers[producer].first_thread].group


@rule()
def _is_away(world: World, producer: int, broker: int, now_us: Us) -> bool:
    """Whether the broker's process is down, or cut off from the producer."""
    if value_at(world, periods_of(world, broker, DOWN), now_us, 0) != 0:
        return True
    if world.settings.links_on == 0:
        return False
    return link_at(world, link_of(world, _group_of(world, producer), broker).cuts, now_us) == LINK_CUT


@rule()
def answers_after(world: World, producer: int, broker: int, now_us: Us) -> int:
    """Microseconds until a heartbeat that a producer sends now is answered, NO_ANSWER beyond its request time-out."""
    client = client_of(world, world.producers[producer].first_thread)
    if world.settings.connections_on == 1 and _is_away(world, producer, broker, now_us):
        return NO_ANSWER
    after_us = _free_after(world, broker, now_us) + link_delay(world, _group_of(world, producer), broker, now_us)
    return after_us if after_us < client.send_msg_timeout_ms * 1000 else NO_ANSWER


@rule()
def _seen_by(world: World, producer: int, now_us: Us) -> None:
    """What `detect` put first, as one producer sees it, whose routes and network are its own."""
    settings, brokers = world.settings, world.settings.brokers
    has_master, answers = world.scratch, beyond(world.scratch, brokers)
    for broker in range(brokers):
        if settings.routes_on == 1:
            has_master[broker] = has_address(world, producer, broker, now_us)
        if settings.connections_on == 1:
            delay_us = link_delay(world, _group_of(world, producer), broker, now_us)
            answers[broker] = _answers_in_time(world, broker, now_us, delay_us)
            if _is_away(world, producer, broker, now_us):
                answers[broker] = 0
            if settings.scripted == 1:
                answers[broker] = world.script.probe(broker, now_us)


@rule()
def detect(world: World, now_us: Us) -> None:
    """One round of every producer; puts out each item that changed its reachable flag or was removed."""
    settings, brokers = world.settings, world.settings.brokers
    has_master, answers = world.scratch, beyond(world.scratch, brokers)
    probed, before = beyond(world.scratch, 2 * brokers), beyond(world.scratch, 3 * brokers)
    for broker in range(brokers):
        has_master[broker] = world.brokers[broker].has_master
        answers[broker] = _answers_in_time(world, broker, now_us, 0)
    for producer in range(settings.producers):
        if client_of(world, world.producers[producer].first_thread).detector_on == 0:
            continue
        faults = faults_of(world, producer)
        if settings.routes_on == 1 or settings.connections_on == 1:
            _seen_by(world, producer, now_us)
        for broker in range(brokers):
            before[broker] = 2 * faults.items[broker].present + faults.items[broker].reachable
        detect_by_one_round(faults, now_us // 1000, settings.detect_interval_ms, has_master, answers, probed)
        for broker in range(brokers):
            if before[broker] != 2 * faults.items[broker].present + faults.items[broker].reachable:
                put_fault_item(world, producer, faults, broker, now_us)
