"""One self-contained HTML file with the pictures of a run."""

from __future__ import annotations

from pathlib import Path


def write_report(dir: str | Path, out: str | Path | None = None) -> Path:
    """Write the report of an output folder and return its path; `out` is DIR/report.html by default.

    Raises InputError if the folder is not an output of Sendlab, EnvironmentProblem if the report cannot be written.
    """
    # Imported here: plotly is slow to import, and the summary uses this package too.
    from streaming.report.page import write_page

    return write_page(Path(dir), Path(out) if out else Path(dir) / "report.html")


def report_command(dir: str, out: str | None) -> int:
    """`sendlab report DIR`: write the report and say where it is; returns the exit code 0.

    Raises InputError like `write_report`.
    """
    path = write_report(dir, out)
    print(f"Report: {path} ({path.stat().st_size / 1e6:.1f} MB). Open it in a browser; it needs no network.")
    return 0
