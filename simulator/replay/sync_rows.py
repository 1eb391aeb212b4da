"""The rows of a synchronous recording: each is a step of the message (`sync_steps`); see `replay_rules`."""

from __future__ import annotations

from simulator import codes
from simulator.client.steps.sync_steps import (
    after_end,
    charge_for,
    ending_of,
    has_another,
    is_over_budget,
    resets_index,
)
from simulator.compiled.jit import rule
from simulator.replay import replay_codes
from simulator.replay.replay_rules import begin_message, charge, choose, put, put_end, put_select, take_route, timeouts
from simulator.replay.replay_world import InputRow, ReplayWorld, Sender


@rule()
def _settle(world: ReplayWorld, sender: Sender, after: int, is_open: int) -> None:
    """What follows the attempt that waits to know."""
    if sender.ended_row < 0:
        return
    decision = put(world, replay_codes.KIND_AFTER_ATTEMPT, sender.ended_row, sender)
    decision.after = after
    decision.is_open = is_open
    sender.ended_row = -1


@rule()
def _begin_send(world: ReplayWorld, row: InputRow, sender: Sender) -> None:
    begin_message(world, row, sender)
    sender.view = row.view
    sender.queue_id = -1
    sender.outcome = replay_codes.NONE
    sender.code = codes.NO_CODE
    sender.ended_row = -1


@rule()
def _is_of_this_send(row: InputRow, sender: Sender) -> bool:
    return sender.view == row.view and sender.send_seq == row.send_seq


@rule()
def _select(world: ReplayWorld, row: InputRow, sender: Sender) -> int:
    """A select row: OK, or why it cannot be replayed."""
    settings = world.settings
    goes_on = sender.phase != replay_codes.IDLE and _is_of_this_send(row, sender)
    if goes_on and sender.phase != replay_codes.CHARGED:
        return replay_codes.NOT_CHARGED
    if not goes_on:
        refusal = take_route(world, row)
        if refusal != replay_codes.OK:
            return refusal
        _settle(world, sender, codes.RETRY, 0)
        _begin_send(world, row, sender)
    view, last, attempt = world.views[row.view], sender.broker, sender.attempt + 1
    choice = choose(world, row, view, last, resets_index(attempt))

    least_ms = max(row.attempt_least_ms - sender.begin_most_ms, 0)
    most_ms = max(row.attempt_most_ms - sender.begin_least_ms, least_ms)
    over, budget_is_open = is_over_budget(world.rules, settings, least_ms), 0
    if over != is_over_budget(world.rules, settings, most_ms):
        over, budget_is_open = 1 - row.sent, 1
    _settle(world, sender, replay_codes.BUDGET if over == 1 else codes.RETRY, budget_is_open)

    sender.attempt = attempt
    sender.over_budget = over
    decision = put_select(world, row, sender, choice, last)
    decision.is_open = max(choice.is_open, budget_is_open)
    if over == 1:
        decision.after = replay_codes.NO_ATTEMPT
    sender.broker, sender.queue_id = decision.broker, decision.queue_id
    sender.phase = replay_codes.SELECTED
    sender.timeout_least_ms = replay_codes.NONE
    if row.transport_most_ms != replay_codes.NONE:
        timeouts(world, row, sender, 0 if has_another(settings, attempt) else 1)
    return replay_codes.OK


@rule()
def _attempt_end(world: ReplayWorld, row: InputRow, sender: Sender) -> int:
    """An attempt_end row: what follows, unless only the budget knows."""
    if sender.phase != replay_codes.SELECTED or not _is_of_this_send(row, sender):
        return replay_codes.NOT_SELECTED
    if sender.timeout_least_ms != replay_codes.NONE:
        decision = put(world, replay_codes.KIND_TIMEOUT, row.row, sender)
        decision.timeout_least_ms = sender.timeout_least_ms
        decision.timeout_most_ms = sender.timeout_most_ms
    sender.phase = replay_codes.ENDED
    sender.outcome = row.outcome
    sender.code = row.code
    then = after_end(world.rules, world.settings, world.retry_codes, sender, sender)
    sender.throws = 1 if then == codes.THROW else 0
    sender.ended_row = row.row
    if then == codes.RETRY and has_another(world.settings, sender.attempt):
        return replay_codes.OK
    if then != codes.RETURN:
        then = codes.RETURN if sender.held == 1 else codes.THROW
    _settle(world, sender, then, 0)
    return replay_codes.OK


@rule()
def _fault_update(world: ReplayWorld, row: InputRow, sender: Sender) -> int:
    """A fault_update row: the flags by the attempt's outcome, and the item by them and the recorded latency."""
    if sender.phase != replay_codes.ENDED or not _is_of_this_send(row, sender):
        return replay_codes.NOT_ENDED
    sender.phase = replay_codes.CHARGED
    charge(world, row, sender, charge_for(world.rules, world.settings, sender.broker, row.latency_ms, sender.outcome))
    return replay_codes.OK


@rule()
def _send_end(world: ReplayWorld, row: InputRow, sender: Sender) -> int:
    """A send_end row: what the caller sees, by the whole of the send."""
    phase = sender.phase
    if phase == replay_codes.IDLE or not _is_of_this_send(row, sender):
        return replay_codes.NO_SEND
    if phase == replay_codes.ENDED or (phase == replay_codes.SELECTED and sender.over_budget == 0):
        return replay_codes.NOT_CHARGED
    _settle(world, sender, codes.RETRY, 0)
    put_end(world, row, sender, ending_of(sender, sender, sender.throws))
    sender.phase = replay_codes.IDLE
    return replay_codes.OK


@rule()
def sync_row(world: ReplayWorld, row: InputRow, sender: Sender) -> int:
    """One row of a sender thread: OK, or why it cannot be replayed."""
    if row.event == replay_codes.SELECT:
        return _select(world, row, sender)
    if row.event == replay_codes.ATTEMPT_END:
        return _attempt_end(world, row, sender)
    if row.event == replay_codes.FAULT_UPDATE:
        return _fault_update(world, row, sender)
    if row.event == replay_codes.SEND_END:
        return _send_end(world, row, sender)
    _settle(world, sender, codes.RETRY, 1)
    return replay_codes.OK
