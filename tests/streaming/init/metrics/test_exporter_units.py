"""Whether an exporter's `_tps` is messages a second or the sum of a minute."""

from __future__ import annotations

import json

import pytest

from streaming.init.texts.init_source_texts import InitSourceTexts
from streaming.texts.import_note_texts import ImportNoteTexts
from tests.says import Says
from tests.streaming.init.asked import init_scenario, saved, words_of
from tests.streaming.init.mqadmin.printed import cluster_list, member


def sample(metric, value, **labels):
    own = "".join(f'{name}="{text}",' for name, text in {"cluster": "D", **labels}.items())
    return f"rocketmq_{metric}{{{own}}} {value}\n"


def sent(value, topic="orders", broker="broker-a"):
    return sample("producer_tps", value, broker=broker, topic=topic)


def stored(value):
    return sample("broker_tps", value, brokerIP="192.0.2.1:10911", broker="broker-a")


def rate_of(*files):
    return sum(float(one.rate_per_s) * one.count for one in init_scenario(*files).producers)


@pytest.mark.parametrize(
    ("page", "per_s", "why"),
    [
        (
            sent(5600.0) + stored(95.15),
            93.33,
            Says("import-note.sum-as-another-shows", known="rocketmq_broker_tps", per_s=95.15),
        ),
        (
            sent(3000.0) + sent(3060.0, broker="broker-b") + sent(121.0, "refunds"),
            103.0,
            ImportNoteTexts.SUM_AS_ALL_ARE_WHOLE(),
        ),
        (
            sent(3360.0) + sample("brokeruntime_put_tps60", 55.5, brokerIP="x:1"),
            55.5,
            Says("import-note.sum-as-another-shows", known="rocketmq_brokeruntime_put_tps60", per_s=55.5),
        ),
    ],
)
def test_a_sum_of_a_minute_is_divided(tmp_path, page, per_s, why):
    file = saved(tmp_path, "page.txt", page)
    assert rate_of(file) == pytest.approx(per_s, abs=0.05)
    assert ImportNoteTexts.SUM_AS_ALL_ARE_WHOLE().partition(",")[0] in words_of(file)
    assert why in words_of(file)


def test_messages_a_second_are_taken_as_they_are(tmp_path):
    file = saved(tmp_path, "page.txt", sent(56.03) + sample("brokeruntime_put_tps10", 58.0, brokerIP="192.0.2.1:10911"))
    assert rate_of(file) == pytest.approx(56.03)


def test_one_whole_figure_alone_is_assumed(tmp_path):
    words = words_of(saved(tmp_path, "page.txt", sent(120.0)))
    one_scrape = InitSourceTexts.ONE_SCRAPE(source="page.txt: rocketmq_producer_tps", when="")
    assert f"assumed: {one_scrape}; {ImportNoteTexts.SUM_OR_RATE()}" in words


def test_the_load_of_another_file_tells_what_a_page_prints(tmp_path):
    files = (
        saved(tmp_path, "page.txt", sent(6000.0) + stored(6103.0)),
        saved(tmp_path, "list.txt", cluster_list(member("broker-a", 0, "192.0.2.1:10911", 101.2))),
    )
    assert rate_of(*files) == pytest.approx(101.2, abs=0.01)
    why = ImportNoteTexts.SUM_AS_ANOTHER_SHOWS(known="list.txt", per_s=101.2)
    assert f"rocketmq_producer_tps, rocketmq_broker_tps is {why}" in words_of(*files)


def series(metric, values, **labels):
    return {
        "metric": {"__name__": f"rocketmq_{metric}", "cluster": "D", **labels},
        "values": [[1_700_000_000 + 60 * i, str(value)] for i, value in enumerate(values)],
    }


def test_offsets_that_grow_tell_what_a_range_prints(tmp_path):
    of_topic = {"broker": "broker-a", "topic": "orders"}
    result = [
        series("producer_tps", [6000, 6060, 5940], **of_topic),
        series("producer_offset", [100_000, 106_000, 112_060], **of_topic),
        series("group_diff", [0, 10, -7], group="billing", topic="orders", msgModel="1"),
    ]
    file = saved(tmp_path, "range.json", json.dumps({"status": "success", "data": {"result": result}}))
    assert rate_of(file) == pytest.approx(101.0)
    assert Says("import-note.sum-as-another-shows", known="rocketmq_producer_offset", per_s=100.5) in words_of(file)
    assert Says("init-note.beyond-the-end", metric="rocketmq_group_diff", count=-7) in words_of(file)


def test_what_a_group_takes_is_in_the_unit_of_what_is_sent(tmp_path):
    page = (
        sent(5600.0)
        + stored(95.15)
        + sample("consumer_tps", 5580.0, broker="broker-a", topic="orders", group="billing")
        + sample("group_count", 2.0, group="billing")
        + sample("group_diff", 9.0, group="billing", topic="orders")
    )
    assert "it was 9 messages behind and consumed 93.0/s" in words_of(saved(tmp_path, "page.txt", page))


def test_addresses_that_no_file_names_are_no_further_brokers(tmp_path):
    page = sent(1.5) + sent(1.5, broker="broker-b")
    page += "".join(
        sample("brokeruntime_put_message_average_size", 700.0, brokerIP=f"192.0.2.{i}:10911", des="V4_9_4")
        for i in (1, 2)
    )
    file = saved(tmp_path, "page.txt", page)
    assert sorted(init_scenario(file).brokers) == ["broker-a", "broker-b"]
    assert Says("init-note.unknown-addresses", brokers="broker-a, broker-b") in words_of(file)
