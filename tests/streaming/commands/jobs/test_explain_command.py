"""`sendlab explain` finds the attempt in the tables of a run and tells why, in words and as JSON."""

from __future__ import annotations

import json

import pytest
from rich.console import Console

from streaming.errors import InputError
from streaming.explain.explanation import REASONS, ranges
from streaming.explain.find_attempt import moment_asked
from streaming.jobs.plain.plain_run import run_plain
from tests.simulator.small import fault
from tests.streaming.asked import ask, job_of

CHANGES = {
    "duration": "4s", "producers": {"count": 2, "threads": 2, "rate": "20/s"}, "faults": [fault("refuse", "1s", "1s")]
}  # fmt: skip


@pytest.fixture(scope="module")
def out(tmp_path_factory):
    """The folder of a finished run."""
    folder = tmp_path_factory.mktemp("run") / "out"
    run_plain(job_of(**CHANGES), folder, Console(quiet=True))
    return folder


@pytest.fixture
def run(out, monkeypatch, capsys):
    """`sendlab explain` on that folder."""
    return lambda *more: ask(monkeypatch, capsys, "explain", out, *more)


def test_a_message_is_explained_in_words(run):
    code, said = run("--producer", 1, "--thread", 1, "--topic", "orders", "--seq", 30)
    assert code == 0
    assert "message 30 of topic orders, producer 1, thread 1: attempt 1 of" in said
    assert "selection_4_9_8.select_on" in said
    assert "makes the same choice" in said
    assert "4.2.0-4.7.1" in said


def test_a_moment_finds_the_first_attempt_to_a_broker_from_then_on(run):
    code, said = run("--at", "1.5s", "--broker", "a", "--json")
    found = json.loads(said)
    assert (code, found["attempt"]["broker"], found["decision"]["agrees"]) == (0, "a", True)
    assert 1_500_000 <= found["attempt"]["begin_us"] < 1_700_000
    assert [each["broker"] for each in found["decision"]["brokers"] if not each["available"]] == ["b"]


def test_another_attempt_of_the_message_is_reported_by_its_number(run):
    _, said = run("--at", "1s", "--broker", "b", "--json")
    first = json.loads(said)["attempt"]
    which = ("--producer", first["producer"], "--thread", first["thread"], "--seq", first["send_seq"])
    second = json.loads(run(*which, "--attempt", 2, "--json")[1])
    assert (first["outcome"], second["attempt"]["last_broker"]) == ("RemotingConnectException", "b")
    assert second["decision"]["candidates"][-1]["verdict"] == "taken"


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ((), "which message? give --producer, --topic and --seq, or a moment with --at"),
        (("--seq", 3), "--seq counts the messages of one producer; give --producer too"),
        (("--seq", 3, "--at", "1s"), "--at looks for a moment and --seq for a message; leave one of them out"),
        (("--seq", 3, "--producer", 2), "--producer 2: expected 0 to 1"),
        (("--seq", 3, "--producer", 1), "give --thread (0, 1)"),
        (("--seq", 3, "--producer", 1, "--topic", "order"), "did you mean orders?"),
        (("--at", "1s", "--broker", "d"), "--broker d: no broker named d; known: a, b, c"),
        (("--at", "1h"), "no attempt at or after 1:00:00; the tables reach 0:04 of virtual time"),
        (("--seq", 3, "--producer", 1, "--thread", 0, "--attempt", 9), "--attempt 9: the message made 1, numbered"),
        (("--seq", 9999, "--producer", 1), "no attempt of message 9999; the tables reach"),
    ],
)
def test_what_is_not_there_is_reported_in_a_sentence(run, asked, said):
    code, words = run(*asked)
    assert (code, said in words) == (2, True), words


@pytest.mark.parametrize(
    ("text", "us"), [("1:05", 65_000_000), ("1:00:00.5", 3_600_500_000), ("63.1s", 63_100_000), ("2m", 120_000_000)]
)
def test_a_moment_is_a_clock_or_a_duration(text, us):
    assert moment_asked(text) == us


def test_a_moment_that_is_neither_is_refused():
    with pytest.raises(InputError, match=r"--at noon: expected a moment of virtual time such as 10:42"):
        moment_asked("noon")


def test_releases_that_follow_each_other_are_reported_as_a_range():
    assert ranges(["4.2.0", "4.3.0", "4.9.8", "5.0.0", "5.3.3"]) == "4.2.0-4.3.0, 4.9.8-5.0.0, 5.3.3"


def test_every_reason_of_a_release_has_a_meaning():
    from simulator.codes import PICK_BY_PROXY, PICK_REASON_NAMES, PICK_SELECTOR

    assert {*PICK_REASON_NAMES[: PICK_SELECTOR + 1], *PICK_REASON_NAMES[PICK_BY_PROXY:]} == set(REASONS)


def test_a_choice_of_a_proxy_is_explained(tmp_path, monkeypatch, capsys):
    over = {"proxies": {"count": 1}, "producers": {"grpc": {}}, "client": {"send_latency_fault_enable": False}}
    run_plain(job_of(duration="2s", **over), tmp_path / "out", Console(quiet=True))
    code, said = ask(monkeypatch, capsys, "explain", tmp_path / "out", "--at", "1s")
    assert code == 0
    assert "because proxy: the next queue of the proxy's own route" in said


def test_a_message_that_failed_before_any_attempt_is_explained(tmp_path, monkeypatch, capsys):
    large = {"client": {"release": "4.9.8", "max_message_size": "100B"}, "duration": "2s"}
    run_plain(job_of(**large), tmp_path / "out", Console(quiet=True))
    asked = ("explain", tmp_path / "out", "--producer", 0, "--thread", 0, "--seq", 1)
    code, said = ask(monkeypatch, capsys, *asked)
    assert code == 0
    assert "it made no attempt of its own, so no queue was chosen for it" in said
    assert "failed with MQClientException MESSAGE_ILLEGAL; 0 copies stored, 0 durable: not stored" in said
    text = json.loads(ask(monkeypatch, capsys, *asked, "--json")[1])
    assert (text["attempts"], text["decision"]) == (0, None)


def test_a_message_that_was_acknowledged_and_lost_is_said_to_be_lost(tmp_path, monkeypatch, capsys):
    faults = [fault("disk_loss", "2s", "1s", "a")]
    run_plain(job_of(duration="4s", faults=faults), tmp_path / "out", Console(quiet=True))
    code, said = ask(monkeypatch, capsys, "explain", tmp_path / "out", "--at", "0.5s", "--broker", "a")
    assert code == 0
    assert "the message: acknowledged with SEND_OK; 1 copy stored, 0 durable: lost" in said
