"""The folder that keeps what hunts have found."""

from __future__ import annotations

import errno
from typing import Any

from streaming.errors import EnvironmentProblem
from streaming.hunt import corpus
from tests.says import Says, raises


def test_a_full_disk_names_the_folder_of_the_corpus(monkeypatch, tmp_path):
    def fails(*_: Any, **__: Any) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(corpus.Path, "mkdir", fails)
    with raises(EnvironmentProblem, Says("job.disk-full", str(tmp_path))):
        corpus.add_to_corpus(tmp_path, [])
