"""`sendlab diff DIR_A DIR_B`: the first decision in which two runs differ, why, and the totals that differ."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from state.group_table import CONSUMER_WINDOWS
from streaming.differences.first_difference import FirstDifference, first_difference, settings_apart
from streaming.differences.group_difference import GroupDifference, can_compare_consumers, first_group_difference
from streaming.differences.run_difference_texts import RunDifferenceTexts
from streaming.errors import InputError
from streaming.outputs.dataset import open_begun
from streaming.outputs.summary import Summary, summarise
from streaming.terminal.working import working
from streaming.texts.command_result_texts import CommandResultTexts
from streaming.texts.command_texts import CommandTexts

SHOWN_SETTINGS = 10
SHOWN_COLUMNS = 4
GROUP_TOTALS = (
    "consumed", "consumed_again", "failed", "dead_letters", "missed", "skipped", "lag_max", "lag_end", "p99_ms",
    "unowned_s", "double_owned_s",
)  # fmt: skip


@dataclass(frozen=True)
class RunsCompared:
    """Settings and totals that differ, each with both values, and the first decision that does; None: all are alike.

    group: the first window of a consumer group that differs. are_consumers_compared: no run with consumers lacks the
    table of what they did.
    """

    settings: dict[str, tuple[Any, Any]]
    first: FirstDifference | None
    totals: dict[str, tuple[Any, Any]]
    group: GroupDifference | None = None
    are_consumers_compared: bool = True

    @property
    def are_alike(self) -> bool:
        """Whether every attempt is the same, and every window of the consumers."""
        return self.first is None and self.group is None and not self.totals


def compared_runs(one: Path, other: Path) -> RunsCompared:
    """Compare two outputs of runs.

    Raises InputError for a folder that is no output of a run, or has no attempts, or not all rows any more.
    """
    outputs = [open_begun(path) for path in (one, other)]
    for output in outputs:
        if not output.is_written("attempts"):
            raise InputError(CommandTexts.NO_ATTEMPTS().at(output.path))
        output.check_whole()
    totals = totals_apart(*(summarise(path) for path in (one, other)))
    group, is_compared = first_group_difference(*outputs), can_compare_consumers(*outputs)
    return RunsCompared(settings_apart(*outputs), first_difference(*outputs), totals, group, is_compared)


def diff_command(one: Path, other: Path, *, as_json: bool, console: Console) -> int:
    """Compare two outputs of runs; 1 if they differ, 0 if every attempt is the same. Raises InputError."""
    with working(console, CommandResultTexts.COMPARING_RUNS()):
        runs = compared_runs(one, other)
    if as_json:
        said = None if runs.first is None else vars(runs.first)
        group = None if runs.group is None else vars(runs.group)
        about = {
            "settings": runs.settings, "first": said, "group": group,
            "consumers_compared": runs.are_consumers_compared, "totals": runs.totals,
        }  # fmt: skip
        print(json.dumps(about, indent=1, default=_plain))
    else:
        _tell(runs, console)
    return 0 if runs.are_alike else 1


def _plain(value: Any) -> Any:
    return value.item() if hasattr(value, "item") else str(value)


def totals_apart(one: Summary, other: Summary) -> dict[str, tuple[Any, Any]]:
    """Totals of messages, brokers and consumer groups that differ, by name, with both values."""
    ours, theirs = (_totals(summary) for summary in (one, other))
    return {key: (ours.get(key), theirs.get(key)) for key in {**ours, **theirs} if ours.get(key) != theirs.get(key)}


def _totals(summary: Summary) -> dict[str, Any]:
    found: dict[str, Any] = {"virtual time, s": summary.virtual_s}
    if summary.total is not None:
        for name, value in vars(summary.total).items():
            if isinstance(value, int | float) and not isinstance(value, bool):
                found[name] = value
    for broker in summary.brokers:
        for name in ("attempts", "share_percent", "p99_ms", "failures", "isolated_s"):
            found[f"{name}[{broker.broker}]"] = getattr(broker, name)
    for group in summary.consumers:
        for name in GROUP_TOTALS:
            found[f"{name}[{group.consumer_group}]"] = getattr(group, name)
    return {name: round(value, 3) if isinstance(value, float) else value for name, value in found.items()}


def _tell(runs: RunsCompared, console: Console) -> None:
    found, apart, totals = runs.first, runs.settings, runs.totals

    def say(text: str, style: str | None = None) -> None:
        console.print(text, style=style, highlight=False, markup=False, soft_wrap=True)

    for key, (ours, theirs) in list(apart.items())[:SHOWN_SETTINGS]:
        say(f"{key}: {_shown(ours)} and {_shown(theirs)}", "dim")
    if len(apart) > SHOWN_SETTINGS:
        say(RunDifferenceTexts.MORE_KEYS(count=len(apart) - SHOWN_SETTINGS), "dim")
    if found is None:
        say(RunDifferenceTexts.SAME(), "bold green" if runs.group is None else "green")
    else:
        row = found.one or found.other
        assert row is not None
        text = RunDifferenceTexts.FIRST(
            at_s=row["begin_us"] / 1e6, send_seq=row["send_seq"], producer=row["producer"], thread=row["thread"],
            topic=row["topic"], attempt=row["attempt"],
        )  # fmt: skip
        say(text, "bold")
        for which, attempt in (("first", found.one), ("second", found.other)):
            say(f"  {which} run: {_attempt(attempt)}")
        say(f"  {found.cause}: {found.why}")
    if not runs.are_consumers_compared:
        say(RunDifferenceTexts.CONSUMERS_NOT_COMPARED(table=CONSUMER_WINDOWS.name), "yellow")
    if runs.group is not None:
        say(_of_consumers(runs.group), "bold")
    if totals:
        table = Table(title="totals that differ", title_justify="left", box=None, padding=(0, 2, 0, 0))
        for heading in ("total", "first", "second"):
            table.add_column(heading, justify="left" if heading == "total" else "right", no_wrap=True)
        for name, (ours, theirs) in totals.items():
            table.add_row(escape(name), _shown(ours), _shown(theirs))
        console.print(table)


def _of_consumers(found: GroupDifference) -> str:
    parts = [f"{name} {_shown(ours)} and {_shown(theirs)}" for name, (ours, theirs) in found.columns.items()]
    return RunDifferenceTexts.FIRST_OF_CONSUMERS(
        group=found.consumer_group, at_s=found.window_start_us / 1e6, columns=", ".join(parts[:SHOWN_COLUMNS])
    )


def _attempt(attempt: dict[str, Any] | None) -> str:
    if attempt is None:
        return RunDifferenceTexts.NO_ATTEMPT()
    return RunDifferenceTexts.ATTEMPT(
        broker=attempt["broker"], queue_id=attempt["queue_id"], pick_reason=attempt["pick_reason"],
        outcome=attempt["outcome"], took_ms=(attempt["end_us"] - attempt["begin_us"]) / 1000,
        retried=RunDifferenceTexts.RETRIED() if attempt["will_retry"] else "",
    )  # fmt: skip


def _shown(value: Any) -> str:
    return (
        "-" if value is None else f"{value:,}" if isinstance(value, int) and not isinstance(value, bool) else str(value)
    )
