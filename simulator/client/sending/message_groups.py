"""The queue of a message with a message group: the same one for all of the group, while the route stays as it is.

A gRPC client takes the queue of its route that SipHash names, which counts in local mode, where it decides the broker.
A proxy takes that of its own write queues which a consistent hash of the group's hashCode names, so that few groups
move as queues come or go.

Source: rocketmq-clients java 5.0.0-5.0.8, PublishingLoadBalancer.takeMessageQueueByMessageGroup; rocketmq 5.0.0-5.5.0,
proxy SendMessageActivity.SendMessageQueueSelector; Guava 31, Hashing.consistentHash, .sipHash24.
"""

from __future__ import annotations

import numpy as np

from simulator.compiled.jit import rule

LCG_FACTOR = np.uint64(2862933555777941757)
ONE, S33 = np.uint64(1), np.uint64(33)
INT_MAX = 0x7FFFFFFF
ALL_BITS = 0xFFFFFFFFFFFFFFFF
# SipHash: the initial state with the default key, bytes 0 to 15
V0 = np.uint64(0x736F6D6570736575 ^ 0x0706050403020100)
V1 = np.uint64(0x646F72616E646F6D ^ 0x0F0E0D0C0B0A0908)
V2 = np.uint64(0x6C7967656E657261 ^ 0x0706050403020100)
V3 = np.uint64(0x7465646279746573 ^ 0x0F0E0D0C0B0A0908)
FINAL = np.uint64(0xFF)
WORD_BYTES = 8


@rule()
def consistent_place(hash_code: int, buckets: int) -> int:
    """The bucket of a hash among so many (Lamping and Veach 2014, as Guava draws its numbers)."""
    state, candidate = np.uint64(int(hash_code) & ALL_BITS), 0
    while True:
        state = np.add(np.multiply(state, LCG_FACTOR), ONE)
        drawn = (np.int64(state >> S33) + 1) / 2147483648.0
        following = int(min((candidate + 1) / drawn, INT_MAX))
        if following >= buckets:
            return candidate
        candidate = following


@rule()
def _turned(x: np.uint64, bits: int) -> np.uint64:
    return (x << np.uint64(bits)) | (x >> np.uint64(64 - bits))


@rule()
def _round(
    v0: np.uint64, v1: np.uint64, v2: np.uint64, v3: np.uint64
) -> tuple[np.uint64, np.uint64, np.uint64, np.uint64]:
    v0 = np.add(v0, v1)
    v2 = np.add(v2, v3)
    v1 = _turned(v1, 13) ^ v0
    v3 = _turned(v3, 16) ^ v2
    v0 = np.add(_turned(v0, 32), v3)
    v2 = np.add(v2, v1)
    v1 = _turned(v1, 17) ^ v2
    v3 = _turned(v3, 21) ^ v0
    return v0, v1, _turned(v2, 32), v3


@rule()
def _digit(number: int, digits: int, place: int) -> int:
    """The character of a decimal number at a place from the left."""
    for _ in range(digits - 1 - place):
        number //= 10
    return 48 + number % 10


@rule()
def sip_hash_of_number(number: int) -> int:
    """SipHash-2-4 of a number of at least 0 written in decimal, as a signed 64-bit integer."""
    digits = 1
    rest = number // 10
    while rest > 0:
        digits += 1
        rest //= 10
    v0, v1, v2, v3 = V0, V1, V2, V3
    for word in range(digits // WORD_BYTES + 1):
        block = np.uint64(0)
        for i in range(WORD_BYTES):
            place = word * WORD_BYTES + i
            if place < digits:
                block |= np.uint64(_digit(number, digits, place)) << np.uint64(8 * i)
        if word == digits // WORD_BYTES:
            block |= np.uint64(digits) << np.uint64(56)
        v3 ^= block
        for _ in range(2):
            v0, v1, v2, v3 = _round(v0, v1, v2, v3)
        v0 ^= block
    v2 ^= FINAL
    for _ in range(4):
        v0, v1, v2, v3 = _round(v0, v1, v2, v3)
    return np.int64(v0 ^ v1 ^ v2 ^ v3)  # type: ignore[return-value]
