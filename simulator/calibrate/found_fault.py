"""A period of trouble that the attempts show, with what the data allow to say of its begin and its end."""

from __future__ import annotations

from dataclasses import dataclass

HANG, KILL, REFUSE, SILENT_DEATH, BUSY, STATUS, SLOW = (
    *("hang", "kill", "refuse", "silent_death", "code", "status", "slow"),
)


@dataclass(frozen=True)
class FoundFault:
    """One period of trouble of one broker; all times in microseconds of the trace.

    kind: a fault kind of a scenario. at_us, until_us: the best estimate. at_range_us, until_range_us: 95 % intervals of
    begin and end. `sure`: certain, likely or possible. evidence: words. value: the response code, the code of the
    SendStatus or the factor in millionths, else 0. is_bounded: the broker itself said that it was over by the latest
    end, whoever tried it. has_open_end: nobody tried the broker between the ends of `until_range_us`.
    """

    broker: str
    kind: str
    at_us: int
    until_us: int
    at_range_us: tuple[int, int]
    until_range_us: tuple[int, int]
    sure: str
    evidence: str
    value: int = 0
    is_bounded: bool = False
    has_open_end: bool = False

    @property
    def text(self) -> str:
        """When it was, and how well that is known."""
        at, until = (_moment(*pair) for pair in ((self.at_us, self.at_range_us), (self.until_us, self.until_range_us)))
        return f"from {at} to {until}"


def _moment(us: int, span: tuple[int, int]) -> str:
    if span[1] - span[0] <= 2_000:
        return seconds(us)
    return f"{seconds(us)} ({seconds(span[0])} .. {seconds(span[1])})"


def seconds(us: int) -> str:
    """Seconds with milliseconds, such as `28.004 s`."""
    return f"{us / 1e6:.3f} s"


def sure_of(requests: int, producers: int, times: float) -> str:
    """How sure: `times` is the length over the longest that the broker takes on an ordinary second."""
    if requests >= 3 and producers >= 2 and times >= 5:
        return "certain"
    return "likely" if producers >= 2 or times >= 5 else "possible"
