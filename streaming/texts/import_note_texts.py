"""What `sendlab import` prints of a log: how it was read, what to know of it, what was rejected."""

from __future__ import annotations

from state.texts import Text


class ImportNoteTexts:
    """What `sendlab import` prints of a log: how it was read, what to know of it, what was rejected."""

    ANSWERED_ONLY = Text("a message trace contains answered attempts only: failed attempts are missing")
    AS_ANOTHER_SHOWS = Text("as {known} shows {per_s:,.1f}/s")
    BROKERS_NOT_IN_TRACE = Text(
        "{count} {count:broker|brokers} of the metrics {count:is|are} not in the trace, a hosts map may name "
        "{count:it|them}: {brokers}"
    )
    CLOCK_AHEAD = Text("the clock of {producer} goes ahead by {seconds:,.1f} s")
    CLOCK_BACK = Text("the clock of {producer} goes back by {seconds:,.1f} s")
    COLUMNS_NOT_USED = Text("columns not used: {columns}")
    COLUMN_TAKEN_AS = Text("the log has no such column, taken as {name!r}")
    DIVIDED_BY_60 = Text("{metric} is {why}: its values are divided by 60")
    DUPLICATES_DROPPED = Text("{count:,} duplicate {count:row|rows} dropped; the first: {first} repeats {repeats}")
    FAILED_ONLY = Text(
        "a client log has only attempts that failed: it shows which broker failed when and how, but no load, shares or "
        "latencies; calibrate and replay refuse it and need a csv or a message-trace"
    )
    FAILURES = Text(
        "{broker}, {outcome}: {attempts:,} {attempts:attempt|attempts} of {producers} {producers:producer|producers}, "
        "from {first} to {last} UTC, each of {took} ms"
    )
    FAILURES_REJECTED = Text(
        "{failures:,} of the {rejects:,} rejected {rejects:row|rows} {failures:looks|look} like failures, and "
        "{failed:,} of the {rows:,} "
        "imported ones are: a log without its failures misleads"
    )
    HOSTS_NOT_IN_MAP = Text(
        "{count} {count:host is|hosts are} not in the hosts map and {count:keeps its|keep their} address as name: "
        "{hosts}"
    )
    LATENCY_FROM_TIMES = Text("from the start to the end of an attempt; the log has no column of it")
    LATENCY_IN_MINUTES = Text("{file}, line {line:,}, would be {minutes:,.0f} minutes")
    LATENCY_MORE_THAN_AN_HOUR = Text("{value} in {position}, would be more than an hour")
    LINES_REJECTED = Text(
        "{count:,} {count:line|lines} rejected; the table rejects of the trace lists {count:it|them} with file, line "
        "and reason"
    )
    LONGEST_LATENCY = Text(
        "the longest latency, {where}: the column {column} was read in {read_in}; name its unit, such as "
        "--latency-unit {smaller}, or --latency-unit {unit} if it is right"
    )
    METRICS_IN = Text("metrics in {folder}")
    MORE_JUMPS = Text("and {count} more {count:jump|jumps} of clocks")
    MORE_KINDS = Text("and {count} more {count:broker or kind|brokers and kinds}")
    MORE_REASONS = Text("and {count} more {count:reason|reasons}")
    NO_BROKER_NAMED = Text("a broker that is not named")
    NOT_IN_TIME_ORDER = Text("the rows are not in time order: they were sorted, and clock jumps cannot be detected")
    NOT_OK = Text(
        "{count:,} {count:record has|records have} success false: taken as FLUSH_DISK_TIMEOUT, the trace does not show "
        "which"
    )
    NO_SCRAPE_IN_TIME = Text("no scrape lies within the time of the trace; check clocks and time zones")
    PASSED_OVER = Text("{count:,} {what} passed over")
    PROCESS_ENDED = Text(
        "a process of the import ended before its part was read, probably for want of memory; with --master local[1] "
        "the same command reads a part at a time"
    )
    REJECTED = Text("rejected {count:,}: {reason}; for example {example}")
    REJECTS = Text(
        "{rejects:,} of {rows:,} {rows:row|rows} rejected ({percent:.2g} %), see the table {table} of the trace"
    )
    ROWS_UNUSABLE = Text("{rejects:,} of {rows:,} {rows:row|rows} of the recording cannot be used ({percent:.2g} %)")
    SAMPLES = Text(
        "{samples:,} {samples:sample|samples} of {brokers} {brokers:broker|brokers} in {scrapes:,} "
        "{scrapes:scrape|scrapes} imported, {rejected:,} rejected"
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
    SUM_AS_ALL_ARE_WHOLE = Text("the sum of a minute, as all figures are whole numbers")
    SUM_AS_ANOTHER_SHOWS = Text("the sum of a minute, as {known} shows {per_s:,.1f}/s")
    SUM_OR_RATE = Text(
        "taken for messages a second, but builds of the exporter from 2022-06 to 2024-01 print the sum of a minute "
        "under this name; put_tps10 beside it decides"
    )
    TIMES = Text("time: {forms}")
    TIME_BACK = Text("time goes back by {seconds:,.1f} s")
    TIME_IS_AN_END = Text("the name of the column {column} means an end; such a column is {meaning}")
    UNREADABLE_BEYOND = Text("{file} cannot be read beyond {rows:,} {rows:row|rows}: {why}")
    WHOLE_SECONDS = Text("all times are whole seconds: the start and end of a fault are known to one second at best")
    WHOLE_SENDS = Text(
        '{count:,} {count:row has|rows have} the result of a whole send ("Send [n] times, still failed"): each is read '
        "as one attempt, its last one; earlier attempts are not in the log, and the latency is that of the whole send"
    )
