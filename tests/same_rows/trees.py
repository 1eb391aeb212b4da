"""The two trees that are compared: a commit in a folder of its own, and the working tree."""

from __future__ import annotations

import fcntl
import json
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa

from tests.same_rows.column_digests import TableDigest
from tests.same_rows.gallery import names_of
from tests.same_rows.probe import kept_rows

ROOT = Path(__file__).resolve().parents[2]
COMPARER = Path("tests") / "same_rows"
NEEDED = ("simulator", "state", "conf/scenarios", "conf/experiments", "pyproject.toml")
COMMITS_KEPT = 16

Show = Callable[[str], None]  # is given the name of what is done


def git(*arguments: str) -> str:
    """What git answers in this checkout. Raises CalledProcessError."""
    return subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True, check=True).stdout.strip()


def commit_of(name: str) -> str:
    """The full id of a commit. Raises CalledProcessError if there is none of that name."""
    return git("rev-parse", "--verify", "--quiet", f"{name}^{{commit}}")


def usual_base() -> str:
    """The commit that this one left main at; on main the one before, or HEAD if something is not committed."""
    left = git("merge-base", "HEAD", "main")
    return commit_of("HEAD~1") if left == commit_of("HEAD") and is_clean() else left


def is_clean() -> bool:
    """Whether the working tree is that of HEAD."""
    return not git("status", "--porcelain")


def cache() -> Path:
    """Where digests of commits are kept: in this checkout, and of a worktree in the worktree."""
    return ROOT / ".cache" / "same-rows"


@dataclass(frozen=True)
class Tree:
    """A tree, and the folder that its digests are kept in."""

    folder: Path
    digests: Path

    def names(self) -> list[str]:
        """Its scenarios and experiments."""
        return names_of(self.folder)

    def missing(self, names: Sequence[str]) -> list[str]:
        """Those of which no digests are kept."""
        return [name for name in names if not (self.digests / f"{name}.json").exists()]

    def digest(self, names: Sequence[str], show: Show) -> None:
        """Keep the digests of those that lack them. Raises RuntimeError with its output if that fails."""
        if missing := self.missing(names):
            self._probe([str(self.digests), *missing], show)

    def digests_of(self, name: str) -> dict[str, TableDigest]:
        """The digests that are kept, by table."""
        found: dict[str, TableDigest] = json.loads((self.digests / f"{name}.json").read_text())
        return found

    def rows_of(self, name: str) -> dict[str, pa.Table]:
        """All rows of a scenario or an experiment, by table."""
        with tempfile.TemporaryDirectory() as folder:
            self._probe([folder, name, "--rows"], lambda name: None)
            return kept_rows(Path(folder), name)

    def _probe(self, arguments: list[str], show: Show) -> None:
        ours = {"PYTHONPATH": str(self.folder), "NUMBA_CACHE_DIR": ""}
        command = [sys.executable, "-m", "tests.same_rows.probe", *arguments]
        with tempfile.TemporaryFile("w+") as errors:
            with subprocess.Popen(
                command, cwd=self.folder, env=os.environ | ours, stdout=subprocess.PIPE, stderr=errors, text=True
            ) as process:
                assert process.stdout is not None
                try:
                    for line in process.stdout:
                        show(line.strip())
                except BaseException:  # Ctrl-C: nothing may write digests once the lock is free
                    process.kill()
                    raise
            if process.returncode:
                errors.seek(0)
                raise RuntimeError(errors.read())


@contextmanager
def tree_of(commit: str) -> Iterator[Tree]:
    """A commit's tree with its digests, and what was compiled of it; another process waits until it is free."""
    own = cache() / commit
    own.mkdir(parents=True, exist_ok=True)
    os.utime(own)
    with (own / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (own / "tree").exists():
            _check_out(commit, own / "tree")
        yield Tree(own / "tree", own / "digests")
    for old in sorted(cache().iterdir(), key=lambda folder: folder.stat().st_mtime)[:-COMMITS_KEPT]:
        shutil.rmtree(old, ignore_errors=True)


@contextmanager
def working_tree() -> Iterator[Tree]:
    """The working tree; its digests are kept if it is that of its commit."""
    if not is_clean():
        with tempfile.TemporaryDirectory() as folder:
            yield Tree(ROOT, Path(folder))
        return
    with tree_of(commit_of("HEAD")) as committed:
        yield Tree(ROOT, committed.digests)


def _check_out(commit: str, folder: Path) -> None:
    """Put what is needed of a commit into a new folder, with this comparer if it has none."""
    unfinished = Path(tempfile.mkdtemp(dir=folder.parent))
    archive = subprocess.run(
        ["git", "archive", commit, *NEEDED, *([str(COMPARER)] if git("ls-tree", commit, str(COMPARER)) else [])],
        cwd=ROOT, capture_output=True, check=True,
    )  # fmt: skip
    with tempfile.TemporaryFile() as file:
        file.write(archive.stdout)
        file.seek(0)
        with tarfile.open(fileobj=file) as packed:
            packed.extractall(unfinished, filter="data")
    if not (unfinished / COMPARER).exists():
        shutil.copytree(ROOT / COMPARER, unfinished / COMPARER)
    unfinished.replace(folder)
