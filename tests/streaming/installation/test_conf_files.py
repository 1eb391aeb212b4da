"""An installed Sendlab has its data and keeps its caches where they belong; a checkout keeps both to itself."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from simulator.compiled.cache import cache_folder
from streaming.errors import EnvironmentProblem
from streaming.installation import conf_files
from streaming.installation.conf_files import KNOWN_BY, conf_folder
from tests.house.tree import ROOT
from tests.says import Says, raises
from tests.streaming.asked import ask

SHARED = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["setuptools"]["data-files"]


@pytest.fixture
def installed(tmp_path, monkeypatch):
    """What the wheel's data files come to in an environment at tmp_path/env."""
    for place, patterns in SHARED.items():
        (tmp_path / "env" / place).mkdir(parents=True, exist_ok=True)
        for pattern in patterns:
            for file in ROOT.glob(pattern):
                (tmp_path / "env" / place / file.name).write_bytes(file.read_bytes())
    monkeypatch.setattr("sysconfig.get_path", lambda name: str(tmp_path / "env"))
    monkeypatch.setattr(conf_files, "files", lambda name: [])
    monkeypatch.setattr(conf_files, "ROOT", tmp_path / "site-packages")
    return conf_folder(tmp_path / "site-packages")


def test_the_checkout_uses_its_own_conf():
    assert conf_folder() == ROOT / "conf"


def test_an_installation_has_every_scenario_and_incident(installed, tmp_path):
    assert installed == tmp_path / "env" / "share" / "sendlab"
    for kind in ("scenarios", "incidents"):
        wanted = {
            f.relative_to(ROOT / "conf") for f in (ROOT / "conf" / kind).rglob("*") if f.suffix in (".yaml", ".py")
        }
        assert {f.relative_to(installed) for f in (installed / kind).rglob("*") if f.is_file()} == wanted
        assert len(wanted) > 20
    assert (installed / KNOWN_BY).is_file()


def test_an_installation_that_lost_its_data_says_so(tmp_path, monkeypatch):
    monkeypatch.setattr("sysconfig.get_path", lambda name: str(tmp_path))
    monkeypatch.setattr(conf_files, "files", lambda name: [])
    with raises(EnvironmentProblem, Says("command.examples-not-installed")):
        conf_folder(tmp_path)


def test_an_installed_package_keeps_its_caches_in_the_users_folder(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    assert cache_folder("numba", tmp_path / "site-packages") == tmp_path / "cache" / "sendlab" / "numba"
    assert not (tmp_path / "site-packages").exists()


def test_a_checkout_keeps_its_caches_beside_the_code(tmp_path):
    (tmp_path / "pyproject.toml").touch()
    assert cache_folder("java", tmp_path) == tmp_path / ".cache" / "java"


def test_without_a_cache_folder_there_is_a_temporary_one(tmp_path, monkeypatch):
    (tmp_path / "cache").touch()
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    assert cache_folder("numba", tmp_path).name == "numba"
    assert tmp_path not in cache_folder("numba", tmp_path).parents


def test_the_version_is_reported(monkeypatch, capsys):
    code, said = ask(monkeypatch, capsys, "--version")
    assert (code, said.split()[0]) == (0, "sendlab")
    assert f'version = "{said.split()[1]}"' in (ROOT / "pyproject.toml").read_text()


def copied(monkeypatch, capsys, to: Path, *names: str) -> tuple[int, str]:
    return ask(monkeypatch, capsys, "scenarios", *names, "--to", to)


def test_a_scenario_is_copied_with_the_file_that_it_names(monkeypatch, capsys, tmp_path):
    code, _ = copied(monkeypatch, capsys, tmp_path, "way-own-selector")
    assert (code, sorted(file.name for file in tmp_path.iterdir())) == (
        0,
        ["way-own-selector.yaml", "way_own_selector.py"],
    )


def test_a_file_that_is_in_the_way_is_left_alone(monkeypatch, capsys, tmp_path):
    (tmp_path / "quickstart.yaml").write_text("mine")
    code, said = copied(monkeypatch, capsys, tmp_path, "healthy", "quickstart")
    assert (code, Says("command.target-differs", ".../quickstart.yaml") in said) == (2, True)
    assert [file.name for file in tmp_path.iterdir()] == ["quickstart.yaml"]
    assert (tmp_path / "quickstart.yaml").read_text() == "mine"


def test_scenarios_are_listed_and_printed(monkeypatch, capsys):
    code, said = ask(monkeypatch, capsys, "scenarios")
    assert (code, "quickstart broker-b hangs for a minute" in said) == (0, True)
    _, text = ask(monkeypatch, capsys, "scenarios", "quickstart")
    assert text == " ".join((ROOT / "conf/scenarios/quickstart.yaml").read_text().split())


def test_an_unknown_scenario_is_refused_with_the_nearest(monkeypatch, capsys):
    code, said = ask(monkeypatch, capsys, "scenarios", "quikstart")
    assert (code, said.endswith("did you mean quickstart?")) == (2, True)
