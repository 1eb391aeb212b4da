"""What values are expected, and what was written instead."""

from __future__ import annotations

from state.texts import Text


class FieldTexts:
    """What values are expected, and what was written instead."""

    AT_LEAST = Text("of at least {least}/s")
    A_CODE = Text("a {what} other than success")
    A_DURATION = Text("a duration from {low} to {high}")
    A_NAME = Text("the name of a {what}")
    A_SIZE = Text("a size from {low} to {high}")
    EXPECTED = Text("expected {expected}, got {got}")
    MISSING = Text("missing; expected {expected}")
    A_WHOLE_NUMBER = Text("a whole number from {low} to {high}")
    CODE_EXPECTED = Text("expected the name or number of a {what}, got {got}")
    EMPTY_MAPPING = Text("expected at least one {what}, got an empty mapping")
    FLAG_EXPECTED = Text("expected true or false, got {got}")
    NAME_EXPECTED = Text("expected the name of a {what} (letters, digits, _ - . | %, at most {most}), got {got}")
    A_CODE_NUMBER = Text("a {what} from 1 to 65535")
    RATE_EXPECTED = Text("expected a rate {bound} and at most {most}/s, got {got}")
    TEXT_EXPECTED = Text("expected a text of 1 to {most} characters, got {got}")
