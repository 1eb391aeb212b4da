"""The doctor says what is there, what is missing and what to do; so does the search for Java."""

from __future__ import annotations

import json
import stat

import psutil
import pytest
from rich.console import Console

from streaming.commands import doctor_command
from streaming.commands.doctor_texts import DoctorTexts
from streaming.errors import EnvironmentProblem
from streaming.installation import machine
from streaming.spark import java
from tests.says import Says, prints, raises

ANSWER = """Property settings:
    java.home = {home}
    java.specification.version = {release}
    java.version = {version}
openjdk version "{version}"
"""


@pytest.fixture
def only(tmp_path, monkeypatch):
    """Only these Javas on the machine: `only(path="17.0.1", home="11.0.2")`."""
    monkeypatch.setattr(java, "USUAL_PLACES", (str(tmp_path / "jvm" / "*"),))
    monkeypatch.setenv("PATH", str(tmp_path / "path" / "bin"))
    monkeypatch.delenv("JAVA_HOME", raising=False)

    def place(path=None, home=None, usual=()):
        if path:
            fake_java(tmp_path / "path", path)
        if home:
            monkeypatch.setenv("JAVA_HOME", str(fake_java(tmp_path / "home", home)))
        for version in usual:
            fake_java(tmp_path / "jvm" / version, version)
        return tmp_path

    return place


def fake_java(home, version):
    """A program that answers as that version of Java does."""
    release = version.removeprefix("1.").split(".")[0] if not version.startswith("1.8") else "1.8"
    program = home / "bin" / "java"
    program.parent.mkdir(parents=True)
    answer = ANSWER.format(home=home, release=release, version=version)
    program.write_text(f"#!/bin/sh\n/bin/cat >&2 <<'X'\n{answer}X\n")
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    return home


def test_java_on_the_path_is_taken(only):
    folder = only(path="17.0.15", usual=["21.0.2"])
    assert java.require_java().home == folder / "path"


def test_java_home_alone_decides_where_it_is_set(only):
    only(path="17.0.15", home="11.0.2")
    with pytest.raises(EnvironmentProblem, match=r"JAVA_HOME leads to Java 11\.0\.2"):
        java.require_java()


def test_a_usual_place_is_taken_where_the_path_is_too_old(only):
    folder = only(path="1.8.0_382", usual=["11.0.2", "17.0.1", "21.0.2", "99"])
    assert java.require_java().home == folder / "jvm" / "21.0.2"


def test_java_8_is_distinguished_from_java_18(only):
    only(path="1.8.0_382")
    with pytest.raises(EnvironmentProblem, match=r"the PATH leads to Java 1\.8\.0_382"):
        java.require_java()


def test_no_java_is_said_with_the_command_that_installs_it(only, monkeypatch):
    only()
    monkeypatch.setattr(java, "install_command", lambda: "brew install openjdk@21")
    with raises(EnvironmentProblem, Says("spark.no-java", command="brew install openjdk@21")):
        java.require_java()


def test_java_home_without_java_is_said(only, monkeypatch, tmp_path):
    only(path="17.0.15")
    monkeypatch.setenv("JAVA_HOME", str(tmp_path / "gone"))
    with raises(EnvironmentProblem, Says("spark.java-home-without-java", home=tmp_path / "gone")):
        java.require_java()


def test_a_program_that_only_calls_itself_java_is_no_java(only):
    folder = only(path="17.0.15")
    (folder / "path" / "bin" / "java").write_text("#!/bin/sh\necho no Java runtime present >&2\n")
    assert java.find_java() is None


@pytest.mark.parametrize(("versions", "word"), [({}, "missing"), ({"path": "11.0.2"}, "unfit")])
def test_setup_is_reported_whether_installing_java_would_help(only, capsys, versions, word):
    only(**versions)
    assert java.main() == 3
    assert capsys.readouterr().out.startswith(f"{word} Spark needs Java 17")


def test_the_doctor_finds_this_machine_fit(capsys):
    assert doctor_command.doctor(as_json=True) == 0
    report = json.loads(capsys.readouterr().out)
    names = {check["name"]: check["status"] for check in report["checks"]}
    assert report["ok"]
    assert names["Java"] == names["pyspark"] == names["loopback"] == "ok"
    assert names["Kafka connector"] in {"info", "ok"}


def test_the_doctor_fails_where_java_is_missing(only, capsys):
    only()
    assert doctor_command.doctor(as_json=True) == 3
    report = json.loads(capsys.readouterr().out)
    failed = [check for check in report["checks"] if check["status"] == "fail"]
    assert [check["name"] for check in failed] == ["Java"]
    assert "Install Java" in failed[0]["advice"]


def test_the_table_names_what_is_not_ready(only, capsys):
    only()
    assert doctor_command.doctor() == 3
    assert prints(capsys.readouterr().out, DoctorTexts.NOT_READY, failed="Java")


def test_a_package_out_of_bounds_is_reported_with_its_bound(monkeypatch):
    bounds = {"pandas": doctor_command.SpecifierSet("<2")}
    monkeypatch.setattr(doctor_command, "_bounds", lambda: (">=3.11", bounds))
    pandas = next(check for check in doctor_command.check_packages() if check.name == "pandas")
    assert pandas.status == "fail"
    assert pandas.advice == Says("doctor.package-needed", package="pandas", bound="<2")


def test_a_package_that_is_not_there_is_reported(monkeypatch):
    monkeypatch.setattr(doctor_command, "PACKAGES", ("no-such-package",))
    (missing,) = (check for check in doctor_command.check_packages() if check.status == "fail")
    assert missing.found == Says("doctor.package-not-installed")


def test_a_container_limit_counts_where_it_is_below_the_machine(tmp_path):
    (tmp_path / "memory.max").write_text(f"{2 << 30}\n")
    (tmp_path / "memory.current").write_text(f"{1 << 30}\n")
    (tmp_path / "memory.stat").write_text(f"anon 5\ninactive_file {1 << 29}\n")
    assert machine.memory_bytes(tmp_path) == (2 << 30, 3 << 29)


def test_without_a_container_limit_the_machine_counts(tmp_path):
    (tmp_path / "memory.max").write_text("max\n")
    assert machine.memory_bytes(tmp_path)[0] == psutil.virtual_memory().total


def test_a_folder_that_is_not_there_fails(tmp_path):
    assert doctor_command.folder("out", tmp_path / "gone").status == "fail"


def test_a_check_that_breaks_is_shown_as_failed(monkeypatch):
    monkeypatch.setattr(doctor_command, "find_java", lambda: 1 / 0)
    broken = next(check for check in doctor_command.examine() if check.status == "fail")
    assert broken.name == "java"
    assert "ZeroDivisionError" in broken.found


def test_brackets_in_a_path_are_not_read_as_markup(monkeypatch, capsys):
    monkeypatch.setattr(doctor_command, "Console", lambda: Console(width=200))
    doctor_command._show([doctor_command.Check("folder", "ok", "out[red]")])
    assert "out[red]" in capsys.readouterr().out
