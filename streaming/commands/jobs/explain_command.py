"""`sendlab explain`: why a message went to that queue."""

from __future__ import annotations

import io
import json
from dataclasses import asdict, dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from simulator.explain.decision import ExplainedDecision, decision_of
from streaming.errors import InputError
from streaming.explain.explanation import REASONS, fate_in_words, tell_attempt, tell_decision, tell_message
from streaming.explain.find_attempt import Asked, Found, find_attempt, message_without_attempts
from streaming.explain.proxied_choice import unreached_message
from streaming.explain.takeovers import why_lost, without_master
from streaming.flow.scenario_feed import plan_of
from streaming.outputs.dataset import RunOutput, open_begun
from streaming.terminal.output_console import OutputConsole as Console
from streaming.terminal.working import working
from streaming.texts.command_result_texts import CommandResultTexts
from streaming.texts.command_texts import CommandTexts

# reasons of choices that are not a remoting client's
NOT_THE_CLIENT = ("selector", "proxy", "endpoints", "message_group")


def _document(found: Found, decision: ExplainedDecision | None) -> dict[str, Any]:
    attempt = asdict(found.attempt) | {"outcome": found.row["outcome"], "latency_us": found.row["latency_us"]}
    fate = None if found.message is None else fate_in_words(found.message)
    document = {
        "attempt": attempt,
        "fate": fate,
        "attempts": found.made,
        "means": REASONS[found.attempt.pick_reason](),
    }
    return document | {"decision": None if decision is None else {**asdict(decision), "agrees": True}}


def _check_asked(asked: Asked) -> None:
    if asked.at_us is None and asked.send_seq is None:
        raise InputError(CommandTexts.WHICH_MESSAGE())
    if asked.at_us is not None and asked.send_seq is not None:
        raise InputError(CommandTexts.AT_AND_SEQ())
    if asked.send_seq is not None and asked.producer is None:
        raise InputError(CommandTexts.SEQ_WITHOUT_PRODUCER())


def _decision(output: RunOutput, found: Found) -> ExplainedDecision | None:
    """The decision, None where the caller's own selector or a proxy chose. Raises InputError if it is not known."""
    reason = found.attempt.pick_reason
    if reason in NOT_THE_CLIENT:
        return None
    if reason not in REASONS:
        raise InputError(CommandTexts.POLICY_CHOSE(policy=reason).at(output.path))
    plan = plan_of(output.about["scenario_yaml"])
    decision = decision_of(plan, found.attempt)
    if decision is None:
        other = CommandTexts.OF_OTHER_SCENARIO(stored=output.about["digest"], now=plan.digest)
        why = other if plan.digest != output.about["digest"] else ""
        if output.about.get("reloads"):
            why = CommandTexts.AFTER_A_RELOAD()
        raise InputError(
            CommandTexts.CHOOSES_OTHERWISE(broker=found.attempt.broker, queue=found.attempt.queue_id, why=why).at(
                output.path
            )
        )
    return decision


@dataclass(frozen=True)
class Explained:
    """An attempt and the decision that led to it, which is None where the caller's own selector or a proxy chose.

    unsent: the row of a message that ended before any attempt, or whose attempt reached no broker; else there is
    `found`.
    """

    output: RunOutput
    unsent: dict[str, Any] | None = None
    found: Found | None = None

    @cached_property
    def decision(self) -> ExplainedDecision | None:
        """Why that queue. Raises InputError if it is not known."""
        return None if self.found is None else _decision(self.output, self.found)

    def as_json(self) -> dict[str, Any]:
        """All of it as plain values."""
        if self.found is None:
            made = (self.unsent or {}).get("attempts", 0)
            return {
                "message": self.unsent,
                "attempts": made,
                "fate": fate_in_words(self.unsent or {}),
                "decision": None,
            }
        return _document(self.found, self.decision) | {"elections": self.elections}

    @property
    def elections(self) -> list[str]:
        """What an election of the broker's master did to the attempt, and to its message; none outside of one."""
        if self.found is None:
            return []
        lines = [without_master(self.output, self.found.row)]
        lines += [] if self.found.message is None else [why_lost(self.output, self.found.message)]
        return [line for line in lines if line]

    def tell(self, console: Console) -> None:
        """All of it in words."""
        if self.unsent is not None:
            tell_message(self.output, self.unsent, console)
        if self.found is not None:
            tell_attempt(self.output, self.found, console)
            for line in self.elections:
                console.print(line, highlight=False, markup=False, soft_wrap=True)
        with working(console, CommandResultTexts.CHOOSING_AGAIN()):
            decision = self.decision
        if decision is not None:
            tell_decision(decision, console)

    def __str__(self) -> str:
        console = Console(file=io.StringIO(), width=100, force_terminal=False)
        self.tell(console)
        return console.file.getvalue()  # type: ignore[attr-defined]


def explained(folder: Path, asked: Asked) -> Explained:
    """Why a queue was chosen. Raises InputError."""
    _check_asked(asked)
    output = open_begun(folder)
    unsent = message_without_attempts(output, asked) or unreached_message(output, asked)
    if unsent is not None:
        return Explained(output, unsent)
    return Explained(output, None, find_attempt(output, asked))


def explain_command(folder: Path, asked: Asked, *, as_json: bool, console: Console) -> int:
    """Tell why a queue was chosen: 0. Raises InputError."""
    with working(console, CommandResultTexts.LOOKING_FOR_MESSAGE()):
        answer = explained(folder, asked)
    if as_json:
        with working(console, CommandResultTexts.CHOOSING_AGAIN()):
            document = answer.as_json()
        console.print_json(json.dumps(document))
    else:
        answer.tell(console)
    return 0
