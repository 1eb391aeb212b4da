"""The Markdown of the checkout as a folder that mkdocs builds: every document at its place, files shown as pages."""

from __future__ import annotations

import os
import posixpath
import re
import shutil
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from operator import itemgetter
from pathlib import Path

import nbformat
import sendlab

from tests.house.tree import ROOT, files, text

INDEX = Path("docs/README.md")
REFERENCE = Path("docs/python-reference.md")
LINK = re.compile(r"(!?\[(?:[^\]\\]|\\.)*\]\()([^)\s]+)(\))")
ITEM = re.compile(r" *(?:[-*]|\d+\.) +")
FENCE = re.compile(r" *(```|~~~)")
LANGUAGES = {".py": "python", ".yml": "yaml", ".yaml": "yaml", ".json": "json", ".xml": "xml"}
CLASSES = (
    "simulator.run.simulate.Result",
    "simulator.experiments.result.ExperimentResult",
    "simulator.advice.advice.Advice",
    "streaming.importing.trace.Trace",
)


def fill(out: Path) -> None:
    """Write every page. Raises FileNotFoundError for a link to something that is not there."""
    linked: set[Path] = set()
    for path in files():
        if path.suffix in (".md", ".ipynb"):
            body = _notebook(path) if path.suffix == ".ipynb" else text(path) or ""
            _write(out / page_of(path), _lists_apart(_with_links(path, body, linked)))
    for path in linked:
        if path.suffix == ".png":
            (out / path).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(ROOT / path, out / path)
        elif path.suffix not in (".md", ".ipynb"):
            _write(out / page_of(path), _shown(path))
    _write(out / REFERENCE, "\n".join(_reference()))


def menu() -> dict[str, list[dict[str, str]]]:
    """The index of the documents as groups of title and page."""
    groups: dict[str, list[dict[str, str]]] = {}
    for line in (text(INDEX) or "").splitlines()[2:]:
        found = LINK.search(line)
        if found is None and line.strip():
            groups[line.strip()] = []
        elif found is not None:
            place = _place(INDEX, found[2])
            group = groups[next(reversed(groups))]
            if all(page_of(place).as_posix() not in one.values() for one in group):
                group.append({_title(place): page_of(place).as_posix()})
            if place == Path("docs/python.md"):
                group.append({"Python reference": REFERENCE.as_posix()})
    return groups


def page_of(path: Path) -> Path:
    """Where a file's page lies: a document's is itself, a folder's an index, and hidden folders are not hidden."""
    plain = Path(*(part.removeprefix(".") for part in path.parts))
    if (ROOT / path).is_dir():
        return plain / "README.md"
    if path.suffix in (".md", ".png"):
        return plain
    return plain.with_suffix(".md") if path.suffix == ".ipynb" else plain.with_name(plain.name + ".md")


def _place(page: Path, target: str) -> Path:
    place = Path(posixpath.normpath((page.parent / target.partition("#")[0]).as_posix()))
    if not (ROOT / place).exists():
        raise FileNotFoundError(f"{page}: nothing is at {target}")
    return place


def _with_links(page: Path, body: str, linked: set[Path]) -> str:
    def moved(found: re.Match[str]) -> str:
        target, anchor = found[2].partition("#")[::2]
        if not target or "://" in target:
            return found[0]
        place = _place(page, target)
        linked.add(place)
        to = os.path.relpath(page_of(place), page_of(page).parent)
        return f"{found[1]}{to}{'#' if anchor else ''}{anchor}{found[3]}"

    parts = groupby(_parts(body), key=itemgetter(0))
    texts = ((is_code, "".join(line for _, line in lines)) for is_code, lines in parts)
    return "".join(said if is_code else LINK.sub(moved, said) for is_code, said in texts)


def _parts(body: str) -> Iterator[tuple[bool, str]]:
    """Whether a line is code, and the line."""
    fenced = False
    for line in body.splitlines(keepends=True):
        fence = bool(FENCE.match(line))
        yield fenced or fence or line.startswith("    "), line
        fenced ^= fence


def _lists_apart(body: str) -> str:
    """A blank line before each list, and deeper ones indented by four, as Python's Markdown needs them."""
    lines: list[str] = []
    for is_code, line in _parts(body):
        item = None if is_code else ITEM.match(line)
        if item and lines and lines[-1].strip() and not ITEM.match(lines[-1]) and not lines[-1].startswith(" "):
            lines.append("\n")
        lines.append("  " + line if item and line.startswith("  ") else line)
    return "".join(lines)


def _title(path: Path) -> str:
    headings = [line for line in (text(path) or "").splitlines() if line.startswith("# ")]
    return headings[0].removeprefix("# ") if headings and path.suffix == ".md" else path.stem.replace("-", " ")


def _notebook(path: Path) -> str:
    cells = nbformat.read(ROOT / path, as_version=4).cells
    return "\n\n".join(c.source if c.cell_type == "markdown" else f"```python\n{c.source}\n```" for c in cells) + "\n"


def _shown(path: Path) -> str:
    """A file as a page; a folder as one with each of its files under its name."""
    if (ROOT / path).is_dir():
        inside = sorted(file for file in files() if file.parent == path)
        return f"# {path}\n\n" + "\n".join(f"## {file.name}\n\n{_fenced(file)}" for file in inside)
    return f"# {path}\n\n{_fenced(path)}"


def _fenced(path: Path) -> str:
    return f"~~~~ {LANGUAGES.get(path.suffix, 'text')}\n{text(path)}\n~~~~\n"


def _reference() -> Iterator[str]:
    places: Mapping[str, Sequence[str]] = {**sendlab._PLACES, "sendlab.verify": sendlab.verify.__all__}
    yield "# Python reference\n\nEvery function of `import sendlab`, from its docstring; and what it returns.\n"
    for module, names in places.items():
        if module.startswith("sendlab."):
            yield from (f"::: {module}.{name}\n" for name in names)
    yield from (f"::: {name}\n" for name in CLASSES)


def _write(file: Path, body: str) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(body, encoding="utf-8")
