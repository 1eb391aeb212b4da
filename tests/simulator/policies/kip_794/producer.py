"""KIP-794's comparison of partitioners, on the accumulator that decides as kafka-clients does.

    make kip-794

Published (the KIP's Test Series 1): 122,880 records of 512 B at 2,048 a second from one producer to three brokers with
a partition each, of which one sleeps 20 ms before each response; everything else is default. The throttle of the
performance tool lets records pass in bursts of five. A broker handles a connection's requests one after another, five
may be in flight. What the KIP does not say, how long a broker without the sleep takes (1 ms) and how long after a
record the sender's thread looks (WAKE_US), is set so that the first configuration comes out as published.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from simulator.compiled.jit import rule
from simulator.compiled.records import Cells, Record, Region, Us, size_of
from simulator.proof import kafka_accumulator as kafka
from simulator.proof.kafka_accumulator import (
    Accumulator,
    append,
    find_ready,
    note_pass,
    take_batch,
    try_append,
)
from tests.simulator.policies.made import made

RECORDS, VALUE_BYTES, BATCH_BYTES = 122_880, 512, 16_384
BROKERS, MAX_IN_FLIGHT = 3, 5
BURST, BURST_EVERY_US, GAP_US = 5, 2_441, 15
SLEEP_US, SERVICE_US, NETWORK_US, WAKE_US = 20_000, 1_000, 100, 40
FAR_US = 1 << 60
OLD, WITHOUT_ADAPTING, DEFAULTS, AVAILABILITY = (
    "old DefaultPartitioner",
    "adaptive off",
    "defaults",
    "availability 5 ms",
)
PUBLISHED_MS = {OLD: 4072.74, WITHOUT_ADAPTING: 49.92, DEFAULTS: 40.06, AVAILABILITY: 36.29}
PUBLISHED_P99_MS = {OLD: 10_992.0, WITHOUT_ADAPTING: 214.0, DEFAULTS: 154.0, AVAILABILITY: 150.0}


class Latencies(NamedTuple):
    """What the records of a run came to."""

    mean_ms: float
    p99_ms: float
    slow_percent: float  # of the records


class Broker794(Record):
    """A broker's connection: the requests in flight answer in turn."""

    service_us: Us
    free_us: Us
    in_flight: int
    sent: int  # requests so far
    answered: int
    appended: int  # records so far
    taken: int  # records in requests so far
    acknowledged: int


@rule()
def old_partition(state: Accumulator, sticky: int, word: int, now_ms: int) -> int:
    """DefaultPartitioner of Kafka 2.4 to 3.2: another partition whenever a batch is begun."""
    if try_append(state, state.queues[sticky], VALUE_BYTES, now_ms):
        return sticky
    return append(state, (sticky + 1 + word % (BROKERS - 1)) % BROKERS, VALUE_BYTES, now_ms)


@rule()
def look(state: Accumulator, brokers: Region[Broker794], ready: Cells, requests, now_us: Us) -> None:
    """A pass of the sender's thread: send a batch to every broker that is ready and takes it."""
    for number in range(BROKERS):
        ready[number] = 0
    find_ready(state, now_us // 1000, ready)
    for number in range(BROKERS):
        broker = brokers[number]
        if ready[number] == 1:
            note_pass(state.nodes[number], now_us // 1000, 1 if broker.in_flight < MAX_IN_FLIGHT else 0)
            if broker.in_flight < MAX_IN_FLIGHT:
                place = broker.sent % MAX_IN_FLIGHT
                count = take_batch(state, state.queues[number])
                broker.free_us = max(now_us + NETWORK_US, broker.free_us) + broker.service_us
                requests[number, place, 0] = broker.free_us + NETWORK_US
                requests[number, place, 1] = count
                broker.sent += 1
                broker.in_flight += 1


@rule(allocates=True)
def run_records(state: Accumulator, brokers: Region[Broker794], ready: Cells, words, arrived, took, requests, is_old):
    """All records until the last is acknowledged."""
    record, wakes_us, sticky, acknowledged = 0, FAR_US, 0, 0
    count = took.shape[0]
    while acknowledged < count:
        arrives_us = record // BURST * BURST_EVERY_US + record % BURST * GAP_US if record < count else FAR_US
        answers_us, answering = FAR_US, 0
        for number in range(BROKERS):
            broker = brokers[number]
            if broker.in_flight > 0 and requests[number, broker.answered % MAX_IN_FLIGHT, 0] < answers_us:
                answers_us, answering = requests[number, broker.answered % MAX_IN_FLIGHT, 0], number
        if arrives_us <= min(answers_us, wakes_us):
            state.draws[0], state.draws[1] = words[record], words[count + record]
            state.drawn = 0
            if is_old:
                sticky = old_partition(state, sticky, words[record], arrives_us // 1000)
                used = sticky
            else:
                used = append(state, kafka.NO_PARTITION, VALUE_BYTES, arrives_us // 1000)
            arrived[used, brokers[used].appended] = arrives_us
            brokers[used].appended += 1
            wakes_us = min(wakes_us, arrives_us + WAKE_US)
            record += 1
        elif wakes_us <= answers_us:
            look(state, brokers, ready, requests, wakes_us)
            wakes_us = FAR_US
        else:
            broker = brokers[answering]
            for _ in range(requests[answering, broker.answered % MAX_IN_FLIGHT, 1]):
                took[acknowledged] = answers_us - arrived[answering, broker.acknowledged]
                broker.acknowledged += 1
                acknowledged += 1
            broker.answered += 1
            broker.in_flight -= 1
            look(state, brokers, ready, requests, answers_us)


def run(configuration: str, seed: int = 1, records: int = RECORDS) -> Latencies:
    """One configuration."""
    state = made(Accumulator, batch_bytes=BATCH_BYTES, partition_count=BROKERS, available_count=BROKERS, draw_count=2)
    state.is_adaptive = configuration in (DEFAULTS, AVAILABILITY)
    state.availability_ms = 5 if configuration == AVAILABILITY else 0
    state.sticky.partition, state.sticky.batch_bytes = kafka.NO_PARTITION, BATCH_BYTES
    memory = {  # the regions hold its addresses
        kafka.PartitionQueue: np.zeros((BROKERS, size_of(kafka.PartitionQueue)), np.int64),
        kafka.NodeTimes: np.zeros((BROKERS, size_of(kafka.NodeTimes)), np.int64),
        kafka.Batch: np.zeros((records, size_of(kafka.Batch)), np.int64),
        Broker794: np.zeros((BROKERS, size_of(Broker794)), np.int64),
    }
    memory[kafka.Batch][:, -1] = np.arange(1, records + 1)  # the next free one
    state.queues, state.nodes, state.batches, brokers = (
        Region.of(layout, memory[layout].reshape(-1))
        for layout in (kafka.PartitionQueue, kafka.NodeTimes, kafka.Batch, Broker794)
    )
    lists = {name: np.arange(BROKERS) for name in ("leaders", "available", "sizes", "partitions", "draws")}
    for name, cells in lists.items():
        setattr(state, name, Cells.of(cells))
    for number in range(BROKERS):
        brokers[number].service_us = SERVICE_US if number else SLEEP_US
    words = np.random.Generator(np.random.Philox(seed)).integers(0, 2**31, 2 * records)
    took, ready = np.zeros(records, np.int64), np.zeros(BROKERS, np.int64)
    arrived, requests = np.zeros((BROKERS, records), np.int64), np.zeros((BROKERS, MAX_IN_FLIGHT, 2), np.int64)
    run_records(state, brokers, Cells.of(ready), words, arrived, took, requests, configuration == OLD)
    slow_percent = 100 * brokers[0].appended / records
    return Latencies(float(took.mean()) / 1000, float(np.percentile(took, 99)) / 1000, slow_percent)
