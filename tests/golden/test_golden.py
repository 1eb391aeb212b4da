"""Real clients decide: every recorded operation of every release must come out the same."""

import gzip
import json
import os
import shutil
import subprocess
import sys
from dataclasses import replace

import pytest

from simulator.releases.ledger import RELEASES as ALL_RELEASES
from simulator.releases.producer_release import client_of
from streaming.errors import InputError
from streaming.proof.commands.golden_command import compare, golden_command
from streaming.proof.golden.golden_files import cases
from streaming.proof.golden.golden_messages import MessagesReplay
from tests.says import Printed, Says, raises

RELEASES = ("4.2.0", "4.8.0", "4.9.3", "4.9.7", "4.9.8", "5.0.0", "5.1.0", "5.1.3", "5.1.4", "5.3.3", "5.4.0", "5.5.0")


@pytest.fixture
def golden(root):
    return root / "tests/golden"


@pytest.fixture
def few(golden, tmp_path):
    """Write the first cases of a file to another, not compressed."""

    def write(name, count, to="cases.jsonl"):
        lines = gzip.decompress((golden / f"{name}.jsonl.gz").read_bytes()).splitlines(keepends=True)[:count]
        path = tmp_path / to
        path.write_bytes(b"".join(lines))
        return path

    return write


@pytest.mark.parametrize("kind", ["select", "send"])
@pytest.mark.parametrize("release", RELEASES)
def test_every_operation_is_exact(golden, release, kind):
    (result,) = compare([golden / f"{kind}-{release}.jsonl.gz"])
    assert result.first_difference is None
    assert (result.exact_cases, result.exact_operations) == (result.cases, result.operations)
    assert result.operations > 20_000


@pytest.mark.parametrize("release", ["4.2.0", "4.9.8", "5.1.4", "5.3.3", "5.4.0", "5.5.0"])
def test_every_asynchronous_message_is_exact(golden, release):
    (result,) = compare([golden / f"async-{release}.jsonl.gz"])
    assert result.first_difference is None
    assert (result.exact_cases, result.exact_operations, result.operations) == (36, 3600, 3600)


@pytest.mark.parametrize("release", ALL_RELEASES)
def test_every_release_answers_as_its_published_classes(golden, release):
    (result,) = compare([golden / f"rules-{release}.jsonl.gz"])
    assert result.first_difference is None
    assert (result.cases, result.exact_operations, result.operations) == (403, 1926, 1926)


@pytest.mark.parametrize(
    ("recorded", "of"),
    [
        ("4.7.1", "4.8.0"),
        ("4.8.0", "4.7.1"),
        ("4.9.3", "4.9.4"),
        ("4.9.2", "4.9.3"),
        ("5.2.0", "5.3.0"),
        ("5.3.1", "5.3.2"),
    ],
)
def test_the_rules_of_the_release_before_or_after_are_caught(golden, recorded, of):
    (result,) = compare([golden / f"rules-{recorded}.jsonl.gz"], release=of)
    assert not result.is_exact


@pytest.mark.parametrize(
    ("recorded", "rule", "of"),
    [
        ("4.2.0", "retry_timeout", "4.7.0"),
        ("4.2.0", "async_latency", "4.9.3"),
        ("4.2.0", "async_code", "4.9.3"),
        ("4.9.8", "after_async", "4.9.2"),
        ("4.9.8", "hands_over", "4.9.2"),
        ("4.9.8", "async_exception", "4.9.2"),
        ("5.1.4", "async_latency", "5.2.0"),
        ("5.3.3", "is_thrown", "5.2.0"),
        ("5.3.3", "connect_blocks", "5.2.0"),
        ("5.3.3", "after_async", "5.3.1"),
    ],
)
def test_a_single_asynchronous_rule_of_another_release_is_caught(golden, recorded, rule, of):
    client = replace(client_of(recorded), **{rule: getattr(client_of(of), rule)})
    replays = (
        MessagesReplay(case, client, is_async=True) for _, _, case in cases(golden / f"async-{recorded}.jsonl.gz")
    )
    assert any(difference for replay in replays for difference in replay.run())


@pytest.mark.parametrize(
    ("recorded", "client"), [("5.3.3", "5.1.4"), ("4.9.8", "4.9.7"), ("5.0.0", "4.9.7"), ("5.1.3", "5.1.0")]
)
@pytest.mark.parametrize("kind", ["select", "send"])
def test_the_client_of_another_release_is_caught_within_eight_cases(few, kind, recorded, client):
    (result,) = compare([few(f"{kind}-{recorded}", 8)], release=client)
    assert not result.is_exact
    assert result.first_difference is not None


def test_a_changed_recording_is_caught_in_full(few):
    path = few("send-4.9.8", 1)
    case = json.loads(path.read_text())
    case["msgs"][5][3][0][4] += 1
    path.write_text(json.dumps(case))
    (result,) = compare([path])
    difference = result.first_difference
    assert (difference.case, difference.operation, difference.what) == (case["id"], 5, "attempts")
    assert difference.expected == case["msgs"][5][3]


def test_the_same_without_compiling(few):
    paths = [few("select-5.1.3", 12, "a.jsonl"), few("send-5.3.3", 2, "b.jsonl"), few("async-5.3.3", 3, "c.jsonl")]
    program = (
        "import sys; from streaming.proof.commands.golden_command import golden_command as g; "
        "sys.exit(g(sys.argv[1:], True))"
    )
    done = subprocess.run(
        [sys.executable, "-W", "error::RuntimeWarning", "-c", program, *map(str, paths)],
        env=os.environ | {"NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert [row["exact_cases"] for row in json.loads(done.stdout)] == [3, 12, 2]


def test_the_kind_is_seen_from_the_case_where_the_name_does_not_tell(few):
    kinds = [compare([few(name, 1, "x.jsonl")])[0].kind for name in ("select-4.2.0", "send-4.2.0", "async-4.2.0")]
    assert kinds == ["select", "send", "async"]


def test_a_changed_timeout_of_an_asynchronous_retry_is_caught_in_full(few):
    path = few("async-4.9.8", 1)
    case = json.loads(path.read_text())
    case["msgs"][7][3][0][4] -= 1
    path.write_text(json.dumps(case))
    (result,) = compare([path])
    difference = result.first_difference
    assert (difference.case, difference.operation, difference.what) == (case["id"], 7, "attempts")
    assert difference.expected[0][4] == difference.got[0][4] - 1


def test_a_folder_is_searched_and_a_difference_is_exit_1(few, capsys):
    path = few("send-5.3.3", 1, "send-5.3.3.jsonl")
    path.write_text(path.read_text().replace('"SEND_OK"', '"SEND_KO"', 1))
    assert golden_command([str(path.parent)], as_json=False) == 1
    assert "first difference of send 5.3.3" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("name", "content", "sentence"),
    [
        ("select-1.jsonl.gz", b"no gzip", Says("proof.not-gzip", "...line 1")),
        ("select-1.jsonl", b"{\n", "line 1: not JSON"),
        ("select-1.jsonl", b"[]\n", Says("proof.case-is-no-object", "...line 1")),
        ("other.jsonl", b"{}\n", Says("proof.no-kind-of-case", "...line 1")),
        ("select-1.jsonl", b'{"v": "4.9.8"}\n', "line 1: the select case has no 'id'"),
    ],
)
def test_a_bad_file_is_one_sentence_with_file_and_line(tmp_path, name, content, sentence):
    (tmp_path / name).write_bytes(content)
    with raises(InputError, sentence):
        compare([tmp_path / name])


def test_a_cut_file_a_missing_one_and_an_empty_folder(golden, tmp_path):
    cut = tmp_path / "select-5.3.3.jsonl.gz"
    shutil.copy(golden / cut.name, cut)
    os.truncate(cut, 100_000)
    with raises(InputError, Says("proof.file-unreadable")):
        compare([cut])
    with raises(InputError, Says("proof.no-such-file")):
        compare([tmp_path / "missing"])
    (tmp_path / "empty").mkdir()
    with pytest.raises(InputError, match="holds no"):
        compare([tmp_path / "empty"])


@pytest.mark.parametrize("content", [b"", b"\n\n"])
def test_a_file_without_a_case_agrees_with_nothing(tmp_path, content):
    (tmp_path / "select-5.3.3.jsonl").write_bytes(content)
    with raises(InputError, Says("proof.no-case", ".../select-5.3.3.jsonl")):
        compare([tmp_path / "select-5.3.3.jsonl"])


def test_an_unknown_release_or_a_broker_out_of_range_is_refused(few):
    path = few("select-4.9.8", 1)
    case = json.loads(path.read_text())
    path.write_text(json.dumps(case | {"v": "4.9.99"}))
    with pytest.raises(InputError) as caught:
        compare([path])
    assert Says("release.unknown", "...line 1", release="4.9.99") in Printed(caught.value)
    path.write_text(json.dumps(case | {"ops": [["u", 99, 1, 0]]}))
    with raises(InputError, Says("proof.case-not-replayed", "...line 1", kind="select")):
        compare([path])
