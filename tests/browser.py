"""A headless Chromium, for what only a browser can show."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

BROWSERS = ("chromium", "chromium-browser", "google-chrome")
OPTIONS = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--hide-scrollbars",
    "--disable-background-networking", "--disable-component-update", "--disable-sync", "--disable-dev-shm-usage",
    "--allow-file-access-from-files",
)  # fmt: skip


def find_browser() -> str | None:
    """The path of a Chromium, None if this machine has none."""
    return next((path for name in BROWSERS if (path := shutil.which(name))), None)


def browse(
    browser: str, folder: Path, *arguments: str, patience_s: float = 120, until: str = "--virtual-time-budget=60000"
) -> str:
    """What a browser with its profile in `folder` prints. Raises CalledProcessError, TimeoutExpired."""
    command = [browser, *OPTIONS, until, f"--user-data-dir={folder / 'profile'}", *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=patience_s, check=True).stdout


@contextmanager
def browsing(browser: str, folder: Path, url: str) -> Iterator[None]:
    """Have a browser with its profile in `folder` look at a page, in real time."""
    command = [browser, *OPTIONS, "--remote-debugging-port=0", f"--user-data-dir={folder / 'profile'}", url]
    nothing = subprocess.DEVNULL
    process = subprocess.Popen(command, stdout=nothing, stderr=nothing, start_new_session=True)
    try:
        yield
    finally:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
