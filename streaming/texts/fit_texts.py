"""What is printed about measured points and traces that a scenario is fitted to."""

from __future__ import annotations

from simulator.texts import Text


class FitTexts:
    """What is printed about measured points and traces that a scenario is fitted to."""

    ABOVE_ZERO = Text("every figure must be above 0")
    FAILED_ONLY = Text("has only attempts that failed, as a client log does; import them all, as csv or message-trace")
    FIGURES_BEFORE_HEAD = Text(
        "figures before the line with threadCount and messageSize that producer.sh prints first; put it above them"
    )
    MEANT = Text("; did you mean {near!r}?")
    NOT_A_CLOSED_LOOP = Text(
        "{rate:g}/s of {response:g} ms each keep {busy:.1f} threads busy, not {threads}; expected a "
        "closed loop without think time, the response time in ms"
    )
    NO_COLUMN = Text("no column for {names}{hint}")
    NO_POINT = Text("no measured point; expected a CSV or the lines that producer.sh prints")
    NUMBER_EXPECTED = Text("{name}: expected a number, got {got!r}")
    POINT_TWICE = Text(
        "{threads} threads with {message_bytes} bytes and {queues} queues are there more than once; "
        "expected one line for each"
    )
    TRACE_EXPECTED = Text("expected a trace (a folder with trace.json, by sendlab import) or a recording")
    UNREADABLE = Text("cannot be read ({why})")
