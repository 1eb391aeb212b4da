"""Every policy in every situation comes to what is kept beside this file; a change of behaviour is a diff there."""

from pathlib import Path

import pytest

from tests.simulator.policies.matrix.table import POLICIES, SITUATIONS, lines, read

KEPT = Path(__file__).with_name("matrix.txt").read_text()


@pytest.mark.parametrize("situation", SITUATIONS)
def test_every_policy_comes_to_what_is_kept(situation):
    kept = [row.line for row in read(KEPT) if row.situation == situation]
    assert list(lines(situation)) == kept, "python -m tests.simulator.policies.matrix.table > .../matrix.txt"


def test_every_policy_is_kept():
    assert {(row.situation, row.policy) for row in read(KEPT)} == {(s, p) for s in SITUATIONS for p in POLICIES}
