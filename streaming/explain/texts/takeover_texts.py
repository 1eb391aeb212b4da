"""What is printed about an election of a broker's master that a message, an attempt or an offset went through."""

from __future__ import annotations

from state.texts import Text


class TakeoverTexts:
    """What is printed about an election of a broker's master that a message, an attempt or an offset went through."""

    ELECTED = Text("machine {machine} (epoch {epoch}), elected at {at}: {reason}")
    FIRST_LOST = Text("The first message is lost with its master; {group} was not delivered it.")
    FIRST_LOST_AFTER = Text("The first message, stored at {stored}, is lost with its master; before that {words}")
    FIRST_LOST_REMOVED = Text(
        "The first message is lost with its master; whether it was delivered is not known: {removed}."
    )
    FIRST_LOST_UNKNOWN = Text(
        "The first message is lost with its master; whether it was delivered is in the table consumed."
    )
    GIVEN_AGAIN = Text("It was given out again by {at}.")
    GIVEN_OUT = Text(
        "{name} was given out by a master that is gone since {gone}; {broker} continues at offset {log_end:,} with "
        "{elected}."
    )
    LOST = Text(
        "lost through an election: no other machine of {broker} had it when the master went away at {gone}; its offset "
        "is given again by {elected}"
    )
    NOT_AGAIN = Text("No other message had it at {at}.")
    NOT_NAMED = Text("name servers did not name the new master of {broker} yet: {elected}")
    NO_MASTER = Text("{broker} had no master then: it is gone since {gone}, and the next is {elected}")
    SECOND = Text("The second message: {words}")
    SECOND_NOT_YET = Text("{group} has not consumed the second message at {at}.")
    SECOND_PASSED = Text("{group} has committed {committed:,}, so it is past the second message.")
    SECOND_SKIPPED = Text(
        "The second message is stored and never consumed: {group} had read the first master's messages up to offset "
        "{offset:,}, continued there, and skipped {count:,} {count:message|messages} of this queue by {at}."
    )
    WHEN_CONSUMED = Text("When and by whom it was consumed is in the table consumed; run with --tables ...,consumed.")
