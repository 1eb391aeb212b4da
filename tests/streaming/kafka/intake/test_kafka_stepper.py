"""Records in any order within the lateness, some twice, in any micro-batches: the rows of the run without Kafka."""

from __future__ import annotations

import json
import random

import pyarrow as pa
import pytest

from simulator.plan.compile import compile_text
from simulator.run.simulate import simulate
from simulator.scenario import parse_scenario
from state.row import StateRow
from streaming.flow.blocks import Block
from streaming.kafka.intake.judging import Vocabulary
from streaming.kafka.intake.kafka_stepper import Intake, KafkaStepper
from streaming.kafka.intake.record_blocks import PARTITIONS, blocks_of
from streaming.kafka.publishing.run_records import PARTS, Disorder, disordered, records_of
from tests.simulator.hashed import hashes_of
from tests.simulator.small import fault, text_of

TABLES = ("attempts", "sends", "fault_items", "windows", "rejects")
LATENESS_US = 3_000_000
TEXT = text_of(
    duration="12s", cells=2, producers={"count": 5, "threads": 2, "rate": "20/s", "arrivals": "poisson"},
    topics={"orders": {"queues": 2}, "clicks": {"queues": 1}}, faults=[fault("hang", "3s", "4s")],
)  # fmt: skip
INTAKE = Intake(("events",), LATENESS_US)


class Topic:
    """A topic in memory: what is in each partition."""

    def __init__(self, plan, disorder, partitions=4):
        self.plan, self.names = plan, Vocabulary.of(plan)
        self.values = [[] for _ in range(partitions)]
        for record in disordered(records_of(plan), disorder):
            for number in range(partitions) if record.of is None else [record.of % partitions]:
                self.values[number].append(record.value)

    def blocks(self, partition, first, last):
        """What a task of Spark's makes of part of a partition."""
        some = self.values[partition][first:last]
        rows = {"value": pa.array(some, pa.binary()), "topic": ["events"] * len(some)}
        rows |= {"partition": [partition] * len(some), "offset": list(range(first, first + len(some)))}
        return list(blocks_of(pa.record_batch(rows), self.names))

    def known(self, cell, quiet=()):
        """What the clock tells a cell."""
        found = [["events", number, number in quiet] for number in range(len(self.values))]
        return Block(self.plan.run, cell, 0, PARTITIONS, 0, json.dumps(found).encode())


def read_all(topic, batches, order):
    """Every table of the run, read in that many micro-batches; and the state of each cell."""
    tables, states = {}, []
    for cell in range(topic.names.cells):
        stored = None
        for number in range(batches):
            blocks = [topic.known(cell)] if number == 0 else []
            for partition, values in enumerate(topic.values):
                first, last = (len(values) * n // batches for n in (number, number + 1))
                blocks += [block for block in topic.blocks(partition, first, last) if block.cell == cell]
            order.shuffle(blocks)
            stepper = KafkaStepper(topic.plan, cell, stored, TABLES, INTAKE)
            for name, rows in stepper.run(blocks):
                tables.setdefault(name, []).append(rows)
            stored = StateRow(*stepper.snapshot().as_tuple())
        states.append(stored)
    return {name: pa.concat_tables(parts) for name, parts in tables.items()}, states


@pytest.fixture(scope="module")
def plan():
    return compile_text(TEXT)


@pytest.fixture(scope="module")
def direct():
    return simulate(parse_scenario(TEXT))


@pytest.mark.parametrize("batches", [1, 3, 17])
def test_a_shuffled_and_doubled_topic_gives_the_rows_of_the_direct_run(plan, direct, batches):
    topic = Topic(plan, Disorder(LATENESS_US, PARTS // 20, seed=batches))
    tables, states = read_all(topic, batches, random.Random(batches))
    rejects = tables.pop("rejects").to_pylist()
    assert hashes_of(tables) == hashes_of(direct.tables)
    doubled = sum(map(len, topic.values)) - sum(map(len, Topic(plan, Disorder()).values))
    assert len(rejects) == doubled > 20
    assert {row["reason"].partition(":")[0] for row in rejects} <= {"a duplicate", "late"}
    assert all(row["position"].startswith("topic events, partition ") for row in rejects)
    assert sum(state.events_rejected for state in states) == doubled
    assert sum(state.events_handled for state in states) == direct.events["generated"]
    assert all(state.next_window == plan.windows + 1 for state in states)


def test_a_record_that_is_later_than_the_lateness_is_rejected_with_its_place(plan):
    topic = Topic(plan, Disorder(), partitions=1)
    early = next(value for value in topic.values[0] if json.loads(value)["kind"] == "arrival")
    topic.values[0].remove(early)
    topic.values[0].insert(len(topic.values[0]) - 1, early)
    tables, _ = read_all(topic, 9, random.Random(1))
    (row,) = tables["rejects"].to_pylist()
    assert row["position"] == f"topic events, partition 0, offset {len(topic.values[0]) - 2}"
    assert row["reason"] == "late: time is complete up to 7000000 us"  # as the micro-batch before left it
    assert f"at_us={json.loads(early)['at_us']}" in row["record"]


def test_what_is_ahead_of_complete_time_waits_in_the_state(plan):
    topic = Topic(plan, Disorder(), partitions=2)
    stepper = KafkaStepper(plan, 0, None, TABLES, INTAKE)
    half = [len(values) // 2 for values in topic.values]
    blocks = [topic.known(0), *topic.blocks(0, 0, half[0])]
    assert list(stepper.run([block for block in blocks if block.cell == 0])) == []
    stored = stepper.snapshot()
    assert (stored.sends, stored.next_window) == (0, 0)
    stepper = KafkaStepper(plan, 0, StateRow(*stored.as_tuple()), TABLES, INTAKE)
    assert dict(stepper.run([topic.known(0, quiet=[1])]))["sends"].num_rows > 50
    assert stepper.snapshot().next_window == 3  # six seconds were read, three may be out of order


def test_a_run_without_a_length_is_over_where_the_topic_is(plan, direct):
    topic, endless = (
        Topic(plan, Disorder(), partitions=2),
        compile_text(TEXT.replace("duration: 12s", "duration: 3650d")),
    )
    tables, blocks = {}, [*topic.blocks(0, 0, None), *topic.blocks(1, 0, None)]
    for cell in range(2):
        own = [block for block in blocks if block.cell == cell]
        stepper = KafkaStepper(endless, cell, None, TABLES, Intake(("events",), LATENESS_US, endless=True))
        for name, rows in stepper.run([topic.known(cell), *own]):
            tables.setdefault(name, []).append(rows)
        assert stepper.snapshot().next_window == endless.windows + 1
    assert hashes_of({name: pa.concat_tables(some) for name, some in tables.items()}) == hashes_of(direct.tables)


def test_a_message_without_a_draw_gets_one_of_its_own(plan):
    topic = Topic(plan, Disorder(), partitions=1)
    for number, value in enumerate(topic.values[0]):
        said = json.loads(value)
        said.pop("draw", None)
        topic.values[0][number] = json.dumps(said).encode()
    once, again = (read_all(topic, batches, random.Random(batches))[0] for batches in (2, 5))
    assert hashes_of(once) == hashes_of(again)
    assert len(once["sends"]) > 200
