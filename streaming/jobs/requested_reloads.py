"""The changes that a running job is asked for: it ends its query, turns, and starts the query again."""

from __future__ import annotations

from collections.abc import Callable

from simulator.scenario.reading.scenario_error import ScenarioError
from streaming.errors import InputError
from streaming.jobs.claim import Claim
from streaming.jobs.reload.change_log import ChangeLog, Reload
from streaming.jobs.reload.reload_request import ReloadAnswer, Request, answer, asked, withdraw
from streaming.jobs.reload.restart import change_lines


class RequestedReloads:
    """The changes that one job is asked for. `tell` prints a line."""

    def __init__(self, claim: Claim, tell: Callable[[str], None]) -> None:
        self._claim, self._tell = claim, tell
        self._request: Request | None = None

    @property
    def is_asked(self) -> bool:
        """Whether the query has to end for a change."""
        return self._request is not None

    def look(self) -> None:
        """See whether there is a request; what may not change is answered at once, and the job runs on."""
        if self._request is not None:
            return
        checkpoint = self._claim.checkpoint
        try:
            request = asked(checkpoint)
        except InputError:  # nobody can be answered
            withdraw(checkpoint)
            return
        if request is not None and self._judged(request) is not None:
            self._request = request
            checkpoint.ask_to_stop()

    def take(self) -> None:
        """Make the change, now that no query runs: from the last micro-batch that was begun on."""
        request, claim = self._request, self._claim
        self._request = None
        claim.checkpoint.stop_file.unlink(missing_ok=True)
        reload = None if request is None else self._judged(request)
        if request is None or reload is None:
            return
        change_log = ChangeLog.of(claim.checkpoint).having(reload)
        change_log.store()
        claim.change(change_log.job(claim.job))
        answer(claim.checkpoint, ReloadAnswer(request.id, at_us=reload.at_us, changes=reload.changes))
        for line in change_lines(reload):
            self._tell(line)

    def _judged(self, request: Request) -> Reload | None:
        """The change from the next border on; None if it has been refused or changes nothing, which is answered."""
        checkpoint = self._claim.checkpoint
        try:
            change_log = ChangeLog.of(checkpoint)
            at_us = change_log.planned_us
            reload = change_log.changed(request.wanted, at_us, request.id, from_now=request.from_now)
        except (InputError, ScenarioError) as error:
            answer(checkpoint, ReloadAnswer(request.id, refused=str(error)))
            return None
        if reload is None:
            answer(checkpoint, ReloadAnswer(request.id, at_us=at_us))
        return reload
