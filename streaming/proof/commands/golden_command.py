"""Compare the model with recordings of real clients, operation by operation.

A recording decides: whatever a case records is compared; the first difference of a release and kind is kept.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any

from rich.table import Table

from simulator.releases.producer_release import CLIENTS, Client, client_of
from state.texts import at, sentence_of
from streaming.errors import InputError
from streaming.proof.golden.consumer.consumer_replays import CONSUMER_REPLAYS, recorded_release
from streaming.proof.golden.golden_case import CaseDifference
from streaming.proof.golden.golden_files import Case, cases, golden_files, is_live, version_of
from streaming.proof.golden.golden_messages import MessagesReplay
from streaming.proof.golden.golden_rules import RulesReplay
from streaming.proof.golden.golden_select import SelectReplay
from streaming.proof.golden.policies.replays import POLICY_REPLAYS
from streaming.proof.texts.proof_texts import ProofTexts
from streaming.terminal.output_console import OutputConsole as Console

REPLAYS: Mapping[str, Callable[[Case, Client], SelectReplay | MessagesReplay | RulesReplay]] = {
    "select": SelectReplay,
    "send": MessagesReplay,
    "async": partial(MessagesReplay, is_async=True),
    "rules": RulesReplay,
}
FULL = 100.0


@dataclass
class GoldenResult:
    """How one release did on one kind of recording."""

    release: str
    kind: str
    cases: int = 0
    exact_cases: int = 0
    operations: int = 0
    exact_operations: int = 0
    first_difference: CaseDifference | None = None

    @property
    def is_exact(self) -> bool:
        """Whether every operation went as recorded."""
        return self.exact_operations == self.operations

    @property
    def percent(self) -> float:
        """Share of operations that went as recorded."""
        return FULL * self.exact_operations / self.operations if self.operations else FULL

    def add(self, differences: Iterator[CaseDifference | None]) -> None:
        """Count one case."""
        exact = 0
        total = 0
        for difference in differences:
            total += 1
            exact += difference is None
            self.first_difference = self.first_difference or difference
        self.cases += 1
        self.exact_cases += exact == total
        self.operations += total
        self.exact_operations += exact


def compare(paths: Sequence[str | Path], release: str | None = None) -> list[GoldenResult]:
    """Replay every case in those files and folders; results by release and kind.

    Recordings of RocketMQ and of other systems' clients go together. The RocketMQ client is that of the case's
    release, or of `release` for all of them.
    Raises InputError for a path or a line that cannot be used.
    """
    clients: Mapping[str, Client] = {} if release is None else dict.fromkeys(CLIENTS, _client(release))
    results: dict[tuple[str, str], GoldenResult] = {}
    for path in compared_files(paths):
        for kind, line, case in cases(path):
            where = f"{path}: line {line}"
            is_policy = kind in POLICY_REPLAYS
            version = version_of(path) if is_policy else _release(path, kind, case, where)
            result = results.setdefault((version, kind), GoldenResult(version, kind))
            if is_policy:
                _replay(POLICY_REPLAYS[kind], case, version, result, where)
            elif kind in CONSUMER_REPLAYS:
                _replay(CONSUMER_REPLAYS[kind], case, release or version, result, where)
            else:
                client = clients.get(version) or _client(version, where)
                _replay(REPLAYS[kind], case, client, result, where)
    order = list(CLIENTS)
    return sorted(results.values(), key=lambda r: (r.kind, order.index(r.release) if r.release in order else -1))


def compared_files(paths: Sequence[str | Path]) -> list[Path]:
    """The files that hold answers; live recordings are left out. Raises InputError if there is none, or for a path."""
    found = golden_files(paths)
    files = [path for path in found if not is_live(path)]
    if not files:
        raise InputError(ProofTexts.LIVE_RECORDING().at(found[0]))
    return files


def _release(path: Path, kind: str, case: Case, where: str) -> str:
    """The release whose recording a case is."""
    if kind not in CONSUMER_REPLAYS:
        return str(case["v"])
    try:
        return recorded_release(path, kind)
    except ValueError as error:
        raise InputError(at(where, sentence_of(error))) from error


def _client(release: str, where: str = "") -> Client:
    try:
        return client_of(release)
    except ValueError as error:
        raise InputError(f"{where}: {error}" if where else str(error)) from error


def _replay(replay: Callable[[Case, Any], Any], case: Case, of: Client | str, result: GoldenResult, where: str) -> None:
    try:
        result.add(replay(case, of).run())
    except (LookupError, TypeError, ValueError, AttributeError, OverflowError) as error:
        why = f"{type(error).__name__}: {error}"
        raise InputError(ProofTexts.CASE_NOT_REPLAYED(kind=result.kind, why=why).at(where)) from error


def golden_command(paths: list[str], as_json: bool) -> int:
    """Print a table a release and kind, differences in full, or all as JSON; 1 on any difference, else 0.

    Raises InputError as `compare` does.
    """
    results = compare(paths)
    console = Console()
    live = [path.name for path in golden_files(paths) if is_live(path)]
    if live:
        Console(stderr=True).print(ProofTexts.LIVE_LEFT_OUT(files=", ".join(live)), markup=False)
    if as_json:
        rows = [asdict(result) | {"percent": result.percent} for result in results]
        print(json.dumps(rows, indent=2))
    else:
        console.print(_table(results))
        for result in results:
            if result.first_difference is not None:
                _print_difference(console, result, result.first_difference)
    return 0 if all(result.is_exact for result in results) else 1


def _table(results: Sequence[GoldenResult]) -> Table:
    table = Table("kind", "release", "cases", "exact", "operations", "exact", "%")
    table.columns[0].overflow = "fold"
    for column in table.columns[2:]:
        column.justify = "right"
    for result in results:
        counts = (result.cases, result.exact_cases, result.operations, result.exact_operations)
        # Rounded down: 100.00 means all.
        percent = f"{int(result.percent * FULL) / FULL:.2f}"
        table.add_row(result.kind, result.release, *map(str, counts), percent)
    return table


def _print_difference(console: Console, result: GoldenResult, difference: CaseDifference) -> None:
    lines: list[tuple[str, Any]] = [
        ("case", f"{difference.case}, operation {difference.operation}"),
        ("what", difference.what),
        ("expected", json.dumps(difference.expected)),
        ("got", json.dumps(difference.got)),
    ]
    console.print()
    console.print(ProofTexts.FIRST_DIFFERENCE(kind=result.kind, release=result.release), markup=False)
    for name, value in lines:
        console.print(f"  {name:9}{value}", markup=False, highlight=False, soft_wrap=True)
