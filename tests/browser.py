"""A headless Chromium, for what only a browser can show."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

BROWSERS = ("chromium", "chromium-browser", "google-chrome")
OPTIONS = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--hide-scrollbars",
    "--disable-background-networking", "--disable-component-update", "--disable-sync", "--disable-dev-shm-usage",
    "--allow-file-access-from-files", "--virtual-time-budget=60000",
)  # fmt: skip


def find_browser() -> str | None:
    """The path of a Chromium, None if this machine has none."""
    return next((path for name in BROWSERS if (path := shutil.which(name))), None)


def browse(browser: str, folder: Path, *arguments: str, patience_s: float = 120) -> str:
    """What a browser with its profile in `folder` prints. Raises CalledProcessError, TimeoutExpired."""
    command = [browser, *OPTIONS, f"--user-data-dir={folder / 'profile'}", *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=patience_s, check=True).stdout
