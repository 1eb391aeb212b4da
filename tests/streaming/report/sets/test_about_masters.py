"""A set without a master is a finding: how long, why, and who noticed; what is lost and skipped names its election."""

from __future__ import annotations

import json

import pyarrow.compute as pc
import pyarrow.parquet as pq
import pytest

from simulator.scenario import parse_scenario
from streaming.report.causes.cause_lines import cause_lines, shown_findings
from streaming.report.causes.proving import prove_output
from streaming.report.collected.data import collect
from tests.says import Printed, Says
from tests.streaming.report.pure_output import write_simulated

SET = """
name: a set
seed: 5
duration: 3m
client: {release: 5.3.3}
producers: {group: shop, count: 5, threads: 4, rate: 20/s}
topics: {orders: {queues: 4}}
controllers: {embedded: false}
brokers:
  broker-a: {latency: {constant: 2ms}, replicas: 3, mode: controller, slave_latency: {constant: 2ms}}
  broker-b: {like: broker-a}
consumers: {billing: {topic: orders, threads: 4, service: 2ms, release: 5.3.3}}
faults:
"""
TWO_KILLS = (
    "- {at: 30s, for: 100s, broker: broker-a, kind: kill}\n- {at: 33s, for: 60s, broker: broker-a, kind: kill}\n"
)
NO_CONTROLLER = (
    "- {at: 20s, for: 40s, controller: 1, kind: controller_down}\n- {at: 30s, broker: broker-a, kind: kill}\n"
)
LAG = (
    "- {at: 22s, for: 8300ms, broker: broker-a, kind: slave_lag}\n- {at: 30s, for: 45s, broker: broker-a, kind: kill}\n"
)


@pytest.fixture
def found(tmp_path):
    """The findings of the set with those faults, by kind, their causes proven; then windows are removed."""

    def of(faults, text=SET, removed_s=0):
        folder = write_simulated(tmp_path, parse_scenario(text + faults))
        prove_output(folder, 600.0)
        if removed_s:
            remove_windows(folder, removed_s * 1_000_000)
        return {one.kind: one for one in shown_findings(cause_lines(collect(folder)))}

    return of


def remove_windows(folder, before_us):
    """Remove the windows of queues that begin before then."""
    (file,) = (folder / "stored" / "run=main").iterdir()
    rows = pq.ParquetFile(file).read()
    pq.write_table(rows.filter(pc.greater_equal(rows["window_start_us"], before_us)), file)
    note = folder / "run.json"
    note.write_text(json.dumps(json.loads(note.read_text()) | {"removed_before_us": before_us}))


def test_two_kills_leave_a_set_without_a_master_though_a_replica_lives(found):
    gap = found(TWO_KILLS)["no_master"]
    text = Printed(gap.text)
    assert Says("master.without-master", broker="broker-a", seconds=60) in text
    assert "0:33 to 1:33" in text
    assert Says("master.nobody-of-the-sync-set") in text
    assert "sync set came back" in text
    assert (gap.because, gap.place) == (("F1", "F2"), "roles")
    assert gap.without["F1"] < 1 > gap.without["F2"]


def test_it_says_what_producers_and_consumers_met(found):
    text = Printed(found(TWO_KILLS)["no_master"].text)
    assert Says("master.attempts-failed", group="shop") in text
    assert Says("master.consumed-nothing", group="billing") in text


@pytest.mark.parametrize(("removed_s", "met"), [(30, ["master.attempts-failed"]), (40, [])])
def test_what_windows_that_were_removed_had_is_no_silence(found, removed_s, met):
    text = Printed(found(TWO_KILLS, removed_s=removed_s)["no_master"].text)
    said = ("master.attempts-failed", "master.consumed-nothing", "master.met-nothing")
    assert [one for one in said if Says(one) in text] == met


def test_a_master_that_dies_while_no_controller_leads_is_the_cause_of_both(found):
    gap = found(NO_CONTROLLER)["no_master"]
    assert Says("master.no-controller", at="0:30") in Printed(gap.text)
    assert gap.because == ("F1", "F2")


def test_a_kill_with_a_controller_is_none(found):
    assert "no_master" not in found("- {at: 30s, for: 45s, broker: broker-a, kind: kill}\n")


def test_nobody_takes_over_from_a_master_with_plain_slaves(found):
    plain = SET.replace("replicas: 3, mode: controller", "slaves: 2").replace("controllers: {embedded: false}\n", "")
    gap = found("- {at: 30s, for: 45s, broker: broker-a, kind: kill}\n", plain)["no_master"]
    assert Says("master.without-master", broker="broker-a", seconds=45) in Printed(gap.text)
    assert Says("master.nobody-takes-over", mode="master_slave") in Printed(gap.text)
    assert "0:30 to 1:15" in gap.text


@pytest.mark.parametrize(("reads", "says"), [("true", "master.slave-acts"), ("false", "master.slave-refuses")])
def test_a_slave_that_acts_is_read_from_where_slave_read_enable_is_set(found, reads, says):
    keys = f"slaves: 1, slave_acting_master: true, slave_read_enable: {reads}"
    acting = SET.replace("replicas: 3, mode: controller", keys).replace("controllers: {", "name_servers: {")
    gap = found(
        "- {at: 30s, for: 45s, broker: broker-a, kind: kill}\n",
        acting.replace("embedded: false", "support_acting_master: true"),
    )
    assert Says(says) in Printed(gap["no_master"].text)


@pytest.mark.parametrize(
    ("sends", "says"),
    [("20/s", "master.nothing-left"), ("20/s, rate_changes: {25s: 0.001/s}", "master.nothing-to-consume")],
)
def test_while_a_group_has_all_of_a_broker_it_had_nothing_to_consume_and_is_not_blamed_for_silence(found, sends, says):
    keys = "slaves: 1, slave_acting_master: true, slave_read_enable: true"
    acting = SET.replace("replicas: 3, mode: controller", keys).replace("controllers: {", "name_servers: {")
    acting = acting.replace("embedded: false", "support_acting_master: true").replace("rate: 20/s", f"rate: {sends}")
    gap = found("- {at: 30s, for: 45s, broker: broker-a, kind: kill}\n", acting)["no_master"]
    assert Says(says) in Printed(gap.text)


def test_what_is_lost_and_what_is_skipped_name_the_election(found):
    every = found(LAG)
    assert Says("master.had-no-copy", elected="0:30") in Printed(every["lost"].text)
    assert Says("master.offsets-again") in Printed(every["skipped"].text)
    assert "elected at 0:30" in every["skipped"].text
    assert "F1" in every["skipped"].because


def test_no_election_is_named_for_what_is_skipped_where_the_windows_before_were_removed(found):
    assert Says("master.offsets-again") not in Printed(found(LAG, removed_s=52)["skipped"].text)


def test_what_is_consumed_twice_names_the_election_whose_master_had_old_offsets(found):
    kills = (
        "- {at: 60s, for: 60s, broker: broker-a, kind: kill}\n- {at: 65s, for: 30s, consumer: billing-1, kind: kill}\n"
    )
    twice = found(kills, SET.replace("threads: 4, service", "count: 2, threads: 4, service"))["consumed_twice"]
    assert "; the master of broker-a, elected at 1:00, began with offsets " in twice.text
    assert " messages behind" in twice.text
    assert twice.because == ("F1", "F2")
