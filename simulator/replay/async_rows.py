"""The rows of an asynchronous recording: each is a step of the message (`async_steps`); see `replay_rules`.

A message has a slot of its own from its first row to its last: many are under way at the same time, and a retry may
select on another thread than the first attempt.
"""

from __future__ import annotations

from simulator import codes
from simulator.client.steps.async_steps import after_end, charge_for, ending_of, hand_over_of, hands_over, rest_of
from simulator.client.steps.steps import NOBODY, Charge
from simulator.compiled.jit import rule
from simulator.replay import replay_codes
from simulator.replay.replay_rules import begin_message, charge, choose, put, put_end, put_select, take_route, timeouts
from simulator.replay.replay_world import InputRow, ReplayWorld, Sender


@rule()
def _is_of_this_message(row: InputRow, sender: Sender) -> bool:
    if sender.attempt == 0 or sender.send_seq != row.send_seq:
        return False
    return sender.producer == row.producer and sender.topic == row.topic


@rule()
def _begin(world: ReplayWorld, row: InputRow, sender: Sender) -> None:
    begin_message(world, row, sender)
    sender.producer = row.producer
    sender.topic = row.topic
    sender.hand_over = replay_codes.DUE


@rule()
def _select(world: ReplayWorld, row: InputRow, sender: Sender) -> int:
    """A select row: OK, or why it cannot be replayed."""
    goes_on = _is_of_this_message(row, sender)
    if goes_on and sender.phase != replay_codes.CHARGED:
        return replay_codes.NOT_CHARGED
    refusal = take_route(world, row)
    if refusal != replay_codes.OK:
        return refusal
    if not goes_on:
        _begin(world, row, sender)
    sender.view = row.view
    view, last = world.views[row.view], sender.broker
    # A retry never resets the counter.
    choice = choose(world, row, view, last, 0)
    sender.attempt += 1
    sender.phase = replay_codes.SELECTED
    sender.broker_before = last
    decision = put_select(world, row, sender, choice, last)
    sender.broker = decision.broker
    if not goes_on:
        sender.first_broker = sender.broker
        sender.queue_id = decision.queue_id
        sender.timeout_least_ms = replay_codes.NONE
        if row.transport_most_ms != replay_codes.NONE:
            timeouts(world, row, sender, 1)
    return replay_codes.OK


@rule()
def _cost(world: ReplayWorld, sender: Sender) -> Charge:
    """The update after the attempt that ended, whose latency was recorded."""
    return charge_for(world.rules, sender, sender.broker_before, sender.thrown, 0, 0)


@rule()
def _attempt_end(world: ReplayWorld, row: InputRow, sender: Sender) -> int:
    """An attempt_end row: the timeout it was given, what follows, and the timeout of a retry."""
    if not _is_of_this_message(row, sender) or sender.phase != replay_codes.SELECTED:
        return replay_codes.NOT_SELECTED
    rules, total = world.rules, world.settings.attempts_total
    least_ms, most_ms = sender.timeout_least_ms, sender.timeout_most_ms
    if least_ms != replay_codes.NONE:
        given = put(world, replay_codes.KIND_TIMEOUT, row.row, sender)
        given.timeout_least_ms = least_ms
        given.timeout_most_ms = most_ms
    else:
        least_ms = most_ms = world.settings.send_msg_timeout_ms
    outcome, attempt = row.outcome, sender.attempt
    # A failure to send or a timeout can be either; where connecting is concerned the release decides.
    can_be_thrown = outcome in (codes.SEND_FAILURE, codes.RESPONSE_TIMEOUT)
    thrown = 1 if can_be_thrown and row.thrown == 1 else rules.is_thrown(outcome)
    sender.outcome = outcome
    sender.code = row.code
    sender.thrown = thrown
    if attempt == 1 and sender.hand_over == replay_codes.DUE and not hands_over(rules, sender, thrown):
        sender.hand_over = replay_codes.NEVER
    sender.phase = replay_codes.CHARGED if _cost(world, sender).broker == NOBODY else replay_codes.ENDED
    least_ms = rest_of(rules, least_ms, row.cost_most_ms, thrown)
    most_ms = rest_of(rules, most_ms, row.cost_least_ms, thrown)
    sender.timeout_least_ms, sender.timeout_most_ms = least_ms, most_ms
    then, is_open = after_end(rules, outcome, thrown, attempt, total, least_ms), 0
    if then != after_end(rules, outcome, thrown, attempt, total, most_ms):
        then, is_open = codes.RETRY if row.sent == 1 else codes.THROW, 1
    decision = put(world, replay_codes.KIND_AFTER_ATTEMPT, row.row, sender)
    decision.broker = sender.broker
    decision.queue_id = sender.queue_id
    decision.after = then
    decision.is_open = is_open
    return replay_codes.OK


@rule()
def _fault_update(world: ReplayWorld, row: InputRow, sender: Sender) -> int:
    """A fault_update row, of the end of an attempt or of the hand-over."""
    if not _is_of_this_message(row, sender):
        return replay_codes.NO_SEND
    if row.hand_over == 1:
        if world.settings.hands_over == 1 and sender.hand_over == replay_codes.DUE:
            sender.hand_over = replay_codes.DONE
            charge(world, row, sender, hand_over_of(sender.first_broker, row.latency_ms))
        return replay_codes.OK
    if sender.phase == replay_codes.SELECTED:
        return replay_codes.NOT_ENDED
    if sender.phase == replay_codes.CHARGED:
        return replay_codes.OK  # the client updates nothing: the recording has a decision that the model does not make
    sender.phase = replay_codes.CHARGED
    charge(world, row, sender, _cost(world, sender))
    return replay_codes.OK


@rule()
def _send_end(world: ReplayWorld, row: InputRow, sender: Sender) -> int:
    """A send_end row: what the callback gets. A stored message calls back before its update."""
    if not _is_of_this_message(row, sender) or sender.was_called_back == 1:
        return replay_codes.NO_SEND
    phase, is_stored = sender.phase, sender.outcome in codes.STORED
    if phase == replay_codes.SELECTED or (phase == replay_codes.ENDED and not is_stored):
        return replay_codes.NOT_CHARGED
    sender.was_called_back = 1
    put_end(world, row, sender, ending_of(world.rules, sender, sender.thrown))
    return replay_codes.OK


@rule()
def async_row(world: ReplayWorld, row: InputRow, sender: Sender) -> int:
    """One row of a message's slot: OK, or why it cannot be replayed."""
    if row.event == replay_codes.SELECT:
        return _select(world, row, sender)
    if row.event == replay_codes.ATTEMPT_END:
        return _attempt_end(world, row, sender)
    if row.event == replay_codes.FAULT_UPDATE:
        return _fault_update(world, row, sender)
    return _send_end(world, row, sender)
