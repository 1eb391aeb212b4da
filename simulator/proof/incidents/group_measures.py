"""Figures of the consumer groups of a finished run, one function each: float from rows in memory."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import numpy.typing as npt

from simulator.run.simulate import Result

GROUP_TABLES = ("consumed", "assignments", "stored", "consumer_windows")
Column = npt.NDArray[Any]


def consumed_again(result: Result) -> float:
    """Consumptions of messages that the group had consumed before."""
    times: Column = result.column("consumed", "times")
    return float((times > 1).sum())


def most_consumptions(result: Result) -> float:
    """Consumptions of the message that was consumed most often."""
    senders: Column = result.column("consumed", "sender")
    keys = np.stack([senders.astype(np.int64), result.column("consumed", "send_seq").astype(np.int64)])
    return float(np.unique(keys, axis=1, return_counts=True)[1].max(initial=0))


def read_from_before(result: Result) -> float:
    """Messages consumed that were stored before the first consumption began."""
    begins: Column = result.column("consumed", "begin_us")
    return float((result.column("consumed", "stored_us") < begins.min()).sum()) if len(begins) else 0.0


def skipped(result: Result) -> float:
    """Messages that the group went past without consuming them."""
    counts: Column = result.column("consumer_windows", "skipped")
    return float(counts[-1]) if len(counts) else 0.0


def skipped_since_start(result: Result) -> float:
    """Messages that the group went past, stored after the start of the instance that did."""
    counts: Column = result.column("consumer_windows", "skipped_since_start")
    return float(counts[-1]) if len(counts) else 0.0


def unowned(result: Result) -> float:
    """Seconds in which a queue had no owner, sum of all queues."""
    return float(result.column("consumer_windows", "unowned_us").sum()) / 1e6


def longest_until_again(result: Result) -> float:
    """Seconds from the begin of a delivery until the next of the same message begins: longest, nan without any."""
    keys = [result.column("consumed", name).astype(np.int64) for name in ("sender", "send_seq", "begin_us")]
    sender, seq, begin = (key[np.lexsort(keys[::-1])] for key in keys)
    again = (sender[1:] == sender[:-1]) & (seq[1:] == seq[:-1])
    return float(np.diff(begin)[again].max()) / 1e6 if again.any() else math.nan


def longest_silence(result: Result) -> float:
    """Seconds between the begins of two deliveries of one queue, one after the other: longest, nan without any."""
    names = (result.column("consumed", name) for name in ("topic", "broker", "queue_id"))
    queue = np.unique(np.stack([np.unique(one, return_inverse=True)[1] for one in names]), axis=1, return_inverse=True)[
        1
    ]
    begin: Column = result.column("consumed", "begin_us")
    order = np.lexsort((begin, queue.reshape(-1)))
    same = np.diff(queue.reshape(-1)[order]) == 0
    return float(np.diff(begin[order])[same].max()) / 1e6 if same.any() else math.nan


def share_of_busiest_instance(result: Result) -> float:
    """Part of the consumptions that the instance with the most has."""
    counts = np.unique(result.column("consumed", "instance"), return_counts=True)[1]
    return 100.0 * float(counts.max(initial=0)) / float(counts.sum()) if counts.sum() else 0.0


def idle_instances(result: Result) -> float:
    """Instances that held no queue in the whole run."""
    return float(len(result.scenario.instances) - len(np.unique(result.column("assignments", "instance"))))


def times_taken(result: Result) -> float:
    """How often a queue was taken: mean of the queues."""
    names = (result.column("assignments", name) for name in ("topic", "broker", "queue_id"))
    rows = np.stack([np.unique(column, return_inverse=True)[1] for column in names])
    queues = int(np.unique(rows, axis=1).shape[1])
    return int(rows.shape[1]) / max(queues, 1)


def unread_share(result: Result) -> float:
    """Part of the stored messages that nobody has consumed at the end."""
    end: Column = result.column("stored", "window_start_us")
    left = result.column("stored", "lag")[end == end.max()].sum()
    appended = result.column("stored", "appended").sum()
    return 100.0 * float(left) / float(appended) if appended else 0.0
