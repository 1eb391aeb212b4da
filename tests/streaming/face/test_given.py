"""What a caller may give: four forms of a scenario, plain Python values, and what is refused in a sentence."""

from __future__ import annotations

from datetime import timedelta

import pytest
import sendlab

from tests.house.tree import ROOT
from tests.says import Printed, Says, raises
from tests.simulator.small import text_of

SMALL = {
    "duration": timedelta(seconds=5),
    "client": {"release": "4.9.8", "send_msg_timeout": {"ms": 500}},
    "producers": {"count": 1, "rate": "20/s"},
    "topics": {"orders": {"queues": 2}},
    "brokers": {"a": {"latency": {"constant": "1ms"}}, "b": {"like": "a"}},
}


def test_a_dict_with_python_durations_is_a_scenario():
    scenario = sendlab.load_scenario(SMALL)
    assert (scenario.duration_us, scenario.client.send_msg_timeout_ms) == (5_000_000, 500)


def test_name_path_and_text_are_the_same_scenario():
    path = ROOT / "conf" / "scenarios" / "quickstart.yaml"
    digests = {sendlab.load_scenario(given).digest() for given in ("quickstart", path, str(path), path.read_text())}
    assert len(digests) == 1


def test_changes_take_numbers_and_durations():
    scenario = sendlab.load_scenario(SMALL, set={"producers.count": 3, "duration": {"m": 1.5}})
    assert (scenario.producer_count, scenario.duration_us) == (3, 90_000_000)


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ("quikstart", Says("command.no-file-nor-example", "quikstart")),
        ({**SMALL, "brokrs": {}}, Says("reading.unknown-meant", near="brokers")),
        (text_of().replace("duration: ", "duration: never"), "the text"),
    ],
)
def test_what_is_no_scenario_gets_a_sentence(given, sentence):
    with raises((sendlab.InputError, sendlab.ScenarioError), sentence):
        sendlab.load_scenario(given)


def test_a_notebook_shows_the_sentence_and_no_traceback():
    with pytest.raises(sendlab.InputError) as found:
        sendlab.simulate("quikstart")
    (line,) = found.value._render_traceback_()
    assert Says("command.no-file-nor-example", "InputError: quikstart") in Printed(line)


def test_the_face_lists_every_verb_and_loads_it_when_asked():
    assert {"simulate", "run", "whatif", "sweep", "advise", "replay", "fork", "explain", "diff"} <= set(dir(sendlab))
    for name in dir(sendlab):
        assert getattr(sendlab, name) is not None, name
    with pytest.raises(AttributeError, match=r"it has .*simulate"):
        sendlab.simulat  # noqa: B018
