"""What POP decides, release by release: tests compare it with `pop/`, what the classes did.

Source: rocketmq 5.0.0-5.5.0, QueryAssignmentProcessor.allocate4Pop, ConsumerOrderInfoManager, PopMessageProcessor,
PopReviveService, PopBufferMergeService; of the client DefaultMQPushConsumerImpl, ConsumeMessagePopConcurrentlyService.
Times in ms.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import takewhile
from typing import Any

ACK_TIME_INTERVAL_MS = 1_000
REVIVES_BEHIND_MS = 2_000  # a check point is revived once the end of what was read is later than this after its time
PUT_AGAIN_AFTER_S = (10, 20, 30, 60, 120, 180, 240, 300, 360, 420, 480, 540, 600, 1200, 1800, 3600, 7200)
DELAYS_S = (10, 30, 60, 120, 180, 240, 300, 360, 420, 480, 540, 600, 1200, 1800, 3600, 7200)
STAYS_MS, TIMES_OUT_MS, MARGIN_MS = 10_000, 3_000, 1_500  # popCkStayBufferTime, popCkStayBufferTimeOut

Queue = tuple[str, int]


def since(release: str, first: str) -> bool:
    """Whether a release is that one or a later one."""
    return tuple(map(int, release.split("."))) >= tuple(map(int, first.split(".")))


# ---- whose queues


def average(me: str, queues: Sequence[Queue], consumers: Sequence[str]) -> list[Queue]:
    """AVG: a block of queues."""
    at, (each, more) = consumers.index(me), divmod(len(queues), len(consumers))
    first = at * each + min(at, more)
    return list(queues[first : first + each + (at < more)])


def by_circle(me: str, queues: Sequence[Queue], consumers: Sequence[str]) -> list[Queue]:
    """AVG_BY_CIRCLE: every so-manieth queue."""
    return list(queues[consumers.index(me) :: len(consumers)])


def assigned(strategy: str, share: int, me: str, queues: Sequence[Queue], consumers: Sequence[str]) -> list[Queue]:
    """What a consumer pops, -1: every queue of a broker. Raises ValueError as the broker does."""
    if share <= 0 or share >= len(consumers) - 1:
        return [(broker, -1) for broker, _ in queues]
    if not me:
        raise ValueError("currentCID is empty")
    if not queues:
        raise ValueError("mqAll is null or mqAll empty")
    if me not in consumers:
        return []
    at = consumers.index(me)
    if len(consumers) > len(queues):
        return [queues[at % len(queues)]]
    shares: Callable[..., list[Queue]] = average if strategy == "AVG" else by_circle
    sharers = [consumers[(at + i) % len(consumers)] for i in range(share + 1)]
    return [queue for sharer in sharers for queue in shares(sharer, queues, consumers)]


# ---- order


@dataclass
class Order:
    """Messages of one queue that were popped in order, from 5.1.0 on."""

    release: str
    offsets: list[int] = field(default_factory=list)
    acked: set[int] = field(default_factory=set)
    visible_at: dict[int, int] = field(default_factory=dict)
    counts: dict[int, int] = field(default_factory=dict)
    attempt: str | None = None
    popped: int = 0
    invisible: int = 0

    def pop(self, now: int, attempt: str | None, invisible: int, offsets: Sequence[int]) -> list[list[Any]]:
        """Remember a pop; how often what is popped was delivered before, and the least of that for the queue."""
        attempt = attempt if since(self.release, "5.1.1") else None
        if attempt is None or attempt != self.attempt:
            before = set(self.offsets)
            self.counts = {at: self.counts.get(at, 0) + 1 for at in offsets if at in before}
        self.offsets, self.attempt, self.popped, self.invisible = list(offsets), attempt, now, invisible
        self.acked, self.visible_at = set(), {}
        least = min(self.counts.values()) if self.counts and len(self.counts) == len(offsets) else 0
        return [[None, least], *([at, self.counts[at]] for at in sorted(self.counts))]

    def is_blocked(self, now: int, attempt: str | None) -> bool:
        """Whether a message is neither acknowledged nor visible again; not for the attempt that has them."""
        if attempt is not None and attempt == self.attempt:
            return False
        left = [at for at in self.offsets if at not in self.acked]
        return any(now < self.visible_at.get(at, self.popped + self.invisible) for at in left)

    def ack(self, offset: int, popped: int) -> int:
        """The offset that is committed; -1: unknown, -2: of another pop."""
        if not self.offsets:
            return offset + 1
        if popped != self.popped:
            return -2
        if offset not in self.offsets:
            return -1
        self.acked.add(offset)
        return next((at for at in self.offsets if at not in self.acked), self.offsets[-1] + 1)

    def change(self, offset: int, popped: int, visible: int) -> None:
        """A message is visible at another time."""
        if popped == self.popped:
            self.visible_at[offset] = visible


@dataclass
class Order500(Order):
    """The same in 5.0.0: by queue, without the time of the pop."""

    times: int = 0

    def pop(self, now: int, attempt: str | None, invisible: int, offsets: Sequence[int]) -> Any:
        """How often the same messages were popped one after the other."""
        self.times = self.times + 1 if list(offsets) == self.offsets else 0
        self.offsets, self.popped, self.acked = list(offsets), now, set()
        return self.times

    def is_blocked(self, now: int, attempt: str | None, invisible: int = 0) -> bool:
        """Whether the last pop was less than the asker's invisible time ago, and one of its messages is left."""
        return now - self.popped < invisible and len(self.acked) < len(self.offsets)

    def ack(self, offset: int, popped: int) -> int:
        """Nothing is committed (-2) before every message is acknowledged."""
        next_offset = super().ack(offset, self.popped)
        return -2 if next_offset >= 0 and 0 < len(self.acked) < len(self.offsets) else next_offset


# ---- one pop


def retry_topic(release: str, drawn: int, second: bool, first_too: bool) -> str:
    """Which retry topic a pop reads: r1 is `%RETRY%group_topic`, r2 (enableRetryTopicV2) `%RETRY%group+topic`."""
    if not second or not since(release, "5.2.0"):
        return "r1"
    return "r1" if first_too and drawn % 2 == 0 else "r2"


def reads_retry_first(release: str, drawn: int) -> bool:
    """One pop in five reads the retry topic before the topic; the others after it."""
    return drawn < 20 if since(release, "5.3.1") else drawn % 5 == 0


def queue_order(release: str, drawn: int, queues: int) -> list[int]:
    """In which order the queues of a topic are read: upwards, from 5.4.0 on downwards (priorityOrderAsc)."""
    down = since(release, "5.4.0")
    return [(drawn + (queues - 1 - i if down else i)) % queues for i in range(queues)]


def places_read(release: str, case: dict[str, Any]) -> Iterator[Queue]:
    """Which queues one pop comes to, in order, until it has enough."""
    held = {topic: [q for t, q, *_ in case["held"] if t == topic] for topic in ("t", "r1", "r2")}
    name = retry_topic(release, case["drawn"], case["v2"] == 1, case["v1too"] == 1)
    retries = [] if case["order"] else [(name, q) for q in queue_order(release, case["drawn"], len(held[name]))]
    own = [case["queue"]] if case["queue"] >= 0 else queue_order(release, case["drawn"], len(held["t"]))
    first = reads_retry_first(release, case["drawn"])
    yield from (*(retries if first else ()), *(("t", q) for q in own), *(() if first else retries))


def initial_offset(release: str, case: dict[str, Any], topic: str, first: int, end: int) -> int:
    """Where a group begins that has no offset: the first message, or the last one."""
    if case["init"] == "min" or (topic != "t" and since(release, "5.3.1")):
        return first
    if since(release, "5.1.4") and first <= 0 and case["mem"]:
        return 0
    return max(0, end - 1)


def wakes(release: str, waits_for: int, is_revived: bool, second: bool) -> bool:
    """Whether a message that is stored wakes a pop that waits for a queue, or for all of them (-1)."""
    if not is_revived or since(release, "5.4.0"):
        return True
    return second if since(release, "5.2.0") else waits_for == -1


# ---- revive


@dataclass
class Point:
    """A check point as a round reads it."""

    topic: str
    queue: int
    start: int
    count: int
    popped: int
    invisible: int
    offset: int  # in the revive topic
    acked: set[int] = field(default_factory=set)

    @property
    def revive_at(self) -> int:
        return self.popped + self.invisible


@dataclass
class ReviveService:
    """A revive service that reads `log`: entries of a recording, by when they are seen."""

    release: str
    log: Sequence[Sequence[Any]]
    behind: bool
    name: str  # of the retry topic that is written
    offset: int = -1

    def round(self, began: int, refuses: bool) -> list[Any]:
        """One round: end of the scan, readings, points, end of what was read, new offset, what was put."""
        points, end, now, reads = self._scan(began)
        made, offset = [], self.offset
        for point in points:
            if end is None or end - point.revive_at <= REVIVES_BEHIND_MS:
                break
            left = [i for i in range(point.count) if i not in point.acked]
            if refuses and left and not since(self.release, "5.1.0"):
                return [began, now, reads, len(points), end, None, made]
            made += [self._put(point, i, now, refuses) for i in left]
            offset = point.offset
        self.offset = offset
        return [began, now, reads, len(points), end, offset, made]

    def _put(self, point: Point, index: int, now: int, refuses: bool) -> list[Any]:
        if not refuses:
            return [self.name if point.topic == "t" else "r1", f"{point.queue}/{point.start + index}", 1]
        late = since(self.release, "5.3.1") and point.revive_at <= now
        due = point.revive_at + (PUT_AGAIN_AFTER_S[0] * 1000 if late else 0) - ACK_TIME_INTERVAL_MS
        return ["ck", point.start + index, due, 1 if since(self.release, "5.3.1") else None]

    def _seen(self, at: int, now: int) -> list[Sequence[Any]]:
        """What one reading finds from an offset on."""
        return list(takewhile(lambda entry: entry[-2 if entry[0] == "ack" else -1] <= now, self.log[at : at + 32]))

    def _scan(self, began: int) -> tuple[list[Point], int | None, int, int]:
        now, empty, reads, at = began, 0, 0, self.offset + 1
        end: int | None = None
        first_at: int | None = None
        points: dict[int, Point] = {}
        while True:
            reads += 1
            seen = self._seen(at, now)
            if not seen:
                if end is not None and now - end > 3_000 and not self.behind:
                    end = now
                if end is not None and (first_at is None or end - first_at > REVIVES_BEHIND_MS):
                    break
                empty, now = empty + 1, now + 100
                if empty * 100 > 4_000:
                    break
                continue
            empty = 0
            if now - began > 10_000:
                break
            for kind, number, *rest in seen:
                if kind == "ck":
                    point = points[number] = Point(*rest[:6], at)
                    due = point.revive_at - ACK_TIME_INTERVAL_MS
                    end = due if end is None else max(end, due)
                    first_at = point.revive_at if first_at is None else first_at
                elif number in points:  # an ack alone, whose check point an earlier round read, moves nothing
                    points[number].acked.add(rest[0])
                    end = max(end or rest[-1], rest[-1])
                at += 1
        return list(points.values()), end, now, reads


# ---- buffer


@dataclass
class Buffered:
    """A check point in the buffer."""

    start: int
    count: int
    popped: int
    invisible: int
    next_offset: int
    just_offset: bool
    is_stored: bool = False
    acked: set[int] = field(default_factory=set)
    acks_stored: set[int] = field(default_factory=set)

    @property
    def is_done(self) -> bool:
        return len(self.acked) == self.count

    @property
    def is_settled(self) -> bool:
        return (
            (self.just_offset and self.is_stored) or self.is_done or (self.acked == self.acks_stored and self.is_stored)
        )

    @property
    def revive_at(self) -> int:
        return self.popped + self.invisible


class Buffer:
    """PopBufferMergeService of one queue; `merges` is enablePopBufferMerge, off by default."""

    def __init__(self, merges: bool) -> None:
        self.merges = merges
        self.committed = -1
        self.points: list[Buffered] = []  # every one that was popped
        self.kept: list[Buffered] = []
        self.offsets: deque[Buffered] = deque()
        self.stored: list[list[Any]] = []

    def pop(self, now: int, start: int, count: int, invisible: int) -> bool:
        """Whether the buffer takes a check point; else it is stored at once."""
        taken = self.merges and invisible >= TIMES_OUT_MS + MARGIN_MS
        point = Buffered(start, count, now, invisible, start + count, not taken)
        for each in (self.points, self.kept, self.offsets):
            each.append(point)
        if not taken:
            self._store(point)
        return taken

    def skip(self, now: int, next_offset: int) -> None:
        """Nothing that passes was found."""
        self.offsets.append(Buffered(0, 0, now, 60_000, next_offset, True, is_stored=True))

    def ack(self, now: int, number: int, index: int) -> bool:
        """Whether the buffer takes an ack; else it is stored."""
        point = self.points[number]
        late = point.revive_at - now < TIMES_OUT_MS + MARGIN_MS or now - point.popped > STAYS_MS - MARGIN_MS
        if not self.merges or point not in self.kept or point.just_offset or late:
            return False
        point.acked.add(index)
        return True

    def scan(self, now: int) -> int:
        """Store what stays no longer, forget what is settled, commit; the committed offset."""
        self.kept = [point for point in self.kept if not point.is_settled]
        for point in list(self.kept):
            if point.revive_at - now < TIMES_OUT_MS or now - point.popped > STAYS_MS:
                if not point.is_stored:
                    self._store(point)
                for index in sorted(point.acked - point.acks_stored):
                    self.stored.append(["ack", point.start, point.start + index, point.revive_at])
                point.acks_stored |= point.acked
                self.kept.remove(point)
        while self.offsets and self.offsets[0].is_settled:
            self.committed = self.offsets.popleft().next_offset
        return self.committed

    @property
    def latest(self) -> int:
        """Where the next pop reads, -1: where was committed."""
        return self.offsets[-1].next_offset if self.offsets else -1

    def _store(self, point: Buffered) -> None:
        point.is_stored = True
        self.stored.append(["ck", point.start, None, point.revive_at - ACK_TIME_INTERVAL_MS])


# ---- what a client asks for

INVISIBLE_MS, BATCH = range(5_000, 300_001), range(1, 33)
POLL_MS, ANSWERED_WITHIN_MS = 15_000, 25_000  # BROKER_SUSPEND_MAX_TIME_MILLIS, and 10 s more


def refuses_to_start(invisible: int, batch: int) -> str | None:
    """Why a consumer with these settings does not start (checkConfig)."""
    if invisible not in INVISIBLE_MS:
        return f"popInvisibleTime Out of range [{INVISIBLE_MS[0]}, {INVISIBLE_MS[-1]}]"
    return None if batch in BATCH else f"popBatchNums Out of range [{BATCH[0]}, {BATCH[-1]}]"


def pop_request(invisible: int, batch: int, threshold: int, waiting: int) -> list[int] | None:
    """Invisible time, most messages, poll time, init mode, queue, time-out; None: too much waits for its ack."""
    if waiting > threshold:
        return None
    return [invisible if invisible in INVISIBLE_MS else 60_000, batch, POLL_MS, 1, -1, ANSWERED_WITHIN_MS]


GIVEN_UP, NO_LEVEL = "ack", "ArrayIndexOutOfBoundsException"


def asks_after_failure(most: int, level: int, times: int, age: int) -> int | str:
    """How long a message stays invisible; GIVEN_UP; NO_LEVEL: the client throws, and asks nothing.

    `most`: maxReconsumeTimes, `level`: delayLevelWhenNextConsume, `times`: deliveries before, `age` since it was sent.
    """
    last = len(DELAYS_S) - 1
    if times >= (16 if most == -1 else most):
        if age > 2 * DELAYS_S[last] * 1000:
            return GIVEN_UP
        level = max((at + 1 for at in range(last + 1) if age >= DELAYS_S[at] * 1000), default=-1)
    level = times if level == 0 else level
    return NO_LEVEL if level < 0 else DELAYS_S[min(level, last)] * 1000
