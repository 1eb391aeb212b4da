"""What is printed about faults of a scenario."""

from __future__ import annotations

from state.texts import Text


class FaultTexts:
    """What is printed about faults of a scenario."""

    A_FACTOR = Text("a factor above 0 and at most {most} with at most six decimals")
    A_PROBABILITY = Text("a probability above 0 and below 1 with at most six decimals")
    BROKERS_EXPECTED = Text("expected a number of brokers such as {{any: 2}}, got {got}")
    CONSUMER_LATENCY = Text("a consumer is slow by a factor; expected factor instead")
    CUTS_ONE_SIDE = Text("a fault cuts off producers or consumers; write two faults, one for each")
    DURATION_MISSING = Text("missing; expected a duration such as 60s")
    EMPTY_LIST = Text("expected at least one {what}, got an empty list")
    EVERY_BELOW_FOR = Text("expected at least for, {least}, got {got}")
    EVERY_WITHOUT_LENGTH = Text("a repetition needs a length; set for too")
    EXCLUSIVE = Text("{first} and {second} exclude each other; keep one")
    HAPPENS_ONCE = Text("kind {kind} happens once, at its moment; leave it out")
    KIND_EXPECTED = Text("expected a fault kind such as hang, got {got}")
    LINK_ONLY = Text("kind {kind} affects {link} only; expected kind partition, or no consumer")
    MORE_THAN_ALL = Text("expected at most {most}, all brokers, got {got}")
    CONTROLLER_EXPECTED = Text("expected the number of a controller from 1, a list of them, all, or leader, got {got}")
    NAME_SERVER_EXPECTED = Text("expected the number of a name server from 1, a list of them, or all, got {got}")
    NEEDED = Text("missing; kind {kind} needs it{other}")
    NOT_OF_PROXIES = Text("proxies have no kind {kind}; {expected}")
    NOT_OF_THIS_KIND = Text("only {owners} it, and this is kind {kind}")
    NO_BROKER_FITS = Text("no broker fits {target}; known: {known}")
    NO_CONTROLLER = Text("expected at most controllers.count, {count}")
    NO_INSTANCE = Text("no {what} {target}: the scenario has no {several}")
    NO_NAME_SERVER = Text("no name server {number}; name_servers.count is {count}")
    NO_REPLICA = Text("{broker} has no replica {number}: it has {count}, by its replicas and mode")
    OTHER_KEY = Text("kind {kind} affects a {affected}; name it in {target}")
    OTHER_TARGET = Text("expected one of {kinds}, or another target than proxy")
    RAMP_ABOVE_FOR = Text("expected at most for, {most}, got {got}")
    SEND_STATUS = Text("{got} is a send status; use kind: status")
    TO_ABOVE_AT = Text("expected at most at, {at}, got {got}")
    UNTIL_NOT_ABOVE_AT = Text("expected above at, {at}, got {got}")
    UNTIL_WITHOUT_EVERY = Text("it ends a repetition; set every too, or give the length in for")
