"""What the numbers in the records of a replay mean."""

from __future__ import annotations

from simulator.run.reject_texts import RejectTexts

NONE = -(1 << 62)  # the recording has no value here

# whether the hand-over of an asynchronous message is charged
NEVER, DUE, DONE = range(3)

# phase of a sender
IDLE = 0
SELECTED = 1  # a queue was selected
ENDED = 2  # the attempt ended, its fault update is due
CHARGED = 3

# event of an input row
ROUTE, SELECT, ATTEMPT_END, FAULT_UPDATE, SEND_END = range(5)
FINISH = 5  # the recording ended: what still waits to be known stays open
EVENTS = ("route", "select", "attempt_end", "fault_update", "send_end")

# kind of a decision
KIND_SELECT, KIND_TIMEOUT, KIND_FAULT_UPDATE, KIND_AFTER_ATTEMPT, KIND_SEND_END = range(5)
KINDS = ("select", "timeout", "fault_update", "after_attempt", "send_end")
DECISIONS_A_ROW = 3  # at most: a select also settles the attempt before it and gives a timeout

# what follows: codes.RETRY, RETURN and THROW of an attempt, and
BUDGET = 3  # the attempt would be retried, but the message's budget is used up
GOES_OUT = 4  # a selection that an attempt is made with
NO_ATTEMPT = 5  # a selection after which the budget is used up
AFTER_NAMES = ("retry", "return", "throw", "budget", "attempt", "no_attempt")

# why a row cannot be replayed
OK = 0
NOT_SELECTED = 1
NOT_ENDED = 2
NO_SEND = 3
UNKNOWN_ROUTE = 4
NO_SEED = 5
NOT_CHARGED = 6
REFUSALS = (
    "",
    RejectTexts.NOT_SELECTED(),
    RejectTexts.NOT_ENDED(),
    RejectTexts.NO_SEND(),
    RejectTexts.UNKNOWN_ROUTE(),
    RejectTexts.FIRST_USE_UNSEEN(),
    RejectTexts.NOT_CHARGED(),
)
