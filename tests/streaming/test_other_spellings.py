"""Other spellings of `sendlab verify` end with the sentence that names it."""

from __future__ import annotations

import pytest

from streaming.texts.command_texts import CommandTexts
from tests.says import Says
from tests.streaming.asked import ask


@pytest.mark.parametrize(
    ("asked", "command"),
    [
        (("golden", "tests/golden"), "golden PATH..."),
        (("golden", "--help"), "golden PATH..."),
        (("incidents",), "incidents [NAME]..."),
        (("counterfactuals", "--runs", "5"), "pairs [DIR]"),
        (("replay", "x", "--verify", "--json"), "recordings RECORDING"),
        (("replay", "x", "--predict", "s.yaml"), "predictions RECORDING SCENARIO"),
        (("replay", "--predict=s.yaml", "x"), "predictions RECORDING SCENARIO"),
    ],
)
def test_the_sentence_names_the_command(monkeypatch, capsys, asked, command):
    code, said = ask(monkeypatch, capsys, *asked)
    assert (code, Says("command.other-spelling", asked=command) in said) == (2, True), said


def test_a_folder_of_that_name_is_a_folder(monkeypatch, capsys):
    code, said = ask(monkeypatch, capsys, "report", "golden")
    assert (code, "golden" in said, "verify" in said) == (2, True, False)


def test_a_recording_of_consumers_is_not_replayed(monkeypatch, capsys):
    recording = "conf/traces/consumers/flow-r1"
    code, said = ask(monkeypatch, capsys, "replay", recording, "--arm", "client.release=5.3.3")
    assert (code, CommandTexts.CONSUMERS_NOT_REPLAYED(trace=recording) in said) == (2, True), said
