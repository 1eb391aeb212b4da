"""Spellings that stand for a command of `sendlab verify`, and the sentence that names it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from streaming.texts.command_texts import CommandTexts

VERIFY: Mapping[tuple[str, ...], str] = {
    ("golden",): "golden PATH...",
    ("incidents",): "incidents [NAME]...",
    ("counterfactuals",): "pairs [DIR]",
    ("replay", "--verify"): "recordings RECORDING",
    ("replay", "--predict"): "predictions RECORDING SCENARIO",
}


def verify_spelling(arguments: Sequence[str]) -> str | None:
    """The sentence for a command and its arguments; None for what is none of these spellings."""
    words = {argument.partition("=")[0] for argument in arguments[1:]}
    for (command, *options), asked in VERIFY.items():
        if arguments[:1] == [command] and words.issuperset(options):
            return CommandTexts.OTHER_SPELLING(given=" ".join([command, *options]), asked=asked)
    return None
