"""`--causes 10s`: how much work the proof of causes may take. The command line needs this much of it and no more."""

from __future__ import annotations

from simulator.units import parse_duration_us
from streaming.errors import InputError
from streaming.report.texts.consequence_texts import ConsequenceTexts

DEFAULT = "10s"
HELP = (
    "work to prove causes, by a run without each: a second is a million messages sent or consumed, so that every "
    "machine proves the same; 0: prove none"
)


def budget_asked(text: str) -> float:
    """Seconds of work. Raises InputError."""
    if text.strip() == "0":
        return 0.0
    try:
        seconds = float(parse_duration_us(text)) / 1e6
    except ValueError:
        seconds = -1.0
    if seconds < 0:
        raise InputError(ConsequenceTexts.TIME_EXPECTED().at(f"--causes {text}"))
    return seconds
