"""What producers know of the topics' routes: polls of the name server, and what a changed route rebuilds.

Only for runs in which a route can change (ROUTES_ON). The rules are those of client/route_table.py; a route that a
name server delivers is a version, so that "not changed" is "the same version".
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
from simulator.engine.layout import (
    AUTO_QUEUES,
    AUTO_SIZE,
    AUTO_TOPICS,
    AUTO_VERSION,
    BROKERS,
    CREATED,
    FIRST_THREAD,
    MASTERS,
    NAME_SERVERS,
    NEXT_POLL_US,
    NO_ANSWER,
    NOT_EXISTING,
    NUMBERS,
    OWN_QUEUES,
    POLL_PERIOD_US,
    POLL_PHASE_US,
    POLL_PLACE,
    POLL_PRODUCER,
    POLL_ROUND_US,
    POLLER_SIZE,
    POLLERS,
    POOL_COUNT,
    POOL_FIRST,
    PRODUCER,
    PRODUCER_ROUTES,
    PRODUCER_ROWS,
    PRODUCER_SIZE,
    PRODUCERS,
    ROUTE_AT_US,
    ROUTE_COUNT,
    ROUTE_FIRST,
    ROUTE_PLACE_SIZE,
    ROUTE_ROW_SIZE,
    ROUTE_TIMES,
    ROUTE_VERSION,
    THREAD_COUNT,
    THREAD_SIZE,
    THREADS,
    TOPICS,
    VERSION_QUEUES,
    VERSION_SIZE,
    VERSION_WRITES,
    VERSIONS,
    VIEWS,
)
from simulator.jit import rule


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


@rule()
def _take(c: Any, m: Any, producer: Any, topic: Any, version: Any) -> None:
    """A new TopicPublishInfo: its queue list, and counters that draw their random start again."""
    m[c[PRODUCER_ROUTES] + producer * (1 + c[TOPICS]) + 1 + topic] = version
    row = c[VERSIONS] + version * VERSION_SIZE
    queues = c[row + VERSION_QUEUES]
    poller = c[POLLERS] + producer * POLLER_SIZE
    first = c[poller + FIRST_THREAD]
    pool, count = c[PRODUCER_ROWS] + producer * PRODUCER_SIZE, c[poller + THREAD_COUNT]
    for i in range(count + c[pool + POOL_COUNT]):
        thread = first + i if i < count else c[pool + POOL_FIRST] + i - count
        view = c[VIEWS] + (thread * c[TOPICS] + topic) * VIEW_SIZE
        if c[OWN_QUEUES] == 1:
            if thread == first:
                for cell in range(QUEUE_LIST + m[queues + QUEUE_COUNT] * QUEUE_SIZE):
                    m[m[view + QUEUES] + cell] = m[queues + cell]
        else:
            m[view + QUEUES] = queues
        m[view + WRITES] = c[row + VERSION_WRITES]
        m[view + SEEDED] = 0
        m[view + SEND_WHICH_QUEUE] = 0


@rule()
def _created_version(c: Any, m: Any, topic: Any, version: Any) -> Any:
    """Of a topic that sends create: the version for the brokers that have it by now, NOT_EXISTING if none has."""
    if version < 0 or c[c[AUTO_TOPICS] + topic * AUTO_SIZE + AUTO_VERSION] < 0:
        return version
    count = m[c[CREATED] + topic * (1 + c[BROKERS])]
    return version + count if count > 0 else NOT_EXISTING


@rule()
def poll(c: Any, m: Any, now_us: Any) -> None:
    """The producer whose turn it is asks for all topics it knows; sets when the next one polls."""
    numbers = c[NUMBERS]
    producer = c[c[POLLERS] + m[numbers + POLL_PLACE] * POLLER_SIZE + POLL_PRODUCER]
    for topic in range(c[TOPICS]):
        known = m[c[PRODUCER_ROUTES] + producer * (1 + c[TOPICS]) + 1 + topic]
        if known >= 0:
            version = _created_version(c, m, topic, _asked(c, m, producer, topic, now_us))
            if version >= 0 and version != known:
                _take(c, m, producer, topic, version)
    m[numbers + POLL_PLACE] += 1
    if m[numbers + POLL_PLACE] == c[PRODUCERS]:
        m[numbers + POLL_PLACE] = 0
        m[numbers + POLL_ROUND_US] += c[POLL_PERIOD_US]
    next_phase = c[c[POLLERS] + m[numbers + POLL_PLACE] * POLLER_SIZE + POLL_PHASE_US]
    m[numbers + NEXT_POLL_US] = m[numbers + POLL_ROUND_US] + next_phase


@rule()
def find(c: Any, m: Any, thread: Any, topic: Any, now_us: Any) -> Any:
    """Number of queues after the name server was asked at once, because nothing usable is known of the topic."""
    producer = c[c[THREADS] + thread * THREAD_SIZE + PRODUCER]
    known = m[c[PRODUCER_ROUTES] + producer * (1 + c[TOPICS]) + 1 + topic]
    asked = _asked(c, m, producer, topic, now_us)
    version = _created_version(c, m, topic, asked)
    if version == NOT_EXISTING and known < 0 and asked >= 0:
        version = asked  # the default route
    if version >= 0:
        _take(c, m, producer, topic, version)
    return m[m[c[VIEWS] + (thread * c[TOPICS] + topic) * VIEW_SIZE + QUEUES] + QUEUE_COUNT]


@rule()
def knows_master(c: Any, m: Any, producer: Any, broker: Any) -> Any:
    """1 if a route that the producer knows names the broker's master."""
    own = c[PRODUCER_ROUTES] + producer * (1 + c[TOPICS]) + 1
    for topic in range(c[TOPICS]):
        version = m[own + topic]
        if version >= 0 and c[c[MASTERS] + version * c[BROKERS] + broker] == 1:
            return 1
    return 0


@rule()
def create_on(c: Any, m: Any, topic: Any, broker: Any) -> None:
    """A broker that gets the first message of a topic creates it, and registers at once.

    Source: TopicConfigManager.createTopicInSendMessageMethod. Builds the version for as many brokers as have it now.
    """
    auto = c[AUTO_TOPICS] + topic * AUTO_SIZE
    if c[auto + AUTO_VERSION] < 0:
        return
    brokers, nums = c[BROKERS], c[auto + AUTO_QUEUES]
    created = c[CREATED] + topic * (1 + brokers)
    if m[created + 1 + broker] == 1:
        return
    m[created + 1 + broker] = 1
    m[created] += 1
    row = c[VERSIONS] + (c[auto + AUTO_VERSION] + m[created]) * VERSION_SIZE
    to = c[row + VERSION_QUEUES]
    m[to + QUEUE_COUNT] = m[created] * nums
    cell = to + QUEUE_LIST
    for one in range(brokers):
        write = c[row + VERSION_WRITES] + one * WRITE_SIZE
        m[write + WRITE_QUEUE_NUMS] = nums if m[created + 1 + one] == 1 else -1
        m[write + WRITE_PERM] = m[created + 1 + one]
        if m[created + 1 + one] == 1:
            for queue_id in range(nums):
                m[cell + QUEUE_BROKER] = one
                m[cell + QUEUE_ID] = queue_id
                cell += QUEUE_SIZE
