"""What a calibration says of troubles of brokers, and why a trace cannot be fitted."""

from __future__ import annotations

from state.texts import Text


class CalibrateTexts:
    """Why a trace cannot be fitted."""

    NO_ANSWERS = Text(
        "no attempt of the trace was answered with SEND_OK outside of a fault; latencies cannot be fitted"
    )
    NO_ATTEMPTS = Text("the trace has no attempts")


class EvidenceTexts:
    """What shows that a broker was in trouble, and how much its own metrics say of it."""

    ALIVE_AGAIN = Text("by its metrics it stored messages again before {at}")
    ANSWERED_LATE = Text("{count} answered late")
    ANSWERS = Text(
        "{count} of {answers:,} {answers:answer|answers} to {producers:,} {producers:producer|producers} were {name}, "
        "given from {first} to {last}"
    )
    CUT_OFF = Text("{count} cut off")
    IN_NO_ROUTE = Text("then back after {absent} s, longer than it is isolated: it was in no route")
    IN_NO_ROUTE_AT_END = Text("and not back after {absent} s, longer than it is isolated: it was in no route")
    MISSING_ANSWERS = Text(
        "about {missing:,} {missing:answer is|answers are} missing, and {producers:,} {producers:producer|producers} "
        "waited up to {longest} s when that began"
    )
    NOT_SILENT = Text("yet by its metrics it stored messages before {at}: not silent to everybody")
    PUTS_ROSE = Text("its own put times rose: p99 {most} instead of {usual}")
    PUTS_USUAL = Text("its own put times did not rise (p99 {most}): not the store")
    REFUSED = Text("{count} refused")
    SLOW = Text(
        "the median of {answers} answers to {producers:,} {producers:producer|producers} is {factor} times the usual"
    )
    STORED = Text("by its metrics{sums} it stored {stored} messages a second, the trace shows {seen}{others}")
    STORED_BY_OTHERS = Text(" ({percent} %): what others sent is in its latency, and not in this load")
    SUMS = Text(" (its figures are sums of a minute)")
    TIMED_OUT = Text("{count} timed out")
    WAITED = Text(
        "{requests:,} {requests:request|requests} of {producers:,} {producers:producer|producers} waited: {ends}"
    )


class FittedTexts:
    """The comments of a fitted scenario: where its values come from, and what is assumed."""

    AFTER_HANGS = Text("after its hangs this long from one late answer to the next")
    ANSWERED_ONLY = Text("The trace has answered attempts only: what failed is inferred from what is missing.")
    ASSUMED_QUEUES = Text("the trace has no queue ids: the number of queues is assumed")
    ASSUMED_SIZE = Text("the trace has no sizes: 1KiB is assumed")
    BEGAN = Text(" It began between {first} and {last}.")
    BY_THE_CLOCK = Text(" By the clock: {at} to {until}.")
    CLIENT_UNKNOWN = Text("The trace does not name the client: the newest release and its defaults are assumed.")
    ENDED = Text(" It ended between {first} and {last}{untried}.")
    FEW_ANSWERS = Text("{answers:,} ordinary answers: too few to fit, this is the latency of all brokers together")
    FITTED = Text("Fitted to the trace {name} by sendlab calibrate: change whatever you know better.")
    GROUP = Text("{producers} {producers:producer that|producers, each} makes {rate} messages a second{blocking}")
    INTERVALS = Text("Begins and ends are 95 % intervals; the value is the best estimate.")
    LATENCIES = Text(
        "Latencies are those that producers saw, waiting included: with {threads} send {threads:thread|threads} "
        "no request waits twice."
    )
    LOAD_CHANGED = Text("the load of the whole group changed: {steps}")
    MAYBE_A_RESTART = Text(" A restart looks the same to a producer: kind: restart if it was one.")
    NO_FAULT = Text("No fault is seen in the trace.")
    ORDINARY_ANSWERS = Text("{answers:,} ordinary answers")
    QUEUE_ASSUMED = Text(
        "; no long send shows whether messages wait or are skipped while their thread is blocked: queue is assumed"
    )
    SKIPPED = Text("; by the counts, messages are skipped while a long send blocks their thread")
    UNTRIED = Text(": no producer tried in between")
    WAIT = Text("; by the counts, messages wait while a long send blocks their thread")
    ZERO = Text("0s is {zero}.")
