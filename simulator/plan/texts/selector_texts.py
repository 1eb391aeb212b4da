"""What is printed about a selector of the user's own."""

from __future__ import annotations

from state.texts import Text


class OwnSelectorTexts:
    """What is printed about a selector of the user's own that raised or gave no index."""

    NOT_A_PLACE = Text("{name} gave {got}; expected the place of a queue, from 0, or None{about}")
    NOT_THE_SAME = Text("{name} does not give the same queue twice; it must follow from its arguments alone{about}")
    OF_MESSAGE = Text(" (message {number} of topic {topic}, arg {arg}, {queues} {queues:queue|queues})")
    RAISED = Text("{name} raised {error}{about}")
