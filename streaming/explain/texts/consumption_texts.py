"""What `sendlab explain --group` prints about one offset of a queue and a consumer group."""

from __future__ import annotations

from state.texts import Text


class ConsumptionTexts:
    """What `sendlab explain --group` prints about one offset of a queue and a consumer group."""

    AGAIN_AFTER_AN_EARLIER = Text("Why again: an earlier delivery of the message had failed and was sent back.")
    AGAIN_BROADCAST = Text("Why again: {group} is broadcasting, so every instance is delivered every message.")
    AGAIN_CACHED = Text("Why again: {instance} had taken the queue at {taken} and had the message in its cache{fault}.")
    AGAIN_EARLIER_POP = Text(
        "Why again: a pop of it before that one was not acknowledged within its invisible time, and it came back "
        "through the retry topic."
    )
    AGAIN_FAILED = Text("Why again: the delivery before failed.")
    AGAIN_HELD = Text("Why again: the tables do not show it; {instance} held the queue all the time.")
    AGAIN_INVISIBLE = Text(
        "Why again: its invisible time ended without an acknowledgement, and it came back through the retry topic."
    )
    AGAIN_IN_ORDER = Text(
        "Why again: its invisible time ended without an acknowledgement, and its queue resumed with it."
    )
    AGAIN_IN_5_S = Text("Why again: the delivery before failed, and it could not be sent back.")
    AGAIN_IN_PLACE = Text(
        "Why again: the delivery before failed, and an orderly queue does not pass a message that failed."
    )
    AGAIN_POPPED = Text(
        "Why again: {broker} popped the offset again; a process that begins knows only the pops that were written down."
    )
    AGAIN_RESET = Text("Why again: the group's offsets were set back meanwhile ({number}, {when}).")
    AGAIN_RETRY_TOPIC = Text(
        "Why again: the delivery before failed, and the message came back through the retry topic."
    )
    AGAIN_SENT_BACK = Text(
        "Why again: a sweep for consumeTimeout or a shutdown sent it back while a listener was at it, and it came back "
        "through the retry topic."
    )
    AGAIN_STORED_TWICE = Text("Why again: the message is stored a second time there, so it is delivered a second time.")
    AGAIN_TAKEN = Text("Why again: {instance} took the queue at {taken}{let_go}{fault}.{offset}")
    AGAIN_TAKEN_BACK = Text("Why again: {instance} took the queue again at {taken}{fault}.{offset}")
    AGAIN_UNKNOWN = Text("Why again: the table assignments was not written, so it is not known who held the queue.")
    AGAIN_UNSEEN = Text("Why again: the tables do not show when its instance took the queue.")
    AT_THE_END = Text("At the end {what} ({number}, {when}).")
    BEFORE_IT = Text("{count:,} {count:message is|messages are} before it.")
    BEFORE_IT_AT = Text(
        "{count:,} {count:message is|messages are} before it; at the last {per_s:,.1f} messages/s it is about "
        "{away_s:,.0f} s away."
    )
    BEFORE_IT_STILL = Text(
        "{count:,} {count:message is|messages are} before it; none of the queue was consumed in the last {windows} "
        "{windows:window|windows}."
    )
    COMMITTED_BEFORE = Text(
        " The group's offset was {committed:,} before: of {messages} up to this one none was committed yet."
    )
    DEAD_LETTER = Text("; given up, as a dead letter in %DLQ%{group}.")
    DELETED = Text("{count:,} of the queue {count:was|were} deleted before {count:it was|they were} consumed")
    DUPLICATE = Text("{instance} skipped it at {end}: deduplicate knew it as handled{ended}")
    EARLIER_REMOVED = Text("Earlier deliveries may be missing: {removed}.")
    NOT_HANDLED = Text("{instance} could not handle it {when}: {outcome}{ended}")
    FAILED_STARTS = Text(
        "{count:,} {count:start of an instance|starts of instances} of {group} failed, the first by {first}: no name "
        "server answered, and {count:its process|their processes} ended."
    )
    FAILED = Text("{count:,} failed")
    HANDLED = Text("{instance} handled it {when}{ended}")
    HANDLED_ONCE = Text("It was delivered once, and handled.")
    HANDLED_TIMES = Text("handled {times}")
    HOLDS_THE_QUEUE_UP = Text(
        "Offset {offset:,} holds the queue up: it failed {times} since {since}, and an orderly queue does not pass it."
    )
    IN_ALL = Text("In all: {deliveries}, {parts}{ended}")
    IN_ROWS_LEFT = Text("In the rows that are left: {deliveries}, {parts}{ended}")
    LET_GO = Text("; {last} let go of it at {let_go_at}")
    LOST_THE_QUEUE = Text("; it had lost the queue meanwhile and committed nothing.")
    MEANWHILE = Text("; meanwhile {what} ({number}, {when})")
    NEVER_HANDLED = Text("never handled")
    NOBODY_OWNS = Text("Nobody owns the queue.")
    NOBODY_OWNS_POPPED = Text("{group} pops, so nobody owns the queue.")
    NOTHING_COMMITTED = Text("{offset} is not committed at {at}: {group} has committed no offset there.")
    NOTHING_STORED = Text("{offset}: nothing is stored there; the queue ends at offset {end:,}.")
    NOT_ACKNOWLEDGED_BY_APPLICATION = Text(
        "{instance} had it {when}; its application failed and did not acknowledge it."
    )
    NOT_COMMITTED = Text("{offset} is not committed at {at}: {group} has committed {committed:,} there.")
    NOT_DELIVERED = Text("It was not delivered: {reasons}.")
    NOT_DELIVERED_FILTERED = Text(
        "It was not delivered; a message with a tag that the group does not read is passed so."
    )
    NOT_DELIVERED_POPPED = Text(
        "No delivery of it is in the tables: its tag is not read, or its pop was not answered and it comes through "
        "the retry topic."
    )
    NOT_IN_ROWS_LEFT = Text(
        "No delivery of it is in the rows that are left, and whether there was one is not known: {removed}."
    )
    NOT_KNOWN = Text("{offset}: the table stored was not written, so it is not known whether it was delivered.")
    NO_ACKNOWLEDGEMENT = Text("{instance} had it {when}; no acknowledgement of it reached the broker.")
    NO_FURTHER = Text("; the tables, which end at {end}, have no further delivery.")
    OFFSET = Text("Offset {offset:,} of {topic}, {broker} queue {queue}")
    OUTCOME_AGAIN_IN_5_S = Text("it could not be sent back, and the instance tries again after 5 s")
    OUTCOME_DEAD_LETTER = Text("it was given up, as a dead letter in %DLQ%{group}")
    OUTCOME_IN_PLACE = Text("the queue stands still until it comes again")
    OUTCOME_INVISIBLE_AGAIN = Text("it is invisible again, to come once more through the retry topic")
    OUTCOME_NEXT_OWNER = Text("the instance had lost the queue, and the next owner gets it")
    OUTCOME_NOT_ACKNOWLEDGED = Text("it was not acknowledged, and comes again when its invisible time is over")
    OUTCOME_NOT_SENT_BACK = Text("the instance no longer cached it, so it was not sent back")
    OUTCOME_SENT_BACK = Text("it was sent back, to come again through %RETRY%{group}")
    OUTCOME_SENT_BY_CLIENT = Text("the client itself sent it again, to %RETRY%{group}")
    OWNER = Text("{instance} owns the queue since {since}.")
    OWNER_NOT_KNOWN = Text("Who owns the queue is not known: the table assignments was not written.")
    PASSED = Text("{offset} is behind the group: {group} has committed {committed:,}.")
    POPPED_UNSEEN = Text(
        "Before that {count:,} {count:pop|pops} gave it out, and no instance handled it: the answer was lost, or the "
        "message waited for a thread until it was due again."
    )
    RUN_WITH_TABLES = Text("Run with --tables ...,stored,assignments,consumed.")
    SKIPPED = Text("{count:,} of the queue {count:was|were} skipped")
    SKIPPED_AS_DUPLICATE = Text("skipped as a duplicate {times}")
    STORED = Text("{offset} was stored at {at}.")
    TOO_LATE = Text("{instance} had it {when}; its acknowledgement came after the invisible time, or never.")
    UNACKNOWLEDGED_IN_TIME = Text("{count:,} not acknowledged in time")
    WHEN = Text("from {begin} to {end} on thread {thread}")
    WHEN_CONSUMED_NOT_KNOWN = Text(
        "When and by whom it was consumed, if it was, is in the table consumed; run with --tables ...,consumed."
    )
