"""Batches that a client makes by itself: autoBatch of DefaultMQProducer, 5.1.4 and later, off by default.

1. A message passes the checks of a single one; while `has_hold_room`, its body counts as held and it joins the batch
   of its topic (and of its queue, if a selector chose one); otherwise it is sent by itself. What the checks refuse
   counts as held from then on.
2. A batch `is_ready` by its bytes or its age. Whoever finds it so sends it: the caller whose message joins it, or a
   guard that looks at every batch each `guard_period_us`. The synchronous guard wakes callers who wait, in the order in
   which they wait, and the first one sends for all; the asynchronous guard sends by itself.
3. It is sent as a batch is: checked as a whole, not compressed, one budget from then on. The caller who sends gets its
   SendResult or exception; the synchronous callers who waited get the SendResult, and where there is none a
   NullPointerException (their results were never filled in). Asynchronous callbacks all get the same.
4. A batch that is being sent synchronously is locked; the guard waits for it if no later message has replaced it, and
   wakes nobody meanwhile.

Source: rocketmq 5.1.4-5.3.3, ProduceAccumulator, DefaultMQProducer.sendByAccumulator and canBatch. send() with a
timeout of its own, batches of the application and one-way messages never go this way.
"""

from __future__ import annotations

from simulator.compiled.jit import rule

BATCH_MAX_DELAY_MS = 10  # default of batchMaxDelayMs
BATCH_MAX_BYTES = 32 * 1024  # default of batchMaxBytes
TOTAL_BATCH_MAX_BYTES = 32 * 1024 * 1024  # default of totalBatchMaxBytes
OVERSLEPT_US = 100  # by which a sleep lasts longer (recorded, 5.1.4 and 5.3.3)


@rule()
def has_hold_room(held_bytes: int, total_batch_max_bytes: int) -> bool:
    """Whether a further message may wait; it is not looked at how large it is."""
    return held_bytes < total_batch_max_bytes


@rule()
def is_ready(age_ms: int, body_bytes: int, batch_max_delay_ms: int, batch_max_bytes: int) -> bool:
    """Whether a batch that was begun `age_ms` ago, with bodies of that many bytes, is to be sent."""
    return body_bytes > batch_max_bytes or age_ms >= batch_max_delay_ms


@rule()
def guard_period_us(batch_max_delay_ms: int) -> int:
    """From one look of a guard to the next."""
    return max(1, batch_max_delay_ms // 2) * 1000 + OVERSLEPT_US
