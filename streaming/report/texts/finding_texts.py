"""What findings say about messages, their callers, and the load of brokers."""

from __future__ import annotations

from state.texts import Text


class FindingTexts:
    """What findings say about messages, their callers, and the load of brokers."""

    ALL_OF_THEM = Text(" {verb} (all {whole:,})")
    ALL_SHARE = Text(" {verb} ({share} of all {whole:,})")
    ASKED_FOR_ALL = Text("{broker} was asked for {asked:,.0f} attempts/s and can serve {limit:,.0f}/s")
    AT_THE_END = Text(
        "At the end, from {begin} on, {parts}; {most} carries most, {now:.0f} % instead of {before:.0f} %."
    )
    BACKLOG_GONE = Text("; a backlog of up to {count:,} {count:message|messages}, gone at {gone}")
    BACKLOG_LEFT = Text("; a backlog of up to {count:,} {count:message|messages}, not gone at the end")
    BEFORE = Text(", {before_ms:,.3g} ms before")
    BEFORE_ANY_ATTEMPT = Text(", before any attempt")
    BUSIEST_QUEUE = Text(
        "Queue {queue} of {broker} took {percent:.0f} % of all attempts to {topic}, {times:.1f} times its part"
    )
    CALLERS_WAITED = Text(
        "Callers of {group} waited: p99 up to {peak_ms:,.0f} ms from {begin} to {until}{stretches}{before}{backlog}"
    )
    CLIENT_REFUSES = Text("the client refuses the message itself: too large, or an illegal topic")
    DUPLICATES = Text("{messages} {are} stored more than once: {duplicates}, sent {times}")
    FAILED = Text("{messages}{share}, {results}{where}, from intended send to result {times}{stored}")
    FAILED_THERE = Text("{attempts} failed there, and {release} isolates a broker after a failure")
    GROUP_SHARE = Text(" of {group} {verb} ({share} of its {whole:,})")
    IN_STRETCHES = Text(" in {stretches} {stretches:stretch|stretches}")
    ISOLATED = Text(
        "{broker} was isolated {when} by {isolating:,} of {users:,} {users:producer|producers} that use it, "
        "{seconds:.1f} s each{whole}{periods}{why}"
    )
    ISOLATED_BROKERS = Text(
        "Isolated although healthy: {count} {count:broker|brokers}, {least_s:.1f} to {most_s:.1f} s for each producer "
        "that isolates them ({brokers} and more){periods}."
    )
    ISOLATED_BY = Text("isolated by {percent:.0f} % of the producers")
    ISOLATED_IN_ALL = Text(" ({whole_s:,.1f} s per producer in the whole run)")
    ISOLATION_PERIODS = Text("; isolation period {periods}")
    LOAD_MOVED = Text("the load of {broker} moved there ({why})")
    LOST = Text("{messages} {are} lost, without a durable copy{where}, sent {times}")
    LOST_UNSEEN = Text(
        "{messages} {are} lost unseen: {count:its caller|the callers} got no answer, and no copy is durable{where}, "
        "sent {times}"
    )
    MORE = Text("; {count:,} more: {cause}")
    MORE_GROUPS = Text(" and {count} more {count:group|groups}")
    MORE_OTHERS = Text("; {count:,} more for other reasons")
    MORE_UNKNOWN = Text("; {count:,} more, of which the tables do not show why")
    NEVER_SENT = Text(
        "{messages} of {group} {were} never sent, {percent:.2g} % of what the applications wanted to send: the thread "
        "was blocked"
    )
    NEVER_SENT_PART = Text(", {part:.0f} % of them from {begin} to {until}")
    NO_BROKER_KNOWN = Text("the client knew no broker to send to")
    NO_FAULT = Text("no fault: {what}")
    NO_FAULT_STRUCK = Text("although no fault struck it")
    NO_FAULT_THERE = Text("no fault there: {what}")
    NONE_FAILED_THERE = Text(
        "no attempt failed there, but {release} isolates for {seconds:g} s or more a broker that takes "
        "{latency_ms:g} ms"
    )
    ON_ALL_BROKERS = Text(", on all brokers")
    ON_BROKERS = Text(", on {brokers}")
    OTHER_STATUS = Text("got a status other than SEND_OK")
    OUTSIDE_OF_FAULTS = Text("outside of all its faults")
    RATE_CHANGED = Text("the rate of {group} {way} from {before} to {after} at {changed}")
    RETRIED = Text(
        "{messages} needed more than one attempt, and {those:it did not fail|none of them failed}, sent {times}"
    )
    SCAN_ENDS = Text("the scan for an available broker ends there (apache/rocketmq#5672)")
    SHARE_OF_GROUP = Text("{count:,} of {whole:,} of {group}")
    SLOW_BROKER = Text(
        "{broker} answers slowly all the time, without a fault: p50 {p50_ms:,.3g} ms, p99 {p99_ms:,.3g} ms; the other "
        "brokers' p50 is {others_ms:,.3g} ms."
    )
    STILL_ISOLATED = Text("{broker} is still isolated")
    SLOW = Text("{broker} is slow")
    STORED_ALL_THE_SAME = Text("; {those} {are} stored, although the caller got an error")
    TAKES_LESS = Text(
        "{broker} takes {now:.0f} % of the attempts instead of {before:.0f} % ({isolating:,} of {users:,} "
        "{users:producer|producers} still isolate it)"
    )
    THREADS_BUSY = Text(
        "the {threads:,} {threads:thread|threads} of {group} {threads:was|were} busy {percent:.0f} % of the time"
    )
    WHILE = Text("{what} while {fault}")
    WHY_NOT_SHOWN = Text("; the tables do not show why{more}.")
