"""What is printed about jobs: their folders, checkpoints, changes and ends."""

from __future__ import annotations

from state.texts import Text


class JobTexts:
    """What is printed about jobs: their folders, checkpoints, changes and ends."""

    ARCHIVE_NOT_WRITTEN = Text("the JVM that was to write {archive} ended with {code}")
    AT_LEAST_ONE_EXPECTED = Text("expected at least one of {known}")
    A_TRACE_NEEDS_ARMS = Text("expected a recording, got a folder; a trace is replayed with --arm KEY=VALUE")
    CANNOT_RESTART = Text("{why}; choose another --out, or start over with --fresh")
    CHANGES_DAMAGED = Text("the list of the job's changes is damaged: {why}")
    CHANGING = Text("changing the scenario after the micro-batch that is under way")
    CHECKPOINT_DAMAGED = Text("the checkpoint is damaged: {problem}; start over with --fresh")
    CHECKPOINT_ELSEWHERE = Text(
        "Spark's part of this checkpoint is in {place}, not in {url}; give the --checkpoint that it "
        "began with, or start over with --fresh"
    )
    CHECKPOINT_IN_USE = Text("another run is using this checkpoint")
    CHECKPOINT_IS_A_FILE = Text("expected a checkpoint folder, got a file")
    CHECKPOINT_NOT_EMPTY = Text("not a checkpoint of sendlab and not empty; choose another folder")
    CHECKPOINT_NOT_PERMITTED = Text("no permission to read and write this checkpoint folder")
    CHECKPOINT_OF_ANOTHER_RUN = Text(
        "the checkpoint is of another run ({found}); run that one again, choose another --out or "
        "--checkpoint, or start over with --fresh"
    )
    CHECKPOINT_UNREADABLE = Text("the checkpoint is damaged ({why}); start over with --fresh; details: {log}")
    COMES_BACK_TOO_OFTEN = Text(
        "with --forever it would come back {times:,} times, and at most {most:,} can be planned; give it "
        "an `until`, or a longer `every`"
    )
    CUT_SHORT = Text(
        "stopped in the middle of a micro-batch, which runs again; the same command resumes after the last finished one"
    )
    DISK_FULL = Text("the disk is full; make room and run the same command again")
    EVENTS_EXPECTED = Text("expected 1 or more")
    FAILED = Text("the job failed: {why}; details: {log}")
    FIRST_BATCH = Text("first micro-batch, {seconds:.0f} s so far: {doing}")
    FIRST_ROWS_MISSING = Text(
        "the first rows of this checkpoint's run are not in {out}; give its --out, choose another "
        "--checkpoint, or start over with --fresh"
    )
    FOLDER_IN_USE = Text("another run is writing into this folder")
    FOLDER_IS_A_URL = Text(
        "{where} {scheme}://{place}: expected a folder that every machine of the job has mounted at the "
        "same path; {scheme}:// is none (a finished folder can be copied there: docs/scale.md)"
    )
    HEAP_FULL = Text(
        "the heap of Spark's JVM, {memory}, is full: with more --memory the same command resumes from the last "
        "micro-batch; or cut the scenario into more cells (cells: N), a new run"
    )
    JVM_ENDED = Text(
        "Spark's JVM ended while the job ran; the same command resumes from the last micro-batch; its log is {log}"
    )
    KAFKA_WITHOUT_BROKERS = Text("the sink kafka needs to know its brokers")
    MEMORY_EXPECTED = Text("expected 512m or more, such as 2g")
    LAST_RELOAD_APPLIES = Text("from {at} on the last reload applies{differs}")
    MORE_KEYS = Text("{count} more {count:key|keys}")
    METRICS_MISS_ROWS = Text("metrics may miss rows that no scrape has read yet: {why}")
    METRICS_ON = Text("metrics on {url}")
    NAMES_NO_CHANGE = Text("it names no change, or not from when on")
    NOTE_OF_OTHERS = Text("not written by sendlab; choose another --out")
    NOT_MERGED = Text("the tables' files are not merged any more: {problem}")
    NOT_A_CHECKPOINT = Text("not a checkpoint of sendlab: it has no {manifest}")
    NOT_ONE_RUN = Text("expected the checkpoint of one run of a scenario, got {kind} {name}")
    NO_CHECKPOINT = Text(
        "no such checkpoint folder; give the --out or --checkpoint of sendlab run (a job makes it when it prints "
        "'starting Spark')"
    )
    NO_DECISION_YET = Text("waiting for the first decisions")
    COMPILES_FIRST = Text("compiling the model before the first decision: it takes minutes once, and is kept on disk")
    NO_END = Text("no end")
    NO_JVM = Text("the session has no JVM of its own")
    NO_KAFKA_BROKER = Text(
        "no Kafka broker has answered for minutes; the same command resumes from here; details: {log}"
    )
    NO_OBJECT_STORE = Text(
        "the object store of the checkpoint is unreachable or rejected the credentials; the same command resumes from "
        "here; details: {log}"
    )
    NO_TABLE = Text("no such table; known: {tables}; did you mean {near}?")
    OBJECTS_WITHOUT_PLACE = Text("the sink objects needs to know its place: --objects s3://BUCKET/PLACE")
    OTHER_KIND = Text("a {stored} there, a {wanted} now")
    OTHER_LAYOUT = Text("state layout {stored} there, {wanted} now")
    OTHER_RUNS = Text("run {stored} there, {wanted} now")
    OTHER_VALUE = Text("{key}: {stored} there, {wanted} now")
    OTHER_TABLES = Text("the output has the tables {tables}; choose another --out, or start over with --fresh")
    OTLP_WITHOUT_COLLECTOR = Text("the sink otlp needs to know its collector: --otlp http://127.0.0.1:4318")
    OUTPUT_DAMAGED = Text(
        "the file is damaged, and its rows are not made again: put back what was there, or start over "
        "with --fresh ({why})"
    )
    OUTPUT_IS_A_FILE = Text("expected an output folder, got a file")
    OUTPUT_IS_THE_CHECKPOINT = Text("the checkpoint needs its own folder; choose another --checkpoint")
    OUTPUT_NOT_EMPTY = Text("the folder is not empty and not the output of a sendlab run; choose another --out")
    OUTPUT_OF_ANOTHER_CHECKPOINT = Text(
        "the output does not go with the checkpoint in {checkpoint}; give its own --checkpoint, choose "
        "another --out, or start over with --fresh"
    )
    OUTPUT_OF_ANOTHER_RUN = Text(
        "the output belongs to another run ({found}){hint}; choose another --out, or start over with --fresh"
    )
    OUTPUT_WITHOUT_CHECKPOINT = Text(
        "an output folder without a checkpoint in it: --engine plain keeps none, and --checkpoint may "
        "have put it elsewhere"
    )
    PLAIN_AFTER_SPARK = Text(
        "the streaming job has written here, and the plain engine cannot resume its run; leave --engine "
        "plain out, choose another --out, or start over with --fresh"
    )
    PLAIN_NOT_BEGUN = Text(
        "stopped before anything was simulated: nothing is in {out}; the same command starts from the beginning"
    )
    PLAIN_STOPPED = Text(
        "stopped at {reached} of {duration}: what is simulated until then is in {out}, for sendlab "
        "report; the same command starts from the beginning"
    )
    PLANNING_BATCH = Text("Spark plans it")
    PRODUCERS_DO_NOT_FIT = Text(
        "{producers:,} {producers:producer|producers} need about {needed:.1f} GiB, and this machine has "
        "{total:.1f}: about "
        "{fitting:,} such {fitting:producer fits|producers fit}; --memory starts the run anyway"
    )
    PROGRESS = Text("{per_s:,.0f} sends/s  {retries:,} {retries:retry|retries}  {failures:,} failed{left}")
    REACHED_OF = Text("{reached} of {total}")
    RECORDS_GONE = Text(
        "the next records of the topic are gone (retention or compaction); start over with --fresh; details: {log}"
    )
    REPLAY_STOPPED = Text("stopped; nothing is kept without --out")
    REQUEST_DAMAGED = Text("the request for a change is damaged: {why}")
    RESTARTING = Text("{problem}; restarting in {wait_s:g} s ({tries})")
    RESUMING = Text("resuming at {at}{total}{so_far}")
    RESUMING_OF = Text(" of {total}")
    RUN_AT_ITS_END = Text("the run is at its end and cannot change; choose another --out, or start over with --fresh")
    RUN_IS_FINISHED = Text("this run is finished (--fresh starts over)")
    SCENARIO_DIFFERS = Text("; this scenario differs: sendlab reload applies it")
    SCENARIO_OF_ANOTHER_VERSION = Text("its scenario is of another version of sendlab; run it again")
    SCENARIO_UNREADABLE = Text("its scenario is of another version of sendlab: {why}")
    SO_FAR = Text("; so far {counts}")
    SPANS_REFUSED = Text("{why}; the same command resumes from here; details: {log}")
    SPEED_EXPECTED = Text("expected a number of virtual seconds a real second, 0 = as fast as it can")
    STARTING_JAVA = Text("starting Java and Spark")
    STARTING_SPARK = Text("starting Spark")
    STATE_OF_ANOTHER_VERSION = Text("its state is of another version of sendlab; run it again")
    STILL_STARTING = Text("the job (process {process}) is still starting; run the same command again in some seconds")
    STOPPED = Text("stopped between two micro-batches; the same command resumes from here")
    STOPPED_WITH_JVM = Text(
        "stopped, and Spark's JVM with it; the same command resumes after the last finished micro-batch"
    )
    STOPPING = Text("stopping after the micro-batch that is under way")
    TASKS_RUN = Text("Python workers start and load the model; {done} of {tasks} {tasks:task has|tasks have} finished")
    TIME_LEFT = Text("  {left} left")
    VIRTUAL_TIME = Text("virtual time {at}")
    WITHOUT_END = Text("; it has no end; --forever continues it")
    WORKER_DID_NOT_START = Text(
        "a Python worker of Spark did not start within ten seconds: this machine is too busy; the same command resumes "
        "from here"
    )
