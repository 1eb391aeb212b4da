"""What `sendlab diff` prints: where two runs part, and why."""

from __future__ import annotations

from state.texts import Text


class RunDifferenceTexts:
    """What `sendlab diff` prints: where two runs part, and why."""

    ANOTHER_RESULT = Text("the same queue was asked at the same moment, with another result{because}")
    ANOTHER_RULE = Text("the fault items are the same; {ours} chose in the first run, {theirs} in the second{because}")
    ANSWERED_OTHERWISE = Text("{broker} answered differently{because}")
    ATTEMPT = Text("{broker} queue {queue_id} ({pick_reason}), {outcome} after {took_ms:,.3f} ms{retried}")
    CONSUMERS_NOT_COMPARED = Text("consumers were not compared: --tables left {table} out")
    COUNTERS_DIFFER = Text("the fault items are the same; the counter sendWhichQueue differs{because}")
    FAULT_ITEMS_DIFFER = Text("{ours} in the first run, {theirs} in the second")
    FIRST = Text(
        "first difference at {at_s:.6f} s: message {send_seq} of producer {producer}.{thread} to {topic}, "
        "attempt {attempt}"
    )
    FIRST_OF_CONSUMERS = Text("first difference of consumers: {group}, window at {at_s:g} s: {columns}")
    KEY_IS = Text("{key} is {ours} and {theirs}")
    MORE_KEYS = Text("and {count} more {count:key|keys}")
    NOT_SHOWN = Text("{ours}, {theirs}; no attempt of one message shows it. {before}")
    NO_ATTEMPT = Text("none at that moment")
    ONLY_FIRST = Text("only the first run makes {attempt} at that moment{because}")
    ONLY_SECOND = Text("only the second run makes {attempt} at that moment{because}")
    RETRIED = Text(", retried")
    ROUTES_DIFFER = Text("the routes differ: {route}")
    RULE_OF_RELEASE = Text("{release} chooses by {rule}")
    SAME = Text("every attempt is the same")
    SEEDS_OF_ARRIVALS = Text("the seeds differ, and so do the moments at which messages arrive")
    SEEDS_OF_COUNTERS = Text("the seeds differ, and so do the first values of the counters")
    SEEDS_OF_SERVICE = Text("the seeds differ, and so do the draws of service times")
    STARTED = Text("{why}. Before it the queues differ only because the counters sendWhichQueue start at other values")
