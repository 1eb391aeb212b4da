"""What a run comes to, counted as it goes: messages, latency, load and isolation, and a digest of every decision."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from simulator.client.faults.fault_item import FaultItem
from simulator.codes import SEND_STATUS, SENT_ONEWAY, STORED, WELL
from simulator.compiled.jit import rule
from simulator.compiled.records import Cells, Directory, Record, Region, Us
from simulator.engine.memory.settings import FAR
from simulator.kernel import histogram
from simulator.kernel.randomness import mix, signed


class GroupTally(Record):
    """What became of the messages of a group of producers; the warm-up's are only counted."""

    messages: int
    failed: int  # the caller did not get SEND_OK (or SENT_ONEWAY, all that a one-way send can say)
    lost: int  # acknowledged, and no copy is durable
    lost_unseen: int  # one-way, and no copy is durable
    not_stored: int  # the caller got an error, and no copy is durable
    copies: int
    attempts: int
    took_us: Us  # from arrival to end, of all together
    warm_up: int  # messages that arrived in the warm-up
    drained: int  # messages that ended after the last arrivals' window


class Isolation(Record):
    """Since when and until when a producer avoids a broker; until 0 if it does not."""

    since_us: Us
    until_us: Us


class Bin(Record):
    """What happened in a stretch of virtual time, to the messages that ended in it and on all brokers."""

    messages: int
    failed: int
    p50_half_us: int  # in half microseconds, as are all percentiles of the loop; -1 without messages
    p99_half_us: int
    retried: int
    out_of_order: int


class Avoided(Record):
    """How a broker was avoided in a bin."""

    begun: int  # isolations begun less ended
    left_us: Us  # how much of the bin they leave to those


class Tally(Directory):
    """All that is counted. It is not part of the state: who wants it runs a cell from its start to its end."""

    wanted: int
    from_us: Us  # what begins before is not counted: the warm-up
    until_us: Us  # end of the arrivals: what ends later was in flight and is drained
    bin_us: Us  # virtual time of a bin of the series
    queues: int  # queue ids of a (topic, broker), at most
    first_thread: int  # number in the run of the cell's first sender thread
    digest: int
    open_bin: int
    open_end_us: Us  # when the open bin ends; FAR for the last, which takes what comes later
    bin_count: int
    broker_count: int
    isolation_count: int
    unreachable_is_out: Cells  # a cell a producer: 1 = one that is unreachable is isolated until its item changes
    groups: Region[GroupTally]
    latencies: Cells  # histogram.CELLS a group, of messages from arrival to end
    queue_attempts: Cells  # a cell a (topic, broker, queue id)
    isolations: Region[Isolation]  # a (producer, broker)
    avoiding: Cells  # a bit a (producer, broker), MARKS a cell: it is avoided; few, so that they stay near
    isolated_us: Cells  # a cell a broker, summed over producers
    bins: Region[Bin]
    bin_latency: Cells  # histogram.CELLS, of the open bin
    bin_attempts: Cells  # a cell a (bin, broker)
    queue_bins: Cells  # a cell a (longer bin, broker, queue id), of all topics and with the warm-up
    queue_bin_us: Us
    queue_bin_count: int  # 0: they would be too many
    queue_bin_begin_us: Us  # of the one that the last attempt began in
    queue_bin_first: int  # its first cell
    bin_isolated: Region[Avoided]  # a (bin, broker)


# Odd constants, one a field of a decision: the fractional digits of square roots of primes (SHA-512's first state).
C0 = np.uint64(0x6A09E667F3BCC909)
C1 = np.uint64(0xBB67AE8584CAA73B)
C2 = np.uint64(0x3C6EF372FE94F82B)
C3 = np.uint64(0xA54FF53A5F1D36F1)
C4 = np.uint64(0x510E527FADE682D1)
C5 = np.uint64(0x9B05688C2B3E6C1F)
C6 = np.uint64(0x1F83D9ABFB41BD6B)
C7 = np.uint64(0x5BE0CD19137E2179)


MARKS = 32  # in a cell of Tally.avoiding


class TriedFacts(NamedTuple):
    """What the digest takes of an attempt; the numbers are those of its row, thread that in the run."""

    thread: int
    topic: int
    seq: int
    attempt: int
    broker: int
    queue_id: int
    begin_us: Us
    end_us: Us
    outcome: int
    code: int
    reason: int
    will_retry: int


class EndedFacts(NamedTuple):
    """What is counted of a message that ended; the numbers are those of its row, thread that in the cell."""

    thread: int
    topic: int
    seq: int
    arrival_us: Us
    end_us: Us
    result: int
    code: int
    attempts: int
    copies: int
    kept: int


@rule(inlined=True)
def _times(value: int, constant: np.uint64) -> np.uint64:
    # The ufuncs wrap without a warning where the rules run as plain Python; no field is below -1.
    return np.uint64(np.multiply(np.uint64(value + 1), constant))


@rule(inlined=True)
def _sum(a: np.uint64, b: np.uint64, c: np.uint64, d: np.uint64) -> np.uint64:
    return np.uint64(np.add(np.add(a, b), np.add(c, d)))


@rule(inlined=True)
def attempt_hash(facts: TriedFacts) -> int:
    """int64 hash of an attempt."""
    kind = (((facts.outcome * 16 + facts.reason) * 2 + facts.will_retry) << 32) + facts.code
    queue = facts.broker * 4096 + facts.queue_id
    key = _sum(_times(facts.thread, C0), _times(facts.topic, C1), _times(facts.seq, C2), _times(facts.attempt, C3))
    rest = _sum(_times(queue, C4), _times(facts.begin_us, C5), _times(facts.end_us, C6), _times(kind, C7))
    return signed(mix(np.add(key, rest)))


@rule(inlined=True)
def send_hash(first_thread: int, facts: EndedFacts) -> int:
    """int64 hash of how a message of the cell ended whose first sender thread has that number in the run."""
    copies, thread = facts.copies * 4096 + facts.kept, first_thread + facts.thread
    key = _sum(_times(thread, C7), _times(facts.topic, C6), _times(facts.seq, C5), _times(facts.end_us, C4))
    rest = _sum(_times(facts.result, C3), _times(facts.code, C2), _times(facts.attempts, C1), _times(copies, C0))
    return signed(mix(np.add(key, rest)))


@rule()
def tally_attempt(tally: Tally, facts: TriedFacts) -> None:
    """Count an attempt that ended."""
    tally.digest ^= attempt_hash(facts)
    queue = min(facts.queue_id, tally.queues - 1)
    if tally.queue_bin_count > 0:
        since_us = facts.begin_us - tally.queue_bin_begin_us
        if since_us < 0 or since_us >= tally.queue_bin_us:
            _find_queue_bin(tally, facts.begin_us)
        tally.queue_bins[tally.queue_bin_first + facts.broker * tally.queues + queue] += 1
    if facts.begin_us >= tally.from_us:
        place = (facts.topic * tally.broker_count + facts.broker) * tally.queues + queue
        tally.queue_attempts[place] += 1


@rule()
def _find_queue_bin(tally: Tally, begin_us: Us) -> None:
    at = begin_us // tally.queue_bin_us
    tally.queue_bin_begin_us = at * tally.queue_bin_us
    tally.queue_bin_first = min(at, tally.queue_bin_count - 1) * tally.broker_count * tally.queues


@rule()
def tally_send(tally: Tally, group: int, facts: EndedFacts) -> None:
    """Count a message of that group of producers that ended."""
    tally.digest ^= send_hash(tally.first_thread, facts)
    end_us = facts.end_us
    failed = 1 if facts.result not in WELL else 0
    took_us = end_us - facts.arrival_us
    cell = histogram.cell_of(took_us)
    while end_us >= tally.open_end_us:
        close_bin(tally)
    open_bin = tally.bins[tally.open_bin]
    open_bin.messages += 1
    open_bin.failed += failed
    tally.bin_latency[cell] += 1
    counts = tally.groups[group]
    if facts.arrival_us < tally.from_us:
        counts.warm_up += 1
        return
    counts.messages += 1
    counts.failed += failed
    if facts.kept == 0:
        counts.lost += 1 if facts.result in STORED else 0
        counts.lost_unseen += 1 if facts.result == SENT_ONEWAY else 0
        counts.not_stored += 1 if failed == 1 and facts.result != SEND_STATUS else 0
    counts.copies += facts.copies
    counts.attempts += facts.attempts
    counts.took_us += took_us
    counts.drained += 1 if end_us > tally.until_us else 0
    tally.latencies[group * histogram.CELLS + cell] += 1


@rule()
def close_bin(tally: Tally) -> None:
    """Note the percentiles of the open bin of the series, and open the next."""
    closing, latency = tally.bins[tally.open_bin], tally.bin_latency
    closing.p50_half_us = -1
    closing.p99_half_us = -1
    if closing.messages > 0:
        closing.p50_half_us = int(2.0 * histogram.quantile(latency, closing.messages, 500_000))
        closing.p99_half_us = int(2.0 * histogram.quantile(latency, closing.messages, 990_000))
        for cell in range(histogram.CELLS):
            latency[cell] = 0
    tally.open_bin += 1
    tally.open_end_us = tally.open_end_us + tally.bin_us if tally.open_bin < tally.bin_count - 1 else FAR


@rule()
def tally_window(tally: Tally, begin_us: Us, broker: int, ended: int, retried: int, out_of_order: int) -> None:
    """Count what the loop's window from `begin_us` counted of a (topic, broker)."""
    at = min(begin_us // tally.bin_us, tally.bin_count - 1)
    own = tally.bins[at]
    own.retried += retried
    own.out_of_order += out_of_order
    tally.bin_attempts[at * tally.broker_count + broker] += ended


@rule(inlined=True)
def _is_avoided(tally: Tally, place: int) -> int:
    return tally.avoiding[place // MARKS] >> place % MARKS & 1


@rule()
def tally_fault_item(tally: Tally, producer: int, broker: int, now_us: Us, item: FaultItem) -> None:
    """Take a change of a producer's fault item for a broker."""
    place = producer * tally.broker_count + broker
    until_us = item.start_timestamp * 1000
    if item.reachable == 0 and tally.unreachable_is_out[producer] == 1:
        until_us = FAR
    elif now_us // 1000 >= item.start_timestamp:
        until_us = 0
    if item.present == 0:
        until_us = 0
    was_avoided = _is_avoided(tally, place)
    if until_us == 0 and was_avoided == 0:
        return
    avoided = tally.isolations[place]
    if was_avoided == 1:
        add_isolation(tally, broker, avoided.since_us, min(avoided.until_us, now_us))
    begin_isolation(tally, place, now_us, until_us)


@rule()
def begin_isolation(tally: Tally, place: int, since_us: Us, until_us: Us) -> None:
    """From now on that (producer, broker) is avoided until then; until 0 not any more."""
    avoided, mark = tally.isolations[place], 1 << place % MARKS
    avoided.since_us = since_us
    avoided.until_us = until_us
    marks = tally.avoiding[place // MARKS]
    tally.avoiding[place // MARKS] = marks | mark if until_us > 0 else marks & ~mark


@rule()
def add_isolation(tally: Tally, broker: int, begin_us: Us, end_us: Us) -> None:
    """Count one producer's isolation of a broker, [begin_us, end_us)."""
    last_us = min(end_us, tally.until_us)
    if begin_us >= last_us:
        return
    tally.isolated_us[broker] += max(last_us - max(begin_us, tally.from_us), 0)
    _add_edge(tally, broker, begin_us, 1)
    _add_edge(tally, broker, last_us, -1)


@rule()
def _add_edge(tally: Tally, broker: int, edge_us: Us, sign: int) -> None:
    at = min(edge_us // tally.bin_us, tally.bin_count - 1)
    avoided = tally.bin_isolated[at * tally.broker_count + broker]
    avoided.begun += sign
    avoided.left_us += sign * (min((at + 1) * tally.bin_us, tally.until_us) - edge_us)


@rule()
def end_tally(tally: Tally) -> None:
    """End what is still open when the run has ended: isolations and the bins of the series."""
    for place in range(tally.isolation_count):
        if _is_avoided(tally, place) == 1:
            item = tally.isolations[place]
            add_isolation(tally, place % tally.broker_count, item.since_us, item.until_us)
            begin_isolation(tally, place, 0, 0)
    while tally.open_bin < tally.bin_count:
        close_bin(tally)
