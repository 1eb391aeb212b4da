"""Records, logs and scenario files that nobody would write: counted, reported in a sentence each, no more.

    make fuzz                                                   100,000 records, 100,000 lines, 10,000 scenarios, bombs
    python -m tests.endurance.fuzz --seed 2 --scenarios 500     others, and fewer

What is drawn follows from the seed. Ends with exit code 1 and the first input that was not taken as it should.
"""

from __future__ import annotations

import argparse
import resource
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from tests.endurance.fuzzing.bombs import BOMBS
from tests.endurance.fuzzing.logs import fuzz_csv, fuzz_message_trace
from tests.endurance.fuzzing.records import fuzz_records
from tests.endurance.fuzzing.scenarios import fuzz_scenarios

MOST_MEMORY_MB = 2_000


def timed(what: str, fuzz: Callable[[], str]) -> None:
    """Do one kind of it, and tell how long it took and how much memory this process has had so far."""
    began = time.monotonic()
    found = fuzz()
    peak_mb = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000
    print(f"{what}: {found}; {time.monotonic() - began:.1f} s, {peak_mb:,.0f} MB at most", flush=True)
    if peak_mb > MOST_MEMORY_MB:
        sys.exit(f"{what}: more than {MOST_MEMORY_MB:,} MB")


def main() -> None:
    """Fuzz, and tell."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--records", type=int, default=100_000)
    parser.add_argument("--lines", type=int, default=50_000)
    parser.add_argument("--scenarios", type=int, default=10_000)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="sendlab-fuzz-") as folder:
        timed("records of Kafka", lambda: fuzz_records(asked.seed, asked.records))
        timed("lines of CSV", lambda: fuzz_csv(asked.seed, asked.lines, Path(folder)))
        timed("records of message traces", lambda: fuzz_message_trace(asked.seed, asked.lines, Path(folder)))
        timed("scenario files", lambda: fuzz_scenarios(asked.seed, asked.scenarios))
        for name, bomb in BOMBS.items():
            timed(name, lambda bomb=bomb: bomb(Path(folder)))  # type: ignore[misc]


if __name__ == "__main__":
    main()
