"""What a part of a policy does that it must not, as the end of a sentence."""

from __future__ import annotations

from state.texts import Text


class BreachTexts:
    """What a part of a policy does that it must not, as the end of a sentence."""

    ALLOWED_ANSWER = Text("allowed answers {answer}; expected 0 or 1")
    ALLOWED_CHANGES = Text("allowed changes its state: it is asked for brokers that are not chosen, too")
    CANNOT_START = Text("cannot be started: {kind}: {error}")
    HEDGE_ANSWER = Text("hedge answers {answer}; expected NO_HEDGE or microseconds above 0, up to an hour")
    MAY_HEDGE_ANSWER = Text("may_hedge answers {answer}; expected 0 or 1")
    NOT_ALLOWED = Text("choose takes a queue of a broker that is not allowed: ask.allowed[broker] is 0")
    NOT_FROM_ITS_ARGUMENTS = Text(
        "answers otherwise from the same start: it must follow from its state and arguments alone"
    )
    NOT_FROM_ITS_STATE = Text(
        "answers otherwise once its state was stored and restored: all it remembers must be in its record"
    )
    NO_CHOICE = Text("choose answers NO_PLACE although a broker of the list is allowed")
    NO_PARAMETER = Text("names {name} as its period, which is none of its parameters")
    NO_RULE = Text("has no rule {rule}")
    OUTSIDE_THE_LIST = Text("choose answers place {place} in a list of {count} {count:queue|queues}")
    OUTSIDE_A_REGION = Text("uses an index outside a region: {error}")
    RETRY_ANSWER = Text("retry answers {answer}; expected NO_RETRY or microseconds up to an hour")
    TOO_MANY_NUMBERS = Text(
        "needs {cells:,} {cells:number|numbers} for {brokers:,} {brokers:broker|brokers}; at most {most:,}"
    )
    UNKNOWN_RULE = Text("has a rule {rule} that nobody calls; known: {known}")
    WAIT_ANSWER = Text("wait answers {answer}; expected microseconds up to an hour")
