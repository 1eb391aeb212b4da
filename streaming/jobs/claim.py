"""The folders of a job, held alone while it runs: found fit, emptied if it starts over, noted whose they are."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace

from streaming.files.json_file import remove_spares
from streaming.flow.feeds import plan_of_run
from streaming.flow.row_files import BeginFiles
from streaming.flow.sink import Sink
from streaming.flow.source import Reached, Source
from streaming.jobs.endless.forever import due_since_s
from streaming.jobs.folders.checkpoint import Checkpoint
from streaming.jobs.folders.folder_lock import held
from streaming.jobs.folders.manifest import SALTED, manifest_of
from streaming.jobs.folders.output_folder import check_files, check_output, clear, make_output
from streaming.jobs.folders.run_file import RunFile
from streaming.jobs.job import Job, Options
from streaming.jobs.memory_needs import heap_option
from streaming.jobs.progress import Progress
from streaming.jobs.reload.change_log import ChangeLog
from streaming.jobs.reload.restart import restarted
from streaming.jobs.sinks import files_of, sink_of
from streaming.kafka.intake.judging import Vocabulary
from streaming.kafka.intake.kafka_source import KafkaSource
from streaming.objects.place import Place
from streaming.operator.key_salts import Salts, salts_of
from streaming.otlp.collector import Collector
from streaming.otlp.time_zero import zero_ns_of
from streaming.problems import disk_problem
from streaming.spark.checkpoint.checkpoint_files import OFFSETS
from streaming.spark.cluster import is_elsewhere
from streaming.texts.job_texts import JobTexts

JARS = "spark.jars"
MOST_PARTITIONS = 200  # unless asked for: each costs a micro-batch some milliseconds


@dataclass
class Claim:
    """A job that may run: nobody else writes into its folders, and its progress goes to run.json.

    lines: the changes to the scenario that it began with; has_salts: whether the keys of its cells have salts.
    """

    job: Job
    options: Options
    checkpoint: Checkpoint
    source: Source
    sinks: tuple[Sink, ...]
    partitions: int
    progress: Progress
    run_file: RunFile
    lines: tuple[str, ...] = ()
    has_salts: bool = True

    def change(self, job: Job) -> None:
        """Be another job from the next micro-batch on; no query runs."""
        self.job, self.source = job, source_of(job, self.options, self.checkpoint)
        self.run_file.tell(job.run.about)

    @property
    def memory(self) -> str:
        """Heap of a JVM of its own."""
        return self.options.memory or heap_option(self.job.needs)

    @property
    def spark_settings(self) -> dict[str, str]:
        """What source, sinks and checkpoint need of a session."""
        given: list[Mapping[str, str]] = [self.source.spark_settings, self.checkpoint.files.spark_settings]
        given += [sink.spark_settings for sink in self.sinks]
        jars = dict.fromkeys(each[JARS] for each in given if JARS in each)  # the other settings do not meet
        found = {name: value for each in given for name, value in each.items()}
        return found | ({JARS: ",".join(jars)} if jars else {})

    @property
    def salts(self) -> Salts | None:
        """What spreads the job's cells over the state partitions; one needs nothing."""
        if not self.has_salts or self.partitions == 1:
            return None
        return salts_of({run.spec.run: run.cells for run in self.job.runs}, self.partitions)

    @property
    def files(self) -> BeginFiles | None:
        """Files that the operator writes rows to itself, instead of blocks that a sink takes.

        They are named by partition, so each cell needs one of its own, as salts give it.
        """
        apart = self.job.cells <= self.partitions and (self.has_salts or self.partitions == 1)
        return files_of(self.sinks) if apart else None

    @property
    def reached(self) -> Reached:
        """How far the committed micro-batches are. Raises InputError if the checkpoint is damaged."""
        try:
            return self.source.reached(self.checkpoint.committed_offsets())
        except (ValueError, LookupError, TypeError) as error:
            raise self.checkpoint.unreadable_offsets(error) from error


@contextmanager
def claimed(job: Job, options: Options) -> Iterator[Claim]:
    """Hold the folders of a job as long as it runs.

    Raises InputError (another run's folders, or in use) and EnvironmentProblem (cannot be written, disk full), and
    then nothing in them has changed.
    """
    checkpoint = Checkpoint(options.checkpoint_folder, options.checkpoint_url)
    try:
        checkpoint.check_place(fresh=options.fresh)
        restart = restarted(job, options, checkpoint)
        partitions = _partitions(job, options, checkpoint)
        manifest = manifest_of(restart.job, partitions, options.sink)

        def check() -> None:
            check_output(options.out, checkpoint, restart.job.run, fresh=options.fresh)
            if not (options.fresh and checkpoint.exists):
                checkpoint.check_fits(manifest)

        check()
        make_output(options.out)
        with held(options.out, JobTexts.FOLDER_IN_USE()), checkpoint.owned():
            restart = restarted(job, options, checkpoint)
            check()  # again: until now another run could have begun here
            remove_spares(options.out)
            if options.fresh:
                clear(options.out, checkpoint)
            checkpoint.check_whole()
            check_files(options.out, (checkpoint.batches() or [-1])[-1])
            job = restart.job
            checkpoint.begin(manifest)
            if restart.reload is not None:
                ChangeLog.of(checkpoint).having(restart.reload).store()
            place = _place(job, options, checkpoint)
            collector = None if options.otlp is None else Collector(options.otlp, zero_ns_of(checkpoint.folder))
            sinks = tuple(sink_of(name, options.out, options.kafka, place, collector) for name in options.sinks)
            for sink in sinks:
                sink.begin()
            belongs: dict[str, object] = {
                "checkpoint": checkpoint.identity,
                "sink": options.sink,
                "tables": list(job.tables),
            }
            belongs |= {"keep_us": options.keep_us} if options.keep_us else {}
            belongs |= {"forever": options.forever} | ({"objects": options.objects} if options.objects else {})
            run_file = RunFile(options.out, {**job.run.about, **belongs})
            progress = Progress(job.runs, resumed=bool(checkpoint.batches()))
            run_file.update(progress)
            progress.subscribe(run_file.update)
            source = source_of(job, options, checkpoint)
            has_salts = bool(checkpoint.manifest().get(SALTED))
            yield Claim(
                job, options, checkpoint, source, sinks, partitions, progress, run_file, restart.lines, has_salts
            )
    except OSError as error:
        raise disk_problem(error, options.out) from error


def source_of(job: Job, options: Options, checkpoint: Checkpoint) -> Source:
    """Where the job's blocks come from."""
    if job.kafka is not None:
        names = Vocabulary.of(plan_of_run(job.run.spec))
        return KafkaSource(job.kafka, names, checkpoint.stop_file, checkpoint.files, options.max_events)
    from streaming.flow.step_source import StepSource  # it needs Spark

    source = StepSource(job.specs, checkpoint.stop_file, options.max_events, options.speed)
    if not options.forever or options.speed <= 0:
        return source
    reached_us = source.reached(checkpoint.committed_offsets()).until_us or 0
    return replace(source, due_since_s=due_since_s(checkpoint, options.speed, reached_us))


def _place(job: Job, options: Options, checkpoint: Checkpoint) -> Place | None:
    if options.objects is None:
        return None
    is_begun = bool(checkpoint.batches(OFFSETS))
    return Place(options.objects, job.run.spec.run, str(checkpoint.identity), is_begun, options.fresh)


def _partitions(job: Job, options: Options, checkpoint: Checkpoint) -> int:
    """State partitions: those of the checkpoint, in a new one as many as there are cores and cells for.

    How many cores a cluster gives is not known yet: there, as many as there are cells, within reason.
    """
    kept = checkpoint.manifest().get("partitions") if checkpoint.exists and not options.fresh else None
    cores = MOST_PARTITIONS if is_elsewhere(options.master) else os.cpu_count() or 1
    return options.partitions or kept or max(1, min(cores, job.cells))
