"""Build the documentation site: `python -m tests.site FOLDER`, as `make docs` does. Any warning ends it with 1."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

import yaml

from tests.house.tree import ROOT
from tests.site.pages import fill, menu

SETTINGS = ROOT / "conf" / "docs" / "mkdocs.yml"


def build(out: Path) -> str:
    """Build the site into a folder and give what mkdocs says. Raises ChildProcessError on a warning."""
    with tempfile.TemporaryDirectory(prefix="sendlab-docs-") as name:
        place = Path(name)
        fill(place / "pages")
        nav = [{"Sendlab": "README.md"}, *({group: pages} for group, pages in menu().items())]
        config = place / "mkdocs.yml"
        config.write_text(yaml.safe_dump({"INHERIT": str(SETTINGS), "docs_dir": "pages", "nav": nav}))
        command = [sys.executable, "-m", "mkdocs", "build", "--strict", "-f", config, "-d", out.resolve()]
        quiet = os.environ | {"NO_MKDOCS_2_WARNING": "1"}
        words = [str(word) for word in command]
        done = subprocess.run(words, cwd=ROOT, env=quiet, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise ChildProcessError(done.stdout + done.stderr)
    return done.stdout + done.stderr


if __name__ == "__main__":
    try:
        build(Path(sys.argv[1]))
    except (ChildProcessError, FileNotFoundError) as error:
        sys.exit(str(error))
    print(f"{sys.argv[1]}/index.html")
