"""What is printed about the message or attempt that is to be explained."""

from __future__ import annotations

from simulator.texts import Text


class ExplainTexts:
    """What is printed about the message or attempt that is to be explained."""

    ATTEMPTS_NOT_WRITTEN = Text("this run was asked not to write the table attempts, which names the queues")
    MOMENT_EXPECTED = Text("expected a moment of virtual time such as 10:42, 1:02:03 or 63.1s")
    MORE_THAN_ONE = Text("message {message} is there for more than one {name}: give {option} ({known})")
    NO_ATTEMPT_AFTER = Text("no attempt{to} at or after {at}; {reached}")
    NO_ATTEMPT_OF = Text("no attempt of message {message}; {reached}")
    NO_CONSUMERS = Text("the run has no consumers; --group asks about one of their groups")
    NO_DEAD_LETTER_QUEUES = Text("no table has the queues of dead letters; name the message in {known}")
    NO_QUEUE = Text("the table stored has no queue {queue} of {topic} on {broker}")
    NO_SUCH_ATTEMPT = Text("the message made {made}, numbered from 1")
    PRODUCER_EXPECTED = Text("expected 0 to {most}")
    WHICH_OFFSET = Text("which message? give --broker, --queue and --offset of it with --group")
    WHICH_TOPIC = Text("--topic: which one? {topics}")
