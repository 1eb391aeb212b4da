"""What strategies make of names: the order of queues and consumers, rooms, hashes, and the words of their exceptions.

Source: rocketmq 4.2.0-5.3.3, common.message.MessageQueue, common.consistenthash.MD5Hash, String.split.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cmp_to_key
from hashlib import md5

from simulator.client.faults.hash_order import java_hash, java_order
from simulator.client.java_int import wrap_int
from simulator.consumer.allocation import sharing as shares

Queue = tuple[str, str, int]  # topic, broker name, queue id

EXCEPTIONS: Mapping[int, tuple[str, str]] = {
    shares.CID_EMPTY: ("IllegalArgumentException", "currentCID is empty"),
    shares.QUEUES_EMPTY: ("IllegalArgumentException", "mqAll is null or mqAll empty"),
    shares.MEMBERS_EMPTY: ("IllegalArgumentException", "cidAll is null or cidAll empty"),
    shares.QUEUE_WITHOUT_ROOM: ("IllegalArgumentException", "Machine room is null for mq {}"),
    shares.CONSUMER_WITHOUT_ROOM: ("IllegalArgumentException", "Machine room is null for consumer id {}"),
    shares.CONSUMERIDCS_NULL: (
        "NullPointerException",
        'Cannot invoke "java.util.Set.contains(Object)" because "this.consumeridcs" is null',
    ),
    shares.CONFIG_NULL: (
        "NullPointerException",
        'Cannot invoke "java.util.Collection.toArray()" because "c" is null',
    ),
    shares.MEMBERS_NULL: (
        "NullPointerException",
        'Cannot invoke "java.util.List.indexOf(Object)" because "cidAll" is null',
    ),
    shares.QUEUES_NULL: ("NullPointerException", 'Cannot invoke "java.util.List.iterator()" because "mqAll" is null'),
}


def queue_text(queue: Queue) -> str:
    """MessageQueue.toString."""
    topic, broker_name, queue_id = queue
    return f"MessageQueue [topic={topic}, brokerName={broker_name}, queueId={queue_id}]"


def queue_hash_code(queue: Queue) -> int:
    """MessageQueue.hashCode."""
    topic, broker_name, queue_id = queue
    code = 1
    for part in (java_hash(broker_name), queue_id, java_hash(topic)):
        code = 31 * code + part
    return wrap_int(code)


def sorted_queues(queues: Iterable[Queue]) -> list[Queue]:
    """Collections.sort of message queues: topic, broker name, queue id, the ids compared by int subtraction."""
    return sorted(queues, key=cmp_to_key(_compare))


def sorted_ids(ids: Iterable[str]) -> list[str]:
    """Collections.sort of consumer ids."""
    return sorted(ids, key=java_order)


def _compare(one: Queue, other: Queue) -> int:
    mine, others = (java_order(one[0]), java_order(one[1])), (java_order(other[0]), java_order(other[1]))
    if mine != others:
        return -1 if mine < others else 1
    return wrap_int(one[2] - other[2])


def ring_hash(key: str) -> int:
    """MD5Hash: the first four bytes of the digest, unsigned."""
    return int.from_bytes(md5(key.encode(), usedforsecurity=False).digest()[:4], "big")


def room_of(broker_name: str) -> str | None:
    """The room of a broker named `room@broker`; None where Java's split on @ does not give two parts."""
    parts = broker_name.split("@")
    while parts and not parts[-1]:
        parts.pop()
    return parts[0] if len(parts) == 2 else None


def exception_of(answer: int, culprit: str = "") -> tuple[str, str] | None:
    """The exception (class, message) that an answer of `allocate` stands for, None for no exception.

    `culprit` is the queue's text or the consumer's id that the message names.
    """
    if answer >= shares.NULL:
        return None
    name, message = EXCEPTIONS[answer]
    return f"java.lang.{name}", message.format(culprit)


def room_numbers(rooms: Sequence[str | None]) -> tuple[list[int], int]:
    """Numbers of rooms in the order of their names, NO_ROOM for null and empty ones, and how many there are."""
    names = sorted({room for room in rooms if room}, key=java_order)
    numbers = {name: number for number, name in enumerate(names)}
    return [numbers[room] if room else shares.NO_ROOM for room in rooms], len(names)
