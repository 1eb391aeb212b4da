"""`sendlab serve`: a page on this machine that shows jobs while they run."""

from __future__ import annotations

import signal
import threading
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console

from streaming.errors import InputError
from streaming.live.job_states import jobs_in
from streaming.live.loopback_server import LoopbackServer
from streaming.live.pages import Pages
from streaming.texts.command_result_texts import CommandResultTexts
from streaming.texts.command_texts import CommandTexts


def serve_command(folders: Sequence[Path], port: int, bind: str, hosts: Sequence[str], console: Console) -> int:
    """Serve the page until Ctrl-C or SIGTERM: 0. Raises InputError, EnvironmentProblem."""
    for folder in folders:
        if not folder.is_dir():
            raise InputError(CommandTexts.NO_FOLDER().at(folder))
    ended = threading.Event()
    before = {number: signal.signal(number, lambda *_: ended.set()) for number in (signal.SIGINT, signal.SIGTERM)}
    server = LoopbackServer(Pages(folders), port, bind=bind, hosts=hosts)
    try:
        text = CommandResultTexts.SERVED(count=len(jobs_in(folders)), url=f"http://{bind}:{server.port}/")
        console.print(text, highlight=False)
        ended.wait()
    finally:
        server.close()
        for number, handler in before.items():
            signal.signal(number, handler)
    return 0
