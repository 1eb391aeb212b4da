"""What is printed about measured points and traces that a scenario is fitted to."""

from __future__ import annotations

from state.texts import Text


class FitTexts:
    """What is printed about measured points and traces that a scenario is fitted to."""

    ABOVE_ZERO = Text("every figure must be above 0")
    APPEND_GROWS = Text("append: grows by {grows_us} us per KiB.")
    APPEND_NOT_FITTED = Text("append: not fitted.")
    ASSUMED = Text("Assumed, not fitted: {what}.")
    FAILED_ONLY = Text("has only attempts that failed, as a client log does; import them all, as csv or message-trace")
    FIGURES_BEFORE_HEAD = Text(
        "figures before the line with threadCount and messageSize that producer.sh prints first; put it above them"
    )
    FITTED_TO = Text(
        "Fitted to {points} measured {points:point|points}; fourth-power mean of all ratios {distance:.1%}."
    )
    LATENCY = Text(
        "latency: mean {mean_us:.0f} us, sigma {sigma:.2f}. "
        "{servers} send {servers:thread gives|threads in all give} {most_per_s:,.0f}/s at most; "
        "measured {measured_per_s:,.0f}/s with {threads} {threads:thread|threads}."
    )
    MEANT = Text("; did you mean {near!r}?")
    NOT_A_CLOSED_LOOP = Text(
        "{rate:g}/s of {response:g} ms each keep {busy:.1f} threads busy, not {threads}; expected a "
        "closed loop without think time, the response time in ms"
    )
    NO_COLUMN = Text("no column for {names}{hint}")
    NO_POINT = Text("no measured point; expected a CSV or the lines that producer.sh prints")
    NUMBER_EXPECTED = Text("{name}: expected a number, got {got!r}")
    POINT = Text(
        "{threads} {threads:thread|threads}, {message_bytes} {message_bytes:byte|bytes}, {queues} "
        "{queues:queue|queues} a broker: measured {measured_per_s:,.0f}/s and {measured_ms:.3f} ms, here "
        "{per_s:,.0f}/s and {ms:.3f} ms ({use})"
    )
    POINT_TWICE = Text(
        "{threads} {threads:thread|threads} with {message_bytes} {message_bytes:byte|bytes} and {queues} "
        "{queues:queue|queues} are there more than once; expected one line for each"
    )
    SLAVE_LATENCY = Text(
        "slave_latency: {wait_us} us in which no send thread is held: network, replication, the client. Measured "
        "{measured_us:.0f} us with {threads} {threads:thread|threads}."
    )
    SLAVE_LATENCY_GROWS = Text("slave_latency_per_kib: it grows by {grows_us} us per KiB.")
    TRACE_EXPECTED = Text("expected a trace (a folder with trace.json, by sendlab import) or a recording")
    UNREADABLE = Text("cannot be read ({why})")
    WITHIN = Text("within: throughput {throughput:.0%}, mean response time {response:.0%}")
