"""A file that cannot be written is named as it was asked for."""

from __future__ import annotations

from pathlib import Path

import pytest

from streaming.errors import EnvironmentProblem
from streaming.files.whole_file import write_text_whole


@pytest.mark.parametrize("name", ["x.yaml", "deeper/x.yaml"])
def test_the_file_is_named_and_not_the_spare_one(name):
    file = Path("/proc") / name
    with pytest.raises(EnvironmentProblem) as found:
        write_text_whole(file, "x")
    assert str(file) in str(found.value)
    assert ".part" not in str(found.value)
