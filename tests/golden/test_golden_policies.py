"""Clients of other systems decide: every recorded operation of every library must come out the same."""

import gzip
import json
import os
import subprocess
import sys

import pytest

from streaming.errors import InputError
from streaming.proof.commands.golden_command import compare

FILES = {
    "botocore_adaptive-1.40.0": 8863,
    "botocore_adaptive-1.44.5": 8863,
    "botocore_standard-1.40.0": 9016,
    "botocore_standard-1.44.5": 9021,
    "finagle_backoff-24.2.0": 1215,
    "finagle_failureaccrual-24.2.0": 12386,
    "finagle_p2c_peakewma-24.2.0": 7453,
    "finagle_retrybudget-24.2.0": 11462,
    "grpc_outlier-1.76.0": 5173,
    "grpc_retry-1.76.0": 8254,
    "kafka_accumulator-3.9.2": 9389,
    "kafka_accumulator-4.2.0": 9389,
    "kafka_partitioner-3.9.2": 8615,
    "kafka_partitioner-4.2.0": 8615,
    "netflix_aimd-0.5.3": 7586,
    "netflix_gradient2-0.5.3": 7554,
    "netflix_vegas-0.5.3": 7530,
    "netflix_windowed_aimd-0.5.3": 6835,
    "resilience4j_circuitbreaker-2.3.0": 15042,
    "resilience4j_retry-2.3.0": 3630,
}


@pytest.fixture
def recordings(root):
    return root / "tests/golden/policies"


@pytest.fixture
def few(recordings, tmp_path):
    """Write the first cases of a file to another of the same name, not compressed, each changed by `change`."""

    def write(name, count, change=lambda case: None):
        lines = gzip.decompress((recordings / f"{name}.jsonl.gz").read_bytes()).splitlines()[:count]
        cases = [json.loads(line) for line in lines]
        for case in cases:
            change(case)
        path = tmp_path / f"{name}.jsonl"
        path.write_text("".join(json.dumps(case) + "\n" for case in cases))
        return path

    return write


@pytest.mark.parametrize("name", FILES)
def test_every_operation_is_exact(recordings, name):
    (result,) = compare([recordings / f"{name}.jsonl.gz"])
    assert result.first_difference is None
    assert (result.exact_operations, result.operations) == (FILES[name], FILES[name])


def test_every_recording_of_the_folder_is_compared(recordings):
    assert sorted(FILES) == sorted(path.name.removesuffix(".jsonl.gz") for path in recordings.iterdir())


def test_kind_and_version_are_those_of_the_name_of_the_file(few):
    (result,) = compare([few("finagle_backoff-24.2.0", 2)])
    assert (result.kind, result.release, result.cases) == ("finagle_backoff", "24.2.0", 2)


def test_the_rules_of_another_version_are_caught(few):
    path = few("botocore_standard-1.40.0", 10)
    (result,) = compare([path.rename(path.with_name("botocore_standard-1.44.5.jsonl"))])
    assert result.first_difference.what == "wait"


@pytest.mark.parametrize(
    ("name", "field", "value", "what"),
    [
        ("netflix_aimd-0.5.3", "max", 21, "limit"),
        ("netflix_vegas-0.5.3", "probe", 1, "limit, estimate, base round trip, counter, jitter"),
        ("grpc_retry-1.76.0", "maxAttempts", 2, "retry, wait"),
        ("finagle_retrybudget-24.2.0", "minPerSec", 9, "balance"),
        ("kafka_partitioner-3.9.2", "batch", 16385, "a number was drawn"),
        ("kafka_accumulator-3.9.2", "linger", 10_000, "ready nodes"),
        ("resilience4j_retry-2.3.0", "init", 501, "interval"),
        ("resilience4j_circuitbreaker-2.3.0", "wait", 1, "permitted"),
    ],
)
def test_another_parameter_than_the_recorded_one_is_caught(few, name, field, value, what):
    (result,) = compare([few(name, 8, lambda case: case.update({field: value}))])
    assert result.first_difference.what == what


def test_the_same_without_compiling(few):
    paths = [str(few(name, 1)) for name in FILES if not name.startswith("grpc_outlier")]
    program = (
        "import sys; from streaming.proof.commands.golden_command import golden_command as g; "
        "sys.exit(g(sys.argv[1:], True))"
    )
    done = subprocess.run(
        [sys.executable, "-W", "error::RuntimeWarning", "-c", program, *paths],
        env=os.environ | {"NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert len(json.loads(done.stdout)) == len(FILES) - 1


def test_a_case_without_what_its_kind_needs_is_refused(few):
    path = few("grpc_outlier-1.76.0", 1, lambda case: case.pop("maxPercent"))
    with pytest.raises(InputError, match="line 1: the grpc_outlier case has no 'maxPercent'"):
        compare([path])
