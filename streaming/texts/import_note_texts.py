"""What `sendlab import` prints of a log: how it was read, what to know of it, what was rejected."""

from __future__ import annotations

from state.texts import Text


class ImportNoteTexts:
    """What `sendlab import` prints of a log: how it was read, what to know of it, what was rejected."""

    ANSWERED_ONLY = Text("a message trace contains answered attempts only: failed attempts are missing")
    FAILED_ONLY = Text(
        "a client log has only attempts that failed: it shows which broker failed when and how, but no load, shares or "
        "latencies; calibrate and replay refuse it and need a csv or a message-trace"
    )
    FAILURES = Text(
        "{broker}, {outcome}: {attempts:,} attempts of {producers} producers, from {first} to {last} UTC, each of "
        "{least_ms:,.0f} to {most_ms:,.0f} ms"
    )
    FAILURES_REJECTED = Text(
        "{failures:,} of the {rejects:,} rejected rows look like failures, and {failed:,} of the {rows:,} "
        "imported ones are: a log without its failures misleads"
    )
    HOSTS_NOT_IN_MAP = Text("{count} hosts are not in the hosts map and keep their address as name: {hosts}")
    LATENCY_IN_MINUTES = Text("{file}, line {line:,}, would be {minutes:,.0f} minutes")
    LATENCY_MORE_THAN_AN_HOUR = Text("{value} in {position}, would be more than an hour")
    LONGEST_LATENCY = Text(
        "the longest latency, {where}: the column {column} was read in {read_in}; name its unit, such as "
        "--latency-unit {smaller}, or --latency-unit {unit} if it is right"
    )
    MORE_JUMPS = Text("and {count} more jumps of clocks")
    MORE_KINDS = Text("and {count} more brokers and kinds")
    MORE_REASONS = Text("and {count} more reasons")
    NO_BROKER_NAMED = Text("a broker that is not named")
    NOT_IN_TIME_ORDER = Text("the rows are not in time order: they were sorted, and clock jumps cannot be detected")
    NOT_OK = Text("{count:,} records say success false: taken as FLUSH_DISK_TIMEOUT, the trace does not say which")
    PASSED_OVER = Text("{count:,} {what} passed over")
    REJECTED = Text("rejected {count:,}: {reason}; for example {example}")
    REJECTS = Text(
        "{rejects:,} of {rows:,} rows rejected ({percent:.2g} %), they are in the table {table} of the trace"
    )
    SEVERAL_FORMS = Text("times have several forms: does the log come from several programs?")
    SHORT_TIMEOUTS = Text(
        "no time-out lasts longer than {longest_ms:g} ms: is the latency in seconds (--latency-unit s), or does it "
        "have thousands separators (--decimal comma)?"
    )
    SPAN = Text(
        "the attempts are from {first} to {last}, expected at most a year; are their times and units right{forms}?"
    )
    SPAN_FORMS = Text(" ({forms}, see --time-unit)")
    TIMES = Text("time: {forms}")
    WHOLE_SECONDS = Text("all times are whole seconds: the start and end of a fault are known to one second at best")
    WHOLE_SENDS = Text(
        '{count:,} rows have the result of a whole send ("Send [n] times, still failed"): each is read as one attempt, '
        "its last one; earlier attempts are not in the log, and the latency is that of the whole send"
    )
