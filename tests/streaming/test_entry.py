"""Ctrl-C at any moment of a command: one word, exit code 130, and no process is left."""

from __future__ import annotations

import errno
import signal
import subprocess
import sys
import time

import psutil
import pytest

from streaming.spark.children import no_child_left
from streaming.texts.job_texts import JobTexts
from tests.streaming.asked import ask

# The command line, which says so and waits when it comes to import one module.
COMMAND = """
import sys, time

class Waits:
    def find_spec(self, name, path=None, target=None):
        if name == module:
            print("importing", flush=True)
            time.sleep(60)

module, sys.argv[1:] = sys.argv[1], ["doctor"]
sys.meta_path.insert(0, Waits())
from streaming.entry import main
main()
"""


@pytest.mark.parametrize("module", ["streaming.cli", "typer", "streaming.commands.doctor_command"])
def test_an_interrupted_import_ends_with_one_word(module):
    process = subprocess.Popen(
        [sys.executable, "-c", COMMAND, module], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "importing\n"
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=50)
    assert (process.returncode, said) == (130, "interrupted\n")


def test_the_command_line_as_a_module_prints_its_help():
    done = subprocess.run([sys.executable, "-m", "streaming.cli"], capture_output=True, text=True, check=False)
    assert "Simulate a RocketMQ cluster" in done.stdout


def test_help_loads_nothing_that_a_run_is_made_with():
    code = """
import atexit, sys
atexit.register(lambda: print(*{name.partition('.')[0] for name in sys.modules}))
sys.argv[1:] = ['--help']
from streaming.entry import main
main()
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = set(done.stdout.splitlines()[-1].split())
    assert "typer" in loaded
    assert not loaded & {"numba", "numpy", "pandas", "plotly", "pyarrow", "pydantic", "pyspark"}


def test_an_import_error_that_an_interruption_became_is_an_interruption(monkeypatch, capsys):
    def interrupted():
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)
        raise ImportError("numpy could not be imported")

    from streaming import entry

    monkeypatch.setattr("streaming.cli.main", interrupted)
    before = signal.getsignal(signal.SIGINT)
    try:
        with pytest.raises(SystemExit) as end:
            entry.main()
    finally:
        signal.signal(signal.SIGINT, before)
    assert (end.value.code, capsys.readouterr().err) == (130, "interrupted\n")


def test_what_an_interruption_left_half_made_says_nothing(monkeypatch, capsys):
    class HalfMade:
        def __del__(self):
            raise AttributeError("_ptr")

    def interrupted():
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)
        HalfMade()
        raise KeyboardInterrupt

    from streaming import entry

    monkeypatch.setattr("streaming.cli.main", interrupted)
    monkeypatch.setattr("sys.unraisablehook", sys.unraisablehook)
    before = signal.getsignal(signal.SIGINT)
    try:
        with pytest.raises(SystemExit):
            entry.main()
    finally:
        signal.signal(signal.SIGINT, before)
    assert capsys.readouterr().err == "interrupted\n"


def test_a_full_disk_is_reported_wherever_it_is_met(monkeypatch, capsys):
    def full(_as_json):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("streaming.commands.doctor_command.doctor", full)
    assert ask(monkeypatch, capsys, "doctor") == (3, JobTexts.DISK_FULL().at("the output"))


def test_a_command_that_is_interrupted_ends_with_one_word(monkeypatch, capsys):
    def interrupted(_as_json):
        raise KeyboardInterrupt

    monkeypatch.setattr("streaming.commands.doctor_command.doctor", interrupted)
    assert ask(monkeypatch, capsys, "doctor") == (130, "interrupted")


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_start_that_is_interrupted_leaves_no_process(number):
    def start():
        child = subprocess.Popen(["sh", "-c", "trap '' INT; sleep 60 & wait"])
        while not psutil.Process(child.pid).children():
            time.sleep(0.01)
        begun.extend([child.pid, *(p.pid for p in psutil.Process(child.pid).children())])
        signal.raise_signal(number)
        child.wait()

    begun: list[int] = []
    with pytest.raises(KeyboardInterrupt), no_child_left():
        start()
    assert len(begun) == 2
    psutil.wait_procs([psutil.Process(pid) for pid in begun if psutil.pid_exists(pid)], timeout=20)
    assert not any(psutil.pid_exists(pid) and psutil.Process(pid).status() != "zombie" for pid in begun)


def test_what_started_well_is_left_running():
    with no_child_left():
        child = subprocess.Popen(["sleep", "60"])
    assert child.poll() is None
    child.kill()
    child.wait()
