"""Sentences of the documents: at most 40 words each, and none of the words that the glossary has a better one for.

`python -m tests.site.sentences` lists what is wrong and ends with 1 if anything is.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator

from tests.house.tree import ROOT

WORDS_MAX = 40
FIGURES_ONLY = {"benchmarks.md", "counterfactuals.md"}  # lists of what was measured, written by their commands
PAGES = [
    ROOT / "README.md",
    *(page for page in sorted((ROOT / "docs").glob("*.md")) if page.name not in FIGURES_ONLY),
]
NOT_READ = re.compile(r"^ *(```|~~~).*?^ *\1[^\n]*$|^(?: {4}|\t)[^\n]*$|<!--.*?-->", re.DOTALL | re.MULTILINE)
BLOCK = re.compile(r"\n\s*\n|\n(?=\s*(?:[-*]|\d+\.) |#|\|)")
CELL = re.compile(r"(?<!\\)\|")
END = re.compile(r"(?<=[.!?])[\"')*]* +(?=\S)|(?<=:) +(?=[A-Z])")
LINK, CODE = re.compile(r"\]\([^)]*\)"), re.compile(r"`[^`]*`")
# not this: say that
REFUSED = {
    r"anew": "again",
    r"begins? again": "restart",
    r"errands?": "the name of the request",
    r"for ever": "forever, or until stopped",
    r"is told|are told|tells": "prints, reports, shows, names, learns",
    r"whoever": "anyone, or a name",
    r"of one's own": "your own",
}


def sentences(page: str) -> Iterator[str]:
    """Every sentence of a Markdown text; a cell of a table and an item of a list end one, code is none."""
    for block in BLOCK.split(NOT_READ.sub("\n", page)):
        cells = CELL.split(block) if block.lstrip().startswith("|") else [block]
        for cell in cells:
            yield from END.split(" ".join(CODE.sub("code", LINK.sub("]", cell)).split()))


def wrong_in(page: str) -> Iterator[str]:
    """What is wrong with a text, a line each."""
    for sentence in sentences(page):
        count = sum(1 for word in sentence.split() if re.search(r"\w", word))
        if count > WORDS_MAX:
            yield f"{count} words, at most {WORDS_MAX}: {sentence}"
        for word, better in REFUSED.items():
            if found := re.search(rf"\b(?:{word})\b", sentence, re.IGNORECASE):
                yield f"say {better}, not {found[0]!r}: {sentence}"


def main() -> int:
    """Print every line; exit code 1 if there is one."""
    wrong = [f"{path.relative_to(ROOT)}: {line}" for path in PAGES for line in wrong_in(path.read_text("utf-8"))]
    print(*wrong, sep="\n", end="\n" if wrong else "")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
