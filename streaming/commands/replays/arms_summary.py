"""What is left and printed when the arms of a trace or of a fork have been run."""

from __future__ import annotations

import json

from rich.console import Console

from simulator.experiments.result import ExperimentResult
from streaming.commands.whatif_command import tell, write_page
from streaming.experiments.folder import ExperimentFolder
from streaming.installation.own_version import sendlab_version


def write_arms(result: ExperimentResult, folder: ExperimentFolder, *, has_page: bool) -> None:
    """Write result.json, and the page if there is to be one; the folder must be held."""
    folder.write_result(result)
    if has_page:
        write_page(result, folder, "html")


def tell_arms(result: ExperimentResult, folder: ExperimentFolder, console: Console, *, as_json: bool) -> None:
    """Print JSON, or the verdict, what was assumed and where the page is."""
    if as_json:
        print(json.dumps({"sendlab": sendlab_version(), **result.as_json()}, indent=1))
        return
    tell(result, console)
    for sentence in result.notes:
        console.print(sentence, style="dim", markup=False, highlight=False, soft_wrap=True)
    console.print(f"page: {folder.path / 'report.html'}", highlight=False, soft_wrap=True)
