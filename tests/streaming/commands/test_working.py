"""`diff` and `explain` say on a terminal what they do from the start; a pipe gets the answer alone."""

from __future__ import annotations

import io

import pytest
import typer

from simulator.scenario import parse_scenario
from streaming import cli
from streaming.commands.jobs import state_command
from streaming.differences.run_difference_texts import RunDifferenceTexts
from streaming.terminal.output_console import OutputConsole
from streaming.texts.command_result_texts import CommandResultTexts
from streaming.verbs import looking_verbs
from tests.simulator.small import text_of
from tests.streaming.report.pure_output import write_simulated


@pytest.fixture
def said(tmp_path, monkeypatch):
    """What a verb prints: said(verb, is_terminal, **options)."""
    out = write_simulated(tmp_path / "out", parse_scenario(text_of(duration="5s")))

    def ran(verb, is_terminal, **options):
        text = io.StringIO()
        monkeypatch.setattr(looking_verbs, "Console", lambda: OutputConsole(file=text, force_terminal=is_terminal))
        with pytest.raises(typer.Exit):
            verb(*[out] * (2 if verb is looking_verbs.diff else 1), **options)
        return text.getvalue()

    return ran


def _are_in_order(printed, texts):
    places = [printed.index(text) for text in texts]
    return places == sorted(places)


def test_diff_says_that_it_opens_and_compares(said):
    text = said(looking_verbs.diff, True)
    texts = (CommandResultTexts.OPENING_RUNS(), CommandResultTexts.COMPARING_RUNS(), RunDifferenceTexts.SAME())
    assert _are_in_order(text, texts)
    assert said(looking_verbs.diff, False).splitlines()[0] == RunDifferenceTexts.SAME()


def test_explain_says_that_it_looks_and_makes_the_decision_again(said):
    text = said(looking_verbs.explain, True, at="1s")
    looking = CommandResultTexts.LOOKING_FOR_MESSAGE()
    texts = (CommandResultTexts.OPENING_RUN(), looking, CommandResultTexts.CHOOSING_AGAIN())
    assert _are_in_order(text, texts)
    assert not any(word in said(looking_verbs.explain, False, at="1s") for word in (*texts, "\x1b"))


def test_state_says_that_it_reads_it_on_a_terminal_alone(tmp_path, monkeypatch):
    monkeypatch.setattr(state_command, "_tables", lambda *_: (1, [], {}))
    for is_terminal in (True, False):
        text = io.StringIO()
        state_command.state_command(tmp_path, None, False, None, OutputConsole(file=text, force_terminal=is_terminal))
        assert (CommandResultTexts.READING_STATE() in text.getvalue()) is is_terminal


def test_a_run_says_from_the_start_that_it_reads_the_scenario(tmp_path, monkeypatch):
    text = io.StringIO()
    monkeypatch.setattr(cli, "Console", lambda **_: OutputConsole(file=text, force_terminal=True))
    (tmp_path / "small.yaml").write_text(text_of(duration="5s"))
    monkeypatch.setattr("sys.argv", ["sendlab", "run", str(tmp_path / "small.yaml"), "--engine", "plain"])
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit):
        cli.main()
    assert text.getvalue().index(CommandResultTexts.READING_SCENARIO()) < text.getvalue().index("of virtual time")
