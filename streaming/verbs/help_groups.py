"""What `sendlab --help` shows: every command with one short line, grouped by what a user asks."""

from __future__ import annotations

from collections.abc import Mapping

import typer

GROUPS: Mapping[str, Mapping[str, str]] = {
    "Run it": {
        "scenarios": "List or copy examples and recordings",
        "keys": "List the keys of a scenario",
        "faults": "List the fault kinds, each with an example",
        "check": "List every problem of a scenario",
        "run": "Simulate a scenario and print what happened",
        "reload": "Change rates and faults of a running job",
        "compact": "Merge the table files of a run",
    },
    "Decide": {
        "whatif": "Compare settings over many seeds",
        "advise": "Find the client settings worth changing",
        "releases": "Show what RocketMQ's releases change",
        "replay": "Replay a trace under another client or policy",
        "fork": "Try changes from the state of a running job",
        "hunt": "Search for the worst schedule of faults",
        "policy": "Create and check a policy of your own",
    },
    "Look": {
        "report": "Write a run's report: findings and pictures",
        "explain": "Explain why a message went to its queue",
        "diff": "Show where two runs differ, and why",
        "state": "Print the counters and fault items of a job",
        "serve": "Serve a page of running and finished jobs",
        "watch": "Follow the decisions of a job on Kafka",
    },
    "Bring your own data": {
        "init": "Write a scenario of your own cluster",
        "import": "Convert a log of real clients to a trace",
        "calibrate": "Fit a scenario to a trace",
        "fit": "Fit a scenario to measured throughput",
        "publish": "Publish events to a Kafka topic",
    },
    "Is it right?": {
        "doctor": "Check Java, Python, memory, cores and disk",
        "verify": "Compare the model with real clients",
    },
}
END = "`sendlab COMMAND --help` shows options and examples. Also: --version, --install-completion"


def screen(usage: str, about: str) -> str:
    """The whole help: a line for each command, its question before the first of them."""
    questions, names = max(map(len, GROUPS)), max(len(name) for lines in GROUPS.values() for name in lines)
    text = [usage, about, ""]
    for question, lines in GROUPS.items():
        for number, (name, line) in enumerate(lines.items()):
            head = " " * questions if number else typer.style(f"{question:{questions}}", bold=True)
            text.append(f"{head}  {name:{names}}  {line}")
        text.append("")
    return "\n".join([*text, END])
