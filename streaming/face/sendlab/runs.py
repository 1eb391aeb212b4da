"""One run: simulate it, start it as a job, read what it says."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sendlab.given import NO_CHANGES, Changes, Given, scenario_given
from simulator.run.simulate import Result
from simulator.run.simulate import simulate as simulated
from simulator.scenario import Scenario

if TYPE_CHECKING:
    from pyspark.sql import SparkSession
    from pyspark.sql.streaming.query import StreamingQuery

    from streaming.commands.init_command import OwnCluster
    from streaming.commands.jobs.diff_command import RunsCompared
    from streaming.commands.jobs.explain_command import Explained
    from streaming.jobs.progress import Progress


def load_scenario(scenario: Given, *, set: Changes = NO_CHANGES) -> Scenario:
    """Read a scenario: a path, the name of an example, YAML text or a dict.

    `set`: dotted keys and values; a duration may be a timedelta or `{"ms": 500}`. Raises ScenarioError, InputError.

        sendlab.load_scenario("quickstart", set={"client.send_msg_timeout": {"ms": 500}})
    """
    return scenario_given(scenario, set)


def init(
    files: str | Path | Sequence[str | Path],
    out: str | Path = "my-cluster.yaml",
    *,
    topics: Sequence[str] = (),
    release: str | None = None,
    brokers: int | None = None,
    queues: int | None = None,
    producers: int | None = None,
    rate: str | float | None = None,
    fresh: bool = False,
) -> OwnCluster:
    """Write a scenario of your own cluster to the file `out` from saved outputs of its tools, or from five answers.

    `files`: outputs of mqadmin, broker.conf, metrics, a trace, or folders of them, [] if there are none; `rate`:
    messages of all producers a second. `.assumed` names what no file says. Raises InputError.

        sendlab.init("cluster/", "my-cluster.yaml").assumed
    """
    from streaming.commands.init_command import InitOptions, own_cluster

    given = [files] if isinstance(files, str | Path) else files
    texts = {"brokers": brokers, "queues": queues, "producers": producers, "rate": rate}
    options = InitOptions(release, **{name: None if value is None else str(value) for name, value in texts.items()})
    return own_cluster([Path(file) for file in given], Path(out), options=options, topics=topics, fresh=fresh)


def simulate(
    scenario: Given, *, seed: int | None = None, set: Changes = NO_CHANGES, tables: Iterable[str] | None = None
) -> Result:
    """Run a scenario to its end in this process, without Spark or Java; the rows are the job's.

    `tables`: names of the tables to make, default those of `sendlab run`. Raises ScenarioError, InputError and
    ValueError for a table that does not exist.

        sendlab.simulate("quickstart", seed=8).frame("sends")
    """
    return simulated(scenario_given(scenario, set), seed=seed, tables=tables)


def run(
    scenario: Given,
    out: str | Path,
    *,
    set: Changes = NO_CHANGES,
    spark: SparkSession | None = None,
    checkpoint: str | Path | None = None,
    tables: Iterable[str] | None = None,
    sink: str | Iterable[str] = "parquet",
    pace: float = 0.0,
    memory: str | None = None,
    otlp: str | None = None,
    fresh: bool = False,
    on_progress: Callable[[Progress], None] | None = None,
) -> StreamingQuery:
    """Start a scenario as a streaming job and return Spark's query at once; `awaitTermination()` waits for its end.

    `pace`: seconds of virtual time in one of wall time, 0 for as fast as possible; `on_progress` is called after each
    micro-batch; `otlp`: collector of the sink otlp. The same call resumes from its checkpoint. Raises ScenarioError,
    InputError and EnvironmentProblem.

        sendlab.run("quickstart", out="out/quickstart").awaitTermination()
    """
    from streaming.jobs.background_job import run as start

    return start(
        scenario_given(scenario, set), out, spark=spark, checkpoint=checkpoint, tables=tables, sink=sink, speed=pace,
        memory=memory, otlp=otlp, fresh=fresh, on_progress=on_progress,
    )  # fmt: skip


def report(folder: str | Path, *, out: str | Path | None = None, format: str = "html", causes: str = "10s") -> Path:
    """Write the report of a run's output folder and return its path. Raises InputError and EnvironmentProblem.

    `format`: html, md or json; `out`: default FOLDER/report.FORMAT; `causes`: work to prove causes, as `--causes`.

        sendlab.report("out/quickstart")
    """
    from sendlab.given import output_given
    from streaming.report import write_report
    from streaming.report.causes.causes_option import budget_asked
    from streaming.report.causes.proving import prove_output

    given = output_given(folder)
    prove_output(given, budget_asked(causes))
    return write_report(given, out, format)


def diff(one: str | Path, other: str | Path) -> RunsCompared:
    """Compare the output folders of two runs: settings, totals, and the first decision that differs and why.

    Raises InputError.

        sendlab.diff("out/quickstart", "out/client-5.3.3").first
    """
    from sendlab.given import output_given
    from streaming.commands.jobs.diff_command import compared_runs

    return compared_runs(output_given(one), output_given(other))


def explain(
    folder: str | Path,
    *,
    producer: int | None = None,
    topic: str | None = None,
    seq: int | None = None,
    thread: int | None = None,
    attempt: int = 1,
    at: Any = None,
    broker: str | None = None,
) -> Explained:
    """Explain why a message of a run went to its queue; `print` shows it in words. Raises InputError.

    `at`: the first attempt at or after this virtual time instead, "1:05", "63.1s" or a timedelta.

        print(sendlab.explain("out/quickstart", at="1:05", broker="broker-b"))
    """
    from sendlab.given import output_given, plain
    from streaming.commands.jobs.explain_command import explained
    from streaming.explain.find_attempt import Asked, moment_asked

    at_us = None if at is None else moment_asked(str(plain(at)))
    return explained(output_given(folder), Asked(producer, thread, topic, seq, attempt, at_us, broker))
