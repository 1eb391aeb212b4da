"""Where the `sendlab` command begins: nothing heavy is imported before it listens for Ctrl-C."""

from __future__ import annotations

import gc
import os
import signal
import sys
from types import FrameType

# Of young objects before they are looked through: what is imported stays, and walking it took a tenth of a short run.
COLLECTED_FROM = 200_000
WITHOUT_FRAMES = ("run", "report", "whatif", "advise")
READING = ("check", "keys", "scenarios", "releases")  # run no rule, so they need not wait for numba


def main() -> None:
    """Run the command line; interrupted, also while something is imported, it ends with one word and 130."""
    asked = False

    def ask(_number: int, _frame: FrameType | None) -> None:
        nonlocal asked
        asked = True
        # What was broken off while it was made may not be fit to be unmade: nobody needs to hear of that.
        sys.unraisablehook = lambda _unraisable: None
        raise KeyboardInterrupt

    signal.signal(signal.SIGINT, ask)
    gc.set_threshold(COLLECTED_FROM)
    if sys.argv[1:2] and sys.argv[1] in READING:
        os.environ["NUMBA_DISABLE_JIT"] = "1"
    try:
        if sys.argv[1:2] and sys.argv[1] in WITHOUT_FRAMES:
            from streaming.files.arrow_alone import load_arrow_alone

            load_arrow_alone()
        from streaming.cli import INTERRUPTED
        from streaming.cli import main as command_line

        command_line()
    except SystemExit as end:
        if not asked or end.code == INTERRUPTED:
            raise
        sys.exit(130)
    except BaseException:
        # Some extension modules make an ImportError of it.
        if not asked:
            raise
        print("interrupted", file=sys.stderr)
        sys.exit(130)
