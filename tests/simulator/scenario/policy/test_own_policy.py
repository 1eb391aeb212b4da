"""A policy of one's own in a scenario: its file, what that imports from beside it, and what can be wrong with it."""

import pytest
import yaml

from simulator.scenario import ScenarioError, load_scenario, parse_scenario
from simulator.scenario.policy.own_policy import imported_names
from tests.says import Said, Says, raises
from tests.simulator.small import text_of

FILE = """
from simulator.compiled.jit import entry
from simulator.compiled.records import Record
from simulator.policies.policy import PolicyPart
from limits import ATTEMPTS

class State(Record):
    attempts: int

@entry
def again(state: State, attempt: int, broker: int, outcome: int, now_us: int, word: int) -> int:
    return 0 if attempt < state.attempts else -1

def start(state: State, brokers: int, attempts: int) -> None:
    state.attempts = attempts

RETRY = PolicyPart(State, start, {"retry": again}, {"attempts": ATTEMPTS})
"""

COUNTING = FILE.replace("class State", "import numpy as np\nSEEN = [0]\n\nclass State").replace(
    "    return 0 if", "    SEEN[0] += 1\n    return 0 if"
)


@pytest.fixture
def write(tmp_path):
    """Writes the files of a scenario, and reads it."""

    def written(text=FILE, retry="mine.py", attempts=3):
        (tmp_path / "mine.py").write_text(text)
        (tmp_path / "limits.py").write_text(f"ATTEMPTS = {attempts}\n")
        client = {"send_latency_fault_enable": False, "policy": {"retry": retry}}
        (tmp_path / "s.yaml").write_text(text_of(client=client))
        return load_scenario(tmp_path / "s.yaml")

    return written


def problem(write, **text):
    with pytest.raises(ScenarioError) as caught:
        write(**text)
    return Said(caught.value)


def test_the_texts_of_the_file_and_of_what_it_imports_are_part_of_the_scenario(write):
    values = write().client.policy.retry["mine.py"]
    assert values == {"source": FILE, "beside": {"limits.py": "ATTEMPTS = 3\n"}}


def test_a_change_beside_the_file_is_another_scenario(write):
    assert write().digest() != write(attempts=4).digest()


def test_a_resolved_scenario_is_read_again_without_the_files(write):
    scenario = write()
    assert parse_scenario(scenario.to_yaml()).digest() == scenario.digest()


def test_two_versions_of_a_file_are_at_work_at_once(write):
    old, new = write(), write(text=FILE.replace("attempts: int\n", "attempts: int\n    more: int\n", 1))
    assert parse_scenario(old.to_yaml()).digest() != parse_scenario(new.to_yaml()).digest()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (FILE.replace("def again(", "def again(("), "mine.py:11: "),
        (FILE.replace("RETRY =", "CHOOSE ="), Says("policy.no-part", file="mine.py", name="RETRY")),
        (FILE.replace("import ATTEMPTS", "import ATEMPTS"), "mine.py:5: ImportError: "),
        (FILE.replace("return 0 if", "return 'a' if"), Says("policy.not-compiled", "...mine.py:12", function="again")),
        (
            COUNTING,
            Says("policy.not-compiled", function="again"),
        ),
        (COUNTING.replace("[0]\n", "np.zeros(1, np.int64)\n"), Says("policy.not-compiled")),
        (FILE.replace("    state.attempts =", "    state.atempts ="), "mine.py: start raised "),
    ],
)
def test_what_is_wrong_with_a_file_is_reported_with_its_line(write, text, expected):
    assert expected in problem(write, text=text)


def test_a_parameter_of_a_file_is_checked(write):
    assert Says("reading.not-known", name="atempts") in problem(write, retry={"mine.py": {"atempts": 2}})


def test_a_file_that_is_not_there_is_reported_with_the_nearest_name(write, tmp_path):
    write()
    text = yaml.safe_load((tmp_path / "s.yaml").read_text())
    text["client"]["policy"] = {"retry": "mien.py"}
    (tmp_path / "s.yaml").write_text(yaml.safe_dump(text))
    with raises(ScenarioError, Says("reading.no-such-file", "...mien.py")):
        load_scenario(tmp_path / "s.yaml")


def test_imports_are_found_wherever_they_stand():
    assert imported_names("import a.b\ndef f():\n    from c.d import e\nfrom . import g\n") == {"a", "c"}
