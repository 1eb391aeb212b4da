"""The folder of an experiment: whose it is, and what its runs came to.

FOLDER/experiment.json   the arms whose runs lie here, and the warm-up that was cut
FOLDER/runs/             a row an arm, seed and measure
FOLDER/totals/           a row a run: its packed totals, which the page and further measures are made from
FOLDER/result.json       what came out, FOLDER/report.html or report.md (with report.svg) the page
FOLDER/_checkpoint/      the query's own
FOLDER/.lock             held by the process that runs them
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from simulator.compiled.jit import source_digest
from simulator.scenario import Scenario
from simulator.scenario.reading.nested_keys import key_differences
from state.packing import LAYOUT_VERSION
from streaming.errors import InputError
from streaming.files.json_file import is_spare, read_json, remove_spares, write_json
from streaming.files.parquet_files import with_version
from streaming.files.whole_file import write_whole
from streaming.installation.own_version import sendlab_version
from streaming.jobs.folders.folder_lock import LOCK, held
from streaming.problems import not_writable
from streaming.texts.experiment_texts import ExperimentTexts

if TYPE_CHECKING:
    from simulator.experiments.result import ExperimentResult
    from simulator.run.run_totals import Totals

NOTE, RESULT = "experiment.json", "result.json"
OWN = (NOTE, RESULT, "report.html", "report.md", "report.svg")
FOLDERS = ("runs", "totals")
CHECKPOINT = "_checkpoint"
LONGEST_SHOWN = 200  # characters of a value


def arm_note(scenario: Scenario) -> dict[str, Any]:
    """What identifies an arm: its scenario whatever the seed, by digest and key by key."""
    plain = scenario.model_copy(update={"seed": 0})
    return {
        "digest": plain.digest(),
        "settings": scenario.model_dump(mode="json", by_alias=True, exclude_defaults=True),
    }


def _difference(stored: Mapping[str, Any], wanted: Mapping[str, Any]) -> str:
    for key, *both in key_differences(stored["settings"], wanted["settings"]):
        if key.partition(".")[0] not in ("name", "description", "seed"):
            values = ["not set" if value is None else str(value) for value in both]
            if max(map(len, values)) > LONGEST_SHOWN:
                return f"{key}: another text"
            return f"{key}: {values[0]} there, {values[1]} now"
    return "a file that it names has changed"


@dataclass(frozen=True)
class ExperimentFolder:
    """The folder of an experiment."""

    path: Path

    @property
    def checkpoint(self) -> Path:
        """The folder of the query's own files."""
        return self.path / CHECKPOINT

    def known_arms(self) -> list[str]:
        """Names of the arms that were begun here."""
        note = self.path / NOTE
        return list(read_json(note, "experiment's description")["arms"]) if note.exists() else []

    @contextmanager
    def claimed(self, arms: Mapping[str, Scenario], warm_up_us: int, *, fresh: bool) -> Iterator[None]:
        """Claim the folder and hold it alone.

        Raises InputError (another experiment's, nobody's, or in use) and EnvironmentProblem (cannot be written), and
        then nothing in it has changed.
        """
        self._check_place()
        try:
            self.path.mkdir(parents=True, exist_ok=True)
            (self.path / LOCK).touch()
        except OSError as error:
            raise not_writable(error, self.path) from error
        with held(self.path, ExperimentTexts.FOLDER_IN_USE()):
            remove_spares(self.path)
            self.claim(arms, warm_up_us, fresh=fresh)
            yield

    def _check_place(self) -> None:
        if self.path.is_file():
            raise InputError(ExperimentTexts.FOLDER_IS_A_FILE().at(self.path))
        if self.path.is_dir() and not (self.path / NOTE).exists():
            others = {one.name for one in self.path.iterdir() if not is_spare(one)} - {CHECKPOINT, LOCK}
            if others:
                raise InputError(ExperimentTexts.FOLDER_NOT_EMPTY().at(self.path))

    def claim(self, arms: Mapping[str, Scenario], warm_up_us: int, *, fresh: bool) -> None:
        """Make the folder, or see that what lies there is of these arms; `fresh` empties it first.

        Raises InputError (another experiment's, or nobody's) and EnvironmentProblem (cannot be written).
        """
        self._check_place()
        note = self.path / NOTE
        if fresh:
            self._clear()
        if note.exists():
            self.check_arms(arms, warm_up_us)
        try:
            self.path.mkdir(parents=True, exist_ok=True)
            self.note(arms, warm_up_us)
        except OSError as error:
            raise not_writable(error, self.path) from error

    def check_arms(self, arms: Mapping[str, Scenario], warm_up_us: int) -> None:
        """Raise InputError if runs that lie here are of another scenario than the arm's of that name."""
        stored = read_json(self.path / NOTE, "experiment's description")
        again = ExperimentTexts.START_OVER()
        if stored.get("layout") != LAYOUT_VERSION or stored.get("model") != source_digest():
            raise InputError(ExperimentTexts.OTHER_VERSION(again=again).at(self.path))
        if stored.get("warm_up_us") != warm_up_us:
            difference = f"warm_up: {stored.get('warm_up_us', 0) / 1e6:g}s there, {warm_up_us / 1e6:g}s now"
            raise InputError(ExperimentTexts.OTHER_WARM_UP(difference=difference, again=again).at(self.path))
        for name, scenario in arms.items():
            there, here = stored["arms"].get(name), arm_note(scenario)
            if there is not None and there["digest"] != here["digest"]:
                difference = _difference(there, here)
                raise InputError(
                    ExperimentTexts.OTHER_SCENARIO(arm=name, difference=difference, again=again).at(self.path)
                )

    def note(self, arms: Mapping[str, Scenario], warm_up_us: int) -> None:
        """Note the arms beside those that are known."""
        known = read_json(self.path / NOTE, "experiment's description")["arms"] if (self.path / NOTE).exists() else {}
        noted = known | {name: arm_note(scenario) for name, scenario in arms.items()}
        about = {"layout": LAYOUT_VERSION, "model": source_digest(), "warm_up_us": warm_up_us}
        write_json(self.path / NOTE, {**about, "arms": noted})

    def _clear(self) -> None:
        if (self.path / NOTE).exists():
            for name in (*FOLDERS, CHECKPOINT):
                shutil.rmtree(self.path / name, ignore_errors=True)
            for name in OWN:
                (self.path / name).unlink(missing_ok=True)

    def store(self, runs: Sequence[tuple[str, int, Mapping[str, float], Totals]]) -> None:
        """Add finished runs: (arm, seed, measures, totals)."""
        import pyarrow as pa

        measured = [
            {"arm": arm, "seed": seed, "measure": name, "value": value}
            for arm, seed, measures, _ in runs
            for name, value in measures.items()
        ]
        packed = [
            {
                "arm": arm,
                "seed": seed,
                "digest": f"{int(totals.digest[0]) & (2**64 - 1):016x}",
                "totals": totals.packed(),
            }
            for arm, seed, _, totals in runs
        ]
        # The totals last: a run whose totals are there is finished. Measures without totals, of runs that are done
        # again, lie under the next number and are replaced.
        there = (self.path / "totals").glob("part-*.parquet")
        number = 1 + max((int(file.stem.partition("-")[2]) for file in there), default=0)
        self._write("runs", pa.Table.from_pylist(measured), number)
        self._write("totals", pa.Table.from_pylist(packed), number)

    def _write(self, name: str, table: Any, number: int) -> None:
        import pyarrow.parquet as pq

        folder = self.path / name
        folder.mkdir(exist_ok=True)
        named = table.cast(with_version(table.schema))
        write_whole(folder / f"part-{number:06d}.parquet", partial(pq.write_table, named, compression="zstd"))

    def stored(self, arms: Mapping[str, Scenario]) -> Iterator[tuple[str, int, Totals]]:
        """The finished runs of the arms, each once: (arm, seed, totals)."""
        import pyarrow.parquet as pq

        from simulator.run.run_totals import Totals

        seen: set[tuple[str, int]] = set()
        for file in sorted((self.path / "totals").glob("part-*.parquet")):
            for row in pq.read_table(file).to_pylist():
                key, scenario = (row["arm"], row["seed"]), arms.get(row["arm"])
                if scenario is not None and key not in seen:
                    seen.add(key)
                    yield *key, Totals.unpacked(row["totals"], len(scenario.topics), len(scenario.brokers))

    def write_result(self, result: ExperimentResult) -> None:
        """Write result.json."""
        write_json(self.path / RESULT, {"sendlab": sendlab_version(), **result.as_json()})
