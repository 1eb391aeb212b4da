"""Sessions of Spark after one another, in a process that has none."""

import subprocess
import sys

TWO_SESSIONS = """
from pathlib import Path
from sys import argv
from streaming.spark.session import close_session, jvm_pid, open_session

for memory in ("500m", "700m"):
    spark = open_session(Path(argv[1]), master="local[1]", memory=memory)
    print(jvm_pid(spark), spark._jvm.java.lang.Runtime.getRuntime().maxMemory() >> 20)
    close_session(spark)
"""


def test_the_next_session_has_a_jvm_and_a_heap_of_its_own(tmp_path):
    done = subprocess.run(
        [sys.executable, "-c", TWO_SESSIONS, str(tmp_path)], capture_output=True, text=True, timeout=300, check=True
    )
    (first, small), (second, large) = (map(int, line.split()) for line in done.stdout.splitlines())
    assert first != second
    assert small <= 500 < 600 < large
