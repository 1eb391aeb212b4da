"""No value of a table is cut: not in a pipe, whatever COLUMNS says, and not on a narrow terminal."""

from __future__ import annotations

import io
import re
import sys
from contextlib import suppress
from pathlib import Path

import pytest
from rich.table import Table

from streaming import cli
from streaming.terminal.output_console import OutputConsole
from tests.simulator.small import text_of

STREAMING = Path(cli.__file__).parent
LONG = "an arm with a name that is much longer than most people would ever write"
EXPERIMENT = f"""name: wide
scenario: small.yaml
seeds: 2
arms: {{{LONG}: {{}}, slow: {{brokers.a.latency: {{exponential: {{mean: 40ms}}}}}}}}
objectives: ["p99_ms < 30"]
"""
CONSUMERS = {"consumers": {"a-group-with-a-long-name": {"topic": "orders", "service": "1ms"}}, "duration": "3s"}
VERBS = {
    "releases": ("releases", "4.9.8", "5.3.3"),
    "faults": ("faults",),
    "scenarios": ("scenarios",),
    "keys": ("keys", "consumers"),
    "incidents": ("verify", "incidents", "async-refused"),
    "golden": ("verify", "golden", "tests/golden/rules-4.2.0.jsonl.gz"),
    "whatif": ("whatif", "wide.yaml", "--engine", "plain", "--out", "OUT"),
    "run": ("run", "small.yaml", "--engine", "plain", "--out", "OUT"),
    "judged": ("run", "small.yaml", "--engine", "plain", "--out", "OUT", "--objective", "p99_ms < 30"),
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    made = tmp_path_factory.mktemp("printed")
    (made / "small.yaml").write_text(text_of(**CONSUMERS))
    (made / "wide.yaml").write_text(EXPERIMENT)
    return made


def piped(monkeypatch, capsys, *arguments):
    """What a command prints into a pipe."""
    monkeypatch.setattr(sys, "argv", ["sendlab", *arguments])
    with suppress(SystemExit):
        cli.main()
    said = capsys.readouterr()
    return said.out + said.err


@pytest.mark.parametrize("columns", ["80", None])
@pytest.mark.parametrize("verb", list(VERBS))
def test_nothing_that_a_pipe_gets_is_cut(verb, columns, folder, monkeypatch, capsys):
    monkeypatch.delenv("COLUMNS", raising=False) if columns is None else monkeypatch.setenv("COLUMNS", columns)
    inputs = [str(Path(one).resolve()) if one.startswith("tests/") else one for one in VERBS[verb]]
    monkeypatch.chdir(folder)
    said = piped(monkeypatch, capsys, *(one.replace("OUT", f"{verb}-{columns}") for one in inputs))
    assert len(said.splitlines()) > 3
    assert "…" not in said


def printed(table, width, *, is_terminal):
    text = io.StringIO()
    OutputConsole(file=text, width=width, force_terminal=is_terminal, color_system=None).print(table)
    return text.getvalue()


def values():
    table = Table("figure", box=None)
    table.add_column("recorded", no_wrap=True)
    table.add_column("verdict", no_wrap=True)
    table.add_row("p99 of what took long", "120,034.5 ms", "never within the run")
    return table


def test_a_table_in_a_pipe_is_as_wide_as_it_needs():
    assert len(printed(values(), None, is_terminal=False).splitlines()) == 2


def test_on_a_narrow_terminal_values_wrap():
    said = printed(values(), 24, is_terminal=True)
    assert "…" not in said
    assert max(map(len, said.splitlines())) <= 24
    left = "".join(said.split())
    assert all(letter in left for letter in "120,034.5")
    assert len(re.sub(r"\s", "", said)) == len("figurerecordedverdictp99ofwhattooklong120,034.5msneverwithintherun")


def test_every_console_of_the_product_is_made_in_one_place():
    for file in STREAMING.rglob("*.py"):
        text = file.read_text()
        if file.name != "output_console.py" and re.search(r"(?<!Output)\bConsole\(", text):
            assert "from streaming.terminal.output_console import OutputConsole as Console" in text, file
