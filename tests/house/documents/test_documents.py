"""The documents: a README that is read to its end, links that lead somewhere, numbers and names that are there."""

from __future__ import annotations

import gzip
import re
from pathlib import Path

import pytest

from streaming.cli import app
from streaming.verbs.replay_verbs import replays
from tests.house.tree import ROOT, files, text

README_LINES_MAX = 120
PAGES = [path for path in files() if path.suffix == ".md"]
LINK = re.compile(r"\]\(([^)#\s]+)\)")
FILE = re.compile(r"\b(?:conf|docs|simulator|state|streaming|tests)/[\w./-]*\w")
GROUPS = [group.typer_instance for group in app.registered_groups if group.typer_instance]
OFFERED = [*app.registered_commands, *replays.registered_commands]
COMMANDS = {command.name or command.callback.__name__ for command in OFFERED if command.callback}
COMMANDS |= {group.info.name for group in GROUPS if group.info.name}
README = (ROOT / "README.md").read_text()


def test_the_readme_is_short():
    assert len(README.splitlines()) <= README_LINES_MAX


@pytest.mark.parametrize("page", PAGES, ids=str)
def test_every_link_leads_to_a_file(page):
    links = [link for link in LINK.findall(text(page) or "") if "://" not in link]
    assert [link for link in links if not (ROOT / page.parent / link).exists()] == []


def test_every_document_stands_in_the_index():
    index = LINK.findall((ROOT / "docs" / "README.md").read_text())
    assert {path.name for path in PAGES if path.parent == Path("docs")} <= {"README.md", *index}


def test_the_readme_leads_to_the_index():
    assert "docs/README.md" in LINK.findall(README)


@pytest.mark.parametrize("page", ["README.md", *(f"docs/{path.name}" for path in PAGES if path.parent == Path("docs"))])
def test_the_commands_that_a_document_names_are_there(page):
    named = set(re.findall(r"sendlab ([a-z][\w-]*)", (ROOT / page).read_text()))
    assert named <= COMMANDS | {"simulates"}


@pytest.mark.parametrize("page", ["README.md", "docs/architecture.md", "docs/running.md", "docs/faults.md"])
def test_the_files_that_a_document_names_are_there(page):
    named = FILE.findall((ROOT / page).read_text().partition("\n## Recipes\n")[0])
    assert named
    assert [name for name in named if not list(ROOT.glob(name if (ROOT / name).exists() else f"{name}*"))] == []


def test_every_incident_has_its_block_on_the_page():
    incidents = {path.stem for path in (ROOT / "conf" / "incidents").glob("*.yaml")}
    page = (ROOT / "docs" / "incidents.md").read_text()
    assert {block.split()[0] for block in page.split("```")[1].split("\n\n")[:-1]} == incidents
    assert f"\n{len(incidents)} incidents, " in page


def test_the_pages_count_the_recorded_cases():
    files = [(ROOT / "tests" / "golden").glob(f"{kind}-*.jsonl.gz") for kind in ("select", "send", "async")]
    select, send, async_ = (sum(gzip.decompress(one.read_bytes()).count(b"\n") for one in own) for own in files)
    running = " ".join((ROOT / "docs" / "running.md").read_text().split())
    counted = f"{select:,} recorded select sequences, {send:,} cases of synchronous and {async_} of asynchronous sends"
    assert counted in running
    assert f"{select + send + async_:,} recorded cases" in README


def test_the_readme_counts_the_incidents_and_the_recordings():
    incidents, recordings = ROOT / "conf" / "incidents", ROOT / "conf" / "traces"
    assert f"**{len(list(incidents.glob('*.yaml')))}** public incidents" in README
    predicted = re.search(r"(\d+ of \d+) recordings are predicted", (ROOT / "docs" / "predictions.md").read_text())
    assert predicted is not None
    assert f"**{predicted[1]}** recordings" in README
    assert predicted[1].endswith(f" {len(list(recordings.glob('*.json')))}")
