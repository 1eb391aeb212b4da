"""What of the consumer groups does not fit the rest of the scenario."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from simulator.consumer.memory.queue_log import COUNT_BITS, TIMES_BITS
from simulator.scenario.consuming.consumers import ConsumerGroup, client_ids_of, queues_of
from simulator.scenario.consuming.group_backlog import backlog_problems, rates_at_the_begin
from simulator.scenario.consuming.strategies import strategy_problems
from simulator.scenario.consuming.topic_readings import reading_problems
from simulator.scenario.faults.targets import struck_instances
from simulator.scenario.producers import ProducerGroup
from simulator.scenario.reading.scenario_error import Path, Problem
from simulator.scenario.texts.consumer_texts import ConsumerTexts
from simulator.scenario.topics import Topic

READERS_TEXT = (
    f"at most {COUNT_BITS // TIMES_BITS} groups, or {COUNT_BITS} broadcasting instances; "
    f"{TIMES_BITS} of these count as a group"
)
DROPS = "a broadcasting group drops what fails, and nothing comes again"


def consumer_problems(
    groups: Mapping[str, ConsumerGroup],
    topics: Mapping[str, Topic],
    brokers: Sequence[str],
    cells: int,
    auto_batch: bool,
) -> Iterator[Problem]:
    """What of the groups does not fit the rest of the scenario."""
    if not groups:
        return
    if cells > 1:
        text = ConsumerTexts.CELLS_APART(got=cells)
        yield Problem(("cells",), text)
    if auto_batch:
        text = ConsumerTexts.OWN_BATCHES_READ()
        yield Problem(("client", "auto_batch"), text)
    readers: dict[str, int] = {}
    for name, group in groups.items():
        place: Path = ("consumers", name, "topic" if group.topics is None else "topics")
        for problem in reading_problems(group.readings, topics):
            yield Problem(place if group.topics is None else (*place, *problem.path), problem.text)
        for problem in strategy_problems(
            group.strategy, group.strategy_settings, list(client_ids_of(name, group)), queues_of(group, topics, brokers)
        ):
            yield Problem(("consumers", name, "strategy_settings", *problem.path), problem.text)
        if group.is_broadcasting and group.can_fail:
            text = ConsumerTexts.BROADCAST_DROPS(drops=DROPS)
            yield Problem(("consumers", name, "fails_always" if group.fails is None else "fails"), text)
        if group.is_broadcasting and group.consume_timeout_us is not None:
            text = ConsumerTexts.BROADCAST_SENDS_BACK()
            yield Problem(("consumers", name, "consume_timeout"), text)
        if group.is_broadcasting and group.deduplicate is not None:
            text = ConsumerTexts.BROADCAST_HANDLES_ALL()
            yield Problem(("consumers", name, "deduplicate"), text)
        for topic in group.readings:
            before = readers.get(topic, 0)
            readers[topic] = before + group.reader_bits
            if before <= COUNT_BITS < readers[topic]:
                yield Problem(place, ConsumerTexts.TOO_MANY_READERS(topic=topic, most=READERS_TEXT))


def broadcasting_problems(targets: Sequence[str], groups: Mapping[str, ConsumerGroup], fault: int) -> Iterator[Problem]:
    """What of the targets of a fault of the kind fail never retries."""
    for name, group in groups.items():
        struck = struck_instances(targets, list(client_ids_of(name, group)))
        if group.is_broadcasting and struck:
            text = ConsumerTexts.EXPECTED_CLUSTERING(drops=DROPS).at(name)
            yield Problem(("faults", fault, "consumer"), text)


def unread_later(producers: Sequence[ProducerGroup], groups: Mapping[str, ConsumerGroup]) -> Iterator[Problem]:
    """Delayed messages and transactions that nobody reads."""
    read = {topic for group in groups.values() for topic in group.readings}
    for i, own in enumerate(producers):
        for key, what in (("delay", "delayed messages"), ("transaction", "transactions")):
            if getattr(own, key) is not None and not read.issuperset(own.topics):
                topic = next(name for name in own.topics if name not in read)
                text = ConsumerTexts.UNREAD(what=what, topic=topic)
                yield Problem(("producers", i, key), text)


def unfit_backlogs(
    producers: Sequence[ProducerGroup],
    groups: Mapping[str, ConsumerGroup],
    topics: Mapping[str, Topic],
    brokers: Sequence[str],
) -> Iterator[Problem]:
    """What of the groups' backlogs does not fit the queues that they read."""
    rates = rates_at_the_begin(producers)
    for name, own in groups.items():
        if own.backlog is not None:
            for problem in backlog_problems(own.backlog, queues_of(own, topics, brokers), rates):
                yield Problem(("consumers", name, "backlog", *problem.path), problem.text)
