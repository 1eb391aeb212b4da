"""What is printed about policy files and selector files of a user."""

from __future__ import annotations

from state.texts import Text


class PolicyTexts:
    """What is printed about policy files and selector files of a user."""

    BREACH = Text("{part} {breach}")
    A_NUMBER_EXPECTED = Text("{key}: expected a number, got {got}")
    A_WHOLE_NUMBER_EXPECTED = Text("{key}: expected a whole number, got {got}")
    FILE_NOT_READ = Text("no file {file} was read; it is looked for beside the scenario")
    NOT_COMPILED = Text("{function} cannot be compiled: {reason}")
    NO_FUNCTION = Text("{file} has no function {name}{near}")
    NO_PART = Text("{file} has no {name} = PolicyPart(...){has}")
    NO_REASON = Text("numba gives no reason")
    NUMBER_OUT_OF_RANGE = Text("{key}: expected a number from 0 to {most}, got {got}")
    PART_EXPECTED = Text("one of {known}, a file such as mine.py, or a mapping such as {{{first}: {{}}}}")
