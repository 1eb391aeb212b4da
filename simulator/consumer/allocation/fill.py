"""Fill the record that a group's allocations read, from names; not hot."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from simulator.compiled.records import Array, Cells, size_of
from simulator.consumer.allocation import sharing as shares
from simulator.consumer.allocation.names import Queue, queue_text, ring_hash, room_numbers, room_of
from simulator.consumer.allocation.sharing import Sharing, result_size

LISTS = ("queues", "members", "kept", "near", "near_members")
VIRTUAL_NODES = 10  # default virtualNodeCnt
TIMES_LISTED = 8  # ring points are known for a consumer that stands in the list that often


@dataclass(frozen=True, kw_only=True)
class Strategy:
    """An allocateMessageQueueStrategy and its settings; rooms are by broker name and by consumer id.

    `config` is that of every consumer, `configs` of each by its id, where processes are configured apart.

    Raises ValueError for an unknown strategy and for a negative number of virtual nodes (as its constructor does).
    """

    name: str
    inner: str = "AVG"
    config: Sequence[Queue] | None = None
    configs: Mapping[str, Sequence[Queue]] = field(default_factory=dict)
    consumeridcs: frozenset[str] | None = None
    virtual_nodes: int = VIRTUAL_NODES
    broker_rooms: Mapping[str, str | None] = field(default_factory=dict)
    consumer_rooms: Mapping[str, str | None] = field(default_factory=dict)
    hash_of: Callable[[str], int] = ring_hash

    def __post_init__(self) -> None:
        for name in (self.name, self.inner):
            if name not in shares.STRATEGIES:
                raise ValueError(f"unknown strategy {name!r}: the strategies are {', '.join(shares.STRATEGIES)}")
        if self.virtual_nodes < 0:
            raise ValueError(f"illegal virtualNodeCnt :{self.virtual_nodes}")

    @property
    def hashes(self) -> bool:
        """Whether a ring is asked."""
        return "CONSISTENT_HASH" in (self.name, self.inner if self.name == "MACHINE_ROOM_NEARBY" else "")


def sharing_memory(
    strategy: Strategy,
    queues: Sequence[Queue],
    consumers: Sequence[str],
    *,
    longest_queues: int | None = None,
    longest_members: int | None = None,
    times_listed: int = TIMES_LISTED,
) -> Array:
    """The memory of a Sharing, which lies at its begin: queues and consumers are numbered as they stand here.

    `queues` holds the configured ones too. The lists that are shared later have at most `longest_queues` and
    `longest_members` entries, by default one for each; none stands among the members more than `times_listed` times.
    Raises LookupError for a configured queue that is not among them.
    """
    number = {queue: place for place, queue in enumerate(queues)}
    rooms, room_count = room_numbers(
        [strategy.broker_rooms.get(broker_name) for _, broker_name, _ in queues]
        + [strategy.consumer_rooms.get(consumer) for consumer in consumers]
    )
    own = [strategy.configs.get(consumer, ()) for consumer in consumers] if strategy.configs else []
    config = [number[queue] for queues_of_one in (own or [strategy.config or ()]) for queue in queues_of_one]
    most_queues = len(queues) if longest_queues is None else longest_queues
    most_members = len(consumers) if longest_members is None else longest_members
    points_each = strategy.virtual_nodes * times_listed if strategy.hashes else 0
    hash_of = strategy.hash_of
    parts: dict[str, Sequence[int]] = {
        "config": config,
        "config_ends": np.cumsum([len(each) for each in own], dtype=np.int64).tolist(),
        "idc": [_idc(strategy, broker_name) for _, broker_name, _ in queues],
        "queue_room": rooms[: len(queues)],
        "consumer_room": rooms[len(queues) :],
        "points": [hash_of(f"{consumer}-{j}") for consumer in consumers for j in range(points_each)],
        "queue_point": [hash_of(queue_text(queue)) if points_each else 0 for queue in queues],
        "queues": [0] * most_queues,
        "members": [0] * most_members,
        "kept": [0] * most_queues,
        "near": [0] * most_queues,
        "near_members": [0] * most_members,
        "ring": [0] * (most_members * strategy.virtual_nodes if strategy.hashes else 0),
        "result": [0] * result_size(most_queues, room_count, len(config)),
    }
    memory = np.zeros(size_of(Sharing) + sum(map(len, parts.values())), np.int64)
    sharing = Sharing.at(memory)
    place = size_of(Sharing)
    for name, numbers in parts.items():
        memory[place : place + len(numbers)] = numbers
        found = Cells.of(memory, place, len(numbers))
        if name in LISTS:
            getattr(sharing, name).numbers = found
        else:
            setattr(sharing, name, found)
        place += len(numbers)
    sharing.strategy = shares.STRATEGIES.index(strategy.name)
    sharing.inner = shares.STRATEGIES.index(strategy.inner)
    sharing.has_consumeridcs = strategy.consumeridcs is not None
    sharing.config_count = shares.NULL if strategy.config is None and not own else len(config)
    sharing.configured_apart = int(bool(own))
    sharing.room_count = room_count
    sharing.virtual_nodes = strategy.virtual_nodes
    sharing.points_each = points_each
    return memory


def _idc(strategy: Strategy, broker_name: str) -> int:
    room = room_of(broker_name)
    if room is None:
        return shares.UNNAMED
    return shares.KEPT if room in (strategy.consumeridcs or ()) else shares.FOEPOCH
