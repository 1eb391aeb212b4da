"""Who gets which queues of a topic, for any lists of queues and consumers."""

from itertools import chain

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from simulator.compiled.records import Cells
from simulator.consumer.allocation import sharing as shares
from simulator.consumer.allocation.fill import Strategy, sharing_memory
from simulator.consumer.allocation.names import exception_of
from simulator.consumer.allocation.sharing import Sharing
from simulator.releases.consumer_release import consumer_of


def queues_of(*brokers, each=4):
    return [("orders", broker, queue_id) for broker in brokers for queue_id in range(each)]


def share(strategy, queues, members, *, release="5.3.3", times_listed=8):
    """Queues of each member, by its id."""
    ids = list(dict.fromkeys(members))
    memory = sharing_memory(
        strategy, queues, ids, longest_queues=len(queues), longest_members=len(members), times_listed=times_listed
    )
    sharing = Sharing.at(memory)
    listed, numbers = np.arange(len(queues)), np.array([ids.index(member) for member in members])
    found = {}
    for me, member in enumerate(ids):
        count = consumer_of(release).allocate(
            sharing, Cells.of(listed), len(queues), Cells.of(numbers), len(members), me
        )
        found[member] = [queues[number] for number in sharing.result.array[:count]] if count >= 0 else count
    return found


def counts(found):
    return [len(queues) for queues in found.values()]


def test_avg_gives_blocks_and_the_first_consumers_one_more():
    found = share(Strategy(name="AVG"), queues_of("a", "b"), ["c1", "c2", "c3"])
    assert counts(found) == [3, 3, 2]
    assert found["c2"] == [("orders", "a", 3), ("orders", "b", 0), ("orders", "b", 1)]


def test_avg_leaves_consumers_over_without_a_queue():
    assert counts(share(Strategy(name="AVG"), queues_of("a", each=2), ["c1", "c2", "c3"])) == [1, 1, 0]


def test_avg_with_an_id_that_is_listed_twice_leaves_a_queue_to_nobody():
    found = share(Strategy(name="AVG"), queues_of("a"), ["c1", "c1", "c2"])
    assert sorted(chain(*found.values())) == [("orders", "a", 0), ("orders", "a", 1), ("orders", "a", 3)]


def test_by_circle_deals_queues_out():
    found = share(Strategy(name="AVG_BY_CIRCLE"), queues_of("a"), ["c1", "c2", "c3"])
    assert found["c1"] == [("orders", "a", 0), ("orders", "a", 3)]


def test_machine_room_of_4_2_0_takes_queues_of_other_rooms():
    strategy = Strategy(name="MACHINE_ROOM", consumeridcs=frozenset(["r2"]))
    queues = queues_of("r1@a", "r2@b", each=2)
    assert share(strategy, queues, ["c1"], release="4.7.1")["c1"] == queues[:2]
    assert share(strategy, queues, ["c1"], release="4.8.0")["c1"] == queues[2:]


def test_machine_room_without_consumeridcs_throws_only_where_a_broker_names_a_room():
    strategy = Strategy(name="MACHINE_ROOM")
    assert share(strategy, queues_of("a"), ["c1"]) == {"c1": []}
    assert share(strategy, queues_of("r1@a"), ["c1"]) == {"c1": shares.CONSUMERIDCS_NULL}


def test_nearby_gives_a_room_without_consumers_to_all():
    strategy = Strategy(
        name="MACHINE_ROOM_NEARBY",
        broker_rooms={"a": "r1", "b": "r2", "c": "r3"},
        consumer_rooms={"c1": "r1", "c2": "r2"},
    )
    found = share(strategy, queues_of("a", "b", "c", each=2), ["c1", "c2"])
    assert found["c1"] == [("orders", "a", 0), ("orders", "a", 1), ("orders", "c", 0)]
    assert found["c2"] == [("orders", "b", 0), ("orders", "b", 1), ("orders", "c", 1)]


def test_nearby_throws_for_everybody_where_one_consumer_has_no_room():
    strategy = Strategy(name="MACHINE_ROOM_NEARBY", broker_rooms={"a": "r1"}, consumer_rooms={"c1": "r1"})
    assert set(share(strategy, queues_of("a"), ["c1", "c2"]).values()) == {shares.CONSUMER_WITHOUT_ROOM}
    assert exception_of(shares.CONSUMER_WITHOUT_ROOM, "c2") == (
        "java.lang.IllegalArgumentException",
        "Machine room is null for consumer id c2",
    )


def test_a_ring_without_points_gives_nobody_anything():
    assert counts(share(Strategy(name="CONSISTENT_HASH", virtual_nodes=0), queues_of("a"), ["c1", "c2"])) == [0, 0]


def test_a_ring_says_where_it_has_too_few_points_for_an_id():
    strategy = Strategy(name="CONSISTENT_HASH")
    assert share(strategy, queues_of("a"), ["c1", "c1"], times_listed=1) == {"c1": shares.LISTED_TOO_OFTEN}


def test_a_negative_number_of_virtual_nodes_is_refused_as_by_the_constructor():
    with pytest.raises(ValueError, match="illegal virtualNodeCnt :-1"):
        Strategy(name="CONSISTENT_HASH", virtual_nodes=-1)


@settings(max_examples=60, deadline=None)
@given(
    name=st.sampled_from(["AVG", "AVG_BY_CIRCLE", "CONSISTENT_HASH"]),
    members=st.integers(1, 12),
    each=st.integers(1, 9),
    virtual_nodes=st.integers(1, 12),
)
def test_every_queue_has_exactly_one_owner_where_all_see_the_same_lists(name, members, each, virtual_nodes):
    queues = queues_of("a", "b", each=each)
    found = share(Strategy(name=name, virtual_nodes=virtual_nodes), queues, [f"c{i}" for i in range(members)])
    assert sorted(chain(*found.values())) == queues
