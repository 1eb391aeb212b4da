"""Saved text is cut where one command's output ends; Java's own words are no part of it."""

from __future__ import annotations

from pathlib import Path

import pytest

from streaming.errors import InputError
from streaming.init.evidence import read_evidence
from streaming.init.saved_part import files_in, parts_of
from tests.says import Says, raises
from tests.streaming.init.asked import RECORDED, init_scenario, saved

FILE = Path("saved.txt")


@pytest.mark.parametrize(
    "echo", ["$ mqadmin", "+ sh bin/mqadmin", "[root@mq1 ~]# /opt/rocketmq/bin/mqadmin", "mqadmin"]
)
def test_a_line_with_the_command_begins_a_part(echo):
    text = f"{echo} topicRoute -t orders -n a:9876\n{{}}\n{echo} topicRoute -t bills\n{{}}\n"
    assert [part.option("-t") for part in parts_of(FILE, text)] == ["orders", "bills"]


def test_a_second_table_begins_a_part_without_a_command():
    text = (RECORDED / "consumerProgress-audit.txt").read_text() + (RECORDED / "clusterList-m.txt").read_text()
    assert len(parts_of(FILE, text)) == 2


def test_exceptions_before_the_output_are_left_out(tmp_path):
    # mqadmin of 4.9.8 prints one for each broker of 5.x, and then the table
    assert "NullPointerException" in (RECORDED / "4.9.8/clusterList.txt").read_text()
    assert len(init_scenario("4.9.8/clusterList.txt").brokers) == 3


def test_lines_of_logback_and_java_are_left_out(tmp_path):
    noise = "10:54:39,926 |-INFO in ch.qos.logback - begun\nOpenJDK 64-Bit Server VM warning: old\n"
    file = saved(tmp_path, "list.txt", noise + (RECORDED / "clusterList-m.txt").read_text())
    assert len(init_scenario(file).brokers) == 3


def test_a_command_that_failed_among_others_is_a_note(tmp_path):
    failed = "$ mqadmin topicRoute -t gone\norg.apache.rocketmq.tools.command.SubCommandException: no route\n"
    file = saved(tmp_path, "all.txt", failed + (RECORDED / "5.3.3/topics.txt").read_text())
    (note,) = read_evidence([file]).facts.notes
    assert "mqadmin topicRoute -t gone failed" in note


def test_a_command_that_failed_alone_is_a_sentence(tmp_path):
    file = saved(
        tmp_path, "list.txt", "org.apache.rocketmq.remoting.exception.RemotingConnectException: connect failed\n"
    )
    with pytest.raises(InputError, match=r"list\.txt:1: mqadmin  ?failed: org\.apache.*connect failed"):
        read_evidence([file])


def test_the_output_of_a_run_is_not_taken_for_what_a_cluster_printed(tmp_path):
    (tmp_path / "run.json").write_text("{}")
    with raises(InputError, Says("init.output-of-a-run", str(tmp_path))):
        list(files_in([tmp_path]))
