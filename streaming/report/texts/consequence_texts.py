"""What a report says of consequences and of their causes."""

from __future__ import annotations

from state.texts import Text


class ConsequenceTexts:
    """What a report says of consequences and of their causes."""

    AT = Text("at {begin}")
    AT_THE_END = Text(
        "; at the end {isolating:,} of {users:,} {users:producer|producers} still {isolating:isolates|isolate} it"
    )
    BACKLOG = Text("{place} was {size:,.0f} {size:message|messages} behind at {at}{left}{lag}")
    BACKLOG_OF_INSTANCES = Text(
        "instances of {place} were {size:,.0f} {size:message|messages} behind, all together, at {at}{left}{lag}"
    )
    BECAUSE = Text("Because {cause}")
    BLOCKED = Text(
        "one message of {place} failed {times:,} {times:time|times} and blocks its queue ({where}): "
        "max_reconsume_times is not set{more}"
    )
    CALLERS_WAITED = Text("callers of {place} waited: {top}{messages} took more than {usual}, {when}")
    CAUSES_NOT_KNOWN = Text("Causes that are not known")
    CONSUMED_AGAIN = Text(
        "{place} consumed {size:a message|messages} again: {size:,} {size:delivery|deliveries}{share}, {when}"
    )
    DEAD_LETTERS = Text(
        "{place} gave up {size:,.0f} {size:message as a dead letter|messages as dead letters}, {when}{due}"
    )
    DELIVERED_AGAIN = Text("{place} delivered {size:,.0f} delayed {size:message|messages} a second time, {when}")
    DOUBLE_OWNED = Text("queues of {place} had more than one owner, {size:,.0f} s in total over all queues, {when}")
    DUPLICATES = Text("{duplicates} of messages of {place} stored, meant to be sent {when}")
    EITHER_WOULD_DO = Text("{causes}: either alone would do")
    FAILED = Text("{messages} of {place} failed, meant to be sent {when}")
    FAILED_DELIVERIES = Text("{size:,.0f} {size:delivery|deliveries} of {place} failed, {when}")
    FAILED_STARTS = Text(
        "{size:,.0f} {size:start of an instance|starts of instances} of {place} failed, {when}: no name server "
        "answered, and {size:its process|their processes} ended"
    )
    FAILED_WITH = Text("{messages}{share}, {results}{where}, meant to be sent {when}{late}{stored}")
    FOUND = Text("Found:")
    FOUND_NOTHING = Text("Found: nothing unusual")
    GONE = Text(", gone at {gone}")
    HOT_QUEUE = Text(
        "queue {queue} of {broker} took {size:.0f} % of the messages of {place} instead of {usual:.2g} %{why}"
    )
    IN_STRETCHES = Text("{times}, in {stretches} {stretches:stretch|stretches}")
    ISOLATED = Text("{place} was isolated while it was healthy, {size:,.0f} s of all producers together, {when}")
    LAST_RESULT = Text("; {count:its|the last} result came at {last}")
    LAG = Text("; a lag monitor with Burrow's rules says {verdict} at {seen}")
    LATE_LEVELS = Text("messages of delay levels at {place} became readable up to {late} late, {when}{limit}")
    LATE_TIMER = Text("timer messages at {place} became readable up to {late} late, {when}{limit}")
    LEFT = Text(", {count:,} left at the end")
    LOAD = Text("{place} got {now:.0f} % of the attempts instead of {usual:.0f} %, {when}{at_end}")
    LOST = Text("{messages} of {place} lost, without a durable copy{where}, meant to be sent {when}")
    MISSED = Text(
        "{place} missed {size:,.0f} {size:message|messages}: brokers deleted {size:it|them} before it read "
        "{size:it|them}, {when}"
    )
    MISSED_BY_INSTANCES = Text(
        "instances of {place} missed {size:,.0f} {size:message|messages}, all together: brokers deleted "
        "{size:it|them} before they were read, {when}"
    )
    MORE_CONSEQUENCES = Text("{count} more")
    MORE_IN_THE_REPORT = Text("{count} more in the report")
    MORE_SHIFTS = Text("; {count} more {count:shift|shifts} of load")
    MOST_AT_THE_END = Text(", the most at the end")
    NEVER_SENT = Text("{messages} of {place} never sent, {percent} of all: threads were blocked")
    NO_CAUSE = Text("No cause explains")
    NOTED = Text("Also noticed")
    NOT_PROVEN_ENDLESS = Text("Causes of a run without end cannot be tested")
    NOT_PROVEN_OTHER_EVENTS = Text(
        "Causes cannot be tested: the run is not what its scenario alone gives, as this version of Sendlab reads it"
    )
    NOT_PROVEN_RELOADED = Text("Causes cannot be tested: the scenario was changed while it ran")
    NOT_PROVEN_REMOVED = Text("Causes cannot be tested: old rows were removed (--keep)")
    NOT_PROVEN_UNFINISHED = Text("Causes are tested once the run is finished")
    OTHERS_FAILED = Text("; {others:,} other {others:delivery|deliveries} failed")
    PEAK = Text("p99 up to {peak_ms:,.0f} ms, ")
    PROVES = Text("proving causes")
    PROVES_RUNS = Text("proving causes: {done} of {runs} {runs:run|runs}")
    PROVES_SINCE = Text("{text} (--causes limits the work; after Ctrl-C the other causes stay untested)")
    LOST_POPS = Text(
        "{size:,.0f} {size:message is|messages are} lost to {place}, {when}: not acknowledged in time, and brokers up "
        "to 5.2.0 do not revive what was stored after the begin of its pop"
    )
    REFUSED_POPS = Text("brokers without a timer wheel refused {size:,.0f} {size:pop|pops} of {place}, {when}")
    RETRIED = Text(
        "{messages} of {place}, meant to be sent {when}, needed more than one attempt, and "
        "{those:it did not fail|none of them failed}"
    )
    RETRY_DUE = Text("; the last retry of the group {due}")
    REVIVED = Text(
        "{size:,.0f} {size:delivery|deliveries} of {place} came again, not acknowledged within the "
        "invisible time, {when}{why}"
    )
    SKIPPED = Text("{place} skipped {messages} and never consumes {those:it|them}, {when}{since_start}")
    SKIPPED_BY_INSTANCES = Text(
        "instances of {place} skipped {messages}, all together, {when}; other instances may consume "
        "{those:it|them}{since_start}"
    )
    SKIPPED_ALL_SINCE_START = Text("; all of them were stored after the start of the instance that skipped them")
    SKIPPED_SINCE_START = Text("; {since:,} of them stored after the start of the instance that skipped them")
    SKIPPED_ONE_SINCE_START = Text("; it was stored after the start of the instance that skipped it")
    STOPPED = Text("stopped: causes that are not proven yet stay untested")
    TESTED_BY = Text("sendlab report {out} --causes {budget}")
    TESTED_ONCE_WRITTEN = Text("result.write(FOLDER), then sendlab report FOLDER --causes {budget}")
    TEST_NEEDS = Text("What is not tested needs {runs:,} {runs:run|runs} of the scenario: {command}")
    TEST_NEEDS_TABLES = Text(
        "What is not tested needs a run of the scenario with all tables, as some were not written, and up to "
        "{suspects:,} {suspects:run|runs} without what may be the cause: {command}"
    )
    TEST_NEEDS_UP_TO = Text(
        "What is not tested needs at least {least:,} {least:run|runs} of the scenario, up to {most:,} where no single "
        "cause explains it: {command}"
    )
    TIME_EXPECTED = Text("expected a duration such as 10s or 2m, or 0 for none")
    UNOWNED = Text("queues of {place} had no owner, {size:,.0f} s in total over all queues, {when}")
    UNTESTED = Text("Possibly because {cause}, not tested")
