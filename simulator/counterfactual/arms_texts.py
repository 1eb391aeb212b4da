"""What is printed about arms of a recording, or of a running job."""

from __future__ import annotations

from state.texts import Text


class ForkTexts:
    """Why an arm cannot start from the state of a job."""

    NO_RETRY_TOPIC = Text(
        "{group} can fail in it and not in the job, whose state has no retry topic of that group; run the job with "
        "consumers.{group}.fails: 0 or more, or run the arm from its start with whatif"
    )
    OTHER_SET_UP = Text(
        "it has other {what} than the job, and the state does not contain them (queues, counters, fault items); "
        "sendlab whatif runs such an arm from its start"
    )


class ArmsTexts:
    """How well the control shows what was recorded, and what is assumed of the other arms."""

    ANSWERED_ONLY = Text("Attempts that failed have no record: what failed is inferred from what is missing.")
    AS_SLOW_AS = Text("as slow as {broker} was at each time")
    AS_SLOW_AS_SAID = Text("as slow as the arm has it")
    CALLERS = Text(
        "Latencies are those of callers, from the call of send() on: a log does not show how long a message waited "
        "before it."
    )
    FIGURE = Text("{name} ({model}{unit}, recorded {recorded}{unit})")
    FILLED = Text(
        "What blocked threads did not send is filled in at their usual gaps, and skipped by threads that are blocked: "
        "{percent} of the arrivals."
    )
    IN_ARMS = Text("In {arms} {what}.")
    MORE_ENDS = Text("; and {more} more")
    NEW_BROKER = Text("{name} was not there: it is {as_slow}, and what it takes off the others makes them no faster")
    NOT_SHOWN = Text("The control does not show what was recorded of {missed}.{also} {care}")
    OPEN_ENDS = Text(
        "The recording does not show exactly when these faults ended: {faults}{more}. The first figure is assumed."
    )
    OTHER_PRODUCERS = Text(
        "the producers are not those of the recording: they make messages of their own, at the fitted rates"
    )
    SHARES = Text("{name} within {points} points")
    SHOWN = Text("The control shows what was recorded: {shown}.")
    SHOWN_TOO = Text(" It shows {shown}.")
    UNMEASURED = Text(
        "If a broker gave too few ordinary answers in an interval, its latency of the whole trace is used: {percent} "
        "of the attempts."
    )
    UNTRIED = Text(
        "A broker that no producer tried is assumed to answer as usual, or to be still in its last observed fault: "
        "{percent} of the attempts depend on that."
    )
    WITH_CARE = Text("Take the other arms with care.")
