"""`sendlab explain` finds the attempt in the tables of a run and tells why, in words and as JSON."""

from __future__ import annotations

import json

import pytest
from rich.console import Console

from streaming.errors import InputError
from streaming.explain.explanation import REASONS, ranges
from streaming.explain.find_attempt import moment_asked
from streaming.explain.texts.explain_texts import ExplainTexts
from streaming.jobs.plain.plain_run import run_plain
from streaming.texts.command_texts import CommandTexts
from tests.says import Says, prints, raises
from tests.simulator.small import fault
from tests.streaming.asked import ask, job_of

REACHED = ExplainTexts.REACHED(reached="0:04")
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
    name = ExplainTexts.MESSAGE(message=30, topic="orders", producer=1, thread=1)
    assert prints(said, ExplainTexts.ATTEMPT, message=name, attempt=1)
    assert prints(said, ExplainTexts.RULE, rule="simulator.client.selection.selection_4_9_8.select_on")
    assert prints(said, ExplainTexts.SAME_AGAIN)
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
        ((), CommandTexts.WHICH_MESSAGE()),
        (("--seq", 3), CommandTexts.SEQ_WITHOUT_PRODUCER()),
        (("--seq", 3, "--at", "1s"), CommandTexts.AT_AND_SEQ()),
        (("--seq", 3, "--producer", 2), ExplainTexts.PRODUCER_EXPECTED(most=1).at("--producer 2")),
        (("--seq", 3, "--producer", 1), "give --thread (0, 1)"),
        (("--seq", 3, "--producer", 1, "--topic", "order"), "did you mean orders?"),
        (("--at", "1s", "--broker", "d"), "--broker d: no broker named d; known: a, b, c"),
        (("--at", "1h"), ExplainTexts.NO_ATTEMPT_AFTER(to="", at="1:00:00", reached=REACHED)),
        (
            ("--seq", 3, "--producer", 1, "--thread", 0, "--attempt", 9),
            ExplainTexts.NO_SUCH_ATTEMPT(made=1).at("--attempt 9"),
        ),
        (
            ("--seq", 9999, "--producer", 1),
            ExplainTexts.NO_ATTEMPT_OF(message=9999, of=" of producer 1", reached=REACHED),
        ),
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
    with raises(InputError, Says("explain.moment-expected", "--at noon")):
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
    assert prints(said, ExplainTexts.CHOSEN, name="proxy", reason=ExplainTexts.REASON_PROXY())


def test_a_message_that_failed_before_any_attempt_is_explained(tmp_path, monkeypatch, capsys):
    large = {"client": {"release": "4.9.8", "max_message_size": "100B"}, "duration": "2s"}
    run_plain(job_of(**large), tmp_path / "out", Console(quiet=True))
    asked = ("explain", tmp_path / "out", "--producer", 0, "--thread", 0, "--seq", 1)
    code, said = ask(monkeypatch, capsys, *asked)
    assert code == 0
    name = ExplainTexts.MESSAGE(message=1, topic="orders", producer=0, thread=0)
    assert prints(said, ExplainTexts.NO_OWN_ATTEMPT, message=name, carried="")
    copies, lost = ExplainTexts.COPIES(stored="0 copies", durable=0), ExplainTexts.NOT_STORED()
    assert ExplainTexts.FAILED(result="MQClientException MESSAGE_ILLEGAL", copies=copies, lost=lost) in said
    text = json.loads(ask(monkeypatch, capsys, *asked, "--json")[1])
    assert (text["attempts"], text["decision"]) == (0, None)


def test_a_message_that_was_acknowledged_and_lost_is_said_to_be_lost(tmp_path, monkeypatch, capsys):
    faults = [fault("disk_loss", "2s", "1s", "a")]
    run_plain(job_of(duration="4s", faults=faults), tmp_path / "out", Console(quiet=True))
    code, said = ask(monkeypatch, capsys, "explain", tmp_path / "out", "--at", "0.5s", "--broker", "a")
    assert code == 0
    copies, lost = ExplainTexts.COPIES(stored="1 copy", durable=0), ExplainTexts.LOST()
    fate = ExplainTexts.ACKNOWLEDGED(result="SEND_OK", copies=copies, lost=lost)
    assert ExplainTexts.THE_MESSAGE(fate=fate) in said


def test_the_client_is_that_of_the_producers_own_group(tmp_path, monkeypatch, capsys):
    own = {
        "group": "web",
        "count": 1,
        "rate": "20/s",
        "client": {"release": "5.3.3", "send_latency_fault_enable": True},
    }
    shop = {"group": "shop", "count": 1, "rate": "20/s"}
    client = {"release": "4.9.8", "send_latency_fault_enable": False}
    run_plain(job_of(duration="2s", client=client, producers=[shop, own]), tmp_path / "out", Console(quiet=True))
    for producer, expected in ((0, ("4.9.8", "off")), (1, ("5.3.3", "on"))):
        _, said = ask(monkeypatch, capsys, "explain", tmp_path / "out", "--producer", producer, "--seq", 3)
        assert ExplainTexts.CLIENT(release=expected[0], strategy=expected[1]) in said
