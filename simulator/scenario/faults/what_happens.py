"""What a fault does to one and to several, in words: `broker-a hangs`, `broker-a and broker-b hang`."""

from __future__ import annotations

import re

OF_SEVERAL = {
    "answers": "answer", "dies": "die", "fails": "fail", "goes": "go", "hangs": "hang", "has": "have", "is": "are",
    "joins": "join", "leaves": "leave", "loses": "lose", "refuses": "refuse", "restarts": "restart",
    "stands": "stand", "stops": "stop",
}  # fmt: skip


def happens_to(where: str, what: str, count: int) -> str:
    """`where` and `what` (the title of a kind) as a sentence has them; count: of those struck."""
    verb, _, rest = what.partition(" ")
    if count == 1:
        return f"{where} {what}"
    if verb not in OF_SEVERAL:
        return f"{where}: {what}"
    return " ".join(filter(None, (where, OF_SEVERAL[verb], re.sub(r"\bits\b", "their", rest))))
