"""`sendlab run`: check what was asked, run the job, tell what happened."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from rich.console import Console

from simulator.scenario import Scenario, load_scenario
from simulator.scenario.checks.warnings import warnings_of
from simulator.scenario.loading.scenario_file import effectless_of
from streaming.clock import virtual_time
from streaming.commands.check_command import show_warnings
from streaming.commands.jobs.compact_command import keep_asked
from streaming.commands.judged_run import JudgementAsked
from streaming.commands.kafka.kafka_options import SOURCES, KafkaOptions, source_asked
from streaming.errors import InputError
from streaming.files.json_file import write_json
from streaming.jobs.asked import checkpoint_asked, folder_asked, sinks_asked, tables_asked
from streaming.jobs.endless.forever import check_endless
from streaming.jobs.folders.output_folder import NOTE, note_of
from streaming.jobs.job import FOREVER, Job, Options
from streaming.jobs.memory_needs import check_fits_machine, memory_asked, needs_of
from streaming.jobs.run_job import run_job
from streaming.jobs.scenario_job import scenario_job, tables_of
from streaming.jobs.sinks import KafkaOutput
from streaming.kafka.brokers.kafka_cluster import check_topics
from streaming.kafka.intake.kafka_source import KafkaInput
from streaming.live.metrics_server import served_metrics
from streaming.objects.place import place_asked
from streaming.options.changes import overrides_of
from streaming.options.engine_choice import PLAIN, engine_asked
from streaming.otlp.collector import collector_asked
from streaming.own_policies.settled import settle
from streaming.report.causes.causes_option import DEFAULT, budget_asked
from streaming.spark.cluster import is_elsewhere
from streaming.spark.jars import CONNECTOR, jars
from streaming.spark.java import require_spark
from streaming.spark.master import master_asked
from streaming.texts.command_result_texts import CommandResultTexts
from streaming.texts.command_texts import CommandTexts

RESTARTS_FOREVER = 10  # in a row
NO_KAFKA = KafkaOptions()
NOT_JUDGED = JudgementAsked()


class LongRun(NamedTuple):
    """What a job that runs for long is given: see the command line's options of the same names."""

    forever: bool = False
    restarts: int | None = None
    keep: str | None = None
    metrics_port: int | None = None

    @property
    def most_restarts(self) -> int:
        """Restarts in a row."""
        usual = RESTARTS_FOREVER if self.forever else 0
        return usual if self.restarts is None else self.restarts


SHORT = LongRun()


def speed_of(pace: str) -> float:
    """Virtual seconds a real second; 0 for `max`. Raises InputError."""
    if pace == "max":
        return 0.0
    matched = re.fullmatch(r"(\d+(?:\.\d+)?)x", pace)
    if matched is None or float(matched[1]) <= 0:
        raise InputError(CommandTexts.PACE_EXPECTED().at(f"--pace {pace}"))
    return float(matched[1])


def _streaming_alone(options: Options, source: str, metrics_port: int | None) -> list[str]:
    """The options given that only the streaming job has."""
    given = {
        f"--source {source}": source != SOURCES[0],
        "--checkpoint": options.checkpoint is not None or options.checkpoint_url is not None,
        f"--sink {options.sinks[-1]}": options.sinks != ("parquet",),
        "--pace": options.speed > 0,
        "--master": options.master is not None,
        "--partitions": options.partitions is not None,
        "--memory": options.memory is not None,
        "--metrics-port": metrics_port is not None,
        "--forever": options.forever,
        "--restarts": options.restarts > 0,
    }
    return [name for name, is_given in given.items() if is_given]


def _is_finished(job: Job, options: Options) -> bool:
    stored = note_of(options.out)
    if options.fresh or "parquet" not in options.sinks or stored is None:
        return False
    wanted = {"digest": job.run.digest, "run": job.run.spec.run, "sink": options.sink, "tables": list(job.tables)}
    return bool(stored.get("finished")) and all(stored.get(key) == value for key, value in wanted.items())


def _tell(options: Options, console: Console, causes_s: float) -> int:
    """What happened; 1 if the tables do not fit together, else 0."""
    if "parquet" in options.sinks:
        from streaming.outputs.summary import print_summary
        from streaming.report.causes.cause_lines import report_causes, shown_findings
        from streaming.report.causes.cause_text import print_causes
        from streaming.report.causes.proving import prove_output
        from streaming.report.collected.data import collect

        prove_output(options.out, causes_s, console)
        data = collect(options.out)
        summary, causes = data.summary, report_causes(data)
        found = shown_findings(causes.lines)
        print_summary(summary, console)
        noted = [one.as_json() for one in found]
        # Another run may have begun in the folder since this one gave it back.
        if data.output.about.get("findings") != noted and note_of(options.out) == data.output.about:
            write_json(options.out / NOTE, data.output.about | {"findings": noted})
        print_causes(causes, console)
        console.print(CommandResultTexts.TABLES_IN(out=options.out), highlight=False)
        return 1 if summary.contradictions else 0
    note = note_of(options.out) or {}
    counts, events = note.get("counts"), note.get("events")
    if counts and events:
        text = CommandResultTexts.RUN_COUNTS(
            sends=counts["sends"], failures=counts["failures"], retries=counts["retries"],
            generated=events["generated"], handled=events["handled"], rejected=events["rejected"],
        )  # fmt: skip
        console.print(text, highlight=False)
    return 0


def _strategy(scenario: Scenario) -> str:
    """Whether the producers' sendLatencyFaultEnable is on."""
    is_on = {client.send_latency_fault_enable for client in scenario.clients}
    return CommandResultTexts.STRATEGY_IN_SOME() if len(is_on) > 1 else "on" if True in is_on else "off"


def _length(scenario: Scenario) -> str:
    closed = any(group.arrivals == "closed" for group in scenario.producers)
    length = CommandResultTexts.RUN_LENGTH_AT_MOST if closed else CommandResultTexts.RUN_LENGTH
    return length(duration=virtual_time(scenario.duration_us), messages=scenario.expected_messages)


def _beginning(scenario: Scenario, *, forever: bool) -> str:
    """What is run."""
    over = [group.grpc for group in scenario.producers if group.grpc is not None]
    length = CommandResultTexts.RUN_WITHOUT_END() if forever else _length(scenario)
    producers, brokers = scenario.producer_count, len(scenario.brokers)
    if len(over) == len(scenario.producers):
        clients = " and ".join(dict.fromkeys(grpc.client_text for grpc in over))
        begins = CommandResultTexts.RUN_OVER_PROXIES(
            clients=clients, producers=producers, brokers=brokers, length=length
        )
    else:
        begins = CommandResultTexts.RUN_BEGINS(
            releases=" and ".join(scenario.releases), strategy=_strategy(scenario), producers=producers,
            brokers=brokers, length=length,
        )  # fmt: skip
    return begins.at(f"[bold]{scenario.name}[/bold]")


def _kafka_ends(
    kafka: KafkaOptions, source: str, options: Options, name: str
) -> tuple[KafkaInput | None, KafkaOutput | None]:
    """What the job reads from and writes to Kafka. Raises InputError, and EnvironmentProblem if no broker answers."""
    given = output = None
    if source_asked(source) == "kafka":
        if options.speed > 0:
            raise InputError(CommandTexts.PACE_OF_TOPICS())
        given = kafka.input_for(name, endless=options.forever)
        check_topics(given.connection, given.intake.topics)
    if "kafka" in options.sinks:
        output = kafka.output_for(name)
    if given is None and output is None:
        kafka.check_unused()
    return given, output


def run_command(
    scenario_file: Path,
    out: Path,
    *,
    changes: list[str],
    checkpoint: Path | None,
    sinks: list[str],
    pace: str,
    tables: str | None,
    master: str | None,
    memory: str | None,
    partitions: int | None,
    max_events: int,
    fresh: bool,
    engine: str | None,
    source: str = SOURCES[0],
    kafka: KafkaOptions = NO_KAFKA,
    objects: str | None = None,
    otlp: str | None = None,
    long: LongRun = SHORT,
    strict: bool = False,
    judged: JudgementAsked = NOT_JUDGED,
    causes: str = DEFAULT,
    console: Console,
) -> int:
    """Run a scenario; 0, 1 if what it wrote does not fit together, an objective is missed or `strict` meets a warning.

    4 if the seeds cannot tell whether the objectives hold.

    Raises ScenarioError, InputError, EnvironmentProblem, Interrupted.
    """
    out, causes_s = folder_asked(out, "--out"), budget_asked(causes)
    options = Options(
        out=out, sinks=sinks_asked(sinks, "--sink"), speed=speed_of(pace),
        master=None if master is None else master_asked(master, "--master"), partitions=partitions,
        memory=None if memory is None else memory_asked(memory, "--memory"), max_events=max_events, fresh=fresh,
        objects=None if objects is None else place_asked(objects, "--objects"),
        otlp=None if otlp is None else collector_asked(otlp, "--otlp"),
        forever=long.forever, restarts=long.most_restarts,
        keep_us=0 if long.keep is None else keep_asked(long.keep), **checkpoint_asked(checkpoint, "--checkpoint"),
    )  # fmt: skip
    streaming_alone = _streaming_alone(options, source, long.metrics_port)
    plain = engine_asked(engine, console, streaming_alone) == PLAIN
    if (objects is None) is ("objects" in options.sinks):
        raise InputError(CommandTexts.OBJECTS_TOGETHER())
    if (otlp is None) is ("otlp" in options.sinks):
        raise InputError(CommandTexts.OTLP_TOGETHER())
    changes = [*changes, f"duration={FOREVER}"] if long.forever else changes
    settle(scenario_file, changes)
    scenario = load_scenario(scenario_file, overrides_of(changes))
    if long.forever:
        check_endless(scenario)
    elif long.keep is not None:
        raise InputError(CommandTexts.KEEP_WITHOUT_FOREVER())
    judged.check(scenario, "--forever" if long.forever else "--source kafka" if source == "kafka" else None)
    named = None if tables is None else [name.strip() for name in tables.split(",") if name.strip()]
    wanted = tables_of(scenario) if named is None else tables_asked(named, "--tables")
    if plain and streaming_alone:
        option = streaming_alone[0]
        raise InputError(CommandTexts.STREAMING_JOB_ALONE(option=option))
    if not plain:
        if memory is None and not is_elsewhere(options.master):
            check_fits_machine(needs_of(scenario), scenario.producer_count)
        require_spark()
    given, output = _kafka_ends(kafka, source, options, scenario_file.stem)
    if given is not None or output is not None:
        options = replace(options, kafka=output)
        jars(CONNECTOR, lambda text: console.print(text, style="dim"))
    console.print(_beginning(scenario, forever=long.forever), highlight=False)
    job = scenario_job(scenario, wanted, given)
    if long.forever:
        console.print(CommandResultTexts.RUN_UNTIL_STOPPED(), style="dim", highlight=False)
    for sentence in effectless_of(scenario_file, overrides_of(changes)):
        console.print(f"note: {sentence}", style="dim", markup=False, highlight=False, soft_wrap=True)
    if show_warnings(warnings_of(scenario), console) and strict:
        return 1
    if _is_finished(job, options):
        console.print(CommandResultTexts.RUN_FINISHED().at(out), style="dim")
    elif plain:
        from streaming.jobs.plain.plain_run import run_plain

        run_plain(job, out, console, fresh=fresh)
    else:
        with served_metrics(long.metrics_port, console) as onlookers:
            progress = run_job(job, options, console, onlookers)
        if progress.first_rows_s is not None:
            text = CommandResultTexts.FIRST_DECISIONS(seconds=progress.first_rows_s)
            console.print(text, style="dim", highlight=False)
    code = _tell(options, console, causes_s)
    return code or (judged.judge(scenario_file, scenario, overrides_of(changes), console) if judged.objectives else 0)
