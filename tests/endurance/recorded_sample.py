"""Replay recorded messages until one differs: exit 0 if none does, 1 at the first difference.

python -m tests.endurance.recorded_sample tests/golden
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from simulator.releases.producer_release import client_of
from streaming.proof.golden.golden_files import cases
from streaming.proof.golden.golden_messages import MessagesReplay
from streaming.proof.golden.golden_rules import RulesReplay

# File, every how many of its cases, how many at most.
SAMPLE = (
    *(("rules-" + release, 7, 40) for release in ("4.2.0", "5.3.0", "4.9.2", "5.3.3")),
    *(("async-" + release, 4, 4) for release in ("4.9.8", "5.3.3", "4.2.0", "5.1.4")),
    *(("send-" + release, 12, 7) for release in ("4.9.8", "5.3.3", "4.2.0", "5.1.4")),
)


def replays(folder: Path) -> Iterator[MessagesReplay | RulesReplay]:
    """The sampled cases."""
    for name, step, count in SAMPLE:
        found = (case for _, _, case in cases(folder / f"{name}.jsonl.gz"))
        if name.startswith("rules"):
            found = (case for case in found if case["k"].startswith("call"))
        for case in islice(found, 0, step * count, step):
            client = client_of(str(case["v"]))
            if name.startswith("rules"):
                yield RulesReplay(case, client)
            else:
                yield MessagesReplay(case, client, is_async=name.startswith("async"))


def main() -> int:
    """Replay the sample of that folder."""
    for replay in replays(Path(sys.argv[1])):
        for difference in replay.run():
            if difference is not None:
                print(f"{difference.case}, operation {difference.operation}: {difference.what}")
                return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
