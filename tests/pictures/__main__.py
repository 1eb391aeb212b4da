"""Make the pictures of docs/ anew: `python -m tests.pictures [FILE ...]`, all of them if none is named."""

from __future__ import annotations

import contextlib
import json
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterable
from pathlib import Path

from rich.console import Console

from simulator.experiments.experiment_runner import experiment
from simulator.scenario import load_scenario
from streaming.commands.replays.arms_command import arms_command
from streaming.commands.replays.calibrate_command import RUNS, calibrate_command
from streaming.experiment_page.experiment_html import html
from streaming.hunt.hunt_command import HuntOptions, hunt_command
from streaming.live.job_states import jobs_in
from streaming.live.loopback_server import LoopbackServer
from streaming.live.pages import Pages
from streaming.report import write_report
from streaming.report.causes.proving import prove_output
from tests.browser import find_browser
from tests.pictures import curves
from tests.pictures.digest import (
    EXPERIMENT_FILES,
    SCENARIOS,
    TRACES,
    digest_of,
    digest_of_experiment,
    digest_of_night,
)
from tests.pictures.gallery import CALIBRATIONS, EXPERIMENTS, GALLERY, HUNTS, LIVE, NIGHTS
from tests.pictures.heat import HEAT_MAP, SIZE, digest, page
from tests.pictures.sheet import photograph_cards, photograph_live, photograph_page, photograph_plain
from tests.streaming.lives import Life, wait_until
from tests.streaming.report.pure_output import write_simulated

DOCS = Path(__file__).resolve().parents[2] / "docs"
DIGESTS = DOCS / "pictures.json"
PROVED_S = 600.0  # no cause of a picture is only likely
SHOWN_FROM_US = 130_000_000
HUNTED, HUNT_SIZE = 120, (1000, 1000)  # schedules; pixels
Maker = Callable[[str, str, Path], str]  # name, browser, a folder for pages in between: the digest of what it shows


def main() -> int:
    """Exit code 0 if all are made, 2 for a picture that is not known, 3 without a browser."""
    makers = known()
    names = sys.argv[1:] or [*makers]
    if unknown := set(names) - set(makers):
        print(f"no picture {min(unknown)}; known: {', '.join(makers)}", file=sys.stderr)
        return 2
    chromium = find_browser()
    if chromium is None:
        print("there is no Chromium on this machine; `make pictures` installs it", file=sys.stderr)
        return 3
    with tempfile.TemporaryDirectory(prefix="sendlab-pictures-", ignore_cleanup_errors=True) as folder:
        for name in names:
            note(name, makers[name](name, chromium, Path(folder)))
            print(f"docs/{name}", flush=True)
    return 0


def known() -> dict[str, Maker]:
    """What makes each picture."""
    kinds: list[tuple[Iterable[str], Maker]] = [
        (GALLERY, make), (NIGHTS, make_night), (CALIBRATIONS, make_calibration), (EXPERIMENTS, make_experiment),
        (LIVE, make_live), ([HEAT_MAP], make_heat), (HUNTS, make_hunt),
        ([curves.CURVES], make_curves),
    ]  # fmt: skip
    return {name: maker for names, maker in kinds for name in names}


def make_heat(name: str, chromium: str, folder: Path) -> str:
    """Photograph the heat map of policies; the digest of what it shows."""
    file = folder / "heat.html"
    file.write_text(page(), encoding="utf-8")
    photograph_plain(chromium, file, DOCS / name, SIZE)
    return digest()


def make_curves(name: str, chromium: str, folder: Path) -> str:
    """Photograph the curves of a published benchmark; the digest of what they show."""
    file = folder / "curves.html"
    file.write_text(curves.page(), encoding="utf-8")
    photograph_plain(chromium, file, DOCS / name, curves.SIZE)
    return curves.digest()


def make(name: str, chromium: str, folder: Path) -> str:
    """Simulate the scenarios of one picture and photograph their reports; the digest of what they were."""
    reports = {}
    for scenario, cards in GALLERY[name].items():
        output = write_simulated(folder / scenario, load_scenario(SCENARIOS / f"{scenario}.yaml"))
        prove_output(output, PROVED_S)
        reports[write_report(output, folder / f"{scenario}.html")] = cards
    if all(reports.values()):
        photograph_cards(chromium, reports, DOCS / name, folder)
    else:
        photograph_page(chromium, next(iter(reports)), DOCS / name)
    return digest_of(GALLERY[name])


def make_night(name: str, chromium: str, folder: Path) -> str:
    """Replay a recording and photograph the page; gives what it was of."""
    recording, arm = NIGHTS[name]
    out = folder / name
    arms_command(
        TRACES / recording, [arm], out=out, changes=(), seeds=20, as_json=False, fresh=False,
        console=Console(quiet=True),
    )  # fmt: skip
    photograph_page(chromium, out / "report.html", DOCS / name)
    return digest_of_night(recording, arm)


def make_calibration(name: str, chromium: str, folder: Path) -> str:
    """Calibrate a recording and photograph how well it fits; gives what it was of."""
    page = folder / f"{name}.html"
    calibrate_command(
        TRACES / CALIBRATIONS[name], folder / f"{name}.yaml", changes=(), report=page, runs=RUNS, as_json=False,
        fresh=False, console=Console(quiet=True),
    )  # fmt: skip
    photograph_page(chromium, page, DOCS / name)
    return digest_of_night(CALIBRATIONS[name])


def make_live(name: str, chromium: str, folder: Path) -> str:
    """Photograph the page of a job while it runs; gives what it was of."""
    out = folder / "twin"
    file = SCENARIOS / f"{LIVE[name]}.yaml"
    life = Life(folder / "log", "run", file, "--out", out, "--pace", "3x")
    server = LoopbackServer(Pages([out]), 0)
    try:
        if not wait_until(lambda: any(job.about["clock_us"] > SHOWN_FROM_US for job in jobs_in([out])), life):
            raise RuntimeError(f"{name}: the job ended:\n{life.said}")
        (job,) = jobs_in([out])
        picture = folder / name
        photograph_live(chromium, f"http://127.0.0.1:{server.port}/jobs/{job.id}/", picture, folder)
        if life.ended:
            raise RuntimeError(f"{name}: the job ended before its page was photographed; the machine is too busy")
        shutil.move(picture, DOCS / name)
    finally:
        server.close()
        life.end()
    return digest_of([LIVE[name]])


def make_experiment(name: str, chromium: str, folder: Path) -> str:
    """Run an experiment and photograph its page; gives what it was of."""
    page = folder / f"{name}.html"
    page.write_text(html(experiment(EXPERIMENT_FILES / f"{EXPERIMENTS[name]}.yaml")), encoding="utf-8")
    photograph_page(chromium, page, DOCS / name)
    return digest_of_experiment(EXPERIMENTS[name])


def make_hunt(name: str, chromium: str, folder: Path) -> str:
    """Hunt a scenario without its own faults and photograph the top of the page; gives what it was of."""
    scenario, objectives = HUNTS[name]
    options = HuntOptions(
        SCENARIOS / f"{scenario}.yaml", objectives, schedules=HUNTED, out=Path("hunt"), changes=["faults=[]"]
    )
    with contextlib.chdir(folder):  # the page names its cases as from there
        hunt_command(options, Console(quiet=True))
    photograph_plain(chromium, folder / "hunt" / "hunt.html", DOCS / name, HUNT_SIZE)
    return digest_of([scenario])


def note(name: str, digest_of_it: str) -> None:
    """Note what a picture shows."""
    digests = json.loads(DIGESTS.read_text()) if DIGESTS.exists() else {}
    digests = {each: digests.get(each) for each in known()} | {name: digest_of_it}
    DIGESTS.write_text(json.dumps(digests, indent=2) + "\n")


if __name__ == "__main__":
    sys.exit(main())
