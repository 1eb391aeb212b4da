"""What an instance knows of a topic's route: which queues of which brokers it can read."""

from __future__ import annotations

from simulator.compiled.jit import rule
from simulator.compiled.records import Us
from simulator.consumer.links.old_addresses import go_to_new_masters
from simulator.consumer.memory.consumer_world import ConsumerWorld
from simulator.engine.memory.routes import NO_ANSWER, NO_REPLY
from simulator.engine.memory.settings import FAR
from simulator.kernel.randomness import MEMBER_LIST, RETRY_TOPIC_BIRTH, below, hash3, hash4

NO_VERSION = -1
BIRTH_US = 30_000  # a new group's retry topic comes with its first heartbeat: before its first poll of routes, or after


@rule()
def delivered_at(world: ConsumerWorld, name_server: int, topic: int, now_us: Us) -> int:
    """The version that a name server delivers then; below 0: none."""
    times = world.route_times[name_server * world.settings.topics + topic]
    version = NO_VERSION
    for i in range(times.first, times.first + times.count):
        if world.deliveries[i].at_us > now_us:
            break
        version = world.deliveries[i].version
    return version


@rule()
def asked_version(world: ConsumerWorld, number: int, topic: int, now_us: Us) -> int:
    """The version that an instance is given, which moves on from its name server while that does not answer.

    A request that times out has waited for a single one, whose connection is closed then (closes_on_timeout).

    Source: rocketmq 4.2.0-5.5.0, NettyRemotingClient.getAndCreateNameserverChannel.
    """
    instance, count = world.instances[number], world.settings.name_servers
    own, first = instance.name_server % count, instance.name_server - instance.name_server % count
    group = world.groups[instance.group]
    others = min(count - 1, group.name_servers_tried)
    for i in range(1 + others):
        name_server = first + (own + i) % count
        version = delivered_at(world, name_server, topic, now_us)
        if version == NO_REPLY:
            instance.name_server = first + (own + i + group.closes_on_timeout) % count
            return NO_ANSWER
        if version != NO_ANSWER:
            instance.name_server = name_server
            return version
    instance.name_server = first + (own + others) % count
    return NO_ANSWER


@rule()
def fails_to_start(world: ConsumerWorld, number: int, now_us: Us) -> bool:
    """Whether start() throws, as no name server answers (IllegalStateException, from 4.6.0 on).

    Source: DefaultMQPushConsumerImpl.start, updateTopicSubscribeInfoWhenSubscriptionChanged.
    """
    instance = world.instances[number]
    if world.groups[instance.group].throws_unanswered == 0:
        return False
    topic = world.subscriptions[instance.first_subscription].topic
    return asked_version(world, number, topic, now_us) == NO_ANSWER


@rule()
def bear_retry_topic(world: ConsumerWorld, group: int, now_us: Us, ready_us: Us) -> None:
    """The first instance of a new group starts: brokers create the group's retry topic as they hear of it.

    The client's first polls of routes come in the same milliseconds, before its first round and 10 ms later; what they
    miss is seen 30 s later.
    """
    tally = world.tallies[group]
    if tally.born_us == FAR:
        late_us = below(hash3(world.settings.seed, RETRY_TOPIC_BIRTH, group), BIRTH_US) - BIRTH_US // 3
        tally.born_us = now_us if late_us < 0 else ready_us + late_us


@rule()
def forget_routes(world: ConsumerWorld, number: int) -> None:
    """A new process knows no route."""
    for topic in range(world.settings.topics):
        world.known_versions[number * world.settings.topics + topic] = NO_VERSION


@rule()
def poll_routes(world: ConsumerWorld, number: int, now_us: Us) -> int:
    """Ask for the routes of the topics that the instance reads; 1 if one is new. Without an answer they stay.

    What throws ends the round.
    """
    instance = world.instances[number]
    is_new = 0
    for subscription in range(instance.first_subscription, instance.first_subscription + instance.subscriptions):
        topic = world.subscriptions[subscription].topic
        place = number * world.settings.topics + topic
        if world.subscriptions[subscription].is_retry == 1 and world.tallies[instance.group].born_us > now_us:
            world.known_versions[place] = NO_VERSION
            continue
        version = asked_version(world, number, topic, now_us)
        if version == NO_ANSWER and world.groups[instance.group].throws_unanswered == 1:
            break
        if version >= 0 and version != world.known_versions[place]:
            world.known_versions[place] = version
            is_new = 1
    if is_new == 1:
        go_to_new_masters(world, number, now_us)
    return is_new


@rule()
def look_for_master(world: ConsumerWorld, number: int, topic: int, broker: int, now_us: Us) -> bool:
    """Read a topic's route again before a commit or a fetch of an offset, where it names slaves and no master.

    False: no name server answers, which throws.

    Source: rocketmq 4.9.3-4.9.8, RemoteBrokerOffsetStore.updateConsumeOffsetToBroker; 4.9.3-5.3.3,
    .fetchConsumeOffsetFromBroker.
    """
    if _queues_on(world, number, topic, broker) == 0 or knows_master(world, number, topic, broker):
        return True
    version, place = asked_version(world, number, topic, now_us), number * world.settings.topics + topic
    if version >= 0 and version != world.known_versions[place]:
        world.known_versions[place] = version
        go_to_new_masters(world, number, now_us)
    return version != NO_ANSWER


@rule()
def _queues_on(world: ConsumerWorld, number: int, topic: int, broker: int) -> int:
    """Queues of the topic that the instance can read on a broker."""
    version = world.known_versions[number * world.settings.topics + topic]
    return 0 if version < 0 else world.route_queues[version * world.settings.brokers + broker]


@rule()
def knows_master(world: ConsumerWorld, number: int, topic: int, broker: int) -> bool:
    """Whether the route that the instance has names the broker's master."""
    return _address_in_route(world, number, topic, broker) > 0


@rule()
def has_address(world: ConsumerWorld, number: int, topic: int, broker: int) -> bool:
    """Whether the instance has the address of the broker's master, if only as that of a slave; else it asks a slave.

    Source: rocketmq 5.3.3, PullMessageProcessor: a slave answers SYSTEM_BUSY unless slaveReadEnable is set.
    """
    address, serving = _address_in_route(world, number, topic, broker), world.serving[broker]
    return address > 0 or (address == -1 - serving.machine and serving.is_unled == 0)


@rule()
def _address_in_route(world: ConsumerWorld, number: int, topic: int, broker: int) -> int:
    """What a topic's route has of a broker, as address_of; 0 without a route."""
    version = world.known_versions[number * world.settings.topics + topic]
    return world.route_masters[version * world.settings.brokers + broker] if version >= 0 else 0


@rule()
def readable_queues(world: ConsumerWorld, number: int, topic: int) -> int:
    """How many queues the instance sees; they are written to `listed_queues` by their place in the topic."""
    brokers, first_log = world.settings.brokers, world.log_topics[topic].first_log
    count = 0
    for broker in range(brokers):
        first = world.log_numbers[topic * brokers + broker] - first_log
        for queue in range(_queues_on(world, number, topic, broker)):
            world.listed_queues[count] = first + queue
            count += 1
    return count


@rule()
def ask_one_of(world: ConsumerWorld, number: int, topic: int) -> int:
    """The broker of the topic's route that is asked for the members: any (findBrokerAddrByTopic); -1: there is none."""
    instance, brokers = world.instances[number], world.settings.brokers
    count = 0
    for broker in range(brokers):
        count += _queues_on(world, number, topic, broker) > 0
    if count == 0:
        return -1
    instance.asked += 1
    drawn = below(hash4(world.settings.seed, MEMBER_LIST, number, instance.asked), count)
    for broker in range(brokers):
        if _queues_on(world, number, topic, broker) > 0:
            if drawn == 0:
                return broker
            drawn -= 1
    return -1
