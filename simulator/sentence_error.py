"""The errors whose text is all that a user needs."""


class SentenceError(Exception):
    """An error of one sentence: a notebook shows that, and no traceback."""

    def _render_traceback_(self) -> list[str]:
        return [f"{type(self).__name__}: {self}"]  # IPython asks for this
