"""The report of a run: one self-contained HTML file with pictures, or its text as Markdown or JSON."""

from __future__ import annotations

from pathlib import Path

from streaming.report.texts.page_texts import PageTexts

FORMATS = ("html", "md", "json")


def write_report(dir: str | Path, out: str | Path | None = None, format: str = "html") -> Path:
    """Write the report of an output folder and return its path; `out` is DIR/report.FORMAT by default.

    format: one of FORMATS. Raises InputError if the folder is not an output of Sendlab, or for another format,
    EnvironmentProblem if the report cannot be written.
    """
    path = _place(dir, out, format)
    # Imported here: plotly is slow to import, and the summary uses this package too.
    if format == "html":
        from streaming.report.page import write_page

        return write_page(Path(dir), path)
    from streaming.files.whole_file import check_writable, make_folder_of, write_whole
    from streaming.report.collected.data import collect
    from streaming.report.text_report import report_json, report_markdown

    data = collect(dir)
    text = report_json(data) if format == "json" else report_markdown(data)
    make_folder_of(path)
    check_writable(path)
    write_whole(path, lambda spare: spare.write_text(text, encoding="utf-8"))
    return path


def _place(dir: str | Path, out: str | Path | None, format: str) -> Path:
    """The file of a report. Raises InputError for an unknown format."""
    from streaming.options.changes import checked_choice  # the help is printed without what a scenario needs

    checked_choice(format, FORMATS, f"--format {format}")
    return Path(out) if out else Path(dir) / f"report.{format}"


def report_command(dir: str, out: str | None, format: str = "html", causes: str = "10s") -> int:
    """`sendlab report DIR`: prove causes within a budget, write the report, print where it is; gives exit code 0.

    Raises InputError like `write_report`, and for a budget that is none; before anything is proven.
    """
    from streaming.files.whole_file import check_writable, make_folder_of
    from streaming.outputs.dataset import open_begun
    from streaming.report.causes.causes_option import budget_asked
    from streaming.report.causes.proving import prove_output
    from streaming.terminal.output_console import OutputConsole as Console

    path, budget_s = _place(dir, out, format), budget_asked(causes)
    open_begun(dir)
    make_folder_of(path)
    check_writable(path)
    prove_output(dir, budget_s, Console())
    write_report(dir, path, format)
    how = PageTexts.OPEN_IT() if format == "html" else ""
    print(PageTexts.WRITTEN(file=path, megabytes=path.stat().st_size / 1e6, how=how))
    return 0
