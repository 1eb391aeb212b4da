"""Every sentence of `explain --group` is true of the tables: scenarios of the gallery, and reported ones."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from simulator import load_scenario, simulate
from simulator.scenario import parse_scenario
from streaming.explain.consumption import explain_consumption
from streaming.explain.queue_history import AskedOffset
from streaming.explain.texts.consumption_texts import ConsumptionTexts
from streaming.outputs.dataset import open_output
from streaming.results.of_result import write_result
from tests.house.tree import ROOT
from tests.says import Says, raises

TABLES = ("sends", "stored", "assignments", "consumed")
NEVER = ConsumptionTexts.NEVER_HANDLED()
GIVEN_UP = """
name: given up after one retry
duration: 1m
seed: 5
client: {release: 5.3.3}
producers: {count: 4, threads: 4, rate: 25/s}
topics: {orders: {queues: 4}}
brokers: {broker: {count: 2, latency: {constant: 1ms}}}
consumers: {billing: {topic: orders, count: 2, threads: 8, service: 20ms, fails_always: 0.2, max_reconsume_times: 1}}
"""
POISON = """
name: a poison message of an orderly group
duration: 2m
seed: 5
client: {release: 4.9.8}
producers: {count: 1, threads: 2, rate: 20/s}
topics: {orders: {queues: 1}}
brokers: {broker: {count: 1, latency: {constant: 1ms}}}
consumers: {ledger: {topic: orders, service: 5ms, consume_mode: ORDERLY, fails_always: 0.001}}
"""
BROADCAST = """
name: every instance reads everything
duration: 20s
client: {release: 5.3.3}
producers: {count: 1, threads: 2, rate: 20/s}
topics: {orders: {queues: 2}}
brokers: {broker-a: {latency: {constant: 1ms}}}
consumers: {news: {topic: orders, count: 2, service: 1ms, message_model: BROADCASTING}}
"""
GALLERY = ("consumer-killed", "consumer-frozen", "consumer-reset", "consumer-orderly", "consumer-deduplicates",
           "consumer-missed", "consume-timeout")  # fmt: skip
TOOK = re.compile(r"Why again: (\S+) took\b.*? at (\d+):(\d\d)\.(\d{6})")
KEY = ["topic", "broker", "queue_id", "queue_offset"]


def _scenario(name: str):
    own = {"given up": GIVEN_UP, "poison": POISON, "broadcast": BROADCAST}
    return parse_scenario(own[name]) if name in own else load_scenario(str(ROOT / f"conf/scenarios/{name}.yaml"))


@pytest.fixture(scope="module", params=["given up", "poison", "broadcast", *GALLERY])
def run(request, tmp_path_factory):
    """What is said of each offset that is asked for, and the tables `consumed` and `assignments`."""
    result = simulate(_scenario(request.param), tables=TABLES)
    output = open_output(write_result(result, tmp_path_factory.mktemp("explained") / "out"))
    consumed, stored, assignments = (result.tables[name].to_pandas() for name in ("consumed", "stored", "assignments"))
    return [(asked, explain_consumption(output, asked)) for asked in _asked(consumed, stored)], consumed, assignments


def _asked(consumed: pd.DataFrame, stored: pd.DataFrame) -> list[AskedOffset]:
    """Offsets delivered several times, with every result, once, and those without a delivery."""
    random, chosen = np.random.default_rng(3), []
    for _, rows in consumed.groupby(["result", "topic", "consumer_group"], observed=True):
        chosen.append(rows.sample(min(4, len(rows)), random_state=3))
    chosen.append(consumed[consumed["times"] > 1].head(400).sample(frac=1, random_state=3).head(6))
    found = [AskedOffset(row.consumer_group, row.broker, row.queue_id, row.queue_offset, row.topic)
             for row in pd.concat(chosen).itertuples()]  # fmt: skip
    ends = stored.sort_values("window_start_us").drop_duplicates([*KEY[:3], "consumer_group"], keep="last")
    ends = ends[ends["max_offset"] > 0]
    for row in ends.sample(min(8, len(ends)), random_state=3).itertuples():
        for offset in (row.max_offset - 1, int(random.integers(row.max_offset))):
            found.append(AskedOffset(row.consumer_group, row.broker, row.queue_id, offset, row.topic))
    return found


def _of_message(consumed: pd.DataFrame, asked: AskedOffset) -> pd.DataFrame:
    mine = consumed[consumed["consumer_group"] == asked.group]
    here = mine[(mine["topic"] == asked.topic) & (mine["broker"] == asked.broker)]
    here = here[(here["queue_id"] == asked.queue) & (here["queue_offset"] == asked.offset)]
    identity = ["cell", "sender", "send_seq", "arrival_us"]
    return mine.merge(here[identity].drop_duplicates(), on=identity)


def test_what_is_said_of_deliveries_is_in_the_table(run):
    explained, consumed, _ = run
    for asked, explanation in explained:
        sentences, rows = explanation.sentences, _of_message(consumed, asked)
        ids = [sentence.id.removeprefix("consumption.") for sentence in sentences]
        handled = int((rows["result"] == "handled").sum())
        failed = int((~rows["result"].isin(["handled", "skipped as a duplicate"])).sum())
        assert (ids.count("handled"), ids.count("not-handled")) == (handled, failed), sentences
        assert sum(id.startswith("again-") for id in ids) == max(len(rows) - 1, 0), sentences
        assert ("handled-once" in ids) == (len(rows) == handled == 1), sentences
        given_up = [one for one in sentences if "given up" in one]
        assert bool(given_up) == (rows["result"] == "dead letter").any(), sentences
        never = [one for one in sentences if NEVER in one]
        assert bool(never) == (len(rows) > 0 and handled == 0), sentences


def test_a_queue_that_is_said_to_be_taken_was_taken_then(run):
    explained, _, assignments = run
    for asked, explanation in explained:
        for who, minutes, seconds, us in TOOK.findall(str(explanation)):
            at_us = (int(minutes) * 60 + int(seconds)) * 1_000_000 + int(us)
            mine = assignments[(assignments["instance"] == who) & (assignments["broker"] == asked.broker)]
            assert (mine["from_us"] == at_us).any(), (asked, who)


def test_nobody_owns_a_queue_only_if_no_assignment_is_open(run):
    explained, _, assignments = run
    for asked, explanation in explained:
        sentences = explanation.sentences
        mine = assignments[(assignments["topic"] == asked.topic) & (assignments["broker"] == asked.broker)]
        mine = mine[(mine["queue_id"] == asked.queue) & (mine["consumer_group"] == asked.group)]
        if Says("consumption.nobody-owns") in sentences:
            assert not mine["open"].any(), sentences
        for sentence in sentences:
            if sentence == Says("consumption.owner"):
                assert sentence.facts["instance"] in set(mine[mine["open"]]["instance"]), sentences


def test_an_offset_that_is_said_to_be_uncommitted_is_so(run):
    explained, consumed, _ = run
    for asked, explanation in explained:
        for sentence in explanation.sentences:
            if sentence == Says("consumption.not-committed"):
                assert sentence.facts["committed"] <= (asked.offset or 0)
                assert _of_message(consumed, asked).empty


def test_a_given_up_message_is_never_said_to_be_consumed(tmp_path: Path):
    result = simulate(parse_scenario(GIVEN_UP), tables=TABLES)
    output, rows = open_output(write_result(result, tmp_path / "out")), result.tables["consumed"].to_pandas()
    first = rows[rows["result"] == "sent back"].iloc[0]
    found = explain_consumption(
        output, AskedOffset("billing", first["broker"], first["queue_id"], first["queue_offset"])
    )
    ended = ConsumptionTexts.DEAD_LETTER(group="billing")
    parts = f"{NEVER}, {ConsumptionTexts.FAILED(count=2)}"
    assert found.sentences[-1] == ConsumptionTexts.IN_ALL(deliveries="2 deliveries", parts=parts, ended=ended)
    assert Says("consumption.again-retry-topic") in found.sentences


def test_a_poison_message_names_no_owner_as_the_reason_and_holds_the_queue_up(tmp_path: Path):
    result = simulate(parse_scenario(POISON), tables=TABLES)
    output, rows = open_output(write_result(result, tmp_path / "out")), result.tables["consumed"].to_pandas()
    poison = rows[rows["result"] == "again in place"].iloc[0]
    found = explain_consumption(output, AskedOffset("ledger", "broker-1", 0, poison["queue_offset"]))
    assert "took the queue" not in str(found)
    assert Says("consumption.again-in-place") in found.sentences
    behind = AskedOffset("ledger", "broker-1", 0, poison["queue_offset"] + 50)
    times = (rows["queue_offset"] == poison["queue_offset"]).sum()
    blocked = Says("consumption.holds-the-queue-up", offset=poison["queue_offset"], times=f"{times:,} times")
    assert blocked in explain_consumption(output, behind).sentences


def test_without_the_table_of_assignments_owners_are_not_known(tmp_path: Path):
    result = simulate(parse_scenario(GIVEN_UP), tables=("sends", "stored"))
    last = result.tables["stored"].to_pandas().sort_values("window_start_us").iloc[-1]
    asked = AskedOffset("billing", last["broker"], last["queue_id"], last["max_offset"] - 1, last["topic"])
    sentences = explain_consumption(open_output(write_result(result, tmp_path / "out")), asked).sentences
    assert Says("consumption.nobody-owns") not in sentences
    assert Says("consumption.owner-not-known") in sentences or Says("consumption.passed") in sentences


def test_a_retry_topic_is_known_and_a_dead_letter_topic_says_where_to_ask(tmp_path: Path):
    result = simulate(parse_scenario(GIVEN_UP), tables=TABLES)
    output = open_output(write_result(result, tmp_path / "out"))
    text = explain_consumption(output, AskedOffset("billing", "broker-1", 0, 0, "%RETRY%billing")).sentences
    assert text[-1] == Says("consumption.in-all", ended=ConsumptionTexts.DEAD_LETTER(group="billing"))
    with raises(Exception, Says("explain.no-dead-letter-queues")):
        explain_consumption(output, AskedOffset("billing", "broker-1", 0, 0, "%DLQ%billing"))
