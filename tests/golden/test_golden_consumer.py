"""The real classes of the consumer's side decide: every recorded answer must come out the same."""

import gzip
import json
import os
import subprocess
import sys

import pytest

from streaming.errors import InputError
from streaming.proof.commands.golden_command import compare, golden_command
from tests.says import Says, raises

KINDS = {  # answers over all releases
    "alloc": 54256,
    "defaults": 457,
    "delay": 1255,
    "flow": 365,
    "lock": 2600,
    "msgid": 400,
    "orderly": 573,
    "processqueue": 6990,
    "sort-hash": 850,
    "sql": 50916,
    "tags": 7800,
}


@pytest.fixture
def recordings(root):
    return root / "tests/golden/consumer"


@pytest.fixture
def few(recordings, tmp_path):
    """Write every so-manieth case of a file to another of the same name, each changed by `change`."""

    def write(name, every=1, change=lambda case: None):
        lines = gzip.decompress((recordings / f"{name}.jsonl.gz").read_bytes()).splitlines()[::every]
        cases = [json.loads(line) for line in lines]
        for case in cases:
            change(case)
        path = tmp_path / f"{name}.jsonl"
        path.write_text("".join(json.dumps(case) + "\n" for case in cases))
        return path

    return write


@pytest.mark.parametrize("kind", KINDS)
def test_every_answer_is_exact(recordings, kind):
    results = compare(sorted(recordings.glob(f"{kind}-*")))
    assert [result.first_difference for result in results if not result.is_exact] == []
    assert sum(result.operations for result in results) == KINDS[kind]


@pytest.mark.parametrize(
    ("name", "of"),
    [
        ("alloc-4.2.0-machine-room", "4.8.0"),
        ("alloc-4.9.8-machine-room", "4.9.2"),
        ("processqueue-4.2.0", "4.9.8"),
        ("processqueue-4.9.8", "5.1.4"),
        ("flow-4.2.0", "4.6.0"),
        ("tags-4.2.0", "4.3.0"),
        ("sql-5.1.1", "5.1.3"),
        ("defaults-4.2.0", "4.5.1"),
    ],
)
def test_the_rules_of_another_release_are_caught(recordings, name, of):
    (result,) = compare([recordings / f"{name}.jsonl.gz"], release=of)
    assert not result.is_exact


def test_a_changed_owner_is_caught_with_both_lists(few):
    def change(case):
        case["r"] = case["r"] and case["r"][1:]

    (result,) = compare([few("alloc-5.3.3-avg", 200, change)])
    difference = result.first_difference
    assert (difference.what, difference.expected) == ("queues", difference.got[1:])


def test_plain_python_answers_as_compiled_code(few):
    files = [few("alloc-5.3.3-nearby-consistent-hash", 12), few("alloc-4.2.0-machine-room", 12), few("lock-5.3.3", 10)]
    files += [few("processqueue-4.2.0", 10), few("flow-5.3.3", 5), few("delay-5.3.3", 4), few("tags-5.3.3", 20)]
    code = "import sys; from streaming.proof.commands.golden_command import compare\n"
    code += "print(all(r.is_exact and r.operations for r in compare(sys.argv[1:])))"
    run = subprocess.run(
        [sys.executable, "-c", code, *map(str, files)],
        env=os.environ | {"NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert run.stdout == "True\n"


def test_a_name_without_a_release_is_one_sentence(few):
    path = few("delay-5.3.3", 20)
    other = path.rename(path.with_name("delay-mine.jsonl"))
    with raises(InputError, Says("proof.no-release-in-name", kind="delay")):
        compare([other])


def test_live_recordings_are_left_out_by_name(few, capsys):
    path = few("delay-5.3.3", 20)
    live = path.with_name("timer-live-5.3.3.jsonl")
    live.write_text('{"e": "send"}\n')
    assert golden_command([str(path.parent)], as_json=True) == 0
    assert "timer-live-5.3.3.jsonl" in capsys.readouterr().err
    with pytest.raises(InputError, match="nothing to compare"):
        compare([live])
