"""What is wrong with a scenario, said in one sentence."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from simulator.scenario.texts.reading_texts import ReadingTexts
from state.sentence_error import SentenceError
from state.texts import Sentence

Path = tuple[str | int, ...]

NAMES_SHOWN = 8
UNKNOWN_KEYS = frozenset(
    text.id
    for text in (
        ReadingTexts.KNOWN_AS_DEFAULT, ReadingTexts.KNOWN_TO_ROCKETMQ, ReadingTexts.UNKNOWN,
        ReadingTexts.UNKNOWN_HERE, ReadingTexts.UNKNOWN_INSTEAD, ReadingTexts.UNKNOWN_MEANT,
        ReadingTexts.UNKNOWN_MEANT_NOT_MODELLED, ReadingTexts.UNKNOWN_WITHOUT_EFFECT,
    )
)  # fmt: skip
UNKNOWN_KEYS_SHOWN = 20


class ScenarioError(SentenceError, ValueError):
    """A scenario that cannot be used; its text is one sentence with file, line, key path and what to do.

    `sentences` holds every problem found: unknown keys first, for they hide others, then by line. Of those sentences
    the first `shown` are its text, a line each; the others are counted.
    """

    def __init__(self, sentences: Sequence[str], shown: int = 1) -> None:
        self.sentences = tuple(sentences)
        more = f" (and {len(sentences) - shown} more)" if len(sentences) > shown else ""
        super().__init__("\n".join(sentences[:shown]) + more)

    @property
    def sentence(self) -> str:
        """The first sentence."""
        return self.sentences[0]


@dataclass(frozen=True)
class Problem:
    """One thing wrong: where (a path of keys and list indices), what, the line if not the path's own."""

    path: Path
    text: str
    line: int | None = None

    @property
    def is_unknown_key(self) -> bool:
        """Whether it is a key that does not exist."""
        return isinstance(self.text, Sentence) and self.text.id in UNKNOWN_KEYS


class ProblemsError(ValueError):
    """Problems that a model found in itself, with paths that start at the model."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = tuple(problems)
        super().__init__("; ".join(problem.text for problem in self.problems))


def raise_any(problems: Iterable[Problem]) -> None:
    """Raise ProblemsError if there are problems."""
    found = tuple(problems)
    if found:
        raise ProblemsError(found)


def path_text(path: Path) -> str:
    """A path as it is written in sentences: `faults[0].broker`."""
    text = ""
    for key in path:
        text += f"[{key}]" if isinstance(key, int) else f".{key}" if text else key
    return text


def nearest(name: str, known: Iterable[str], alike: float = 0.6) -> str | None:
    """The known name spelt most like `name`, or None; camelCase and dashes count as snake_case, 01 as 1.

    alike: difflib's least ratio, 1 for equal spellings.
    """
    by_spelling: dict[str, str] = {}
    for candidate in known:
        by_spelling.setdefault(snake_case(candidate), candidate)
    found = difflib.get_close_matches(snake_case(name), by_spelling, n=1, cutoff=alike)
    return by_spelling[found[0]] if found else None


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """The end of a sentence that offers the nearest known name, or nothing."""
    near = nearest(name, known)
    return ReadingTexts.DID_YOU_MEAN(near=near) if near is not None else ""


def not_known(what: str, name: str, known: Iterable[str], meant: str | None = None) -> str:
    """The sentence about a name that does not exist: `no broker named x; known: a, b; did you mean a?`.

    meant: the known name that is meant, where it is not the one spelt most alike.
    """
    names = list(known)
    shown = ", ".join(names[:NAMES_SHOWN])
    if len(names) > NAMES_SHOWN:
        shown += f" and {len(names) - NAMES_SHOWN} more"
    return ReadingTexts.NOT_KNOWN(what=what, name=name, known=shown, near=did_you_mean(meant or name, names))


def unknown_key(key: str, known: Sequence[str]) -> str:
    """The sentence about a key that does not exist."""
    near = nearest(key, known)
    return ReadingTexts.UNKNOWN(known=", ".join(known)) if near is None else ReadingTexts.UNKNOWN_MEANT(near=near)


def snake_case(name: str) -> str:
    """How a name is compared: camelCase and dashes as snake_case, numbers without the zeros before them."""
    snake = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).replace("-", "_").lower()
    return re.sub(r"(?<![\d.])0+(?=\d)", "", snake)
