"""What a consequence says is so: whose figure it is, and what its messages really came to."""

from __future__ import annotations

import pytest

from simulator.scenario import parse_scenario
from streaming.report.causes.cause_lines import cause_lines, shown_findings
from streaming.report.collected.data import collect
from streaming.report.texts.finding_texts import FindingTexts
from tests.says import Says
from tests.streaming.report.pure_output import write_simulated

BROKERS = """
client: {release: 4.9.8}
brokers: {broker-a: {latency: {constant: 1ms}}, broker-b: {like: broker-a}}
"""
STATUS = f"""
name: a status
duration: 20s
{BROKERS}
producers: {{count: 4, threads: 1, rate: 10/s}}
topics: {{orders: {{queues: 4}}}}
faults: [{{at: 10s, for: 5s, broker: broker-b, kind: KIND}}]
"""
RESET = f"""
name: offsets reset to the present, and back
duration: 60s
{BROKERS}
producers: {{count: 2, threads: 2, rate: 20/s}}
topics: {{orders: {{queues: 4}}}}
consumers: {{billing: {{topic: orders, count: 1, threads: 1, service: {{constant: 50ms}}}}}}
faults:
  - {{at: 20s, to: 20s, consumer: billing, kind: reset_offset}}
  - {{at: 40s, to: 15s, consumer: billing, kind: reset_offset}}
"""
NEWS = f"""
name: a second broadcasting instance
duration: 20s
{BROKERS}
producers: {{count: 2, threads: 2, rate: 20/s}}
topics: {{orders: {{queues: 4}}}}
consumers: {{news: {{topic: orders, count: 2, service: {{constant: 1ms}}, message_model: BROADCASTING}}}}
faults: [{{at: 10s, consumer: news-2, kind: scale_out}}]
"""


@pytest.fixture
def said(tmp_path):
    def of(text, kind):
        data = collect(write_simulated(tmp_path, parse_scenario(text)))
        return data, [one.text for one in shown_findings(cause_lines(data)) if one.kind == kind]

    return of


def test_callers_that_get_a_status_are_not_said_to_get_an_error(said):
    _, (text,) = said(STATUS.replace("KIND", "status, send_status: FLUSH_SLAVE_TIMEOUT"), "failed")
    assert text.facts["stored"] == ""
    assert FindingTexts.OTHER_STATUS() in text


def test_messages_stored_although_their_callers_got_an_error_are_counted(said):
    data, (text,) = said(STATUS.replace("KIND", "slow_link, delay: 4s"), "failed")
    assert text.facts["those"] == f"{data.summary.total.failed_once} of them" == "4 of them"


def test_a_skipped_message_that_is_consumed_after_all_is_not_counted(said):
    data, texts = said(RESET, "skipped")
    (group,) = data.summary.consumers
    assert 0 < group.skipped == sum(int(text.facts["messages"].split()[0].replace(",", "")) for text in texts)


def test_what_an_instance_of_a_broadcasting_group_skips_is_not_said_of_the_group(said):
    _, (text,) = said(NEWS, "skipped")
    assert text == Says("consequence.skipped-by-instances", place="news")


def test_a_group_without_a_line_of_its_own_has_no_peak_of_all_groups(said):
    groups = "".join(f"  - {{group: g{n}, count: 1, rate: 10/s, topics: {{t{n % 2}: 1}}}}\n" for n in range(7))
    topics = "{t0: {brokers: [broker-a]}, t1: {brokers: [broker-b]}}"
    fault = "{at: 10s, for: 5s, broker: broker-b, kind: slow, latency: {constant: 300ms}}"
    text = f"name: seven\nduration: 20s\n{BROKERS}producers:\n{groups}topics: {topics}\nfaults: [{fault}]\n"
    _, texts = said(text, "waits")
    assert [text.facts["top"] for text in texts] == ["", "", ""]
