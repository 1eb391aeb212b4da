"""Why a run has no figure of a measure, and what an arm does to consumers and to what becomes readable later."""

from __future__ import annotations

from state.texts import Text


class MeasureTexts:
    """Why no run of a scenario has a figure of a measure."""

    EDGE_AFTER_END = Text(
        "it counts from the end of the last fault, or of the load's last step down, and the run ends before"
    )
    EVERY_GROUP = Text("every group")
    FEW_BINS = Text("expected at least {least} between the warm-up and the first fault, and after the last")
    HANDLES_ALL = Text("{group} handles every message: it has no fails, and no fault of the kind fail")
    NEITHER_EDGE = Text(
        "it counts from the end of the last fault, or of the load's last step down, and there is neither"
    )
    NOTHING_DELAYED = Text("nothing is delayed: no producers have delay, and no consumer group has retries")
    NOT_A_SET = Text("{broker} has neither replicas nor slaves")
    NOT_IN_TRANSACTIONS = Text("{group} does not send in transactions")
    NO_CONSUMERS = Text("the scenario has no consumers")
    NO_FAULT = Text("it counts from the end of the last fault, and there is none")
    NO_SET = Text("no broker has replicas or slaves")
    NO_TRANSACTIONS = Text("no producers have transaction")
    ORDER_NOT_CHECKED = Text("it is counted where a topic has check_order: true")
    POPS = Text("{group} pops, and {measure} is not counted of it; redelivered_percent[{group}] has what comes again")
    PULLS = Text("{group} pulls: its consume_mode is not POP")
    SHARES_NO_QUEUES = Text("{group} has no owners of queues: it pops, or each instance reads all queues")


class DifferenceTexts:
    """What an arm does to a consumer group, or to messages that become readable later; theirs: of the base."""

    BACKLOG = Text("leaves a backlog of up to {ours} {ours:message|messages} of {group} instead of {theirs}")
    CHECK_BACKS = Text("makes {ours} check-backs instead of {theirs}")
    CONSUMED_LATE = Text("{group} consumes with a p99 of {ours} instead of {theirs}")
    CONSUMED_WHERE_BASE_NOT = Text(
        "{group} consumes with a p99 of {ours} instead of not 99 % of its messages within the run"
    )
    CONSUMED_TWICE = Text("{ours} of the deliveries of {group} are of messages consumed before, instead of {theirs}")
    DEAD_LETTERS = Text("{group} gives up {ours} {ours:message|messages} instead of {theirs}")
    DOUBLE_OWNED = Text("queues of {group} have several owners for {ours} instead of {theirs}")
    DRAINED = Text("drains {group} in {ours} instead of {theirs}")
    DRAINED_WHERE_BASE_NOT = Text("drains {group} in {ours} instead of not within the run")
    INSTANCES = Text("runs {ours} {ours:instance|instances} of {group} instead of {theirs}")
    INVISIBLE = Text("{group} leaves {ours} {ours:message|messages} invisible at the end instead of {theirs}")
    LATE = Text("delivers delayed messages late by a p99 of {ours} instead of {theirs}")
    LATE_WHERE_BASE_NEVER = Text(
        "delivers delayed messages late by a p99 of {ours} instead of not 99 % of them within the run"
    )
    MISSED = Text(
        "{group} misses {ours} {ours:message, which is|messages, which are} deleted before, instead of {theirs}"
    )
    NOT_CONSUMED = Text(
        "{group} does not consume 99 % of its messages within the run instead of with a p99 of {theirs}"
    )
    NOT_DRAINED = Text("does not drain {group} within the run instead of in {theirs}")
    NOT_ON_TIME = Text("does not deliver 99 % of delayed messages within the run instead of late by a p99 of {theirs}")
    NOT_READABLE = Text(
        "does not make 99 % of messages of transactions readable within the run instead of after a p99 of {theirs}"
    )
    OUT_OF_ORDER = Text("{group} consumes {ours} out of order instead of {theirs}")
    READABLE = Text("makes messages of transactions readable after a p99 of {ours} instead of {theirs}")
    READABLE_WHERE_BASE_NOT = Text(
        "makes messages of transactions readable after a p99 of {ours} instead of not 99 % of them within the run"
    )
    REDELIVERED = Text("{group} gets {ours} of what it popped again instead of {theirs}")
    RETRIED = Text("{group} fails to handle {ours} of its deliveries instead of {theirs}, and retries them")
    REVIVED = Text(
        "{ours} {ours:delivery|deliveries} of {group} {ours:comes|come} again, not acknowledged in time, "
        "instead of {theirs}"
    )
    SCALED = Text("starts and stops {ours} {ours:instance|instances} of {group} instead of {theirs}")
    SKIPPED = Text("{group} skips {ours} {ours:message|messages}, which it never consumes, instead of {theirs}")
    UNOWNED = Text("queues of {group} have no owner for {ours} instead of {theirs}")
