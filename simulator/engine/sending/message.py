"""A message as the workload draws it: body, key, and whether the client's checks let it pass.

Everything follows from the message's own draw, so a block of arrivals needs no column for it.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from simulator import codes
from simulator.compiled.jit import rule
from simulator.engine.layout import (
    BATCH,
    BODY,
    COMPRESS_OVER_BYTES,
    COMPRESS_PPM,
    CONSTANT_BYTES,
    KEY,
    KEY_COUNT,
    KEY_ORDER,
    KEY_ORDER_SIZE,
    KEY_ORDERS,
    KEY_SENT,
    KEY_SEQ,
    KEY_TABLE,
    KEYS,
    MAX_MESSAGE_BYTES,
    MESSAGE_BYTES,
    MESSAGE_ROW_SIZE,
    MESSAGE_ROWS,
    NAME_REFUSED,
    SIZE_TABLE,
    SIZES,
    THREAD,
    THREAD_SIZE,
    THREADS,
    TOPIC,
)
from simulator.latency import service_us
from simulator.randomness import MESSAGE_KEY, MESSAGE_SIZE, hash3

MESSAGE_ILLEGAL = codes.RESPONSE_CODES["MESSAGE_ILLEGAL"]
PASSED = 0

# What a message in a batch needs beside its body: six fields, and the properties UNIQ_KEY (32 characters) and WAIT.
# Source: rocketmq 4.2.0-5.3.3, MessageDecoder.encodeMessage, MessageClientIDSetter.
BATCH_OVERHEAD_BYTES = 22 + 42 + 10
PPM = 1_000_000


@rule()
def _word(draw: Any, purpose: Any) -> Any:
    """32 random bits of a message for that purpose."""
    return np.int64(hash3(draw, purpose, 0) >> np.uint64(32))


@rule()
def _key_of(c: Any, row: Any, draw: Any) -> Any:
    """Number of the message's key: all as likely, or by the table of the topic."""
    word, count = _word(draw, MESSAGE_KEY), c[row + KEY_COUNT]
    if c[row + KEY_TABLE] < 0:
        return word * count >> 32
    first = c[KEYS] + c[row + KEY_TABLE]
    low, high = 0, count - 1
    while low < high:
        middle = (low + high) >> 1
        if word < c[first + middle]:
            high = middle
        else:
            low = middle + 1
    return low


@rule()
def key_cell(c: Any, m: Any, s: Any) -> Any:
    """Offset of what is remembered of the order of the record's thread and key; negative if it is not checked."""
    row = c[MESSAGE_ROWS] + m[s + TOPIC] * MESSAGE_ROW_SIZE
    if c[row + KEY_ORDER] < 0:
        return -1
    own = m[s + THREAD] * c[row + KEY_COUNT] + m[s + KEY]
    return c[KEY_ORDERS] + c[row + KEY_ORDER] + own * KEY_ORDER_SIZE


@rule()
def fill_message(c: Any, m: Any, s: Any, draw: Any) -> Any:
    """Give the record its body and key: PASSED, or the code of the MQClientException that refuses it.

    Source: rocketmq 4.2.0-5.3.3, Validators.checkMessage (the body's size before compression, a batch as a whole) and
    DefaultMQProducerImpl.tryToCompressMessage (no batches).
    """
    row = c[MESSAGE_ROWS] + m[s + TOPIC] * MESSAGE_ROW_SIZE
    body = c[row + CONSTANT_BYTES]
    if c[row + SIZE_TABLE] >= 0:
        body = max(service_us(c, c[SIZES] + c[row + SIZE_TABLE], _word(draw, MESSAGE_SIZE)), 1)
    batch = c[c[THREADS] + m[s + THREAD] * THREAD_SIZE + BATCH]
    if batch > 1:
        body = batch * (body + BATCH_OVERHEAD_BYTES)
    m[s + BODY] = body
    m[s + MESSAGE_BYTES] = body
    if batch == 1 and body >= c[COMPRESS_OVER_BYTES]:
        m[s + MESSAGE_BYTES] = max(body * c[row + COMPRESS_PPM] // PPM, 1)
    m[s + KEY] = -1
    if c[row + KEY_COUNT] > 0:
        m[s + KEY] = _key_of(c, row, draw)
    if c[row + NAME_REFUSED] == 1:
        return codes.NO_CODE
    if body > c[MAX_MESSAGE_BYTES]:
        return MESSAGE_ILLEGAL
    if c[row + KEY_ORDER] >= 0:
        cell = key_cell(c, m, s)
        m[s + KEY_SEQ] = m[cell + KEY_SENT]
        m[cell + KEY_SENT] += 1
    return PASSED
