"""What is drawn to make an input that nobody would write."""

from __future__ import annotations

import random

LONGEST = 2_000  # characters of a sentence: some name all keys that there are
EVIL = (
    "", " ", "null", "~", "true", "NaN", "nan", ".nan", "inf", "-inf", "1e400", "-1", "0", "1.5", "9" * 30,
    "-" + "9" * 400, "9223372036854775807", "9223372036854775808", "-9223372036854775809", 
    "0x10", "1_000", "\u0661\u0662", "\uff11",
    "é", "\ufeff", "\u2028", "\x00", "\x1f", "\x85", "\r", "\t", "'", '"', "\\", "{", "[", "}", "]", ",", ":", "- ",
    "? ", "&a", "*a", "<<", "!!python/object:os.system", "!!binary aGk=", "|", ">", "%", "@", "`", "../../etc/passwd",
    "2026-11-21", "12:30:45", "1s", "-1s", "1e3s", "999999d", "10/s", "0/s", "a" * 300, "[" * 50, "{" * 50,
    "\U0001f600",
)  # fmt: skip


def spoiled(text: bytes, draw: random.Random) -> bytes:
    """Bytes with one to three small damages: cut, doubled, changed, moved, or with something evil in them."""
    for _ in range(draw.randint(1, 3)):
        at, other = sorted((draw.randrange(len(text) + 1), draw.randrange(len(text) + 1)))
        match draw.randrange(7):
            case 0:
                text = text[:at]
            case 1:
                text = text[:at] + text[other:]
            case 2:
                text = text[:other] + text[at:]
            case 3:
                text = text[:at] + bytes([draw.randrange(256)]) + text[at + 1 :]
            case 4:
                text = text[:at] + bytes(draw.randrange(256) for _ in range(draw.randint(1, 8))) + text[at:]
            case _:
                text = text[:at] + draw.choice(EVIL).encode("utf-8", "surrogatepass") + text[at:]
    return text


def check_sentence(text: str, of: object) -> None:
    """Raise AssertionError unless each of at most twenty lines is a sentence that a user can read."""
    lines = text.splitlines() or [""]
    assert all(line.strip() and len(line) < LONGEST for line in lines), f"of {of!r} this is said: {text[:LONGEST]}"
    assert "Traceback" not in text, f"{text} of {of!r}"
    assert len(lines) <= 20, f"{len(lines)} lines are said of {of!r}: {text[:LONGEST]}"
