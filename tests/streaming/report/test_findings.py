"""Findings fire where they must, and only there."""

from __future__ import annotations

import pytest

from simulator.scenario import load_scenario, parse_scenario
from streaming.report.cards import without_picture
from streaming.report.collected.data import collect
from streaming.report.figures import figures
from streaming.report.findings.finding import ReportFinding, in_order
from streaming.report.findings.ranked import findings
from streaming.report.texts.card_texts import CardTexts
from streaming.report.texts.finding_texts import FindingTexts
from tests.says import Says
from tests.streaming.report.pure_output import write_simulated

TEXT = """
name: found
duration: 60s
client: {release: RELEASE, send_latency_fault_enable: true}
producers: {count: 10, rate: 20/s}
topics: {orders: {queues: 8}}
brokers:
  broker-a: {latency: {constant: 1ms}}
  broker-b: {like: broker-a}
  broker-c: HEALTHY
faults: FAULTS
"""
HANG = "[{at: 10s, for: 10s, broker: broker-b, kind: hang}]"


@pytest.fixture
def found(tmp_path):
    def of(release="4.9.8", faults=HANG, healthy="{like: broker-a}"):
        text = TEXT.replace("RELEASE", release).replace("FAULTS", faults).replace("HEALTHY", healthy)
        scenario = parse_scenario(text)
        return [one.text for one in findings(collect(write_simulated(tmp_path, scenario)))]

    return of


def isolated(texts, broker):
    """The facts of the one sentence that says how long a broker was isolated."""
    (found,) = (text.facts for text in texts if text.id == "finding.isolated" and text.facts["broker"] == broker)
    return found


def test_a_healthy_run_has_none(found):
    assert found(faults="[]") == []


def test_a_broker_that_is_isolated_outside_its_fault_is_reported_with_producers_and_period(found):
    facts = isolated(found(), "broker-b")
    assert (facts["when"], facts["isolating"], facts["users"]) == (FindingTexts.OUTSIDE_OF_FAULTS(), 10, 10)
    assert facts["seconds"] == pytest.approx(40, abs=0.05)
    assert facts["periods"] == "600 s (10 times)"


def test_a_broker_that_was_only_slow_is_not_said_to_fail(found):
    facts = isolated(found(faults="[]", healthy="{latency: {constant: 600ms}, send_threads: 99}"), "broker-c")
    why = FindingTexts.NONE_FAILED_THERE(release="4.9.8", seconds=30, latency_ms=550)
    assert facts["why"] == f": {why}."
    assert facts["periods"] == "30 s (20 times)"


def test_all_messages_are_no_share_of_all(found):
    texts = found(faults="[{at: 0s, for: 60s, name_server: all, kind: name_server_down}]")
    (failed,) = [text for text in texts if text.id == "finding.failed"]
    assert failed.facts["share"] == FindingTexts.ALL_OF_THEM(verb="failed", whole=11_885)


def test_a_short_penalty_is_none(found):
    texts = found(faults="[{at: 10s, for: 1ms, broker: broker-b, kind: slow, factor: 2}]")
    assert not [text for text in texts if "isolated" in text]


def test_the_busiest_queue_is_reported_with_its_reason(found):
    (busiest,) = (text for text in found() if text.id == "finding.busiest-queue")
    assert busiest.endswith(f": {FindingTexts.SCAN_ENDS()}.")


def test_the_fixed_scan_is_not_blamed(found):
    assert not [text for text in found(release="5.3.3") if "apache/rocketmq#5672" in text]


def test_a_lost_message_that_was_acknowledged_comes_first(root, tmp_path):
    data = collect(write_simulated(tmp_path, load_scenario(root / "conf" / "scenarios" / "power-loss.yaml")))
    where = FindingTexts.ON_BROKERS(brokers="broker-b")
    first = findings(data)[0]
    assert first.what == FindingTexts.LOST(
        messages="13 acknowledged messages", are="are", where=where, times="0:58.7 to 0:59.9"
    )
    assert first.cause == "broker-b loses power (F1, 1:00 to 2:00)"


def test_nothing_is_lost_that_is_kept(found):
    assert not [text for text in found() if "lost" in text]


def test_duplicates_are_copies_and_messages(root, tmp_path):
    scenario = load_scenario(root / "conf" / "scenarios" / "quickstart.yaml", {"duration": "2m"})
    data = collect(write_simulated(tmp_path, scenario))
    printed = next(one for one in findings(data) if one.kind == "duplicates")
    total = data.summary.total
    assert printed.text == Says("finding.duplicates", messages="98 messages", duplicates="103 duplicates")
    assert (total.duplicated, total.duplicates) == (102, 107)
    moved = FindingTexts.LOAD_MOVED(broker="broker-b", why="").removesuffix(" ()")
    assert FindingTexts.MORE(count=4, cause=FindingTexts.NO_FAULT_THERE(what=moved)) in printed.text


def test_isolation_is_outside_of_every_fault_of_the_broker(found):
    texts = found(faults=f"{HANG[:-1]}, {{at: 40s, for: 20s, broker: broker-b, kind: slow, factor: 2}}]")
    facts = isolated(texts, "broker-b")
    assert (facts["isolating"], facts["users"]) == (10, 10)
    assert facts["seconds"] == pytest.approx(20, abs=0.05)


def test_the_worst_kind_comes_first_and_in_it_the_largest():
    kinds = [("isolation", 900), ("waits", 5), ("failed", 3), ("never_sent", 7), ("failed", 8), ("lost", 1)]
    made = [ReportFinding(kind, f"{kind} {size}", "x", size) for kind, size in kinds]
    assert [one.text for one in in_order(made)] == [
        "lost 1", "failed 8", "failed 3", "never_sent 7", "waits 5", "isolation 900",
    ]  # fmt: skip


def test_the_scan_is_not_blamed_for_a_queue_that_a_hash_of_keys_chose(tmp_path):
    text = TEXT.replace("RELEASE", "4.9.8").replace("FAULTS", HANG).replace("HEALTHY", "{like: broker-a}")
    hot = "{group: hot, count: 10, rate: 20/s, selector: hash, topics: {orders: 1}}"
    hashed = f"producers: [{hot}, {{group: web, count: 1, rate: 20/s, topics: {{views: 1}}}}]"
    text = text.replace("producers: {count: 10, rate: 20/s}", hashed)
    text = text.replace(
        "{orders: {queues: 8}}", "{orders: {queues: 8, keys: {count: 50, skew: zipf 3}}, views: {queues: 4}}"
    )
    data = collect(write_simulated(tmp_path, parse_scenario(text)))
    busiest = [text for text in (one.text for one in findings(data)) if text.id == "finding.busiest-queue"]
    assert data.lanes
    blamed = {text.facts["topic"]: FindingTexts.SCAN_ENDS() in text for text in busiest}
    assert blamed == {"orders": False, "views": True}


def test_a_strategy_that_one_group_alone_has_on_is_not_said_to_be_off(tmp_path):
    text = TEXT.replace("RELEASE", "4.9.8").replace("FAULTS", "[]").replace("HEALTHY", "{like: broker-a}")
    text = text.replace("send_latency_fault_enable: true", "send_latency_fault_enable: false")
    web = "{group: web, count: 2, rate: 20/s, client: {send_latency_fault_enable: true}}"
    own = f"[{{group: shop, count: 2, rate: 20/s}}, {web}]"
    text = text.replace("{count: 10, rate: 20/s}", own)
    data = collect(write_simulated(tmp_path, parse_scenario(text)))
    assert CardTexts.STRATEGY_OFF() not in without_picture(data, figures(data))


def test_a_fault_of_consumers_is_not_why_producers_knew_no_broker(tmp_path):
    faults = "[{at: 10s, broker: all, kind: wipe_permission}, {at: 5s, for: 1s, consumer: billing-1, kind: kill}]"
    text = TEXT.replace("RELEASE", "4.9.8").replace("FAULTS", faults).replace("HEALTHY", "{like: broker-a}")
    text += "consumers: {billing: {topic: orders, count: 2, service: 1ms}}\n"
    found = findings(collect(write_simulated(tmp_path, parse_scenario(text))))
    causes = " ".join(one.cause for one in found if one.kind == "failed")
    assert "F1" in causes
    assert "F2" not in causes


def test_the_release_that_isolates_is_that_of_the_group_whose_strategy_is_on(tmp_path):
    text = TEXT.replace("RELEASE", "5.3.3").replace("FAULTS", HANG).replace("HEALTHY", "{like: broker-a}")
    text = text.replace("send_latency_fault_enable: true", "send_latency_fault_enable: false")
    web = "{group: web, count: 5, rate: 20/s, client: {release: 4.9.8, send_latency_fault_enable: true}}"
    text = text.replace("{count: 10, rate: 20/s}", f"[{{group: shop, count: 5, rate: 20/s}}, {web}]")
    data = collect(write_simulated(tmp_path, parse_scenario(text)))
    facts = isolated([one.text for one in findings(data)], "broker-b")
    rows = data.facts.attempts
    failed = int(((rows["group"] == 1) & (rows["broker"] == 1)).sum())
    assert facts["why"] == f": {FindingTexts.FAILED_THERE(attempts=f'{failed} attempts', release='4.9.8')}."
