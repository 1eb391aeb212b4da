"""A file of no known kind, or half of one, is a sentence with its name, its line and what to do."""

from __future__ import annotations

import pytest

from streaming.errors import InputError
from tests.says import Said, Says, raises
from tests.streaming.init.asked import RECORDED, init_scenario, init_text, saved


def first_lines(name, count):
    return "".join((RECORDED / name).read_text().splitlines(keepends=True)[:count])


HALVES = {
    "a table without a row": (first_lines("5.3.3/clusterList.txt", 3), ":3: the columns #Cluster Name"),
    "a row cut off": (
        first_lines("topicRoute-orders.txt", 2) + "DefaultCluster   broker-a\n",
        ":3: expected the columns",
    ),
    "JSON cut off": (first_lines("5.3.3/topics.txt", 20), Says("init.route-cut-off", "...:2")),
    "a range cut off": ((RECORDED / "metrics/range.json").read_text()[:500], Says("init.prometheus-cut-off")),
    "an error of Prometheus": (
        '{"status":"error","error":"query timed out"}',
        Says("init.prometheus-error", why="query timed out"),
    ),
    "a status cut off": (first_lines("5.3.3/brokers.txt", 16), ":2: brokerStatus of 127.0.0.1:31000 has no"),
    "a sample cut off": ('rocketmq_broker_tps{broker="br', ":1: expected a sample"),
    "other metrics": ("rocketmq_brokeruntime_put_tps600 1\n", Says("init.no-exporter-metric")),
    "a number that is none": (
        first_lines("topicRoute-orders.txt", 2) + "c broker-a {0=x} eight 8 6\n",
        Says("init.whole-number-expected", "...:3", column="#ReadQueue", got="eight"),
    ),
    "another text": ("hello world\n", Says("init.not-recognised", "...:1", first="hello world")),
    "another command": ("$ mqadmin topicRout -t x\nhello\n", "mqadmin topicRout is not read; did you mean topicRoute?"),
    "settings cut off": (
        "============192.0.2.1:10911============\nbrokerName  =  broker-a\nflushDisk\n",
        Says("init.config-cut-off", "...:3", got="flushDisk"),
    ),
    "a status without a value": (
        "brokerVersionDesc : V4_9_8\nputMessageDistributeTime : [<=0ms]:1\nputTps : \n",
        Says("init.status-cut-off", missing="putTps"),
    ),
    "a command's echo alone": ("$ mqadmin clusterList\n", "mqadmin clusterList printed nothing"),
    "nothing": ("\n", "is empty"),
    "a status of no topic": (
        first_lines("5.3.3/topics.txt", 50).partition("topicStatus")[2].partition("\n")[2],
        "name the file",
    ),
}


@pytest.mark.parametrize("case", HALVES)
def test_half_a_file_is_a_sentence(tmp_path, case):
    text, sentence = HALVES[case]
    name = "topicRoute-orders.txt" if "#ReadQueue" in text else "saved.txt"
    with pytest.raises(InputError) as found:
        init_text(saved(tmp_path, name, text))
    assert sentence in Said(found.value)
    assert str(found.value).startswith(str(tmp_path / name))


def test_a_picture_and_a_missing_file_are_sentences(tmp_path):
    (tmp_path / "p.png").write_bytes(b"\x89PNG\xff")
    with raises(InputError, Says("init.no-text", ".../p.png")):
        init_text(tmp_path / "p.png")
    with raises(InputError, Says("init.not-there")):
        init_text(tmp_path / "gone.txt")


def test_an_unknown_topic_is_a_sentence():
    with raises(InputError, Says("init.no-such-topic", known="bills, orders")):
        init_text("5.3.3", topics=("order",))


@pytest.mark.parametrize("encoding", ["utf-16", "utf-8-sig", "gbk"])
def test_a_file_may_have_another_encoding_and_ends_of_lines(tmp_path, encoding):
    # PowerShell saves UTF-16; a broker.conf is ISO-8859-1 to Java, so that its comments may be anything
    file = tmp_path / "broker.conf"
    file.write_bytes("# 刷盘\r\nbrokerName=broker-z\r\nflushDiskType=SYNC_FLUSH\r\n".encode(encoding))
    assert init_scenario(file).brokers["broker-z"].flush == "sync"
