"""`sendlab check` and `sendlab keys`: no Spark, no run, one answer."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from simulator.scenario.texts.reading_texts import ReadingTexts
from streaming.texts.command_result_texts import CommandResultTexts
from tests.says import Printed, Says, prints
from tests.simulator.small import text_of
from tests.streaming.asked import ask


@pytest.fixture
def said(monkeypatch, capsys, tmp_path):
    """`sendlab check` on the small scenario with a text replaced."""
    file = tmp_path / "small.yaml"

    def check(was: str, becomes: str, *more: object) -> tuple[int, str]:
        file.write_text(text_of().replace(was, becomes))
        code, text = ask(monkeypatch, capsys, "check", file, *more)
        return code, text.replace(f"{file}", "FILE")

    return check


def test_a_scenario_that_is_fine_is_reported_in_a_line(said):
    parts = "1 producer, 1 group, 1 topic, 3 brokers"
    summary = CommandResultTexts.SCENARIO_SUMMARY(
        name="small", releases="4.9.8", parts=parts, duration="2s", messages=20
    )
    fine = CommandResultTexts.SCENARIO_FINE(summary=summary, takes="takes about 2 s and 0.4 GiB")
    assert said("", "") == (0, fine.at("FILE"))


def test_thirty_one_billion_messages_are_not_fine(said):
    code, text = said("duration: 2s", "duration: 3660d", "--set", "producers.rate=100/s")
    assert code == 0
    assert prints(text, CommandResultTexts.SCENARIO_CAN_BE_RUN)
    assert "can be run: small; " in text
    assert "warning: about 32,000,000,000 messages take about" in text
    assert prints(text, CommandResultTexts.PLAIN_NEEDS_MEMORY)
    assert "warning: --engine plain" in text
    assert said("duration: 2s", "duration: 3660d", "--set", "producers.rate=100/s", "--strict")[0] == 1


def test_every_problem_has_a_line_of_its_own(said):
    code, text = said("seed: 3\nduration: 2s", "seed: x\nduraton: 2s")
    assert code == 2
    assert "FILE:2: seed: expected a whole number" in text
    assert Says("reading.unknown-meant", "FILE:3: duraton", near="duration") in Printed(text)
    assert "(and" not in text


def test_changes_are_checked_as_well(said):
    code, text = said("", "", "--set", "client.release=9")
    assert (code, Says("client.release-expected", "--set client.release") in Printed(text)) == (2, True)


def test_a_key_is_shown_with_unit_default_and_meaning(monkeypatch, capsys):
    code, text = ask(monkeypatch, capsys, "keys", "client.send_msg_timeout")
    assert (code, text.startswith("client.send_msg_timeout a duration from 1ms to 1d; default 3s time for")) == (
        0,
        True,
    )


def test_all_keys_are_listed_with_the_places_that_have_them(monkeypatch, capsys):
    code, text = ask(monkeypatch, capsys, "keys")
    assert (code, "brokers.NAME.latency, brokers.NAME.flush_latency, brokers.NAME.slave_latency" in text) == (0, True)


def test_the_schema_is_json(monkeypatch, capsys):
    code, text = ask(monkeypatch, capsys, "keys", "--schema")
    assert (code, json.loads(text)["properties"]["duration"]["title"]) == (0, "a duration such as 5m")


def test_an_unknown_key_is_one_sentence(monkeypatch, capsys):
    assert ask(monkeypatch, capsys, "keys", "clint") == (2, ReadingTexts.UNKNOWN_MEANT(near="client").at("keys clint"))


def test_checking_a_scenario_does_not_wait_for_numba(tmp_path):
    file = tmp_path / "small.yaml"
    file.write_text(text_of())
    command = "import atexit, sys; atexit.register(lambda: print('numba' in sys.modules)); "
    command += f"sys.argv = ['sendlab', 'check', {str(file)!r}]; from streaming.entry import main; main()"
    ran = subprocess.run([sys.executable, "-c", command], capture_output=True, text=True, timeout=250)
    assert ran.returncode == 0
    assert ran.stdout.endswith("about 20 messages; takes about 2 s and 0.4 GiB\nFalse\n")


def test_an_example_is_checked_and_run_by_its_name(monkeypatch, capsys):
    code, text = ask(monkeypatch, capsys, "check", "quickstart")
    assert (code, "quickstart.yaml: fine: broker-b hangs for a minute" in " ".join(text.split())) == (0, True)
    for verb in ("check", "run"):
        code, text = ask(monkeypatch, capsys, verb, "quickstrt")
        assert (code, "no example named quickstrt" in text, "did you mean quickstart?" in " ".join(text.split())) == (
            *(2, True, True),
        )
