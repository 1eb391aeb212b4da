"""What is printed about the file of a hunt, and about what it found."""

from __future__ import annotations

from state.texts import Text


class HuntTexts:
    """What is printed about the file of a hunt."""

    AN_EMPTY_LIST = Text("an empty one")
    A_YEAR_EXPECTED = Text("expected how often it happens a year, such as 0.5, got {got}")
    CANNOT_BE_READ = Text("the simulator cannot read it: {error}")
    END_BELOW_DURATION = Text("expected an end below the duration, {duration}, got {got}")
    FAULTS_EXPECTED = Text("expected a list such as [{{kind: hang, broker: each, for: 1s..60s}}], got {got}")
    FAULT_EXPECTED = Text("expected a fault such as {{kind: hang, broker: each, for: 1s..60s}}, got {got}")
    GOALS_EXPECTED = Text('expected a list such as ["lost == 0"], got {got}')
    KIND_MISSING = Text("missing; expected a fault kind such as hang")
    NOBODY_TO_STRIKE = Text("the scenario has no {what} that it could strike")
    NOTHING_CAN_HAPPEN = Text("no fault of the space can happen in this scenario: {why}")
    NOT_OF_CONSUMERS = Text("consumers have no kind {kind}")
    NOT_OF_PRODUCERS = Text("transactional producers have no kind {kind}; expected one of {known}")
    NOT_OF_PROXIES = Text("proxies have no kind {kind}; expected one of {known}")
    NO_FAULTS = Text("it has none")
    NO_VALUES = Text("expected at least one value, got an empty list")
    PLACE_EXPECTED = Text("expected one of {known}, got {got}")
    RANGE_EXPECTED = Text("expected a range such as 30s..2m, got {got}")
    RISING_RANGE_EXPECTED = Text("expected a range that rises, such as {example}, got {got}")
    RUN_FAILED = Text("the run ends with an error, {error}")
    SETTINGS_EXPECTED = Text(
        "expected lists of values by key, such as {{client.send_latency_fault_enable: [false, true]}}, got {got}"
    )
    SIMULATOR_FAILED = Text("the simulator failed with {error}")
    SUCH_AS = Text("of {kind}, {why}")
    VALUE_EXPECTED = Text("expected a value or a range such as 2..50, got {got}")


class CaseTexts:
    """A found case: what strikes whom, what a run comes to by a measure, and how often that happens."""

    ALL_PRODUCERS = Text("all producers")
    AND_AT_ONCE = Text("and at once {struck}")
    BACK = Text("shares and p99 are back after {figure} s")
    BEHIND = Text("{place} is behind by {figure} {count:message|messages}")
    BY_FACTOR = Text(" by a factor of {factor}")
    CASE = Text("{happening}: {comes_to}")
    CONSUMED_TWICE = Text("{figure} % of the consumptions of {place} are repeated")
    DEAD_LETTERS = Text("{figure} {count:message|messages} of {place} {count:is|are} given up as dead letters")
    DOUBLE_OWNED = Text("queues of {place} have two owners for {figure} s")
    DRAINING = Text("the backlog of {place} takes {figure} s to drain")
    EACH_FOR = Text(", each for {each}")
    EVERY = Text("every {what}")
    FAILED = Text("{figure} {count:message fails|messages fail}")
    FAILED_PERCENT = Text("{figure} % of the messages fail")
    FOR_TIME = Text(" for {length}")
    FROM_BROKER = Text(" from {broker}")
    HOW_OFTEN_UNKNOWN = Text("how often is not known")
    ISOLATED = Text("{place} is isolated for {figure} s")
    LATER = Text("and {gap} later {struck}")
    LOST = Text("{figure} acknowledged {count:message is|messages are} lost")
    LOST_UNSEEN = Text("{figure} one-way {count:message is|messages are} lost")
    MISSED = Text("{figure} {count:message is|messages are} deleted before {place} has consumed {count:it|them}")
    MORE_LOAD = Text("{who} send {times} times as much for {length}")
    NAME_SERVER = Text("name server {number}")
    NOTHING_ADDED = Text("Without any added fault")
    NOT_BACK = Text(
        "shares and p99 are not back when the run ends, {figure} s after the last fault or step of the load"
    )
    NOT_DRAINED = Text(
        "the backlog of {place} is not drained when the run ends, {figure} s after the last fault or step of the load"
    )
    NOT_STORED = Text("{figure} failed {count:message is|messages are} not stored")
    ONCE_A_YEAR = Text("about once a year")
    ONCE_IN_YEARS = Text("about once in {years} {years:year|years}")
    P99 = Text("p99 is {figure} ms")
    P999 = Text("p99.9 is {figure} ms")
    SHARE = Text("{place} gets {figure} % of the attempts")
    SKIPPED = Text("{figure} {count:message is|messages are} skipped by {place}")
    STRUCK = Text("{place} {happens}{source}{factor}{each}{length}")
    TIMES_A_YEAR = Text("about {times} {times:time|times} a year")
    UNOWNED = Text("queues of {place} have no owner for {figure} s")
    WHILE = Text("while {struck}")
    WITH_SETTINGS = Text(", with {settings}")


class CauseTexts:
    """A proven consequence of a case, with its size, and the causes that were left out to prove it."""

    BACKLOG = Text("{place} is behind by {size} {size:message|messages}")
    BECAUSE = Text("{consequence}, because {causes}{without}")
    CONSUMED_TWICE = Text("{place} consumes {size} {size:message|messages} again")
    DELIVERED_AGAIN = Text("{place} delivers {size} {size:message|messages} again")
    DOUBLE_OWNED = Text("queues of {place} have two owners for {size} s")
    DUPLICATES = Text("{size} {size:duplicate|duplicates} of messages of {place}")
    FAILED = Text("{size} {size:message|messages} of {place} {size:fails|fail}")
    FIRST_OF_TWO = Text("the first")
    FAILED_DELIVERIES = Text("{size} {size:delivery|deliveries} of {place} {size:fails|fail}")
    IT = Text("it")
    FAILED_STARTS = Text("{size} {size:start of an instance|starts of instances} of {place} {size:fails|fail}")
    LATE_DELAYS = Text("delayed messages of {place} are up to {size} ms late")
    LATE_TRANSACTIONS = Text("{size} {size:message|messages} of {place} {size:is|are} readable late")
    READABLE_TWICE = Text("{size} {size:message|messages} of {place} {size:is|are} readable again")
    LOST_POPS = Text("{size} popped {size:message is|messages are} lost to {place}")
    NEVER_SENT = Text("{size} {size:message|messages} of {place} {size:is|are} not sent")
    NO_MASTER = Text("{place} has no master for {size} s")
    NOT_PROVEN = Text("Its causes could not be proven: the simulator failed with {error}")
    REFUSED_POPS = Text("{size} {size:pop|pops} of {place} {size:is|are} refused")
    RETRIES = Text("{size} {size:message|messages} of {place} {size:needs|need} more than one attempt")
    REVIVED = Text(
        "{size} {size:delivery|deliveries} of {place} {size:comes|come} again, not acknowledged within the "
        "invisible time"
    )
    SECOND_OF_TWO = Text("the second")
    UNOWNED = Text("queues of {place} have no owner for {size} s")
    WAITS = Text("{size} {size:message|messages} of {place} {size:waits|wait} long")
    WITHOUT = Text("without {which}: {left}")
    WITHOUT_THEM = Text(" ({runs})")
