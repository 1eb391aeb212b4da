"""The benchmark's cluster as a SimPy model: what the bare event loop is measured against.

Written as SimPy's documentation writes such models: a process for each arrival stream, each sender thread and
each send thread of a broker, stores between them, and `reply | timeout` for the race with the time-out. It knows
what the benchmark's scenario needs and no more: one topic, release 4.9.8 with the fault strategy on, standstills
of one broker; it counts attempts and adds up latencies where the event loop also keeps a histogram.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from random import Random
from typing import Any

import simpy

ATTEMPTS = 3
SCAN_MS = 10
SEND_OK, SYSTEM_BUSY = 0, 2
SEND_MSG_TIMEOUT_MS = 3_000.0
ISOLATION_MS = 30_000
LATENCY_MAX_MS = (50, 100, 550, 1000, 2000, 3000, 15000)
NOT_AVAILABLE_MS = (0, 0, 30000, 60000, 120000, 180000, 600000)
PENALTIES = tuple(zip(reversed(LATENCY_MAX_MS), reversed(NOT_AVAILABLE_MS), strict=True))


@dataclass
class Tally:
    """What the run counts."""

    messages: int = 0
    failed: int = 0
    latency_ms: float = 0.0  # of all messages, from arrival to the caller's answer
    attempts: dict[int, int] = field(default_factory=dict)  # by broker
    retries: int = 0


class Broker:
    """Send threads that take requests from a bounded send queue and append one at a time to the commit log.

    Fast failure looks every 10 ms for requests that have waited 200 ms. Nothing goes on during a standstill.
    """

    def __init__(
        self, env: simpy.Environment, send_threads: int, send_queue: int, service_ms: Callable[[], float],
        append_ms: float, expiry_ms: float, standstill_ms: tuple[float, float] | None,
    ) -> None:  # fmt: skip
        self.env, self.send_queue, self.service_ms, self.append_ms = env, send_queue, service_ms, append_ms
        self.expiry_ms = expiry_ms
        self.stands_ms, self.goes_on_ms = standstill_ms or (float("inf"), float("inf"))
        self.requests = simpy.Store(env)
        self.lock = simpy.Resource(env)
        env.process(self.fast_failure())
        for _ in range(send_threads):
            env.process(self.send_thread())

    def submit(self, reply: simpy.Event) -> bool:
        """Take a request in unless the send queue is full."""
        if len(self.requests.items) >= self.send_queue:
            return False
        standing = self.stands_ms <= self.env.now < self.goes_on_ms
        self.requests.put((reply, self.goes_on_ms if standing else self.env.now))
        return True

    def fast_failure(self) -> Iterator[Any]:
        waiting = self.requests.items
        while True:
            yield self.env.timeout(SCAN_MS)
            if self.stands_ms <= self.env.now < self.goes_on_ms:
                yield self.env.timeout(self.goes_on_ms - self.env.now)
            while waiting and int(self.env.now) - int(waiting[0][1]) >= self.expiry_ms:
                waiting.pop(0)[0].succeed(SYSTEM_BUSY)

    def send_thread(self) -> Iterator[Any]:
        while True:
            reply, _ = yield self.requests.get()
            service_ms = self.service_ms()
            with self.lock.request() as mine:
                yield mine
                yield self.env.timeout(self._took_ms(self.append_ms))
            yield self.env.timeout(self._took_ms(max(service_ms - self.append_ms, 0)))
            reply.succeed(SEND_OK)

    def _took_ms(self, work_ms: float) -> float:
        now_ms = self.env.now
        if now_ms >= self.goes_on_ms or now_ms + work_ms <= self.stands_ms:
            return work_ms
        return work_ms + self.goes_on_ms - max(now_ms, self.stands_ms)


class Producer:
    """The fault table that a producer's sender threads share, and the rule of 4.9.8 that chooses a queue."""

    def __init__(self, queues: list[tuple[int, int]], queues_a_broker: int) -> None:
        self.queues, self.queues_a_broker = queues, queues_a_broker
        self.faults: dict[int, tuple[int, int]] = {}  # broker: (latency, start), whole ms
        self.worst = 0

    def select(self, thread: SenderThread, now_ms: int) -> tuple[int, int]:
        faults, queues = self.faults, self.queues
        thread.which_queue = index = thread.which_queue + 1
        for position in range(index, index + len(queues)):
            queue = queues[position % len(queues)]
            item = faults.get(queue[0])
            if item is None or now_ms >= item[1]:
                return queue
        ranked = sorted(faults, key=lambda broker: (now_ms < faults[broker][1], faults[broker]))
        self.worst += 1
        thread.which_queue += 2
        return ranked[self.worst % max(len(ranked) // 2, 1)], thread.which_queue % self.queues_a_broker

    def update(self, broker: int, now_ms: int, latency_ms: int, isolated: bool) -> None:
        charged_ms = ISOLATION_MS if isolated else latency_ms
        penalty_ms = next((away for least, away in PENALTIES if charged_ms >= least), 0)
        self.faults[broker] = (latency_ms, now_ms + penalty_ms)


class SenderThread:
    """A thread that sends one message after the other, and the hand-off queue before it."""

    def __init__(self, model: Model, producer: Producer, gap_ms: float, start: int) -> None:
        self.model, self.env, self.producer = model, model.env, producer
        self.gap_ms, self.which_queue = gap_ms, start
        self.hand_off = simpy.Store(model.env)
        model.env.process(self.arrivals())
        model.env.process(self.run())

    def arrivals(self) -> Iterator[Any]:
        env, draw, rate = self.env, self.model.random.expovariate, 1 / self.gap_ms
        while True:
            yield env.timeout(draw(rate))
            if len(self.hand_off.items) < self.model.hand_off_queue:
                self.hand_off.put(env.now)

    def run(self) -> Iterator[Any]:
        env, tally = self.env, self.model.tally
        while True:
            arrived_ms = yield self.hand_off.get()
            stored = yield from self.send(tally)
            tally.messages += 1
            tally.failed += not stored
            tally.latency_ms += env.now - arrived_ms

    def send(self, tally: Tally) -> Iterator[Any]:
        env, producer, brokers = self.env, self.producer, self.model.brokers
        begin_ms = int(env.now)
        for attempt in range(1, ATTEMPTS + 1):
            now_ms = int(env.now)
            broker, queue_id = producer.select(self, now_ms)
            left_ms = SEND_MSG_TIMEOUT_MS - (now_ms - begin_ms)
            if left_ms < 0:
                return False
            reply = env.event()
            if brokers[broker].submit(reply):
                yield reply | env.timeout(left_ms)
            stored = reply.processed and reply.value == SEND_OK
            busy = reply.processed and reply.value == SYSTEM_BUSY
            if stored:
                self.model.stored(broker, queue_id)
            ended_ms = int(env.now)
            producer.update(broker, ended_ms, ended_ms - now_ms, not stored)
            tally.attempts[broker] = tally.attempts.get(broker, 0) + 1
            tally.retries += attempt > 1
            if stored or busy:  # 4.9.8 does not try again after SYSTEM_BUSY
                return stored
        return False


class Model:
    """The whole cluster. `scenario` is a simulator.scenario.Scenario of one topic and one producer group."""

    def __init__(self, scenario: Any, seed: int) -> None:
        self.env, self.random, self.tally = simpy.Environment(), Random(seed), Tally()
        (group,) = scenario.producers
        ((topic_name, topic),) = scenario.topics.items()
        self.hand_off_queue = group.hand_off_queue
        stands = {p.broker: (p.at_us / 1000, p.until_us / 1000) for p in scenario.fault_periods()}
        self.brokers = [
            Broker(
                self.env,
                b.threads,
                b.send_queue,
                self._lognormal(b.latency.lognormal),
                self._append_ms(b, topic),
                b.wait_time_in_send_queue_ms,
                stands.get(name),
            )
            for name, b in scenario.brokers.items()
        ]
        queues_a_broker = scenario.route(topic_name)[0].write_queues
        queues = [(b, q) for b in range(len(self.brokers)) for q in range(queues_a_broker)]
        gap_ms = group.threads * 1000 / float(group.rate_per_s)
        for _ in range(group.count):
            producer = Producer(queues, queues_a_broker)
            for _ in range(group.threads):
                SenderThread(self, producer, gap_ms, self.random.randrange(2**31))

    def _lognormal(self, latency: Any) -> Callable[[], float]:
        from math import log

        mu, sigma, draw = log(latency.p50_us / 1000), latency.sigma, self.random.lognormvariate
        return lambda: draw(mu, sigma)

    def _append_ms(self, broker: Any, topic: Any) -> float:
        append = broker.append
        return float(append.base_us + topic.message_bytes.constant_bytes * append.per_kib_us // 1024) / 1000

    def stored(self, broker: int, queue_id: int) -> None:
        """A message is stored there: nobody reads it."""

    def run(self, seconds: float) -> Tally:
        """Go on for that much virtual time; the counts since the beginning."""
        self.env.run(until=self.env.now + seconds * 1000)
        return self.tally
