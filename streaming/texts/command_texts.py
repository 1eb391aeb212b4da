"""What commands print about what they were asked."""

from __future__ import annotations

from state.texts import Text


class CommandTexts:
    """What commands print about what they were asked."""

    AFTER_A_RELOAD = Text("; a reload of the run can have redrawn clients' counters")
    ALL_BATCHES_MERGED = Text(
        "the files of all micro-batches are merged: whose row is whose is not known, and nothing is left to compare"
    )
    ALREADY_THERE = Text("is there already; choose another name, or --fresh to write over it")
    ARMS_ALONE = Text("{option} is for arms; give --arm, too")
    ARM_EXPECTED = Text("expected KEY=VALUE such as client.release=5.3.3")
    ARM_TWICE = Text("is there already; name each arm once")
    AT_AND_SEQ = Text("--at looks for a moment and --seq for a message; leave one of them out")
    AT_LEAST_EXPECTED = Text("expected at least {ge:g}")
    AT_MOST_EXPECTED = Text("expected at most {le:g}")
    A_FOLDER = Text("is a folder, expected the files of the log")
    A_TRACE_ALREADY = Text("already contains a trace; choose another folder, or overwrite it with --fresh")
    BATCHES_MERGED = Text(
        "the files of micro-batches up to {last} are merged: whose row is whose is not known; expected {last} or more"
    )
    BATCH_EXPECTED = Text("expected one of the stored batches, {first} to {last}")
    BATCH_UNFINISHED = Text("not every cell has come to the end of micro-batch {batch}; try another")
    BOOTSTRAP_MISSING = Text("--bootstrap is missing: expected HOST:PORT of a Kafka broker")
    CANNOT_BE_SIMULATED = Text("the files describe a cluster that cannot be simulated as it is: {why}")
    CHOOSES_OTHERWISE = Text(
        "this version of sendlab does not choose {broker} queue {queue} there, so it explains nothing{why}"
    )
    CHOICE_EXPECTED = Text("expected {known}")
    CLIENT_KEY_EXPECTED = Text(
        "expected client.KEY such as client.release=4.9.8, or producers.mode=sync or async{near}"
    )
    CONSUMERS_NOT_REPLAYED = Text(
        "{trace} is a recording of consumers and cannot be replayed; run `sendlab verify predictions "
        "{trace}` for what its groups did"
    )
    DICT_EXPECTED = Text('expected a dict such as {{"client.release": "5.3.3"}}, got {got!r}')
    DUPLICATES_EXPECTED = Text("expected a percentage such as 1%")
    EVENTS_FROM_KAFKA = Text("its arrivals and faults come from Kafka: publish others to change them")
    EVENTS_EXPECTED = Text(
        "expected a scenario or a recording, got a folder; of a run publish its scenario, of a trace the scenario that "
        "sendlab calibrate writes"
    )
    EXAMPLES_NOT_INSTALLED = Text(
        "the scenarios and settings that come with sendlab are not installed: install it again"
    )
    EXAMPLE_FOLDER = Text("expected a new or an empty folder for the example")
    FILES_OR_ANSWERS = Text(
        "sendlab init needs files of your cluster, such as sendlab init cluster/ (sendlab init --collect "
        "prints a script that saves them), or a terminal for five questions, or their answers: --brokers "
        "3 --release 5.3.3 --producers 10 --rate 1000/s --queues 8"
    )
    FILE_EXISTS = Text("{out} exists; choose another file with --out, or remove it")
    FILE_TWICE = Text("a file is given twice; its attempts would be counted twice")
    FOLDER_NOT_EMPTY = Text("the folder is not empty; choose another one")
    FOREVER_AND_FOR = Text("--forever has no end and --for gives one; leave one of them out")
    FRESH_WITHOUT_OUT = Text("--fresh starts over in the folder that --out names; give that too")
    FROM_BATCH_ALONE = Text("--from-batch cannot be combined with --arm or --out")
    GIVEN_EXPECTED = Text("expected {what}: a path, the name of an example, YAML text or a dict, got {got!r}")
    GROUP_MISSING = Text("--queue and --offset are of a message as a consumer group sees it; give --group too")
    GROUP_TAKES_NO = Text("--group takes no {options}; give --broker, --queue and --offset")
    JUDGES_WHOLE_RUNS = Text("--objective judges runs of the scenario's own events to their end; leave {option} out")
    JUST_STARTED = Text("the run has just started and has no state yet; try again later")
    KAFKA_OPTION = Text("{option} goes with --source kafka or --sink kafka; give that too, or leave {option} out")
    KEEP_EXPECTED = Text("expected a duration above 0, such as 7d")
    KEEP_WITHOUT_FOREVER = Text("--keep goes with --forever; sendlab compact --keep does it for a run that has an end")
    LIKE_MISSING = Text("a recording holds the load alone; name the scenario that receives it with --like SCENARIO")
    METRICS_ALREADY = Text("already contains metrics; overwrite them with --fresh")
    METRICS_WITHOUT_TRACE = Text(
        "is not a trace; import the log of the producers first, then add the metrics to its folder"
    )
    METRIC_EXPECTED = Text("expected {such} and others")
    MISUSED = Text("{wrong}; `{command} --help` lists what there is")
    NEEDS_OBJECTIVE = Text("{option} goes with --objective, such as --objective 'p99_ms < 200'")
    NOT_ANSWERED = Text("the job ended, or takes no changes, before it answered; nothing is changed")
    NOT_A_TRACE = Text("exists and is not a trace; choose another folder")
    NOT_OF_THIS_FORMAT = Text(
        "--map, --time-unit, --latency-unit, --decimal and --encoding are for csv and {jsonl}, "
        "--timezone for these and {log}"
    )
    NOT_THE_TRACES = Text("{what}: expected those of the trace, {theirs}, got {ours}")
    NO_ATTEMPTS = Text("the run did not write its attempts; run it with all tables")
    NO_ATTEMPT_FOUND = Text("no attempt was found in it")
    NO_CONSUMER_WINDOWS = Text("{measure} is a measure of consumer groups, and the run has no table consumer_windows")
    NO_DECISIONS = Text(
        "{recording} has no decisions to compare: it is a recording of consumers, of gRPC producers or of a "
        "failover; run `sendlab verify predictions {recording} SCENARIO` for what its clients measured"
    )
    NO_ENCODING = Text("no such encoding; expected a name such as gbk, big5, utf-16-le or cp1252")
    NO_FILES_TO_COMPARE = Text("the job wrote no files, only to {sink}; there is nothing to compare rows with")
    NO_FILE_GIVEN = Text("no FILE given; name the log files, or use --bootstrap and --topic")
    NO_FILE_NOR_EXAMPLE = Text("no such file, and {why}")
    NO_FOLDER = Text("no such folder; expected the --out folder of a run, or one above several")
    NO_FORMAT = Text("no such format{near}; known: {known}")
    NO_MICRO_BATCH = Text("the checkpoint has no committed micro-batch yet")
    NO_SUCH_FILE = Text("no such file")
    NO_USABLE_SAMPLE = Text("contains no usable sample{why}")
    NO_ZONE = Text("no such zone{near}; expected a name such as Asia/Shanghai or UTC")
    NUMBER_EXPECTED = Text("expected a number")
    OBJECTS_TOGETHER = Text("--sink objects and --objects s3://BUCKET/PLACE go together")
    OBJECT_A_LINE = Text("expected one JSON object a line; a table is imported as csv")
    OFFSETS_UNREADABLE = Text("the offsets of micro-batch {batch} cannot be read: {why}")
    OF_OTHER_SCENARIO = Text("; it is of scenario {stored}, which is now {now}")
    ONE_RECORDING = Text("expected one recording, got {got}: each has a client and a clock of its own")
    ONE_TOPIC = Text("--topic: expected one topic to publish to")
    OTHER_SPELLING = Text("instead of `sendlab {given}` run `sendlab verify {asked}`")
    OTLP_TOGETHER = Text("--sink otlp and --otlp http://HOST:4318 go together")
    OUT_FOLDER_EXPECTED = Text("expected the --out folder of a 'sendlab run', got {got!r}")
    OVERWRITES = Text("{out} exists; choose another file with --out, or --fresh to write over it")
    PACE_EXPECTED = Text("expected max or a factor such as 1x or 10x")
    PACE_OF_TOPICS = Text("--pace goes with the scenario's own events: topics have their own pace; leave it out")
    PACKAGE_MISSING = Text("{needed_by} needs {package}, which is not installed: {remedy}{otherwise}")
    POLICY_CHOSE = Text("the policy {policy} chose this queue; explain supports the rules of releases only")
    POLICY_EMPTY = Text("{file} has none of CHOOSE, AVOID and RETRY = PolicyPart(...)")
    POLICY_LOOPS = Text("{doing} did not end within {patience_s:g} s: it seems to loop forever")
    POLICY_STARTS = Text("running the file")
    POLICY_THERE_ALREADY = Text("{file} is there already; choose another name")
    PYTHON_FILE_EXPECTED = Text("expected the name of a Python file such as my_policy.py")
    READ_A_TOPIC = Text("to read a topic, run: sendlab import message-trace --bootstrap HOST:PORT --topic NAME")
    RECORDING_IS_NO_TEXT = Text("a recording is no text; copy it with --to DIR")
    RUN_WRITES_HERE = Text("a run is writing into this folder; one without an end compacts by itself")
    RUN_HAS_ENDED = Text("the run has ended after micro-batch {batch}; --batch names an earlier one")
    SCENARIO_MISSING = Text("give the SCENARIO to simulate, too, such as {near}")
    SCENARIO_OPTIONS = Text("--set and --runs are for a SCENARIO; give that, too")
    SEQ_WITHOUT_PRODUCER = Text("--seq counts the messages of one producer; give --producer too")
    SINCE_EXPECTED = Text("expected a micro-batch before {batch}")
    STATE_DOES_NOT_FIT = Text("the state of the run does not fit it: {why}")
    STATE_UNREADABLE = Text("the state cannot be read: {why}")
    STREAMING_JOB_ALONE = Text("{option} goes with the streaming job alone; leave it out, or leave --engine plain out")
    TARGET_DIFFERS = Text("is there already and differs; choose another --to")
    TENTH_REJECTED = Text("more than a tenth of its rows was rejected; allow_rejects=True takes the others")
    TOO_MANY_REJECTED = Text("no trace written: more than {most:.0%} of the rows were rejected, see {rejects}")
    WHICH_MESSAGE = Text("which message? give --producer, --topic and --seq, or a moment with --at")
    WHOLE_NUMBER_EXPECTED = Text("expected a whole number")
