"""`sendlab explain`: why a message went to that queue."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path

from rich.console import Console

from simulator.explain.decision import ExplainedDecision, decision_of
from streaming.errors import InputError
from streaming.explain.explanation import REASONS, fate_in_words, tell_attempt, tell_decision, tell_message
from streaming.explain.find_attempt import Asked, Found, find_attempt, message_without_attempts
from streaming.flow.scenario_feed import plan_of
from streaming.results.dataset import RunOutput, open_output

SELECTOR = "selector"


def _as_json(found: Found, decision: ExplainedDecision | None) -> str:
    attempt = asdict(found.attempt) | {"outcome": found.row["outcome"], "latency_us": found.row["latency_us"]}
    fate = None if found.message is None else fate_in_words(found.message)
    told = {
        "attempt": attempt,
        "fate": fate,
        "attempts": len(found.attempts),
        "means": REASONS[found.attempt.pick_reason],
    }
    return json.dumps(told | {"decision": None if decision is None else {**asdict(decision), "agrees": True}})


def _check_asked(asked: Asked) -> None:
    if asked.at_us is None and asked.send_seq is None:
        raise InputError("which message? give --producer, --topic and --seq, or a moment with --at")
    if asked.at_us is not None and asked.send_seq is not None:
        raise InputError("--at looks for a moment and --seq for a message; leave one of them out")
    if asked.send_seq is not None and asked.producer is None:
        raise InputError("--seq counts the messages of one producer; give --producer too")


def _decision(output: RunOutput, found: Found) -> ExplainedDecision | None:
    """The decision, None where the caller's own selector chose. Raises InputError if it cannot be told."""
    reason = found.attempt.pick_reason
    if reason == SELECTOR:
        return None
    if reason not in REASONS:
        raise InputError(
            f"{output.path}: the policy {reason} chose this queue; explain supports the rules of releases only"
        )
    plan = plan_of(output.about["scenario_yaml"])
    decision = decision_of(plan, found.attempt)
    if decision is None:
        other = f"; it is of scenario {output.about['digest']}, which is now {plan.digest}"
        why = other if plan.digest != output.about["digest"] else ""
        if output.about.get("reloads"):
            why = "; a reload of the run can have redrawn clients' counters"
        raise InputError(
            f"{output.path}: this version of sendlab does not choose {found.attempt.broker} queue "
            f"{found.attempt.queue_id} there, so it explains nothing{why}"
        )
    return decision


def explain_command(folder: Path, asked: Asked, *, as_json: bool, console: Console) -> int:
    """Tell why a queue was chosen: 0. Raises InputError."""
    _check_asked(asked)
    output = open_output(folder)
    unsent = message_without_attempts(output, asked)
    if unsent is not None:
        if as_json:
            console.print_json(
                json.dumps({"message": unsent, "attempts": 0, "fate": fate_in_words(unsent), "decision": None})
            )
        else:
            tell_message(output, unsent, console)
        return 0
    found = find_attempt(output, asked)
    if not as_json:
        tell_attempt(output, found, console)
    decision = _decision(output, found)
    if as_json:
        console.print_json(_as_json(found, decision))
    elif decision is not None:
        tell_decision(decision, console)
    return 0
