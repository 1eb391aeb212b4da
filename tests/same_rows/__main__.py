"""`python -m tests.same_rows [BASE]`: does the working tree give the same rows and states as another commit?

It runs every scenario and experiment of conf/ in both and prints the first difference; exit 1 if there is one. BASE is
the commit that this branch left main at unless another is named, or the one before HEAD on main itself.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import time
from collections.abc import Sequence
from fnmatch import fnmatch

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from tests.same_rows.comparison import Comparison, compare, first_difference
from tests.same_rows.trees import Tree, commit_of, git, tree_of, usual_base, working_tree

LINE_EVERY_S = 10.0  # where there is no terminal
STATE = "state of "  # a table of what a cell remembers, not one that leaves the system


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.same_rows", description=__doc__)
    parser.add_argument("base", nargs="?", help="a commit, a branch or a tag", metavar="BASE")
    parser.add_argument("--only", nargs="+", default=["*"], metavar="NAME", help="such as quickstart, 'experiments/*'")
    return parser.parse_args()


def _chosen(names: Sequence[str], patterns: Sequence[str]) -> list[str]:
    return [
        name
        for name in names
        if any(fnmatch(name, pattern) or fnmatch(name.partition("/")[2], pattern) for pattern in patterns)
    ]


def _digest(title: str, tree: Tree, names: Sequence[str], console: Console) -> None:
    """Make the digests that a tree lacks, showing how far it is."""
    missing = tree.missing(names)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        task, done, shown_at = bar.add_task(f"{title}: compiling", total=len(missing)), 0, time.monotonic()

        def show(name: str) -> None:
            nonlocal done, shown_at
            done += 1
            bar.update(task, completed=done, description=f"{title}: {name}")
            if not console.is_terminal and time.monotonic() - shown_at > LINE_EVERY_S:
                shown_at = time.monotonic()
                console.print(f"{title}: {done} of {len(missing)}, {name}", highlight=False)

        tree.digest(names, show)


def _print_first(base: Tree, own: Tree, name: str, tables: Sequence[str], console: Console) -> None:
    theirs, ours = base.rows_of(name), own.rows_of(name)
    for table in tables:
        found = first_difference(theirs[table], ours[table])
        if found is not None:
            console.print(f"{name}, table {table}, {found}", markup=False, highlight=False)
            return
    console.print(f"{name}: {', '.join(tables)} differ from run to run", markup=False, highlight=False)


def _of_states(tables: Sequence[str], is_state: bool) -> list[str]:
    return [table for table in tables if table.startswith(STATE) == is_state]


def _report(base: Tree, own: Tree, found: dict[str, Comparison], console: Console) -> int:
    only = dict.fromkeys(text for one in found.values() for text in one.only)
    for text in only:
        where = [name for name, one in found.items() if text in one.only]
        more = f" and {len(where) - 1} more" if len(where) > 1 else ""
        console.print(f"{text} ({where[0]}{more})", markup=False, highlight=False)
    for what, is_state in (("tables", False), ("tables of states", True)):
        differing = {name: _of_states(one.differing, is_state) for name, one in found.items()}
        names = [name for name, tables in differing.items() if tables]
        count = sum(len(tables) for tables in differing.values())
        if names:
            _print_first(base, own, names[0], differing[names[0]], console)
        console.print(f"{what} that differ: {count}{' in ' if names else ''}{', '.join(names)}", highlight=False)
    same = all(one.is_same for one in found.values())
    if same:
        console.print(f"the same rows and states in {len(found)} scenarios and experiments", highlight=False)
    return 0 if same else 1


def _compared(commit: str, only: Sequence[str], console: Console) -> int:
    with tree_of(commit) as base:
        theirs = _chosen(base.names(), only)
        _digest(f"base {commit[:7]}", base, theirs, console)
    with working_tree() as own:
        ours = _chosen(own.names(), only)
        _digest("working tree", own, ours, console)
        for name in sorted(set(ours) ^ set(theirs)):
            console.print(f"{name}: only in {'the base' if name in theirs else 'the working tree'}", highlight=False)
        both = [name for name in ours if name in theirs]
        if not both:
            console.print(f"nothing that both have matches {' '.join(only)}", highlight=False)
            return 2
        return _report(
            base, own, {name: compare(base.digests_of(name), own.digests_of(name)) for name in both}, console
        )


def main() -> int:
    """Compare, print what was found, and give the exit code."""
    asked, console = _arguments(), Console(soft_wrap=True)
    try:
        commit = commit_of(asked.base) if asked.base else usual_base()
    except subprocess.CalledProcessError:
        console.print(f"git does not know a commit {asked.base or 'main'}")
        return 2
    console.print(f"base: {git('log', '-1', '--format=%h %s', commit)}", markup=False, highlight=False)
    try:
        return _compared(commit, asked.only, console)
    except (RuntimeError, OSError) as error:
        console.print(str(error), markup=False, highlight=False)
        return 2
    except KeyboardInterrupt:
        console.print("interrupted; what is done is kept", highlight=False)
        return 130


if __name__ == "__main__":
    sys.exit(main())
