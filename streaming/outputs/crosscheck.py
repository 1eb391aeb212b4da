"""Whether the tables of a finished run fit together: each thing is counted in more than one of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from state.texts import Text
from streaming.outputs.dataset import RunOutput
from streaming.outputs.totals import AttemptTotals, RejectTotals, SendTotals, WindowTotals
from streaming.texts.output_texts import OutputTexts


@dataclass(frozen=True)
class Counted:
    """What was counted where; None where the table was not written or run.json does not say.

    sends: rows of `sends`; cell_sends: the sends that the cells counted themselves.
    over_proxies: some attempts may have reached no broker, and `attempts` has none of these.
    announced: events that are fault and route updates, not arrivals; None with closed loops, which need no events.
    """

    attempts: int | None
    sends: int | None
    attempts_of_sends: int | None
    window_attempts: int | None
    rejected: int
    cell_sends: int | None
    announced: int | None
    over_proxies: bool = False

    @classmethod
    def of(
        cls, output: RunOutput, attempts: AttemptTotals, sends: SendTotals, windows: WindowTotals, rejects: RejectTotals
    ) -> Counted:
        """From the readers of an output, after the last row."""
        about, has_sends = output.about, output.is_written("sends")
        closed = any(group.get("when_thread_blocked") == "closed" for group in about["producer_groups"])
        return cls(
            attempts=int(attempts.attempts.sum()) if output.is_written("attempts") else None,
            sends=sends.sends if has_sends else None,
            attempts_of_sends=int(sends.counts["attempts"].sum()) if has_sends else None,
            window_attempts=int(windows.attempts.sum()) if output.is_written("windows") else None,
            rejected=sum(rejects.events.values()),
            cell_sends=about.get("counts", {}).get("sends"),
            announced=None if closed else about.get("announced"),
            over_proxies=any(group.get("over_proxies") for group in about["producer_groups"]),
        )


def contradictions(counted: Counted, events: Mapping[str, int]) -> tuple[str, ...]:
    """What does not add up, a sentence each. events: generated, handled, rejected and skipped, from run.json."""
    return tuple(_sentences(counted, events))


def _sentences(counted: Counted, events: Mapping[str, int]) -> Iterator[str]:
    if events["generated"] != events["handled"] + events["rejected"]:
        generated, handled, rejected = (events[name] for name in ("generated", "handled", "rejected"))
        yield OutputTexts.EVENTS_DIFFER(generated=generated, handled=handled, rejected=rejected)
    yield from _unlike(OutputTexts.REJECTS_DIFFER, events["rejected"], counted.rejected)
    yield from _unlike(OutputTexts.SENDS_DIFFER, counted.cell_sends, counted.sends)
    some_unseen = counted.over_proxies and (counted.attempts or 0) <= (counted.attempts_of_sends or 0)
    if not some_unseen:
        yield from _unlike(OutputTexts.ATTEMPTS_OF_SENDS_DIFFER, counted.attempts, counted.attempts_of_sends)
    yield from _unlike(OutputTexts.ATTEMPTS_OF_WINDOWS_DIFFER, counted.window_attempts, counted.attempts)
    if counted.announced is not None:
        arrivals = events["handled"] - counted.announced - events["skipped"]
        yield from _unlike(OutputTexts.ARRIVALS_DIFFER, arrivals, counted.cell_sends)


def _unlike(text: Text, one: int | None, other: int | None) -> Iterator[str]:
    if one is not None and other is not None and one != other:
        yield text(one=one, other=other)
