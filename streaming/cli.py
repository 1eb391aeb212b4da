"""The command line. Exit codes: 0 done, 1 a check or an objective failed, 2 the input, 3 the environment,
4 the runs cannot tell, 130 interrupted.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from streaming.errors import EnvironmentProblem, InputError, Interrupted
from streaming.installation.extras import lacking
from streaming.problems import disk_problem
from streaming.report.causes.causes_option import DEFAULT, HELP
from streaming.terminal.output_console import OutputConsole as Console
from streaming.texts.command_result_texts import CommandResultTexts
from streaming.texts.command_texts import CommandTexts
from streaming.verbs.examples import examples
from streaming.verbs.experiments_verbs import Engine, Junit, Markdown, add_experiment_commands
from streaming.verbs.hunt_verb import EXAMPLES, hunt
from streaming.verbs.init_verb import init
from streaming.verbs.kafka_verbs import Bootstrap, Idle, KafkaConfig, Lateness, Prefix, Topics, add_kafka
from streaming.verbs.looking_verbs import Forever, Keep, MetricsPort, Restarts, add_looking
from streaming.verbs.replay_verbs import replays
from streaming.verbs.typer_internals import CommandGroup, as_asked, misused
from streaming.verbs.verify_verbs import verify

CHECK_FAILED, BAD_INPUT, BAD_ENVIRONMENT, INTERRUPTED = 1, 2, 3, 130

Causes = Annotated[str, typer.Option(metavar="TIME", help=HELP)]

app = typer.Typer(
    cls=CommandGroup,
    name="sendlab",
    pretty_exceptions_enable=False,
    rich_markup_mode="markdown",
)

Strict = Annotated[bool, typer.Option("--strict", help="exit 1 on a warning, such as a utilisation above 1")]


def _print_version(wanted: bool) -> None:
    if wanted:
        from streaming.installation.own_version import sendlab_version

        print(f"sendlab {sendlab_version()}")
        raise typer.Exit


@app.callback()
def sendlab(
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="print the version and exit")
    ] = False,
) -> None:
    """Simulate a RocketMQ cluster: where each message goes, what is isolated and retried."""


app.add_typer(replays)


@app.command(
    epilog=examples(
        "sendlab run conf/scenarios/quickstart.yaml --out out/quickstart",
        "sendlab run conf/scenarios/quickstart.yaml --out out/533 --set client.release=5.3.3 --engine plain",
        "sendlab run my-cluster.yaml --engine plain --objective 'p99_ms < 50' --junit junit.xml",
        "sendlab run conf/scenarios/healthy.yaml --out out/live --forever --pace 1x --metrics-port 9464",
    )
)
def run(
    scenario: Annotated[Path, typer.Argument(help="the scenario, a YAML file, or the name of an example: quickstart")],
    out: Annotated[
        Path | None,
        typer.Option(help="folder for the tables, default out/SCENARIO; run the same command again to resume"),
    ] = None,
    duration: Annotated[str | None, typer.Option("--for", help="virtual time to simulate, such as 10m")] = None,
    seed: Annotated[int | None, typer.Option(help="seed to use instead of the scenario's")] = None,
    set_: Annotated[
        list[str] | None, typer.Option("--set", metavar="KEY=VALUE", help="change one key; repeatable")
    ] = None,
    checkpoint: Annotated[
        Path | None, typer.Option(help="checkpoint folder, default OUT/_checkpoint, or s3a://BUCKET/PLACE")
    ] = None,
    source: Annotated[str, typer.Option(help="synthetic (the scenario's own events) | kafka")] = "synthetic",
    sink: Annotated[
        list[str] | None, typer.Option(help="parquet (default) | console | kafka | objects | otlp; repeatable")
    ] = None,
    objects: Annotated[str | None, typer.Option(help="s3://BUCKET/PLACE for --sink objects: tables as Parquet")] = None,
    otlp: Annotated[
        str | None, typer.Option(help="collector for --sink otlp: http://HOST:4318; a message is a trace")
    ] = None,
    bootstrap: Bootstrap = None,
    topic: Topics = None,
    kafka_config: KafkaConfig = None,
    lateness: Lateness = None,
    idle: Idle = None,
    topic_prefix: Prefix = None,
    pace: Annotated[str, typer.Option(help="virtual time per wall time: max, 1x, 10x")] = "max",
    tables: Annotated[
        str | None,
        typer.Option(
            help="tables to write: attempts,sends,...; default: those that the scenario fills, without consumed"
        ),
    ] = None,
    master: Annotated[str | None, typer.Option(help="Spark master, default all cores of this machine")] = None,
    memory: Annotated[
        str | None, typer.Option(help="heap of Spark's JVM, such as 2g; default depends on the scenario")
    ] = None,
    partitions: Annotated[int | None, typer.Option(min=1, help="state partitions; fixed for a checkpoint")] = None,
    max_events: Annotated[int, typer.Option(min=1, help="maximum messages per micro-batch")] = 100_000,
    fresh: Annotated[bool, typer.Option("--fresh", help="delete earlier output in OUT and start over")] = False,
    engine: Engine = None,
    metrics_port: MetricsPort = None,
    forever: Forever = False,
    restarts: Restarts = None,
    keep: Keep = None,
    strict: Strict = False,
    objective: Annotated[
        list[str] | None,
        typer.Option(help="judge the scenario: 'p99_ms < 200'; exit 1 if missed, 4 if unclear; repeatable"),
    ] = None,
    seeds: Annotated[int | None, typer.Option(min=2, max=10_000, help="seeds for --objective, default 8")] = None,
    junit: Junit = None,
    markdown: Markdown = None,
    causes: Causes = DEFAULT,
) -> None:
    """Run a scenario as a streaming job and print what happened to each broker and producer group."""
    from streaming.terminal.working import working

    console = Console(stderr=False)
    with working(console, CommandResultTexts.READING_SCENARIO()):  # what is imported takes longer than reading it
        from streaming.commands.judged_run import JudgementAsked
        from streaming.commands.kafka.kafka_options import KafkaOptions
        from streaming.commands.run_command import LongRun, run_command
        from streaming.commands.scenarios_command import file_or_example
        from streaming.options.changes import for_length
        from streaming.pipelines.reports import Reports

    changes = [*(set_ or ()), *for_length(duration)]
    changes += [f"seed={seed}"] if seed is not None else []
    if forever and duration is not None:
        raise InputError(CommandTexts.FOREVER_AND_FOR())
    scenario = file_or_example(scenario)
    code = run_command(
        scenario, out or Path("out") / scenario.stem, changes=changes, checkpoint=checkpoint, sinks=sink or ["parquet"],
        pace=pace, tables=tables, master=master, memory=memory, partitions=partitions, max_events=max_events,
        fresh=fresh, engine=engine, source=source, objects=objects, otlp=otlp,
        kafka=KafkaOptions(bootstrap, topic or (), kafka_config, lateness, idle, topic_prefix),
        long=LongRun(forever, restarts, keep, metrics_port), strict=strict,
        judged=JudgementAsked(tuple(objective or ()), seeds, Reports(junit, markdown)), causes=causes,
        console=console,
    )  # fmt: skip
    raise typer.Exit(code)


@app.command(epilog=examples("sendlab report out/quickstart", "sendlab report out/quickstart --format md --out it.md"))
def report(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="output folder of a run")],
    out: Annotated[Path | None, typer.Option(help="file to write, default DIR/report.FORMAT")] = None,
    format: Annotated[str, typer.Option(help="html: one file with pictures; md, json: findings and tables")] = "html",
    causes: Causes = DEFAULT,
) -> None:
    """Write the report of a run: what stands out and why, with pictures or as text."""
    from streaming.report import report_command

    raise typer.Exit(report_command(str(folder), None if out is None else str(out), format, causes))


@app.command(
    epilog=examples(
        "sendlab state out/quickstart/_checkpoint",
        "sendlab state out/quickstart/_checkpoint --since 0 --batch 2 --json",
        "sendlab state out/quickstart/_checkpoint --parquet state.parquet",
    )
)
def state(
    checkpoint: Annotated[Path, typer.Argument(help="checkpoint folder of a run, or its output folder")],
    batch: Annotated[int | None, typer.Option(help="micro-batch to read, default the last")] = None,
    since: Annotated[int | None, typer.Option(help="only changes after that micro-batch")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="JSON instead of tables")] = False,
    parquet: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="two files: for s.parquet s-counters.parquet and s-fault_items.parquet"),
    ] = None,
) -> None:
    """Print the counters and fault items that a checkpoint holds."""
    from streaming.commands.jobs.state_command import state_command

    state_command(checkpoint, batch, as_json, parquet, Console(), since)


@app.command(
    epilog=examples(
        "sendlab check my-scenario.yaml",
        "sendlab check my-scenario.yaml --set client.release=5.3.3",
        "sendlab check clusters/*.yaml --strict --format github",
    )
)
def check(
    scenarios: Annotated[list[Path], typer.Argument(metavar="SCENARIO", help="scenarios, YAML files")],
    set_: Annotated[
        list[str] | None, typer.Option("--set", metavar="KEY=VALUE", help="change one key; repeatable")
    ] = None,
    strict: Strict = False,
    form: Annotated[str, typer.Option("--format", help="text | github (annotations) | sarif | json")] = "text",
) -> None:
    """Validate a scenario: list every problem (exit 2) and every warning without running it."""
    from streaming.commands.check_command import checks_command
    from streaming.commands.scenarios_command import file_or_example

    scenarios = [file_or_example(scenario) for scenario in scenarios]
    raise typer.Exit(checks_command(scenarios, set_ or (), Console(), strict=strict, form=form))


@app.command(epilog=examples("sendlab keys", "sendlab keys brokers.latency", "sendlab keys --schema > schema.json"))
def keys(
    path: Annotated[str | None, typer.Argument(help="a key such as client.release, with everything below it")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="JSON instead of tables")] = False,
    as_schema: Annotated[bool, typer.Option("--schema", help="a JSON schema of scenarios, for editors")] = False,
) -> None:
    """List the keys of a scenario: expected value, unit, default, meaning."""
    from streaming.commands.keys_command import keys_command

    keys_command(path, as_json=as_json, as_schema=as_schema, console=Console())


@app.command(
    epilog=examples(
        "sendlab scenarios", "sendlab scenarios quickstart", "sendlab scenarios experiments/which-release --to ."
    )
)
def scenarios(
    names: Annotated[list[str] | None, typer.Argument(metavar="NAME", help="names from the list, default all")] = None,
    to: Annotated[Path | None, typer.Option(metavar="DIR", help="copy them to this folder")] = None,
) -> None:
    """List the scenarios, experiments and recordings that come with Sendlab; print one, or copy it to change it."""
    from streaming.commands.scenarios_command import scenarios_command

    scenarios_command(names or (), to, Console())


@app.command(epilog=examples("sendlab faults", "sendlab faults silent_death", "sendlab faults --json"))
def faults(
    kind: Annotated[str | None, typer.Argument(help="one kind, with a complete scenario that shows it")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="JSON instead of a table")] = False,
) -> None:
    """List the fault kinds of a scenario, each with an example."""
    from streaming.commands.faults_command import faults_command

    faults_command(kind, as_json, Console())


@app.command(epilog=examples("sendlab releases", "sendlab releases 4.9.8 5.3.3", "sendlab releases 5.3.0 --all"))
def releases(
    first: Annotated[str | None, typer.Argument(metavar="A", help="a release; alone: its changes")] = None,
    last: Annotated[
        str | None, typer.Argument(metavar="B", help="a second release: the differences between both")
    ] = None,
    everything: Annotated[bool, typer.Option("--all", help="include changes without effect, and all evidence")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="JSON instead of text")] = False,
) -> None:
    """Show what RocketMQ's releases change for an application, with the methods that changed."""
    from streaming.commands.releases_command import releases_command

    releases_command(first, last, everything, as_json, Console())


app.command(
    epilog=examples(
        "sendlab init --example cluster",
        "sendlab init --collect > collect.sh",
        "sendlab init cluster/ --out my-cluster.yaml",
        "sendlab init cluster/clusterList.txt cluster/topics.txt cluster/range.json --out orders.yaml",
        "sendlab init --brokers 3 --release 4.9.8 --producers 20 --rate 2000/s --queues 8 --out planned.yaml",
    )
)(init)
app.command(epilog=EXAMPLES)(hunt)
add_experiment_commands(app)


@app.command(epilog=examples("sendlab doctor", "sendlab doctor --json"))
def doctor(as_json: Annotated[bool, typer.Option("--json", help="JSON instead of a table")] = False) -> None:
    """Check Java, Python, memory, cores and disk, and show what to do."""
    from streaming.commands.doctor_command import doctor as examine

    raise typer.Exit(examine(as_json))


add_looking(app)
add_kafka(app)
app.add_typer(verify)


def main() -> None:
    """Run the command line: one sentence and an exit code for everything that can go wrong."""
    problems = Console(stderr=True, highlight=False, soft_wrap=True)
    try:
        sys.exit(as_asked(app, sys.argv[1:])(standalone_mode=False) or 0)
    except typer.TyperException as error:
        problems.print(misused(error), markup=False)
        sys.exit(BAD_INPUT)
    except InputError as error:
        problems.print(str(error), markup=False)
        sys.exit(BAD_INPUT)
    except ValueError as error:
        from simulator.scenario.reading.scenario_error import ScenarioError  # it takes long to import

        if not isinstance(error, ScenarioError):
            raise
        problems.print(str(error), markup=False)
        sys.exit(BAD_INPUT)
    except EnvironmentProblem as error:
        problems.print(str(error), markup=False)
        sys.exit(BAD_ENVIRONMENT)
    except ModuleNotFoundError as error:
        problem = lacking(error)
        if problem is None:
            raise
        problems.print(str(problem), markup=False)
        sys.exit(BAD_ENVIRONMENT)
    except (Interrupted, KeyboardInterrupt) as error:
        problems.print(str(error) or "interrupted", markup=False)
        sys.exit(INTERRUPTED)
    except SystemExit as end:
        if end.code == INTERRUPTED:  # typer makes this of Ctrl-C, without a word
            problems.print("interrupted", markup=False)
        raise
    except BrokenPipeError:
        sys.stderr.close()
        sys.exit(CHECK_FAILED)
    except OSError as error:
        problems.print(str(disk_problem(error, Path(error.filename or "the output"))), markup=False)
        sys.exit(BAD_ENVIRONMENT)


if __name__ == "__main__":
    main()
