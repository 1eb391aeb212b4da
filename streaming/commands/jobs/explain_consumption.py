"""`sendlab explain --group`: why a consumer group consumed a message twice, or not yet."""

from __future__ import annotations

import json
from pathlib import Path

from rich.console import Console

from streaming.explain.consumption import explain_consumption
from streaming.explain.queue_history import AskedOffset
from streaming.outputs.dataset import open_begun
from streaming.terminal.working import working
from streaming.texts.command_result_texts import CommandResultTexts


def explain_consumption_command(folder: Path, asked: AskedOffset, *, as_json: bool, console: Console) -> int:
    """Print what became of an offset: 0. Raises InputError."""
    with working(console, CommandResultTexts.LOOKING_FOR_MESSAGE()):
        found = explain_consumption(open_begun(folder), asked)
    if as_json:
        console.print_json(json.dumps(found.as_json()))
    else:
        console.print(str(found), highlight=False, soft_wrap=True)
    return 0
