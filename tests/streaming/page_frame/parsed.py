"""A page as a browser parses it: what is wrong with its markup, before anyone looks at it."""

from __future__ import annotations

import json
from collections import Counter
from html.parser import HTMLParser

VOID = {"br", "hr", "img", "input", "link", "meta", "wbr"}
REFERS = ("aria-labelledby", "data-copy", "for")


class _Parsed(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.wrong: list[str] = []
        self.ids: Counter[str] = Counter()
        self.refers: set[str] = set()
        self.figures: set[str] = set()
        self.texts: dict[str, str] = {}
        self._into = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        if tag not in VOID:
            self.open.append(tag)
        if "id" in given:
            self.ids[given["id"]] += 1
            self._into = given["id"] if tag == "script" else ""
        self.refers |= {given[name] for name in REFERS if name in given}
        if given.get("href", "").startswith("#"):
            self.refers.add(given["href"][1:])
        if "data-figure" in given:
            self.figures.add(given["data-figure"])

    def handle_endtag(self, tag: str) -> None:
        if not self.open or self.open.pop() != tag:
            self.wrong.append(f"</{tag}> at {self.getpos()} closes another element")

    def handle_data(self, data: str) -> None:
        if self._into:
            self.texts[self._into] = self.texts.get(self._into, "") + data


def wrong_in(page: str) -> list[str]:
    """Elements that are not closed, ids that are there twice, references and pictures that lead nowhere."""
    parsed = _Parsed()
    parsed.feed(page)
    parsed.close()
    pictures = json.loads(parsed.texts.get("figures", "{}"))
    places = parsed.figures - (pictures.get("figures") or pictures).keys()
    return [
        *parsed.wrong,
        *(f"<{tag}> is not closed" for tag in parsed.open),
        *(f"id {name} is there {count} times" for name, count in parsed.ids.items() if count > 1),
        *(f"nothing has the id {name}" for name in sorted(parsed.refers - parsed.ids.keys())),
        *(f"there is no picture {name}" for name in sorted(places)),
    ]
