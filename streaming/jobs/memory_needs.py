"""How much memory a job needs, before it starts: what its JVM and its Python workers hold at the same time.

The constants are estimates of the order of what is held, for a sentence before the start: no bound is kept by them.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from simulator.scenario import Scenario
from streaming.errors import EnvironmentProblem, InputError
from streaming.installation.machine import memory_bytes
from streaming.texts.job_texts import JobTexts

MIB, GIB = 1 << 20, 1 << 30
LEAST_HEAP = GIB
STATE_BYTES_A_THREAD = 150  # of the engine's part, compressed
STATE_BYTES_A_VIEW = 24  # a sender thread's counter of a topic
STATE_BYTES_AN_ITEM = 40  # a producer's fault item of a broker
ARRIVAL_BYTES = 26  # of an arrival on its way to the operator
COPIES_IN_THE_JVM = 6  # of a state row or block: received, sorted, sent, kept in two versions
WORKERS_BYTES = 600 * MIB  # of the Python workers, before they hold a scenario
LIVE_BYTES_A_THREAD = 6_000  # of a sender thread while its cell steps
ROWS_BYTES = 400  # of a message in all tables, until it is written
SPELLED = re.compile(r"([1-9]\d*)([mg])", re.IGNORECASE)


@dataclass(frozen=True)
class Needs:
    """Bytes beyond what every job needs: in the heap of the JVM, and in the Python workers."""

    heap: int = 0
    python: int = 0

    def __add__(self, other: Needs) -> Needs:
        return Needs(self.heap + other.heap, self.python + other.python)

    @property
    def total_bytes(self) -> int:
        """Of the whole job."""
        return heap_bytes(self) + WORKERS_BYTES + self.python


NOTHING = Needs()


def needs_of(scenario: Scenario) -> Needs:
    """What a scenario needs, without compiling it: the cells of a window are held together."""
    threads = sum(group.count * group.threads for group in scenario.producers)
    views = threads * len(scenario.topics)
    groups = zip(scenario.producers, scenario.clients, strict=True)
    items = len(scenario.brokers) * sum(group.count * own.send_latency_fault_enable for group, own in groups)
    events = scenario.expected_messages * scenario.window_us / scenario.duration_us
    state = threads * STATE_BYTES_A_THREAD + views * STATE_BYTES_A_VIEW + items * STATE_BYTES_AN_ITEM
    heap = COPIES_IN_THE_JVM * (state + events * ARRIVAL_BYTES)
    return Needs(int(heap), int(threads * LIVE_BYTES_A_THREAD + events * ROWS_BYTES))


def heap_bytes(needs: Needs) -> int:
    """The heap that a job's JVM gets unless the user says otherwise: never less than 1 GiB."""
    return max(LEAST_HEAP, LEAST_HEAP // 2 + needs.heap)


def heap_option(needs: Needs) -> str:
    """That heap as Spark spells it."""
    return f"{-(-heap_bytes(needs) // MIB)}m"


def memory_asked(text: str, where: str) -> str:
    """A heap as Spark spells it. Raises InputError, which begins with `where`."""
    matched = SPELLED.fullmatch(text)
    if matched is None or int(matched[1]) * (MIB if matched[2] in "mM" else GIB) < LEAST_HEAP // 2:
        raise InputError(JobTexts.MEMORY_EXPECTED().at(f"{where} {text}"))
    return text.lower()


def check_fits_machine(needs: Needs, producers: int) -> None:
    """Raise EnvironmentProblem, with the size that would fit, if the machine has less memory than a job needs."""
    total, _ = memory_bytes()
    if needs.total_bytes <= total:
        return
    each = (needs.heap + needs.python) / max(producers, 1)
    fitting = int(max(total - LEAST_HEAP // 2 - WORKERS_BYTES, 0) / max(each, 1))
    raise EnvironmentProblem(
        JobTexts.PRODUCERS_DO_NOT_FIT(
            producers=producers, needed=needs.total_bytes / GIB, total=total / GIB, fitting=_rounded(fitting)
        )
    )


def _rounded(number: int) -> int:
    """Two digits, downwards: it is an estimate."""
    unit = 10 ** max(len(str(number)) - 2, 0)
    return number // unit * unit
