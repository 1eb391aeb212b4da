"""The command line's words about experiments: whatif and advise, and policy."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from streaming.options.engine_choice import HELP, engine_asked
from streaming.terminal.output_console import OutputConsole as Console
from streaming.verbs.examples import examples

Engine = Annotated[str | None, typer.Option(help=HELP)]
Junit = Annotated[Path | None, typer.Option(metavar="FILE", help="write the objectives as a JUnit file")]
Markdown = Annotated[Path | None, typer.Option(metavar="FILE", help="write a Markdown summary")]


def whatif(
    experiment: Annotated[Path, typer.Argument(help="the experiment, a YAML file: arms of a scenario")],
    out: Annotated[
        Path | None, typer.Option(help="folder; run the same command again to resume or extend, default out/NAME")
    ] = None,
    seeds: Annotated[int | None, typer.Option(min=1, max=10_000, help="runs of each arm, one per seed")] = None,
    set_: Annotated[
        list[str] | None, typer.Option("--set", metavar="KEY=VALUE", help="change one key in all arms; repeatable")
    ] = None,
    master: Annotated[str | None, typer.Option(help="Spark master, default all cores of this machine")] = None,
    page: Annotated[str, typer.Option("--format", help="html | md")] = "html",
    fresh: Annotated[bool, typer.Option("--fresh", help="delete the runs in OUT and start over")] = False,
    junit: Junit = None,
    markdown: Markdown = None,
    engine: Engine = None,
) -> None:
    """Compare arms over many seeds, search a capacity; exit 1 if objectives are missed, 4 if the runs cannot tell."""
    from streaming.commands.whatif_command import whatif_command
    from streaming.experiments.runs_asked import RunsAsked
    from streaming.pipelines.reports import Reports

    chosen = engine_asked(engine, Console(), ("--master",) if master is not None else ())
    asked = RunsAsked(out, set_ or (), master, page, fresh, Console(), chosen)
    raise typer.Exit(whatif_command(experiment, seeds, asked, Reports(junit, markdown)))


def advise(
    scenario: Annotated[Path, typer.Argument(help="the scenario, a YAML file: your cluster and your producers")],
    objective: Annotated[
        list[str] | None, typer.Option(help="objective for every situation: 'p99_ms < 200'; repeatable")
    ] = None,
    faults: Annotated[
        str, typer.Option(help="usual (hang, kill, slow, overload, rolling restart) | own (the scenario's) | both")
    ] = "both",
    group: Annotated[
        str | None,
        typer.Option(help="try settings of this consumer group: instances, threads, pull batch, strategy, release"),
    ] = None,
    replicas: Annotated[
        bool,
        typer.Option(
            "--replicas", help="try modes of replica sets instead: who takes over, when a message is acknowledged"
        ),
    ] = False,
    out: Annotated[Path | None, typer.Option(help="folder; run again to resume, default out/advice-NAME")] = None,
    seeds: Annotated[int, typer.Option(min=2, max=10_000, help="runs in each situation; below 8: a preview")] = 8,
    set_: Annotated[
        list[str] | None, typer.Option("--set", metavar="KEY=VALUE", help="change one key of the scenario; repeatable")
    ] = None,
    master: Annotated[str | None, typer.Option(help="Spark master, default all cores of this machine")] = None,
    page: Annotated[str, typer.Option("--format", help="html | md")] = "html",
    fresh: Annotated[bool, typer.Option("--fresh", help="delete the runs in OUT and start over")] = False,
    engine: Engine = None,
) -> None:
    """Try the client settings that a team can change, and list the few to choose from, with Java to paste.

    Exit 1 if there are objectives and none of the few is shown to hold them.
    """
    from streaming.advice.advise_command import advise_command
    from streaming.commands.scenarios_command import file_or_example
    from streaming.experiments.runs_asked import RunsAsked

    chosen = engine_asked(engine, Console(), ("--master",) if master is not None else ())
    asked = RunsAsked(out, set_ or (), master, page, fresh, Console(), chosen)
    code = advise_command(
        file_or_example(scenario), objectives=objective or (), faults=faults, seeds=seeds, asked=asked, group=group,
        replicas=replicas,
    )  # fmt: skip
    raise typer.Exit(code)


def fit(
    file: Annotated[Path, typer.Argument(help="a CSV (threads, message_bytes, tps, rt_ms), or producer.sh's output")],
    out: Annotated[Path, typer.Option(help="the scenario to write")] = Path("fitted.yaml"),
    brokers: Annotated[int, typer.Option(min=1, max=10_000, help="brokers that were measured")] = 1,
    send_threads: Annotated[int, typer.Option(min=1, max=1024, help="send threads of each broker")] = 1,
    queues: Annotated[int, typer.Option(min=1, max=1024, help="queues on each broker, if the file does not say")] = 8,
    release: Annotated[str, typer.Option(help="release of clients and brokers")] = "4.9.8",
    everything: Annotated[bool, typer.Option("--all", help="fit all points; keep none to predict")] = False,
) -> None:
    """Fit a cluster to measured throughput and response times, and predict the points that the fit does not use.

    Measure a closed loop, as RocketMQ's own producer.sh does: one thread, some, and as many as saturate the cluster.
    """
    from simulator.fit.fitted_cluster import Around
    from streaming.commands.fit_command import fit_command

    around = Around(brokers, send_threads, release)
    fit_command(file, out, around, queues=queues, everything=everything, console=Console())


policy = typer.Typer(name="policy", no_args_is_help=True, help="Your own policy: create a file, check it.")


@policy.command("new", epilog=examples("sendlab policy new my_policy.py"))
def policy_new(file: Annotated[Path, typer.Argument(help="the Python file to create")]) -> None:
    """Create a working policy with comments to edit."""
    from streaming.own_policies.policy_command import new_command

    new_command(file, Console())


@policy.command("check", epilog=examples("sendlab policy check my_policy.py"))
def policy_check(
    file: Annotated[Path, typer.Argument(help="a Python file with CHOOSE, AVOID or RETRY")],
    patience: Annotated[float, typer.Option(min=1.0, max=3600.0, help="time limit of each step in seconds")] = 30.0,
) -> None:
    """Compile a policy and test it: the same choices each time and after a restore, only queues that exist.

    Exit 1 with the problem if it fails.
    """
    from streaming.own_policies.policy_command import check_command

    raise typer.Exit(check_command(file, patience, Console()))


def add_experiment_commands(app: typer.Typer) -> None:
    """Put the words on the command line."""
    app.command(
        epilog=examples(
            "sendlab whatif conf/experiments/release-under-a-hang.yaml",
            "sendlab whatif conf/experiments/brokers-to-lose-one.yaml --out out/brokers --seeds 40",
            "sendlab whatif my-experiment.yaml --set duration=10m --format md",
        )
    )(whatif)
    app.command(
        epilog=examples(
            "sendlab advise conf/scenarios/quickstart.yaml",
            "sendlab advise my-cluster.yaml --objective 'failed_percent < 0.1' --objective 'p99_ms < 500'",
            "sendlab advise my-cluster.yaml --faults own --seeds 20 --format md",
            "sendlab advise conf/scenarios/consumers.yaml --group billing",
            "sendlab advise conf/scenarios/failover.yaml --replicas",
        )
    )(advise)
    app.command(
        epilog=examples(
            "sendlab fit measured.csv --brokers 4",
            "sendlab fit producer-sh.txt --brokers 2 --queues 16 --out measured.yaml",
        )
    )(fit)
    app.add_typer(policy)
