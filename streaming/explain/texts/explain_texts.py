"""What is printed about the message or attempt that is to be explained."""

from __future__ import annotations

from state.texts import Text


class ExplainTexts:
    """What is printed about the message or attempt that is to be explained."""

    ACKNOWLEDGED = Text("acknowledged with {result}; {copies}{lost}")
    ATTEMPT = Text("{message}: attempt {attempt} of {attempts}, started at {begin} of virtual time")
    ATTEMPTS_NOT_WRITTEN = Text("this run was asked not to write the table attempts, which names the queues")
    CARRIED = Text(" Another message's attempts carried it, to {broker}.")
    CHOSEN = Text("chosen: {broker} queue {queue}, because {name}: {reason}")
    CHOSEN_NOTHING = Text("nothing: the send ends")
    CLIENT = Text("release {release}, strategy {strategy}")
    COPIES = Text("{stored} stored, {durable} durable")
    COUNTER = Text("sendWhichQueue: {before} before, {after} after")
    COUNTER_DRAWN = Text("sendWhichQueue: drawn at random first, {after} after")
    ENDED = Text("{client}; it ended with {outcome} after {took_ms:,g} ms")
    FAILED = Text("failed with {result}; {copies}{lost}")
    FAULT_TABLE = Text("fault table, best first: {ranked}")
    ISOLATED_UNTIL = Text("yes, until {until}, {left_s:,.3f} s more{reach}")
    KNOWN_BROKERS = Text("The producer's fault items at that moment")
    LOCAL_BEFORE = Text("the attempt before went to {broker}; the brokers of a message are chosen as it begins")
    LOCAL_NOT_ISOLATED = Text("as the message began the client had not isolated it, or had isolated all")
    LOOKED_AT = Text("Queues that the rule looked at, in order")
    LOST = Text(": lost")
    LOST_UNSEEN = Text(": lost unseen")
    MESSAGE = Text("message {message} of topic {topic}, producer {producer}, thread {thread}")
    MOMENT_EXPECTED = Text("expected a moment of virtual time such as 10:42, 1:02:03 or 63.1s")
    MORE_THAN_ONE = Text("message {message} is there for more than one {name}: give {option} ({known})")
    NOT_REACHABLE = Text(", not reachable")
    NOT_STORED = Text(": not stored")
    NO_ATTEMPT_AFTER = Text("no attempt{to} at or after {at}; {reached}")
    NO_ATTEMPT_OF = Text("no attempt of message {message}{of}; {reached}")
    NO_CONSUMERS = Text("the run has no consumers; --group asks about one of their groups")
    NO_DEAD_LETTER_QUEUES = Text("no table has the queues of dead letters; name the message in {known}")
    NO_BROKER = Text(
        "{message}, {attempts} {attempts:attempt|attempts}: this one asked no broker, so nobody chose a queue."
    )
    NO_FAULT_ITEM = Text("no: it has no fault item")
    NO_OWN_ATTEMPT = Text("{message}: it made no attempt of its own, so no queue was chosen for it.{carried}")
    NO_QUEUE = Text("the table stored has no queue {queue} of {topic} on {broker}")
    NO_SUCH_ATTEMPT = Text("the message made {made}, numbered from 1")
    ONE_WAY = Text("one-way, no answer; {copies}{lost}")
    OTHER_RELEASES = Text("What each release would have chosen, from the same counter and fault table")
    PRODUCER_EXPECTED = Text("expected 0 to {most}")
    PROXY_AGE = Text("a proxy chooses its queues until it reads its route again, which it does when that is {age} old")
    PROXY_BEFORE = Text("the attempt before went to {broker}: a proxy does not leave that broker out")
    PROXY_BLIND = Text(
        "no route changes, and proxies do not measure brokers (send_latency_enable is off), so none leaves it out"
    )
    PROXY_CLIENT = Text("{library} {release} over a proxy")
    PROXY_MEASURES = Text(
        "the proxy (send_latency_enable) leaves out a broker once its own attempts there were slow or failed"
    )
    PROXY_OVER = Text("It went over {proxy}.")
    PROXY_UNAWARE = Text("no route changes with it, so the proxy does not know of it")
    PROXY_UNKNOWN_CLIENT = Text("gRPC over a proxy")
    PROXY_UNREACHED = Text("attempt {attempt} reached no broker{over}: {outcome} after {took_ms:,.3g} ms")
    PROXY_UNREACHED_OVER = Text(" over {proxy}")
    REACHED = Text("the tables reach {reached} of virtual time")
    REASON_AFTER_ERROR = Text("an exception inside the selection was swallowed: the queue that the counter names")
    REASON_AVAILABLE = Text("the first queue of an available broker, counted from sendWhichQueue")
    REASON_ENDPOINTS = Text(
        "the gRPC client's next broker that it has not isolated; the broker's own proxy takes any queue"
    )
    REASON_FALLBACK = Text("everything was filtered out: the queue that the counter names")
    REASON_FAULT_TABLE = Text("the scan took no queue: a broker of the better half of the fault table")
    REASON_MESSAGE_GROUP = Text(
        "the queue of all messages of its message group, as long as the route has the same queues"
    )
    REASON_OTHER_BROKER = Text(
        "the strategy is off, and this is another attempt: the next queue of another broker than the last"
    )
    REASON_PLAIN = Text("the strategy is off: the queue that the counter names")
    REASON_POLICY = Text("a policy chose")
    REASON_PROXY = Text("the next queue of the proxy's own route; the client's own choice has no effect")
    REASON_REACHABLE = Text(
        "no broker but that of the attempt before was available: the first queue of another one that is reachable"
    )
    REASON_SELECTOR = Text("the caller's own selector chose; neither counter nor fault table was asked")
    RULE = Text("rule: {rule}: {does}")
    SAME_AGAIN = Text("A second simulation up to this moment makes the same choice.")
    THE_MESSAGE = Text("the message: {fate}")
    WANTED_AT = Text(
        "the application wanted to send it at {arrival} of virtual time; it ended {waited_ms:,.3f} ms later: {fate}"
    )
    WHICH_OFFSET = Text("which message? give --broker, --queue and --offset of it with --group")
    WHICH_TOPIC = Text("--topic: which one? {topics}")
