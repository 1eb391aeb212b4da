"""sendlab policy: the skeleton is fine, and a file that never comes back is reported."""

import pytest
from rich.console import Console

from streaming.errors import InputError
from streaming.own_policies.policy_command import new_command
from streaming.own_policies.policy_trial import tried
from streaming.own_policies.settled import settle
from streaming.own_policies.trial_process import found_in
from streaming.texts.command_texts import CommandTexts
from tests.says import Printed, Says, raises


@pytest.fixture
def console():
    return Console(quiet=True)


def test_the_skeleton_conforms(tmp_path, console):
    new_command(tmp_path / "mine.py", console)
    assert tried(tmp_path / "mine.py", 120).parts == "choose, avoid"


def test_nothing_is_written_over(tmp_path, console):
    (tmp_path / "mine.py").write_text("")
    with raises(InputError, Says("command.policy-there-already")):
        new_command(tmp_path / "mine.py", console)


def test_a_file_without_a_part_is_reported(tmp_path):
    (tmp_path / "mine.py").write_text("X = 1\n")
    assert found_in(tmp_path / "mine.py") == CommandTexts.POLICY_EMPTY(file="mine.py")


def test_what_does_not_end_is_named(tmp_path):
    (tmp_path / "mine.py").write_text("while True:\n    pass\n")
    assert Says("command.policy-loops", "mine.py", patience_s=4) in Printed(tried(tmp_path / "mine.py", 4).problem)


@pytest.mark.parametrize("change", ["client.policy.choose=mine.py", "client.policy={choose: {mine.py: {a: 1}}}"])
def test_a_file_that_only_a_change_names_is_tried_too(tmp_path, change):
    (tmp_path / "mine.py").write_text("X = 1\n")
    (tmp_path / "s.yaml").write_text("client: {release: 4.9.8}\n")
    with pytest.raises(InputError) as caught:
        settle(tmp_path / "s.yaml", [change])
    assert Says("command.policy-empty", file="mine.py") in Printed(caught.value)


def test_a_scenario_is_not_begun_with_a_file_that_is_not_fine(tmp_path):
    (tmp_path / "mine.py").write_text("X = 1\n")
    (tmp_path / "s.yaml").write_text("client: {policy: {choose: {mine.py: {a: 1}}}}\n")
    (tmp_path / "e.yaml").write_text("scenario: s.yaml\n")
    with pytest.raises(InputError) as caught:
        settle(tmp_path / "e.yaml")
    assert Says("command.policy-empty", file="mine.py") in Printed(caught.value)
