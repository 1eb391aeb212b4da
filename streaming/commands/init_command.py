"""`sendlab init`: a scenario of your own cluster, from what is at hand or from five questions."""

from __future__ import annotations

import re
import shutil
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from simulator.scenario import Scenario
from simulator.scenario.loading.scenario_file import parse_scenario
from simulator.scenario.reading.scenario_error import ScenarioError
from state.texts import at, sentence_of
from streaming.errors import InputError
from streaming.files.whole_file import check_writable, write_text_whole
from streaming.init.chosen_values import OperatorAnswers
from streaming.init.cluster_facts import ClusterFacts, Sourced
from streaming.init.cluster_scenario import ClusterScenario, ClusterWriter
from streaming.init.evidence import Evidence, read_evidence
from streaming.init.questions import GIVEN, asked_answers, count_in, rate_in, release_in_words
from streaming.installation.conf_files import conf_folder
from streaming.problems import disk_problem
from streaming.terminal.output_console import OutputConsole as Console
from streaming.texts.command_result_texts import CommandResultTexts
from streaming.texts.command_texts import CommandTexts

EXAMPLE = ("5.3.3", "producers.txt", "metrics/range.json")  # of conf/recorded-cluster: what an operator would have
COLLECT = Path(__file__).parents[1] / "init" / "collect.sh"


@dataclass(frozen=True)
class InitOptions:
    """What the operator gives on the command line beside files, as texts."""

    release: str | None = None
    brokers: str | None = None
    queues: str | None = None
    producers: str | None = None
    rate: str | None = None

    def answers(self) -> OperatorAnswers:
        """The same, checked. Raises InputError."""
        return OperatorAnswers(
            release=_given("--release", self.release, release_in_words),
            brokers=_given("--brokers", self.brokers, lambda text: count_in(text, 100)),
            queues=_given("--queues", self.queues, lambda text: count_in(text, 1024)),
            producers=_given("--producers", self.producers, lambda text: count_in(text, 1_000_000)),
            rate_per_s=_given("--rate", self.rate, rate_in),
        )


def _given(option: str, text: str | None, read: Callable[[str], Any]) -> Sourced[Any] | None:
    try:
        return None if text is None else Sourced(read(text), GIVEN)
    except ValueError as error:
        raise InputError(at(option, sentence_of(error))) from None


@dataclass(frozen=True)
class OwnCluster:
    """The scenario that was written: its file and text, the keys that are assumed, what is noted of the files, and what
    each was read as."""

    path: Path
    text: str
    scenario: Scenario
    assumed: tuple[str, ...]
    notes: tuple[str, ...]
    read: Sequence[tuple[Path, tuple[str, ...]]]

    def __repr__(self) -> str:
        said = ", ".join(self.assumed) or "nothing"
        return f"<{type(self).__name__} {self.path}: {len(self.scenario.brokers)} brokers; assumed: {said}>"


def own_cluster(
    paths: Sequence[Path], out: Path, *, options: InitOptions, topics: Sequence[str], fresh: bool, asks: bool = False
) -> OwnCluster:
    """Write the scenario to `out`; `asks`: five questions on the terminal if nothing is given. Raises InputError."""
    if out.exists() and not fresh:
        raise InputError(CommandTexts.OVERWRITES(out=out))
    check_writable(out)
    evidence, answers, sources = _asked(paths, options, asks=asks)
    made = ClusterWriter(evidence.facts, answers, tuple(topics)).write(sources)
    scenario = _checked(made, out)
    write_text_whole(out, made.text)
    return OwnCluster(out, made.text, scenario, tuple(dict.fromkeys(made.assumed)), made.notes, evidence.read)


def init_command(
    paths: Sequence[Path], out: Path, *, options: InitOptions, topics: Sequence[str], fresh: bool, console: Console
) -> None:
    """Write the scenario and tell what is assumed. Raises InputError."""
    made = own_cluster(paths, out, options=options, topics=topics, fresh=fresh, asks=sys.stdin.isatty())
    scenario = made.scenario
    for file, kinds in made.read:
        console.print(f"{file}: {', '.join(kinds)}", markup=False, highlight=False, soft_wrap=True)
    counts = {
        "broker": len(scenario.brokers), "topic": len(scenario.topics), "producer": scenario.producer_count,
        "consumer group": len(scenario.consumers),
    }  # fmt: skip
    counted = ", ".join(f"{count:,} {noun}{'' if count == 1 else 's'}" for noun, count in counts.items() if count)
    sentences = [CommandResultTexts.INIT_WRITTEN(out=out, counted=counted)]
    sentences += [CommandResultTexts.INIT_NOTED(note=note) for note in made.notes]
    if made.assumed:
        sentences.append(CommandResultTexts.INIT_ASSUMED(keys=", ".join(made.assumed)))
    for sentence in (*sentences, CommandResultTexts.INIT_NEXT(out=out)):
        console.print(sentence, markup=False, highlight=False, soft_wrap=True)


def _asked(paths: Sequence[Path], options: InitOptions, *, asks: bool) -> tuple[Evidence, OperatorAnswers, str]:
    answers = options.answers()
    if paths:
        evidence = read_evidence(paths)
        names = [file.name for file, _ in evidence.read]
        sources = ", ".join(names) if len(names) <= 8 else f"{len(names)} files"
        return evidence, answers, sources
    if answers != OperatorAnswers():
        return Evidence(ClusterFacts(), ()), answers, CommandResultTexts.INIT_OPTIONS()
    if not asks:
        raise InputError(CommandTexts.FILES_OR_ANSWERS())
    say = Console(stderr=True, highlight=False).print
    return Evidence(ClusterFacts(), ()), asked_answers(input, say), CommandResultTexts.INIT_ANSWERS()


def _checked(made: ClusterScenario, out: Path) -> Scenario:
    """The scenario itself. Raises InputError with what of the files cannot be simulated."""
    try:
        return parse_scenario(made.text, source=str(out))
    except ScenarioError as error:
        said = _by_evidence(str(error), made.text, out)
        raise InputError(CommandTexts.CANNOT_BE_SIMULATED(why=said)) from None


def _by_evidence(said: str, text: str, out: Path) -> str:
    """A sentence with the evidence of the value that it is about, in the place of a file that is not written."""
    found = re.match(rf"{re.escape(str(out))}:(\d+): ", said)
    if found is None:
        return said
    lines, number = text.splitlines(), int(found[1]) - 1
    above = lines[number - 1].strip().removeprefix("# ") if lines[number - 1].lstrip().startswith("#") else ""
    source = lines[number].partition("  # ")[2] or above
    return f"{source}: {said[found.end() :]}" if source else said[found.end() :]


def write_example(to: Path, console: Console, folder: Path | None = None) -> None:
    """Copy outputs of real tools about a small cluster to a folder that is new or empty. Raises InputError."""
    if to.exists() and (not to.is_dir() or any(to.iterdir())):
        raise InputError(CommandTexts.EXAMPLE_FOLDER().at(to))
    recorded = (folder or conf_folder()) / "recorded-cluster"
    given = [file for name in EXAMPLE for file in _files_of(recorded / name)]
    try:
        to.mkdir(parents=True, exist_ok=True)
        for file in given:
            shutil.copyfile(file, to / file.name)
    except OSError as error:
        raise disk_problem(error, to) from error
    text = CommandResultTexts.INIT_EXAMPLE(count=len(given), to=to)
    console.print(text, markup=False, highlight=False, soft_wrap=True)


def _files_of(path: Path) -> list[Path]:
    return sorted(path.iterdir()) if path.is_dir() else [path]


def print_collector(console: Console) -> None:
    """Print the script that saves what mqadmin says of a cluster."""
    console.out(COLLECT.read_text(encoding="utf-8"), end="", highlight=False)
