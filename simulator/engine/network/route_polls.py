"""What producers know of the topics' routes: polls of the name server, and what a changed route rebuilds.

Only for runs in which a route can change (ROUTES_ON). The rules are those of client/routes/route_table.py; a route
that a name server delivers is a version, so that "not changed" is "the same version".
"""

from __future__ import annotations

from typing import Any

from simulator.client.memory import (
    QUEUE_BROKER,
    QUEUE_COUNT,
    QUEUE_ID,
    QUEUE_LIST,
    QUEUE_SIZE,
    QUEUES,
    SEEDED,
    SEND_WHICH_QUEUE,
    VIEW_SIZE,
    WRITE_PERM,
    WRITE_QUEUE_NUMS,
    WRITE_SIZE,
    WRITES,
)
from simulator.compiled.jit import rule
from simulator.engine.layout import (
    AUTO_SIZE,
    AUTO_TOPICS,
    BROKERS,
    CREATED,
    HELD_COUNT,
    IS_CREATED,
    MASTERS,
    NAME_SERVERS,
    NAMED_MASTER,
    NAMED_SLAVES,
    NEXT_POLL_US,
    NO_ANSWER,
    NOT_ASKED,
    NOT_EXISTING,
    NOT_NAMED,
    NOTHING_KNOWN,
    NUMBERS,
    OWNS_QUEUES,
    POLL_PERIOD_US,
    POLL_PHASE_US,
    POLL_PLACE,
    POLL_PRODUCER,
    POLL_ROUND_US,
    POLLER_SIZE,
    POLLERS,
    PRODUCER_ROUTES,
    PRODUCERS,
    ROUTE_AT_US,
    ROUTE_COUNT,
    ROUTE_FIRST,
    ROUTE_PLACE_SIZE,
    ROUTE_ROW_SIZE,
    ROUTE_TIMES,
    ROUTE_VERSION,
    TOPIC,
    TOPICS,
    VERSION_COUNT,
    VERSION_DEFAULT,
    VERSION_QUEUES,
    VERSION_SIZE,
    VERSION_WRITES,
    VERSIONS,
    VIEWS,
)
from simulator.engine.sending.holding import copy_queues, hold, known_before
from simulator.engine.sending.threads import producer_of, producer_of_record, row_at, row_count

FIRST_POLL_US = 10_000  # after the start of a client
FIRST_CLEAN_US = 1_000_000  # the same, of cleanOfflineBroker before each heartbeat
CLEAN_PERIOD_US = 30_000_000


@rule()
def delivered_at(c: Any, name_server: Any, topic: Any, now_us: Any) -> Any:
    """Version that a name server delivers, or NOT_EXISTING or NO_ANSWER."""
    place = c[ROUTE_TIMES] + (name_server * c[TOPICS] + topic) * ROUTE_PLACE_SIZE
    rows = c[ROUTE_TIMES] + c[place + ROUTE_FIRST]
    low, high = 0, c[place + ROUTE_COUNT]
    while high - low > 1:
        middle = (low + high) // 2
        if c[rows + middle * ROUTE_ROW_SIZE + ROUTE_AT_US] <= now_us:
            low = middle
        else:
            high = middle
    return c[rows + low * ROUTE_ROW_SIZE + ROUTE_VERSION]


@rule()
def _asked(c: Any, m: Any, producer: Any, topic: Any, now_us: Any) -> Any:
    """The same for a producer, which moves on to the next name server while its own does not answer."""
    own = c[PRODUCER_ROUTES] + producer * (1 + c[TOPICS])
    for i in range(c[NAME_SERVERS]):
        name_server = (m[own] + i) % c[NAME_SERVERS]
        version = delivered_at(c, name_server, topic, now_us)
        if version != NO_ANSWER:
            m[own] = name_server
            return version
    return NO_ANSWER


@rule(inlined=True)
def _row_of(c: Any, known: Any) -> Any:
    """Offset in c of the version in what is known of a route."""
    return c[VERSIONS] + known % c[VERSION_COUNT] * VERSION_SIZE


@rule(inlined=True)
def _has_created(c: Any, m: Any, topic: Any, known: Any, broker: Any) -> Any:
    """Whether a broker that the known version names is in the route: always, unless sends create the topic."""
    default = c[_row_of(c, known) + VERSION_DEFAULT]
    if default < 0 or default == known:
        return 1
    place = m[c[CREATED] + topic * (1 + c[BROKERS]) + 1 + broker]
    return 1 if 0 < place <= known // c[VERSION_COUNT] else 0


@rule()
def names(c: Any, m: Any, topic: Any, known: Any, broker: Any) -> Any:
    """NAMED_MASTER, NAMED_SLAVES or NOT_NAMED: what a known route says of a broker."""
    named = c[c[MASTERS] + known % c[VERSION_COUNT] * c[BROKERS] + broker]
    return named if named != NOT_NAMED and _has_created(c, m, topic, known, broker) == 1 else NOT_NAMED


@rule()
def _fill_created(c: Any, m: Any, topic: Any, known: Any, queues: Any, writes: Any) -> None:
    """Write the queue list and the write queues of a topic that sends create, for the brokers that have it."""
    row = _row_of(c, known)
    all_queues, all_writes = c[row + VERSION_QUEUES], c[row + VERSION_WRITES]
    to = queues + QUEUE_LIST
    for i in range(m[all_queues + QUEUE_COUNT]):
        entry = all_queues + QUEUE_LIST + i * QUEUE_SIZE
        if _has_created(c, m, topic, known, m[entry + QUEUE_BROKER]) == 1:
            m[to + QUEUE_BROKER] = m[entry + QUEUE_BROKER]
            m[to + QUEUE_ID] = m[entry + QUEUE_ID]
            to += QUEUE_SIZE
    m[queues + QUEUE_COUNT] = (to - queues - QUEUE_LIST) // QUEUE_SIZE
    for broker in range(c[BROKERS]):
        has = _has_created(c, m, topic, known, broker)
        write, own = all_writes + broker * WRITE_SIZE, writes + broker * WRITE_SIZE
        m[own + WRITE_QUEUE_NUMS] = m[write + WRITE_QUEUE_NUMS] if has == 1 else -1
        m[own + WRITE_PERM] = m[write + WRITE_PERM] if has == 1 else 0


@rule()
def _take(c: Any, m: Any, producer: Any, topic: Any, known: Any) -> None:
    """A new TopicPublishInfo: its queue list, and counters that draw their random start again."""
    m[c[PRODUCER_ROUTES] + producer * (1 + c[TOPICS]) + 1 + topic] = known
    row = _row_of(c, known)
    auto = c[AUTO_TOPICS] + topic * AUTO_SIZE
    for place in range(row_count(c, producer)):
        view = c[VIEWS] + (row_at(c, producer, place) * c[TOPICS] + topic) * VIEW_SIZE
        if c[auto + IS_CREATED] == 1:
            if place == 0:
                _fill_created(c, m, topic, known, m[view + QUEUES], m[view + WRITES])
        else:
            if c[auto + OWNS_QUEUES] == 0:
                m[view + QUEUES] = c[row + VERSION_QUEUES]
            elif place == 0:
                copy_queues(m, c[row + VERSION_QUEUES], m[view + QUEUES])
            m[view + WRITES] = c[row + VERSION_WRITES]
        m[view + SEEDED] = 0
        m[view + SEND_WHICH_QUEUE] = 0


@rule()
def _delivered(c: Any, m: Any, topic: Any, version: Any) -> Any:
    """What a producer that is told `version` knows; of a topic that sends create NOT_EXISTING until a broker has it."""
    if version < 0 or c[_row_of(c, version) + VERSION_DEFAULT] < 0:
        return version
    known = version + m[c[CREATED] + topic * (1 + c[BROKERS])] * c[VERSION_COUNT]
    for broker in range(c[BROKERS]):
        if names(c, m, topic, known, broker) != NOT_NAMED:
            return known
    return NOT_EXISTING


@rule()
def _is_changed(c: Any, m: Any, topic: Any, old: Any, new: Any) -> Any:
    """Whether two routes of a topic differ; versions do, so it is a question only where sends create the topic."""
    if old == new:
        return 0
    if c[_row_of(c, new) + VERSION_DEFAULT] < 0 or c[_row_of(c, old) + VERSION_DEFAULT] == old:
        return 1
    old_writes, new_writes = c[_row_of(c, old) + VERSION_WRITES], c[_row_of(c, new) + VERSION_WRITES]
    for broker in range(c[BROKERS]):
        named = names(c, m, topic, new, broker)
        if named != names(c, m, topic, old, broker):
            return 1
        if named != NOT_NAMED:
            for i in range(broker * WRITE_SIZE, (broker + 1) * WRITE_SIZE):
                if m[old_writes + i] != m[new_writes + i]:
                    return 1
    return 0


@rule()
def poll(c: Any, m: Any, now_us: Any) -> None:
    """The producer whose turn it is asks for all topics it sent to; sets when the next one polls."""
    numbers = c[NUMBERS]
    place = c[POLLERS] + m[numbers + POLL_PLACE] * POLLER_SIZE
    producer = c[place + POLL_PRODUCER]
    cleans_us = c[place + POLL_PHASE_US] - FIRST_POLL_US + FIRST_CLEAN_US
    for topic in range(c[TOPICS]):
        known = m[c[PRODUCER_ROUTES] + producer * (1 + c[TOPICS]) + 1 + topic]
        if known == NOT_ASKED:
            continue
        new = _delivered(c, m, topic, _asked(c, m, producer, topic, now_us))
        if new < 0 or (known >= 0 and _is_changed(c, m, topic, known, new) == 0):
            continue
        if known >= 0:
            hold(c, m, producer, topic, known, now_us + (cleans_us - now_us) % CLEAN_PERIOD_US)
        _take(c, m, producer, topic, new)
    m[numbers + POLL_PLACE] += 1
    if m[numbers + POLL_PLACE] == c[PRODUCERS]:
        m[numbers + POLL_PLACE] = 0
        m[numbers + POLL_ROUND_US] += c[POLL_PERIOD_US]
    next_phase = c[c[POLLERS] + m[numbers + POLL_PLACE] * POLLER_SIZE + POLL_PHASE_US]
    m[numbers + NEXT_POLL_US] = m[numbers + POLL_ROUND_US] + next_phase


@rule()
def find(c: Any, m: Any, thread: Any, topic: Any, now_us: Any) -> Any:
    """Number of queues after the name server was asked at once, because nothing usable is known of the topic.

    No send is under way with a list that is empty, so nothing is held.
    """
    producer = producer_of(c, thread)
    known = m[c[PRODUCER_ROUTES] + producer * (1 + c[TOPICS]) + 1 + topic]
    asked = _asked(c, m, producer, topic, now_us)
    new = _delivered(c, m, topic, asked)
    if new == NOT_EXISTING and known < 0 and asked >= 0:
        new = c[_row_of(c, asked) + VERSION_DEFAULT]
    if new >= 0:
        _take(c, m, producer, topic, new)
    elif known == NOT_ASKED:
        m[c[PRODUCER_ROUTES] + producer * (1 + c[TOPICS]) + 1 + topic] = NOTHING_KNOWN
    return m[m[c[VIEWS] + (thread * c[TOPICS] + topic) * VIEW_SIZE + QUEUES] + QUEUE_COUNT]


@rule()
def knows_master(c: Any, m: Any, producer: Any, broker: Any) -> Any:
    """1 if a route that the producer knows names the broker's master."""
    own = c[PRODUCER_ROUTES] + producer * (1 + c[TOPICS]) + 1
    for topic in range(c[TOPICS]):
        if m[own + topic] >= 0 and names(c, m, topic, m[own + topic], broker) == NAMED_MASTER:
            return 1
    return 0


@rule()
def finds_master(c: Any, m: Any, s: Any, broker: Any, now_us: Any) -> Any:
    """1 if the address of the broker's master is found for the record at `s` (findBrokerAddressInPublish).

    Either a known route names it; or the one did that the message began with, cleanOfflineBroker has not run since,
    and no known route names the broker without a master.
    """
    producer = producer_of_record(c, m, s)
    if knows_master(c, m, producer, broker) == 1:
        return 1
    before = known_before(c, m, s, now_us) if c[HELD_COUNT] > 0 else -1
    if before < 0 or names(c, m, m[s + TOPIC], before, broker) != NAMED_MASTER:
        return 0
    own = c[PRODUCER_ROUTES] + producer * (1 + c[TOPICS]) + 1
    for topic in range(c[TOPICS]):
        if m[own + topic] >= 0 and names(c, m, topic, m[own + topic], broker) == NAMED_SLAVES:
            return 0
    return 1


@rule()
def create_on(c: Any, m: Any, topic: Any, broker: Any) -> None:
    """A broker that gets the first message of a topic creates it, and registers at once.

    Source: TopicConfigManager.createTopicInSendMessageMethod.
    """
    if c[c[AUTO_TOPICS] + topic * AUTO_SIZE + IS_CREATED] == 0:
        return
    created = c[CREATED] + topic * (1 + c[BROKERS])
    if m[created + 1 + broker] == 0:
        m[created] += 1
        m[created + 1 + broker] = m[created]
