"""A broker: send threads, a bounded send queue, fast failure. What is rare or has to be asked for: storing.py."""

from __future__ import annotations

from simulator.codes import SYSTEM_BUSY
from simulator.compiled.jit import rule
from simulator.compiled.records import Us
from simulator.engine.broker.send_queue import first_free, is_full, leave_queue, scan_at
from simulator.engine.broker.slowness import added_service_us
from simulator.engine.broker.storing import store
from simulator.engine.memory.periods_table import ANSWER_CODE, ANSWER_VALUE, DOWN, SPEED, STALL
from simulator.engine.memory.send import Send
from simulator.engine.memory.world import World
from simulator.engine.shared.periods import end_of_work, has_period, periods_of, skip_past, start_after_standstill
from simulator.engine.shared.rows import put_append
from simulator.latency import service_us


@rule(inlined=True)
def serve(world: World, send: Send, now_us: Us, word: int, answer: int) -> int:
    """When its broker answers the request of a send, which gets its code and its copy; FAR = never.

    First come, first served, by the first send thread that is free, else by the one that is free first. The ring
    holds when the last `queue_capacity` requests leave the queue: if the oldest has not, that many are waiting.
    Fast failure (rocketmq 4.2.0-5.3.3, BrokerFastFailure) answers at the first scan at which a request has waited
    waitTimeMillsInSendQueue, whole milliseconds of both clocks; at a tie of a free thread and a scan the thread
    takes it. A process that stands still reads nothing: what arrives then is queued when it goes on, its age counts
    from there (RequestTask.createTimestamp), and only what was queued before can be over age at once; each free thread
    takes one of it, and the scan clears the others.
    """
    broker = send.broker
    fixed, state = world.brokers[broker], world.broker_states[broker]
    speed = periods_of(world, broker, SPEED)
    skip_past(world, speed, now_us)
    send.code = answer & ANSWER_VALUE
    stalls = has_period(world, periods_of(world, broker, STALL), now_us)
    goes_down = has_period(world, periods_of(world, broker, DOWN), now_us)
    if fixed.features != 0 or stalls or goes_down or state.lock_free_us > now_us:
        return store(world, send, now_us, word, answer)
    edges = world.latencies[fixed.latency].edges
    if is_full(world, broker, now_us):
        # The pool's refusal comes back as fast as the fastest answer.
        send.code = SYSTEM_BUSY
        return now_us + service_us(edges, 0)
    free = first_free(world, broker, now_us)
    start = max(now_us, world.servers[free])
    work_us = service_us(edges, word)
    if world.settings.added_latencies >= 0:
        work_us += added_service_us(world, broker, now_us, word)
    speeds = speed.count > speed.cursor
    queued_us = now_us
    if speeds:
        start = start_after_standstill(world, broker, start)
        queued_us = start_after_standstill(world, broker, now_us)
    if start > now_us:
        over_age_us = (queued_us // 1000 + fixed.expiry_ms) * 1000
        if start > over_age_us:
            scan = scan_at(world, broker, over_age_us)
            if start > scan:
                leave_queue(world, broker, scan)
                send.code = SYSTEM_BUSY
                return scan
    end = end_of_work(world, broker, start, work_us) if speeds else start + work_us
    occupancy = fixed.occupancy_ppm
    if occupancy == 1_000_000:
        world.servers[free] = end
    else:
        world.servers[free] = end_of_work(world, broker, start, work_us * occupancy // 1_000_000)
    leave_queue(world, broker, start)
    if answer & ~ANSWER_VALUE != ANSWER_CODE:
        send.copies += 1
        send.kept += 1
        send.stored_us = end
        if world.output.appends.room > 0:
            put_append(world, send, 1)
    return end
