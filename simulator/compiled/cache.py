"""Where what is compiled or prepared once is kept: in a checkout its own `.cache`, else the user's cache folder."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def cache_folder(name: str, root: Path = ROOT) -> Path:
    """A folder for one kind of thing, made if it can be; one of an installed package is never in site-packages."""
    user = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "sendlab"
    places = [user, Path(tempfile.gettempdir()) / f"sendlab-{os.getuid()}"]
    if (root / "pyproject.toml").is_file():
        places.insert(0, root / ".cache")
    for place in places:
        try:
            (place / name).mkdir(parents=True, exist_ok=True)
        except OSError:
            continue
        if os.access(place / name, os.W_OK):
            return place / name
    return places[-1] / name
