"""How long the causes of a run may take to be proven: `--causes 10s`."""

from __future__ import annotations

from simulator.units import parse_duration_us
from streaming.errors import InputError
from streaming.report.texts.consequence_texts import ConsequenceTexts

DEFAULT = "10s"
HELP = "wall time to prove causes, by a run without each; 0: prove none, and call causes likely"


def budget_asked(text: str) -> float:
    """Seconds. Raises InputError."""
    if text.strip() == "0":
        return 0.0
    try:
        return float(parse_duration_us(text)) / 1e6
    except ValueError:
        raise InputError(ConsequenceTexts.TIME_EXPECTED().at(f"--causes {text}")) from None
