"""`sendlab releases`: what a release changes for a sender, in words, with its evidence."""

import json

import pytest
from rich.console import Console

from streaming.commands.releases_command import releases_command
from streaming.errors import InputError
from streaming.texts.command_result_texts import CommandResultTexts
from tests.says import prints


@pytest.fixture
def said(capsys):
    """What the command prints."""

    def say(first=None, last=None, everything=False, as_json=False):
        releases_command(first, last, everything, as_json, Console(width=200))
        return capsys.readouterr().out

    return say


def test_one_release_is_compared_with_the_one_before(said):
    text = said("4.9.8")
    assert prints(text, CommandResultTexts.RELEASES_COMPARED, older="4.9.7", newer="4.9.8")
    assert "instead of overwriting one in the shared list" in text
    assert "MQFaultStrategy.selectOneMessageQueue" in text


def test_two_releases_in_either_order_are_the_same_question(said):
    assert said("5.3.3", "5.3.1") == said("5.3.1", "5.3.3")
    assert "sendMsgMaxTimeoutPerRequest" in said("5.3.1", "5.3.3")


def test_what_makes_no_difference_is_left_out_unless_asked_for(said):
    assert prints(said("5.1.2"), CommandResultTexts.NOTHING_CHANGES)
    assert "no difference: logging" in said("5.1.2", everything=True)


def test_brokers_have_their_own_part(said):
    text = said("5.3.1", "5.3.2")
    assert text.index("producer") < text.index("broker\n") < text.index("INVALID_PARAMETER")


def test_json_holds_every_method(said):
    (row,) = [row for row in json.loads(said("4.8.0", as_json=True)) if "hash_place" in row["entries"]]
    assert (row["kind"], row["methods"]) == ("changes", ["SelectMessageQueueByHash.select"])


def test_an_unknown_release_is_refused_with_the_nearest(said):
    with pytest.raises(InputError, match=r"'4\.9\.9'.*4\.9\.8"):
        said("4.9.9")
