"""What is left and printed when the arms of a trace or of a fork have been run."""

from __future__ import annotations

import json

from rich.console import Console

from simulator.experiments.result import ExperimentResult
from streaming.commands.whatif_command import tell, write_page
from streaming.experiments.folder import ExperimentFolder
from streaming.installation.own_version import sendlab_version


def tell_arms(result: ExperimentResult, folder: ExperimentFolder, console: Console, *, as_json: bool) -> None:
    """Write result.json and the page; print JSON, or the verdict, what was assumed and where the page is."""
    folder.write_result(result)
    written = write_page(result, folder, "html")
    if as_json:
        print(json.dumps({"sendlab": sendlab_version(), **result.as_json()}, indent=1))
        return
    tell(result, console)
    for sentence in result.notes:
        console.print(sentence, style="dim", markup=False, highlight=False, soft_wrap=True)
    console.print(f"page: {written}", highlight=False, soft_wrap=True)
