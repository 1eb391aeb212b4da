"""Every file of a run's output and checkpoint damaged by hand, and what each command makes of it.

    make damage                                       every file: cut in half, emptied, swapped with another, removed
    python -m tests.endurance.damage attempts state   only files whose path has one of these words

A command must end with a sentence that names the folder and exit code 1 or 2, and leave what is there as it is; or it
must say what it says of an undamaged folder, because the file does not matter to it. The table that is printed tells
which of the two it was; what is neither is listed and ends with exit code 1.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import json
import os
import re
import shutil
import sys
import traceback
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from simulator.scenario import parse_scenario
from streaming import cli
from streaming.errors import EnvironmentProblem, InputError
from streaming.jobs.scenario_job import scenario_job
from streaming.live.pages import Pages
from streaming.outputs.summary import summarise
from streaming.problems import explained
from streaming.spark.session import close_session, open_session
from tests.simulator.small import fault, text_of
from tests.streaming.lives import hashes_by_pandas, no_stack_trace
from tests.streaming.shared import run_shared

SCENARIO = text_of(
    name="damaged", duration="40s", producers={"count": 4, "threads": 2, "rate": "20/s"},
    faults=[fault("hang", "9s", "11s")],
)  # fmt: skip
EVENTS = 1000
STOP_AFTER = 2
# Files that a run writes for itself: nobody but it reads them, and it can do without.
UNREAD = (".lock", "owner.json", "jvm.log", "error.log", "stop")
VARYING = re.compile(r"\d+(\.\d+)? (s|MB|ms)\b|/\S*/case-\d+")


class Answer(NamedTuple):
    """What a command made of a folder: exit code, words, and what of its result can be compared."""

    code: int
    said: str
    result: object = None


Command = Callable[[Path], Answer]


def cut(file: Path) -> None:
    """Leave the first half of it."""
    file.write_bytes(file.read_bytes()[: file.stat().st_size // 2])


def empty(file: Path) -> None:
    """Leave nothing in it."""
    file.write_bytes(b"")


def swap(file: Path) -> None:
    """Let it and a neighbour change places; alone in its folder it gets something of another kind."""
    others = sorted(path for path in file.parent.iterdir() if path.is_file() and path.suffix == file.suffix)
    other = next((path for path in others if path.name > file.name), others[0])
    if other == file:
        file.write_bytes(b'{"of": "another program"}')
        return
    mine = file.read_bytes()
    file.write_bytes(other.read_bytes())
    other.write_bytes(mine)


DAMAGES: dict[str, Callable[[Path], object]] = {"cut": cut, "emptied": empty, "swapped": swap, "removed": Path.unlink}


def sendlab(*arguments: object) -> Answer:
    """A command in this process; whatever it raises beside its exit code is a stack trace to a user."""
    said = io.StringIO()
    before = sys.argv
    sys.argv = ["sendlab", *map(str, arguments)]
    try:
        with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
            cli.main()
        code = 0
    except SystemExit as end:
        code = int(end.code or 0)
    except Exception:
        code = -1
        said.write(traceback.format_exc())
    finally:
        sys.argv = before
    return Answer(code, said.getvalue())


def resumed(spark: Any) -> Command:
    """`sendlab run` of the same scenario, on the session that all cases share."""

    def finished(out: Path) -> Answer:
        try:
            found = summarise(out).contradictions
        except InputError as problem:
            return Answer(1, str(problem))
        return Answer(1, " ".join(found)) if found else Answer(0, "finished", hashes_by_pandas(out))

    def resume(out: Path) -> Answer:
        try:
            error = run_shared(spark, scenario_job(parse_scenario(SCENARIO)), out, partitions=1, events=EVENTS)
            if error is not None:
                raise explained(error, out, out / "_checkpoint")
        except InputError as problem:
            return Answer(2, str(problem))
        except EnvironmentProblem as problem:
            return Answer(3, str(problem))
        except Exception:
            return Answer(-1, traceback.format_exc())
        return finished(out)

    return resume


def served(out: Path) -> Answer:
    """What the page of `sendlab serve` hears of the folder."""
    pages, statuses = Pages([out]), []
    try:
        listed = json.loads(b"".join(pages({"PATH_INFO": "/jobs.json"}, lambda status, _: statuses.append(status))))
        paths = [f"/jobs/{job['id']}/report.json" for job in listed]
        said = [b"".join(pages({"PATH_INFO": at}, lambda status, _: statuses.append(status))).decode() for at in paths]
    except Exception:
        return Answer(-1, traceback.format_exc())
    refused = [text for text, status in zip(said, statuses[1:], strict=True) if not status.startswith("200")]
    return Answer(2, " ".join(refused)) if refused else Answer(0, "", len(listed))


def commands(spark: Any, whole: Path) -> dict[str, Command]:
    """Every command that reads the folder of a run."""
    message = ("--producer", 3, "--topic", "orders", "--thread", 0, "--seq", 20)
    return {
        "resume": resumed(spark),
        "report": lambda out: sendlab("report", out),
        "explain": lambda out: sendlab("explain", out, *message),
        "diff": lambda out: sendlab("diff", whole, out),
        "serve": served,
        "state": lambda out: sendlab("state", out, "--json"),
        "fork": lambda out: sendlab("fork", out, "--arm", "kill=b", "--for", "5s", "--runs", 1, "--out", f"{out}-fork"),
        "compact": lambda out: sendlab("compact", out),
    }


def picture(folder: Path) -> dict[str, bytes]:
    """All that may not change if a command refuses."""
    files = (path for path in folder.rglob("*") if path.is_file() and path.name not in UNREAD)
    return {str(path.relative_to(folder)): path.read_bytes() for path in files}


def judged(found: Answer, undamaged: Answer, changed: bool) -> str:
    """`refused`, `the same`, or what is wrong."""
    if found.code == -1 or not no_stack_trace(found.said):
        return f"WRONG: a stack trace: {found.said[-700:]}"
    if found.code in (1, 2) and found.code != undamaged.code:
        return "WRONG: refused, and files have changed" if changed and found.code == 2 else "refused"
    if found.code != undamaged.code:
        return f"WRONG: exit code {found.code}: {found.said[-300:]}"
    alike = found.result == undamaged.result and VARYING.sub("", found.said) == VARYING.sub("", undamaged.said)
    return "the same" if alike else f"WRONG: taken as if it were whole: {found.said[-300:]}"


def cases(folder: Path, words: Sequence[str]) -> Iterator[tuple[str, str]]:
    """(path in the folder, damage) of every case."""
    for path in sorted(path for path in folder.rglob("*") if path.is_file()):
        name = str(path.relative_to(folder))
        if path.name not in UNREAD and (not words or any(word in name for word in words)):
            yield from ((name, damage) for damage in DAMAGES)


def concerned(name: str, command: str) -> bool:
    """Whether a command reads that file at all; what `fork` reads of a checkpoint `state` does, too."""
    of_checkpoint = name.startswith("_checkpoint")
    if command == "fork" and not name.endswith((".delta", "run.json")):
        return False
    return command == "resume" or of_checkpoint == (command in ("state", "fork")) or name == "run.json"


def main() -> None:
    """Damage, ask, and tell."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("words", nargs="*")
    parser.add_argument("--commands", nargs="+")
    parser.add_argument("--out", type=Path, default=Path("out/damage"))
    asked = parser.parse_args()
    shutil.rmtree(asked.out, ignore_errors=True)
    asked.out.mkdir(parents=True)
    os.environ["COLUMNS"] = "500"
    spark = open_session(asked.out, master="local[2,4]", partitions=1)
    wrong = count = 0
    try:
        whole, stopped = asked.out / "whole", asked.out / "stopped"
        job = scenario_job(parse_scenario(SCENARIO))
        run_shared(spark, job, whole, partitions=1, events=EVENTS)
        run_shared(spark, job, stopped, partitions=1, events=EVENTS, stop_after=STOP_AFTER)
        known = commands(spark, whole)
        known = {name: known[name] for name in asked.commands or known}
        undamaged = {}
        for command, ask in known.items():
            out = asked.out / "case-0"
            shutil.copytree(stopped, out)
            undamaged[command] = ask(out)
            shutil.rmtree(out)
            said = " ".join(undamaged[command].said.split())[:150]
            print(f"undamaged, {command}: {undamaged[command].code}: {said}", flush=True)
        for name, damage in cases(stopped, asked.words):
            found = {}
            for command, ask in known.items():
                if not concerned(name, command):
                    continue
                count += 1
                out = asked.out / f"case-{count}"
                shutil.copytree(stopped, out)
                DAMAGES[damage](out / name)
                before = picture(out)
                answer = ask(out)
                found[command] = judged(answer, undamaged[command], picture(out) != before)
                wrong += found[command].startswith("WRONG")
                if found[command] == "refused":
                    found[command] = f"refused: {' '.join(answer.said.split())[-200:]}"
                shutil.rmtree(out)
                print(f"{name} {damage}, {command}: {found[command]}", flush=True)
    finally:
        close_session(spark)
    sys.exit(f"{wrong} of {count} are wrong" if wrong else 0)


if __name__ == "__main__":
    main()
