"""Figures of a finished run, one function each: float from rows in memory, in the unit of its entry in MEASURES.

A row counts if its attempt or send began in the asked stretch of virtual time and is of the asked topic.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from simulator.codes import RESPONSE_CODES
from simulator.outcomes import WELL
from simulator.proof.incidents.group_measures import (
    consumed_again,
    idle_instances,
    longest_silence,
    longest_until_again,
    most_consumptions,
    read_from_before,
    share_of_busiest_instance,
    skipped,
    skipped_since_start,
    times_taken,
    unowned,
    unread_share,
)
from simulator.proof.incidents.handled_measures import longest_until_handled, never_handled
from simulator.proof.incidents.later_measures import (
    check_backs,
    check_interval,
    delayed_messages,
    delayed_per_s,
    given_up_share,
    last_delayed,
    most_checks,
    most_late,
)
from simulator.proof.incidents.measured_rows import Measured
from simulator.proof.incidents.set_measures import longest_without_master

Column = npt.NDArray[Any]


def percent(part: Any, whole: Any) -> float:
    """100 part / whole, nan of nothing."""
    return 100.0 * float(part) / float(whole) if whole else math.nan


def _attempts_per_queue(run: Measured) -> Column:
    brokers = np.unique(run.attempts("broker"), return_inverse=True)[1].astype(np.int64)
    queues = brokers * 100_000 + run.attempts("queue_id").astype(np.int64)
    stored = np.isin(run.attempts("outcome"), WELL)
    return np.unique(queues[stored], return_counts=True)[1]


def share_of_busiest_queue(run: Measured) -> float:
    """Part of the stored messages that lie on the queue with the most."""
    counts = _attempts_per_queue(run)
    return percent(counts.max(initial=0), counts.sum())


def queues_used(run: Measured) -> float:
    """Queues on which at least one message was stored."""
    return float(len(_attempts_per_queue(run)))


def share_of_broker(run: Measured) -> float:
    """Part of the attempts that went to the broker."""
    brokers = run.attempts("broker")
    return percent((brokers == run.broker).sum(), len(brokers))


def attempts_to_broker(run: Measured) -> float:
    """Attempts that went to the broker."""
    return float((run.attempts("broker") == run.broker).sum())


def back_after(run: Measured) -> float:
    """Seconds from the begin of the stretch to a producer's first success on the broker: median of the producers."""
    good = (run.attempts("broker") == run.broker) & (np.isin(run.attempts("outcome"), WELL))
    producer, begin = run.attempts("producer"), run.attempts("begin_us")
    everyone = np.unique(run.result.column("sends", "producer"))
    first = [begin[good & (producer == one)].min(initial=np.iinfo(np.int64).max) for one in everyone]
    seconds = [math.inf if at == np.iinfo(np.int64).max else (at - run.from_us) / 1e6 for at in first]
    return float(np.median(seconds))


def failing_for(run: Measured) -> float:
    """Seconds from the begin of the stretch to the end of the last failed message, 0 if none failed."""
    ends = run.sends("end_us")[run.failed]
    return float(ends.max() - run.from_us) / 1e6 if len(ends) else 0.0


def failed_messages(run: Measured) -> float:
    """Messages whose caller got no SEND_OK."""
    return float(run.failed.sum())


def failed_share(run: Measured) -> float:
    """Part of the messages whose caller got no SEND_OK."""
    return percent(run.failed.sum(), len(run.failed))


def first_messages_failed(run: Measured) -> float:
    """Part of the sender threads whose very first message failed."""
    first = run.sends("send_seq") == 0
    return percent(run.failed[first].sum(), first.sum())


def producers_with_failures(run: Measured) -> float:
    """Part of the producers with at least one failed message."""
    return percent(len(np.unique(run.sends("producer")[run.failed])), len(np.unique(run.sends("producer"))))


def failures_of_a_producer(run: Measured) -> float:
    """Most failed messages of one producer."""
    counts = np.unique(run.sends("producer")[run.failed], return_counts=True)[1]
    return float(counts.max(initial=0))


def messages_not_stored(run: Measured) -> float:
    """Messages of which no copy is stored, whatever their callers got."""
    return float((run.sends("copies_kept") == 0).sum())


def lost_messages(run: Measured) -> float:
    """Acknowledged messages of which no durable copy is left."""
    return float(run.sends("lost").sum())


def delivered_messages(run: Measured) -> float:
    """Messages of which at least one copy is stored."""
    return float((run.sends("copies_kept") > 0).sum())


def failed_though_stored(run: Measured) -> float:
    """Part of the failed messages of which a broker stores a copy all the same."""
    return percent((run.sends("copies_stored")[run.failed] > 0).sum(), run.failed.sum())


def most_copies_of_a_failed_message(run: Measured) -> float:
    """Most copies stored of one message that failed."""
    return float(run.sends("copies_stored")[run.failed].max(initial=0))


def most_attempts_of_a_failed_message(run: Measured) -> float:
    """Most attempts made for one message that failed."""
    return float(run.sends("attempts")[run.failed].max(initial=0))


def extra_copies(run: Measured) -> float:
    """Copies stored beyond the first of each message."""
    return float(np.maximum(run.sends("copies_stored") - 1, 0).sum())


def retries_on_same_broker(run: Measured) -> float:
    """Part of the second and later attempts that went to the broker of the attempt before."""
    order = np.lexsort((run.attempts("attempt"), run.messages))
    message, broker = run.messages[order], run.attempts("broker")[order]
    again = message[1:] == message[:-1]
    return percent((again & (broker[1:] == broker[:-1])).sum(), again.sum())


def rescued(run: Measured) -> float:
    """Part of the messages whose first attempt failed that ended with SEND_OK."""
    bad_first = (run.attempts("attempt") == 1) & ~np.isin(run.attempts("outcome"), WELL)
    stored = np.unique(run.messages[np.isin(run.attempts("outcome"), WELL)])
    tried = np.unique(run.messages[bad_first])
    return percent(np.isin(tried, stored).sum(), len(tried))


def innocents_charged(run: Measured) -> float:
    """Part of the messages whose first attempt timed out in which another broker was blamed as well."""
    outcome, attempt = run.attempts("outcome"), run.attempts("attempt")
    timed_out = np.unique(run.messages[(attempt == 1) & (outcome == "RemotingTimeoutException")])
    charged = np.unique(run.messages[(attempt > 1) & (outcome != "SEND_OK")])
    return percent(np.isin(timed_out, charged).sum(), len(timed_out))


def picks_after_an_exception(run: Measured) -> float:
    """Selections in which the client swallowed an exception of its own."""
    return float((run.attempts("pick_reason") == "after_error").sum())


def longest_send(run: Measured) -> float:
    """Longest time between the begin of a send and its end."""
    return float((run.sends("end_us") - run.sends("begin_us")).max(initial=0)) / 1e6


def busy_answers_after(run: Measured) -> float:
    """Median time between an attempt's begin and its SYSTEM_BUSY, nan if there was none."""
    busy = run.attempts("response_code") == RESPONSE_CODES["SYSTEM_BUSY"]
    took = (run.attempts("end_us") - run.attempts("begin_us"))[busy]
    return float(np.median(took)) / 1e3 if len(took) else math.nan


@dataclass(frozen=True)
class Measure:
    """A figure: its function, its unit ("" for a number of things), and whether it is about one broker."""

    of: Callable[[Measured], float]
    unit: str
    needs_broker: bool = False


MEASURES = {
    "share_of_busiest_queue": Measure(share_of_busiest_queue, "%"),
    "queues_used": Measure(queues_used, ""),
    "share_of_broker": Measure(share_of_broker, "%", needs_broker=True),
    "attempts_to_broker": Measure(attempts_to_broker, "", needs_broker=True),
    "back_after": Measure(back_after, "s", needs_broker=True),
    "failing_for": Measure(failing_for, "s"),
    "failed_messages": Measure(failed_messages, ""),
    "failed_share": Measure(failed_share, "%"),
    "first_messages_failed": Measure(first_messages_failed, "%"),
    "producers_with_failures": Measure(producers_with_failures, "%"),
    "failures_of_a_producer": Measure(failures_of_a_producer, ""),
    "messages_not_stored": Measure(messages_not_stored, ""),
    "lost_messages": Measure(lost_messages, ""),
    "delivered_messages": Measure(delivered_messages, ""),
    "failed_though_stored": Measure(failed_though_stored, "%"),
    "most_copies_of_a_failed_message": Measure(most_copies_of_a_failed_message, ""),
    "most_attempts_of_a_failed_message": Measure(most_attempts_of_a_failed_message, ""),
    "extra_copies": Measure(extra_copies, ""),
    "retries_on_same_broker": Measure(retries_on_same_broker, "%"),
    "rescued": Measure(rescued, "%"),
    "innocents_charged": Measure(innocents_charged, "%"),
    "picks_after_an_exception": Measure(picks_after_an_exception, ""),
    "longest_send": Measure(longest_send, "s"),
    **{
        name: Measure(lambda run, of=of: of(run.result), unit)  # type: ignore[misc]
        for name, of, unit in (
            ("consumed_again", consumed_again, ""),
            ("most_consumptions", most_consumptions, ""),
            ("never_handled", never_handled, ""),
            ("unowned", unowned, "s"),
            ("longest_silence", longest_silence, "s"),
            ("read_from_before", read_from_before, ""),
            ("skipped", skipped, ""),
            ("skipped_since_start", skipped_since_start, ""),
            ("longest_until_again", longest_until_again, "s"),
            ("longest_until_handled", longest_until_handled, "s"),
            ("share_of_busiest_instance", share_of_busiest_instance, "%"),
            ("idle_instances", idle_instances, ""),
            ("times_taken", times_taken, ""),
            ("unread_share", unread_share, "%"),
        )
    },
    "most_checks": Measure(most_checks, ""),
    "check_backs": Measure(check_backs, ""),
    "check_interval": Measure(check_interval, "s"),
    "given_up_share": Measure(given_up_share, "%"),
    "delayed_per_s": Measure(delayed_per_s, "/s"),
    "delayed_messages": Measure(delayed_messages, ""),
    "most_late": Measure(most_late, "s"),
    "last_delayed": Measure(last_delayed, "s"),
    "busy_answers_after": Measure(busy_answers_after, "ms"),
    "longest_without_master": Measure(
        lambda run: longest_without_master(run.result, run.broker), "s", needs_broker=True
    ),
}
