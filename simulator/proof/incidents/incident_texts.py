"""What is printed about the files of incidents."""

from __future__ import annotations

from state.texts import Text


class IncidentTexts:
    """What is printed about the files of incidents."""

    ALLOWED_BY_BOTH = Text("allows what faulty allows: the figure cannot tell them apart")
    BOUND_BESIDE_VALUE = Text("value and at_least or at_most exclude each other; keep one")
    EMPTY_CATALOGUE = Text("no incidents in it; expected a folder of {ending} files")
    EMPTY_LIST = Text("expected at least one, got an empty list")
    KEYS_EXPECTED = Text("expected a mapping of a scenario's keys, got {got}")
    NEITHER_SIDE = Text("faulty and mended missing; expected at least one of them")
    NONE_OF_BOTH_SIDES = Text("none has what to expect of both sides; expected at least one")
    NOTHING_EXPECTED = Text("missing; expected value and tolerance, at_least, or at_most")
    NO_BROKER = Text("missing; {figure} needs it")
    NO_RELEASE = Text("expected at least one release, got an empty list")
    NUMBER_EXPECTED = Text("expected a number from 0 or never, got {got}")
    PATH_EXPECTED = Text("expected the path of a scenario, got {got}")
    TOLERANCE_WITH_VALUE = Text("value and tolerance belong together; give both")
