"""What is printed about the message or attempt that is to be explained."""

from __future__ import annotations

from simulator.texts import Text


class ExplainTexts:
    """What is printed about the message or attempt that is to be explained."""

    ATTEMPTS_NOT_WRITTEN = Text("this run was asked not to write the table attempts, which names the queues")
    LOCAL_BEFORE = Text("the attempt before went to {broker}; the brokers of a message are chosen as it begins")
    LOCAL_NOT_ISOLATED = Text("as the message began the client had not isolated it, or had isolated all")
    MOMENT_EXPECTED = Text("expected a moment of virtual time such as 10:42, 1:02:03 or 63.1s")
    MORE_THAN_ONE = Text("message {message} is there for more than one {name}: give {option} ({known})")
    NO_ATTEMPT_AFTER = Text("no attempt{to} at or after {at}; {reached}")
    NO_ATTEMPT_OF = Text("no attempt of message {message}; {reached}")
    NO_CONSUMERS = Text("the run has no consumers; --group asks about one of their groups")
    NO_DEAD_LETTER_QUEUES = Text("no table has the queues of dead letters; name the message in {known}")
    NO_QUEUE = Text("the table stored has no queue {queue} of {topic} on {broker}")
    NO_SUCH_ATTEMPT = Text("the message made {made}, numbered from 1")
    PRODUCER_EXPECTED = Text("expected 0 to {most}")
    PROXY_AGE = Text("a proxy chooses its queues until it reads its route again, which it does when that is {age} old")
    PROXY_BEFORE = Text("the attempt before went to {broker}: a proxy does not leave that broker out")
    PROXY_BLIND = Text(
        "no route changes, and proxies do not measure brokers (send_latency_enable is off), so none leaves it out"
    )
    PROXY_CLIENT = Text("rocketmq-client-java {release} over a proxy")
    PROXY_MEASURES = Text(
        "the proxy (send_latency_enable) leaves out a broker once its own attempts there were slow or failed"
    )
    PROXY_UNAWARE = Text("no route names it, so the proxy does not know of it")
    WHICH_OFFSET = Text("which message? give --broker, --queue and --offset of it with --group")
    WHICH_TOPIC = Text("--topic: which one? {topics}")
