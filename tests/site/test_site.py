"""`make docs`: a site from the same Markdown, with a menu, a search and the reference; a dead link ends it."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path

import pytest

from tests.house.tree import ROOT
from tests.site import pages
from tests.site.__main__ import build


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    subprocess.run(["bash", ROOT / "conf/setup/docs.sh"], check=True)
    place = tmp_path_factory.mktemp("site")
    build(place)
    return place


def test_the_site_has_every_document_and_loads_nothing_from_elsewhere(site):
    documents = {path.stem for path in (ROOT / "docs").glob("*.md")} - {"README"}
    assert documents <= {path.stem for path in (site / "docs").glob("*.html")}
    limits = (site / "docs/limits.html").read_text()
    assert re.findall(r'(?:src|href)="http[^"]*\.(?:js|css|woff2?)', limits) == []


def test_the_search_finds_words_of_documents_and_functions(site):
    found = json.loads((site / "search/search_index.json").read_text())
    texts = {page["location"]: page["text"] for page in found["docs"]}
    assert "notAvailableDuration" in " ".join(texts.values())
    for function in ("runs.simulate", "verify.golden"):
        assert any(location.startswith(f"docs/python-reference.html#sendlab.{function}") for location in texts)


def test_the_reference_shows_docstrings_and_signatures(site):
    page = (site / "docs/python-reference.html").read_text()
    assert "Run a scenario to its end in this process, without Spark or Java" in page
    assert 'id="simulator.run.simulate.Result.plot"' in page


def test_the_menu_is_the_index_of_the_documents():
    groups = pages.menu()
    assert list(groups) == ["Start", "Use, by question", "Reference", "Why trust it"]
    assert {"Limits of the model": "docs/limits.md"} in groups["Start"]


def of_texts(monkeypatch, texts):
    """The checkout has these documents alone."""
    monkeypatch.setattr(pages, "files", lambda: [Path(name) for name in texts])
    monkeypatch.setattr(pages, "text", lambda path: texts.get(str(path), ""))


def test_a_link_to_nothing_is_named(tmp_path, monkeypatch):
    of_texts(monkeypatch, {"docs/limits.md": "see [more](nowhere.md)"})
    with pytest.raises(FileNotFoundError, match=r"docs/limits\.md: nothing is at nowhere\.md"):
        pages.fill(tmp_path)


def test_an_anchor_to_nothing_ends_the_build(tmp_path, monkeypatch, site):
    of_texts(monkeypatch, {"README.md": "# One\n", "docs/limits.md": "# Two\n\n[x](../README.md#gone)\n"})
    with pytest.raises(ChildProcessError, match="does not contain an anchor '#gone'"):
        build(tmp_path / "broken")


def test_lists_are_lists_in_pythons_markdown(monkeypatch, tmp_path):
    of_texts(monkeypatch, {"README.md": "Consumers\n- one\n  - deeper\n\n```\nno\n- list\n```\n"})
    pages.fill(tmp_path)
    assert (tmp_path / "README.md").read_text() == "Consumers\n\n- one\n    - deeper\n\n```\nno\n- list\n```\n"


def test_pages_of_hidden_folders_are_not_hidden():
    assert pages.page_of(Path(".ci/run")) == Path("ci/run.md")
