"""Sentences of the documents: at most 40 words each, and none of the words that the glossary has a better one for.

What data files say in words is read as the documents are: incidents, scenarios, experiments, what releases change.
Names, comments and docstrings of the product are read, too, for words of no other code in this field.
`python -m tests.site.sentences` lists what is wrong and ends with 1 if anything is.
"""

from __future__ import annotations

import ast
import io
import re
import sys
import tokenize
from collections.abc import Iterator
from pathlib import Path

import yaml

from tests.house.tree import ROOT

WORDS_MAX = 40
PRODUCT = ("simulator", "state", "streaming")
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

REFUSED_IN_CODE = {
    "told": "reported, shown, given, known",
    "anew": "again",
    "desk": "what it is",
    "door": "what it is",
    "errand": "the name of the request",
    "night": "recording, trace",
    "shelf": "group",
    "shelves": "groups",
    "wish": "intended send",
}
WORD_IN_CODE = re.compile(
    rf"(?<![A-Za-z])(?i:{'|'.join(REFUSED_IN_CODE)})(?:s|es|ed)?(?![a-z])"
    rf"|(?<=[a-z])(?:{'|'.join(word.capitalize() for word in REFUSED_IN_CODE)})(?![a-z])"
)  # fmt: skip
DOCUMENTED = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)


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


def wrong_in_code(source: str) -> Iterator[str]:
    """What is wrong with the names, comments and docstrings of a module, a line each; other strings are data."""
    if not WORD_IN_CODE.search(source):
        return
    read = [
        (token.start[0], token.string)
        for token in tokenize.generate_tokens(io.StringIO(source).readline)
        if token.type in (tokenize.NAME, tokenize.COMMENT)
    ]
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, DOCUMENTED) and ast.get_docstring(node, clean=False) is not None:
            read.append((node.body[0].lineno, ast.get_docstring(node) or ""))
    for line, text in sorted(read):
        for found in WORD_IN_CODE.finditer(text):
            yield f"{line}: say {_better(found[0])}, not {found[0]!r}: {text.splitlines()[0]}"


def _better(word: str) -> str:
    return next(better for own, better in REFUSED_IN_CODE.items() if word.lower().startswith(own))


def texts_in(data: object) -> Iterator[str]:
    """Every text of a YAML document, the keys apart."""
    if isinstance(data, str):
        yield data
    elif isinstance(data, dict | list):
        for value in data.values() if isinstance(data, dict) else data:
            yield from texts_in(value)


def wrong_in_data(source: str) -> Iterator[str]:
    """What is wrong with the texts of a YAML file, a line each."""
    for document in yaml.load_all(source, Loader=yaml.CSafeLoader):
        for text in texts_in(document):
            yield from wrong_in(text)


def data_files() -> list[Path]:
    """The YAML files whose texts commands print."""
    return sorted(path for room in ("conf", "streaming") for path in (ROOT / room).rglob("*.yaml"))


def product_files(*rooms: str) -> list[Path]:
    """The modules of the product, or of rooms of it."""
    return [path for room in rooms or PRODUCT for path in sorted((ROOT / room).rglob("*.py"))]


def main() -> int:
    """Print every line; exit code 1 if there is one."""
    wrong = [f"{path.relative_to(ROOT)}: {line}" for path in PAGES for line in wrong_in(path.read_text("utf-8"))]
    for path in data_files():
        wrong += [f"{path.relative_to(ROOT)}: {line}" for line in wrong_in_data(path.read_text("utf-8"))]
    for path in product_files():
        wrong += [f"{path.relative_to(ROOT)}:{line}" for line in wrong_in_code(path.read_text("utf-8"))]
    print(*wrong, sep="\n", end="\n" if wrong else "")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
