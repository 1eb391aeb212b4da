"""`sendlab init` from its command line to a scenario that runs."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from simulator.run.simulate import simulate
from simulator.scenario.loading.scenario_file import load_scenario
from streaming.init.texts.init_note_texts import InitNoteTexts
from streaming.texts.command_result_texts import CommandResultTexts
from streaming.texts.command_texts import CommandTexts
from streaming.texts.init_texts import InitTexts
from tests.says import prints
from tests.streaming.asked import ask
from tests.streaming.init.asked import RECORDED, init_scenario, init_text
from tests.streaming.init.mqadmin.test_replica_sets import EPOCHS, SYNC_SET

COLLECT = Path("streaming/init/collect.sh").resolve()
# Prints the recorded output of a command, and asks no cluster.
MQADMIN = """#!/bin/sh
[ "$1 $2" = "clusterList -n" ] && [ "$3" = wrong:9876 ] && { echo "connect to wrong:9876 failed"; exit 1; }
asked="$ mqadmin $*"
awk -v asked="${asked%% -n *}" '/^\\$ mqadmin / { on = $0 == asked; next } on' RECORDED/*.txt
"""


# What of it a set of a controller adds: the first controller does not answer.
OF_A_SET = f"""$ mqadmin clusterList
#Cluster Name  #Broker Name  #BID  #Addr  #Version  #InTPS(LOAD)
c              broker-a      0     192.0.2.1:10911  V5_3_3  30.79(0,0ms)
$ mqadmin getBrokerConfig -c c
============Master: 192.0.2.1:10911============
enableControllerMode                              =  true
controllerAddr                                    =  192.0.2.8:9878;192.0.2.9:9878
$ mqadmin getSyncStateSet -a 192.0.2.8:9878 -c c
org.apache.rocketmq.remoting.exception.RemotingConnectException: connect to 192.0.2.8:9878 failed
$ mqadmin getSyncStateSet -a 192.0.2.9:9878 -c c
{SYNC_SET}
$ mqadmin getBrokerEpoch -c c
{EPOCHS}
"""


def printing(folder, recorded):
    """The environment of a mqadmin that prints what a folder has of it."""
    tool = folder / "bin" / "mqadmin"
    tool.parent.mkdir()
    tool.write_text(MQADMIN.replace("RECORDED", str(recorded)))
    tool.chmod(0o755)
    return {**os.environ, "PATH": f"{tool.parent}{os.pathsep}{os.environ['PATH']}"}


@pytest.fixture
def mqadmin(tmp_path):
    """A mqadmin that prints what was recorded of 5.3.3."""
    return printing(tmp_path, RECORDED / "5.3.3")


def test_what_it_writes_passes_the_check_and_runs(monkeypatch, capsys, tmp_path):
    out = tmp_path / "mine.yaml"
    code, said = ask(monkeypatch, capsys, "init", RECORDED / "5.3.3", RECORDED / "producers.txt", "--out", out)
    assert code == 0
    counted = "3 brokers, 2 topics, 6 producers, 3 consumer groups"
    assert prints(said, CommandResultTexts.INIT_WRITTEN, out=out, counted=counted)
    assert prints(said, CommandResultTexts.INIT_ASSUMED)
    assert "duration, send_latency_fault_enable" in said
    assert ask(monkeypatch, capsys, "check", out)[0] == 0
    result = simulate(load_scenario(out, {"duration": "3s"}), tables=("sends",))
    assert len(result.column("sends", "end_us")) > 200  # 86 a second


def test_a_file_that_exists_is_kept_unless_fresh(monkeypatch, capsys, tmp_path):
    out = tmp_path / "mine.yaml"
    out.write_text("mine")
    code, said = ask(monkeypatch, capsys, "init", "--brokers", 2, "--out", out)
    assert (code, out.read_text()) == (2, "mine")
    assert CommandTexts.OVERWRITES(out=out) in said
    assert ask(monkeypatch, capsys, "init", "--brokers", 2, "--out", out, "--fresh")[0] == 0


def test_without_files_and_without_a_terminal_it_says_what_it_needs(monkeypatch, capsys, tmp_path):
    monkeypatch.setattr("sys.stdin", open(os.devnull))  # noqa: SIM115
    code, said = ask(monkeypatch, capsys, "init", "--out", tmp_path / "x.yaml")
    assert code == 2
    assert CommandTexts.FILES_OR_ANSWERS() in said


def test_wrong_options_are_sentences(monkeypatch, capsys, tmp_path):
    for option, value, sentence in (
        ("--brokers", "two", InitTexts.COUNT_EXPECTED(most=100, got="two").at("--brokers")),
        ("--release", "5.3.4", "did you mean 5.3.3?"),
        ("--rate", "0", "--rate: expected a rate above 0"),
    ):
        code, said = ask(monkeypatch, capsys, "init", option, value, "--out", tmp_path / "x.yaml")
        assert (code, sentence in said) == (2, True), said


def test_the_script_saves_every_command_of_the_cluster(mqadmin, tmp_path):
    subprocess.run(["sh", COLLECT, "ns:9876", tmp_path / "cluster"], env=mqadmin, check=True, capture_output=True)
    saved = sorted(file.name for file in (tmp_path / "cluster").glob("[!.]*"))
    assert saved == ["brokers.txt", "clusterList.txt", "groups.txt", "topicList.txt", "topics.txt"]
    for name in saved:
        assert (tmp_path / "cluster" / name).read_text() == (RECORDED / "5.3.3" / name).read_text(), name


def test_the_script_asks_controllers_for_sync_sets_until_one_answers(tmp_path):
    (tmp_path / "set").mkdir()
    (tmp_path / "set" / "all.txt").write_text(OF_A_SET)
    env = printing(tmp_path, tmp_path / "set")
    subprocess.run(["sh", COLLECT, "ns:9876", tmp_path / "cluster"], env=env, check=True, capture_output=True)
    text = (tmp_path / "cluster" / "sets.txt").read_text()
    asked = [line for line in text.splitlines() if line.startswith("$")]
    assert asked == [
        "$ mqadmin getSyncStateSet -a 192.0.2.8:9878 -c c", "$ mqadmin getSyncStateSet -a 192.0.2.9:9878 -c c",
        "$ mqadmin getBrokerEpoch -c c",
    ]  # fmt: skip
    broker = init_scenario(tmp_path / "cluster" / "sets.txt").brokers["broker-a"]
    assert (broker.replicas, broker.mode) == (3, "controller")


def test_the_script_stops_where_no_broker_is_listed(mqadmin, tmp_path):
    done = subprocess.run(
        ["sh", COLLECT, "wrong:9876", tmp_path / "c"], env=mqadmin, capture_output=True, text=True, check=False
    )
    assert done.returncode == 3
    assert "wrong:9876 lists no broker" in done.stderr


def test_the_script_leaves_a_folder_of_somebody_else_alone(mqadmin, tmp_path):
    mine = tmp_path / "consumers" / "mine.txt"
    mine.parent.mkdir()
    mine.touch()
    asked = ["sh", COLLECT, "127.0.0.1:9876", tmp_path]
    done = subprocess.run(asked, env=mqadmin, capture_output=True, text=True, check=False)
    assert (done.returncode, "not from an earlier call" in done.stderr, mine.exists()) == (3, True, True)


def test_the_script_adds_to_files_that_were_saved_before(mqadmin, tmp_path):
    (tmp_path / "broker.conf").write_text("brokerName=broker-a\n")
    for _ in range(2):
        asked = ["sh", COLLECT, "127.0.0.1:9876", tmp_path]
        assert subprocess.run(asked, env=mqadmin, capture_output=True, check=False).returncode == 0
    assert {"broker.conf", "clusterList.txt"} <= {path.name for path in tmp_path.iterdir()}


def test_the_script_is_printed(monkeypatch, capsys):
    monkeypatch.setenv("COLUMNS", "40")
    monkeypatch.setattr("sys.argv", ["sendlab", "init", "--collect"])
    from streaming import cli

    with pytest.raises(SystemExit):
        cli.main()
    assert capsys.readouterr().out == COLLECT.read_text()


def test_the_example_becomes_a_scenario_of_its_three_brokers(monkeypatch, capsys, tmp_path):
    assert ask(monkeypatch, capsys, "init", "--example", tmp_path / "cluster")[0] == 0
    assert ask(monkeypatch, capsys, "init", tmp_path / "cluster", "--out", tmp_path / "mine.yaml")[0] == 0
    scenario = load_scenario(tmp_path / "mine.yaml")
    assert (sorted(scenario.brokers), scenario.producer_count) == (["broker-a", "broker-b", "broker-c"], 6)


def test_what_is_noted_of_the_files_is_printed_too(monkeypatch, capsys, tmp_path):
    conf, out = tmp_path / "broker.conf", tmp_path / "mine.yaml"
    conf.write_text("brokerName=broker-a\nbrokerId=3\nbrokerRole=ASYNC_MASTER\n")
    code, said = ask(monkeypatch, capsys, "init", conf, "--out", out)
    assert (code, prints(said, CommandResultTexts.INIT_NOTED)) == (0, True)
    assert prints(said, InitNoteTexts.NOT_A_SLAVE, number=3)


def test_the_example_is_written_over_nothing(monkeypatch, capsys, tmp_path):
    (tmp_path / "mine.txt").write_text("mine")
    code, said = ask(monkeypatch, capsys, "init", "--example", tmp_path)
    assert (code, said) == (2, CommandTexts.EXAMPLE_FOLDER().at(tmp_path))


def test_a_folder_is_read_with_its_own_folders(tmp_path):
    shutil.copytree(RECORDED / "5.3.3", tmp_path / "cluster" / "mqadmin")
    shutil.copytree(
        RECORDED / "metrics", tmp_path / "cluster" / "metrics", ignore=lambda *_: ["metrics.txt", "federate.txt"]
    )
    (tmp_path / "cluster" / ".hidden").mkdir()
    assert init_text(tmp_path / "cluster") == init_text("5.3.3", "metrics/range.json")
