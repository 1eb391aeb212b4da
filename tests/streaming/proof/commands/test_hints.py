"""A recording that is given to the wrong command of `verify`: a sentence says which one reads it."""

from __future__ import annotations

import gzip

import pytest

from streaming.errors import InputError
from streaming.proof.golden.golden_files import cases
from streaming.verbs.verify_verbs import recordings
from tests.house.tree import ROOT
from tests.says import Says, raises


@pytest.mark.parametrize("name", ["grpc/grpc-kill-r1", "consumers/pop-r1"])
def test_what_has_no_decisions_is_for_predictions(name):
    with raises(InputError, Says("command.no-decisions", recording=ROOT / "conf" / "traces" / name)):
        recordings(ROOT / "conf" / "traces" / name)


def test_recordings_of_pop_are_no_cases_a_line(tmp_path):
    path = tmp_path / "wake-5.3.3.json.gz"
    path.write_bytes(gzip.compress(b"[\n {}\n]\n"))
    with raises(InputError, Says("proof.answers-of-pop")):
        list(cases(path))
