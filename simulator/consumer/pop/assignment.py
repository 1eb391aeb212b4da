"""What an instance pops is its broker's choice: it asks one for its assignment, by popShareQueueNum.

Source: rocketmq 5.0.0-5.5.0, RebalanceImpl.getRebalanceResultFromBroker and .updateMessageQueueAssignment,
QueryAssignmentProcessor.
"""

from __future__ import annotations

from simulator.compiled.jit import entry, rule
from simulator.compiled.records import Us
from simulator.consumer.broker.held_pops import release_pop
from simulator.consumer.client.letting_go import let_queue_go
from simulator.consumer.client.rebalance import list_members
from simulator.consumer.links.instance_routes import ask_one_of, readable_queues
from simulator.consumer.memory.consumer_world import ConsumerWorld
from simulator.consumer.memory.held_queue import NO_PULL, POP_DUE, POP_HELD
from simulator.consumer.memory.instance import NOBODY
from simulator.consumer.pop.pop_answers import forget_answer
from simulator.consumer.shared.consumer_rows import Round, put_rebalance
from simulator.consumer.shared.holdings import pop_at, take
from simulator.consumer.shared.queue_progress import count_owners, progress_of
from simulator.engine.memory.settings import FAR

UNASSIGNED, ASSIGNED, HELD_ALREADY = range(3)  # marks of a queue, or of the one that stands for all of a broker


@entry
def share_by_broker(world: ConsumerWorld, number: int, subscription: int, now_us: Us) -> int:
    """A round of an instance for a topic: without an answer it keeps what it has. The retries come with the topic."""
    own = world.subscriptions[subscription]
    if own.is_retry == 1:
        return 1
    queues, broker, members, taken, lost = readable_queues(world, number, own.topic), -1, -1, 0, 0
    if queues > 0:
        broker = ask_one_of(world, number, own.topic)
        members = list_members(world, number, broker, now_us)
    if members > 0:
        is_shared = _mark_assigned(world, number, subscription, queues, members)
        lost = let_others_go(world, number, subscription, is_shared, now_us)
        taken = take_missing(world, number, subscription, is_shared, now_us)
    held, at = 0, world.instances[number].first_holding
    while at != NOBODY:
        held += world.holdings[at].subscription == subscription
        at = world.holdings[at].next_holding
    put_rebalance(world, number, subscription, now_us, Round(broker, members, queues, taken, lost, held))
    return 1


@rule()
def _mark_assigned(world: ConsumerWorld, number: int, subscription: int, queues: int, members: int) -> int:
    """Mark what a broker assigns of world.listed_queues; 1 if that is every queue of every broker (allocate4Pop).

    Else an instance has its own queues and those of the next popShareQueueNum members, or with more members than
    queues one queue.
    """
    own, instance = world.subscriptions[subscription], world.instances[number]
    topic, share = world.log_topics[own.topic], world.groups[instance.group].pop.share
    for place in range(topic.logs):
        world.marks[place] = UNASSIGNED
    if share <= 0 or share >= members - 1:
        for i in range(queues):
            place = stands_for(world, own.topic, world.logs[topic.first_log + world.listed_queues[i]].broker)
            world.marks[place] = ASSIGNED
        return 1
    me = 0
    while me < members - 1 and world.listed_members[me] != instance.id_number:
        me += 1
    if members > queues:
        world.marks[world.listed_queues[me % queues]] = ASSIGNED
        return 0
    reader = world.readers[subscription]
    for i in range(share + 1):
        other = world.listed_members[(me + i) % members]
        count = reader.allocate(reader.sharing, world.listed_queues, queues, world.listed_members, members, other)
        for k in range(max(count, 0)):
            world.marks[reader.sharing.result[k]] = ASSIGNED
    return 0


@rule(inlined=True)
def stands_for(world: ConsumerWorld, topic: int, broker: int) -> int:
    """Place, among the queues of a topic, of the one that stands for all of a broker."""
    return world.log_numbers[topic * world.settings.brokers + broker] - world.log_topics[topic].first_log


@rule()
def let_others_go(world: ConsumerWorld, number: int, subscription: int, is_shared: int, now_us: Us) -> int:
    """Let go of what is not assigned; how much that is. Marks what stays."""
    first_log, lost = world.log_topics[world.subscriptions[subscription].topic].first_log, 0
    at = world.instances[number].first_holding
    while at != NOBODY:
        holding = world.holdings[at]
        behind = holding.next_holding
        if holding.subscription == subscription:
            if world.marks[holding.log - first_log] == ASSIGNED and holding.is_shared == is_shared:
                world.marks[holding.log - first_log] = HELD_ALREADY
            else:
                let_queue_go(world, at, now_us)
                lost += 1
        at = behind
    return lost


@rule()
def take_missing(world: ConsumerWorld, number: int, subscription: int, is_shared: int, now_us: Us) -> int:
    """Take what is assigned and not held; how much that is."""
    topic, taken = world.log_topics[world.subscriptions[subscription].topic], 0
    instance = world.instances[number]
    for place in range(topic.logs):
        if world.marks[place] == ASSIGNED:
            log = topic.first_log + place
            at = take(world, number, subscription, log, FAR, now_us)
            world.holdings[at].is_shared = is_shared
            count_owners(world, progress_of(world, subscription, log), -1, now_us)  # a queue of a POP group has none
            wait_us = 0 if instance.phase_us > 0 else world.groups[instance.group].first_pull_us
            pop_at(world, at, POP_DUE, now_us + max(wait_us, 1))
            taken += 1
    return taken


@entry
def lose_popped(world: ConsumerWorld, at: int, now_us: Us) -> int:
    """The instance does not pop there any more; what an answer brings that is on its way comes again later."""
    holding = world.holdings[at]
    if holding.state == POP_HELD:
        release_pop(world, at)
    forget_answer(world, holding)
    holding.state = NO_PULL
    holding.due_us = FAR
    count_owners(world, progress_of(world, holding.subscription, holding.log), 1, now_us)
    return 0
