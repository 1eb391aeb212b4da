"""What findings say about consumer groups, delayed messages and transactions."""

from __future__ import annotations

from state.texts import Text


class GroupFindingTexts:
    """What findings say about consumer groups, delayed messages and transactions."""

    KILLED = Text("after {place} was killed ({number})")
    BACK = Text("after {place} was back ({number})")
    STOPPED = Text("after {place} was stopped ({number})")
    BACKLOG = Text("Backlog of {group}: {most:,} {most:message|messages} at {at}, {left}{cause}.")
    BACKLOG_GONE = Text("gone at {gone}")
    BACKLOG_LEFT = Text("{count:,} left at the end")
    BACKLOG_MOST = Text("the most at the end")
    CHECK_BACKS = Text("{most:,} check-backs in one window at {at}, {percent:.0f} % of all{cause}.")
    DEAD_LETTERS = Text(
        "{group} gave up {dead:,} {dead:message as a dead letter|messages as dead letters}: {failed:,} of its "
        "deliveries ({percent:.1f} %) failed from {begin} to {end}{faults}{due}."
    )
    DEDUPLICATED = Text(
        "{group} skipped {skipped:,} {skipped:delivery|deliveries} of messages that it had handled (deduplicate), and "
        "{rest}."
    )
    DOUBLE_OWNED = Text(
        "Queues of {group} had more than one owner, as their instances saw it: {seconds:,.0f} s in total over all "
        "queues."
    )
    EXPIRED = Text(
        "{group}: {count:,} {count:delivery|deliveries} took longer than consumeTimeout, and the "
        "{count:message|messages} came again while {count:a thread was|threads were} still at work: offsets move on, "
        "and {count:it is|they are} handled again."
    )
    FAILED_DELIVERIES = Text(
        "{group}: {failed:,} of its deliveries ({percent:.1f} %) failed from {begin} to {end}{faults}{due}."
    )
    FAILED_STARTS = Text(
        "{count:,} {count:start of an instance|starts of instances} of {group} failed {when}: no name server answered, "
        "and {count:its process|their processes} ended{cause}."
    )
    FILES_DELETED = Text("files of the commit log were deleted")
    FROM_TO = Text("from {begin} to {end}")
    HALVES_GIVEN_UP = Text(
        "{group}: {count:,} half {count:message was|messages were} given up after all checks, and {count:is|are} never "
        "readable."
    )
    LAG_AFTER = Text(", {seconds:,.0f} s after {fault} ({number})")
    LAG_ENDS_SO = Text("; so it ends.")
    LAG_LATER = Text("; later {later}")
    LAG_OK = Text("; OK for good from {ok}.")
    LAG_VERDICT = Text("A lag monitor with Burrow's rules says {verdict} of {group} at {at}{after}{then}{ended}")
    LATE_LEVEL = Text("Messages of delay {level} at {broker} became readable up to {late} late, {when}{cause}.")
    LATE_TIMER = Text("The {level} at {broker} became readable up to {late} late, {when}{cause}.")
    LATE_BEYOND = Text("more than {least} and up to ")
    LATE_CHECKS = Text(
        "; {checked:,} of them only at a check-back: brokers check every {every}, and a shorter "
        "transactionCheckInterval makes {checked:it|them} readable sooner"
    )
    LATE_OPEN = Text(
        "; {left:,} half {left:message is|messages are} still open at the end, {beyond}{waited} after "
        "{left:its local transaction|their local transactions} ended"
    )
    LATE_TRANSACTIONS = Text(
        "{count:,} {count:message|messages} of {group} became readable more than {least} late, {when}: {median} after "
        "the end of {count:its local transaction|their local transactions} at the median, {most} at most{checks}{still}"
    )
    LATE_ALL_OPEN = Text(
        "{count:,} half {count:message|messages} of {group} {count:is|are} still open at the end, {beyond}{most} after "
        "{count:its local transaction|their local transactions} ended, {when}"
    )
    LET_NONE_THROUGH = Text("let none through")
    LET_THROUGH = Text("let {again:,} through, which {again:was|were} handled a second time")
    LEVEL_THREAD = Text("the thread of a level")
    MISSED = Text(
        "{group} missed {count:,} {count:message|messages}: brokers deleted {count:it|them}{when}, before it read "
        "{count:it|them}."
    )
    OFFSETS_RESET = Text("offsets were reset")
    ONE_TIMER = Text("the one Timer thread of release {release}")
    READABLE_ROLLED_BACK = Text(
        "{group}: {count:,} half {count:message|messages} became readable although {count:it was|they were} "
        "rolled back."
    )
    READABLE_TWICE = Text(
        "{count:,} {count:message|messages} of {group} became readable again, {when}{elsewhere}; consumers that do not "
        "deduplicate handle {count:it|them} again"
    )
    READABLE_ELSEWHERE = Text(", {those:,} on another broker than the first time")
    LOST_POPS = Text(
        "{group} lost {count:,} {count:message|messages}: not acknowledged in time, and stored after the begin of the "
        "pop that took {count:it|them}, which brokers up to 5.2.0 do not revive."
    )
    REFUSED_POPS = Text("Brokers refused {count:,} {count:pop|pops} of {group}: they have no timer wheel.")
    RESETS = Text(": its offsets were reset ({faults})")
    RESUMED = Text("when {place} resumed ({number})")
    RETRY_DUE = Text("; the last retry was due at {due}")
    RETRY_DUE_AFTER_END = Text("; the last retry was due at {due}, after the end of the run")
    REVIVED = Text(
        "{count:,} {count:delivery|deliveries} of {group} came again, not acknowledged within the "
        "invisible time; {why}."
    )
    SKIPPED = Text("{group} skipped {count:,} {count:message|messages}{when} and never consumes {count:it|them}{why}.")
    SKIPPED_SINCE_START = Text(", {since:,} of them stored after the start of the instance that skipped them")
    STOOD_STILL = Text("while {place} stood still ({number})")
    THREAD_DELIVERS = Text("{thread} delivers at most {most_per_s:,.0f}/s")
    TIMER_WHEEL = Text("the timer wheel")
    TWICE = Text(
        "{group} consumed {count:a message|messages} again: {count:,} {count:delivery|deliveries} ({percent} %){why}."
    )
    UNOWNED = Text("Queues of {group} had no owner: {seconds:,.0f} s in total over all queues.")
    WHY_NOT_SHOWN = Text("the tables do not show why")
