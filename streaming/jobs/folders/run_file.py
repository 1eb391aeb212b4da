"""run.json of an output folder: what the run is and how far it is."""

from __future__ import annotations

import json
import time
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from streaming.files.json_file import write_json
from streaming.jobs.progress import Progress


def written_after(noted: Mapping[str, Any] | None, batch: int, rows: Mapping[str, int]) -> dict[str, Any]:
    """Rows of every table up to a micro-batch and in it; one that is run again is counted once."""
    before: Counter[str] = Counter()
    if noted is not None:
        before.update(noted["before"])
        if noted["batch"] != batch:
            before.update(noted["rows"])
    return {"batch": batch, "before": dict(before), "rows": dict(rows)}


class RunFile:
    """The file, replaced whenever there is progress; `about` is what it says of the run."""

    def __init__(self, folder: Path, about: Mapping[str, Any]) -> None:
        self.path = folder / "run.json"
        self.content = {**about, "clock_us": 0, "finished": False, "wall_s": 0.0, "events": {}, "counts": {}}
        if self.path.exists():
            self.content |= {k: v for k, v in json.loads(self.path.read_text()).items() if k not in about}
        self.content["stopped"] = False
        self._wall_before = float(self.content["wall_s"])
        self._began = time.monotonic()

    def tell(self, about: Mapping[str, Any]) -> None:
        """Say something else of the run."""
        self.content |= about
        self._write()

    def update(self, progress: Progress) -> None:
        """Write how far the run is."""
        if progress.cells:
            run = str(self.content["run"])
            self.content["clock_us"] = progress.clock_us
            self.content["events"] = progress.events(run)
            self.content["counts"] = progress.counts(run)
            self.content["finished"] = progress.is_complete
        if progress.batch is not None and "parquet" in str(self.content.get("sink")).split():
            self.content["written"] = written_after(self.content.get("written"), progress.batch, progress.rows())
        self._write()

    def finish(self) -> None:
        """Write that the run is finished."""
        self.content["finished"] = True
        self._write()

    def stop(self) -> None:
        """Write that the run was asked to end and did; one that was killed never says so."""
        self.content["stopped"] = True
        self._write()

    def _write(self) -> None:
        self.content["wall_s"] = round(self._wall_before + time.monotonic() - self._began, 3)
        write_json(self.path, self.content)
