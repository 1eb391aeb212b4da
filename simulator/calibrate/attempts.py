"""The attempts of a trace as arrays: what calibration looks at."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from simulator import codes

Ints = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]

RESOLUTIONS_US = (1_000_000, 1_000)

# Outcomes that the broker itself gave: it was alive when they came.
ANSWERS = (codes.SEND_OK, codes.SEND_STATUS, codes.BROKER_ERROR)


@dataclass(frozen=True)
class TraceAttempts:
    """One entry an attempt, in the order of `begin_us`; all arrays int64 of the same length.

    begin_us, end_us: virtual time, from 0 to `duration_us`. producer, topic, broker: places in the tuples of names;
    broker -1: the trace does not say which. thread: sender thread of the producer, -1 if not known. message: number of
    the message, the same for all of its attempts. outcome: OUTCOME_NAMES. code: response code, -1 if there is none.
    asked: 0 where no request left the client, so that the outcome says nothing of the broker.
    send_begin_us: when the send of the message began. queue: queue id, body_bytes: size of the body, -1 if not known.
    answered_only: attempts that got no answer are not in the trace.
    """

    begin_us: Ints
    end_us: Ints
    producer: Ints
    thread: Ints
    topic: Ints
    broker: Ints
    message: Ints
    outcome: Ints
    code: Ints
    asked: Ints
    send_begin_us: Ints
    queue: Ints
    body_bytes: Ints
    producers: tuple[str, ...]
    topics: tuple[str, ...]
    brokers: tuple[str, ...]
    duration_us: int
    answered_only: bool = False

    def __len__(self) -> int:
        return len(self.begin_us)

    @cached_property
    def resolution_us(self) -> int:
        """The unit to which the log cuts its times or its latencies, whichever is coarser."""
        return max(_unit_us(self.begin_us), _unit_us(self.end_us - self.begin_us))

    @cached_property
    def slack_us(self) -> int:
        """How much later or earlier a moment may be than the log has it: begin and length are cut, or rounded."""
        return 2 * self.resolution_us if self.resolution_us > 1 else 0

    @cached_property
    def answered(self) -> Flags:
        """Attempts that the broker answered, well or with an error."""
        return np.isin(self.outcome, ANSWERS) & (self.asked > 0)

    @cached_property
    def last_of_message(self) -> Flags:
        """The attempt of each message that ended last: what the caller got."""
        order = np.lexsort((self.begin_us, self.end_us, self.message))
        message = self.message[order]
        last = np.ones(len(order), bool)
        last[:-1] = message[1:] != message[:-1]
        flags = np.zeros(len(order), bool)
        flags[order[last]] = True
        return flags

    @cached_property
    def failed_messages(self) -> int:
        """Messages whose last attempt ended neither well nor with a SendStatus."""
        is_stored = np.isin(self.outcome, codes.STORED)
        return int((self.last_of_message & ~is_stored).sum())

    def of_broker(self, broker: int) -> Ints:
        """Places of the attempts on a broker that a request was sent for."""
        return np.flatnonzero((self.broker == broker) & (self.asked > 0))


def _unit_us(times_us: Ints) -> int:
    return next((unit for unit in RESOLUTIONS_US if not (times_us % unit).any()), 1)
