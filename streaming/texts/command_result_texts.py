"""What commands print of what they did."""

from __future__ import annotations

from state.texts import Text


class CommandResultTexts:
    """What commands print of what they did."""

    ADVICE_MEANS = Text("mean of all situations; intervals are on the page")
    ALLOW_REJECTS = Text("{why}; --allow-rejects imports the others")
    AND_MORE = Text("{named} and {count} more")
    ALL_REJECTED = Text("all {rejects:,} {rejects:row was|rows were} rejected, see {table}")
    ARMS_RELEASE = Text("the model runs release {releases}")
    ARMS_RELEASE_DIFFERS = Text(
        "the model runs release {releases}, as {edited} sets it; the trace was fitted with {fitted}"
    )
    ARMS_RELEASE_EDITED = Text("the model runs release {releases}, as {edited} sets it")
    BATCHES_SAME = Text("micro-batches {first} to {last}: {rows:,} {rows:row|rows}, the same as the first time")
    BATCH_DIFFERS = Text("micro-batch {batch}: {difference}")
    BATCH_IS_THE_LAST = Text("micro-batch {batch} is the last: there is nothing after it")
    CALIBRATED_FAULT = Text("{broker} {kind} {text}{at}, {sure}: {evidence}")
    CALIBRATED_FIGURES = Text("{runs} {runs:run|runs}: {within} of {figures} {figures:figure|figures} within tolerance")
    CALIBRATED_TO = Text("<FittedScenario to {trace}: {within} of {figures} {figures:figure|figures} within tolerance>")
    CALIBRATED_TRACE = Text(
        "{attempts:,} {attempts:attempt|attempts}, {producers:,} {producers:producer|producers}, {brokers} "
        "{brokers:broker|brokers}, {seconds:,.0f} s"
    )
    CALIBRATING = Text("fitting a scenario to the trace")
    CAME_AGAIN = Text(", {count:,} {count:row|rows} came again")
    CELL_STATE = Text(
        "run {run}, cell {cell}: clock {clock_s:,.3f} s, events {events:,} in = {handled:,} handled + {rejected:,} "
        "rejected"
    )
    CHANGE_ON_RESUMING = Text("the job is stopped; the change applies when it resumes:")
    CHOOSING_AGAIN = Text("making the decision again")
    COLUMNS_DIFFER = Text("the columns differ")
    COMPACTED = Text("{before:,} {before:file|files}, now {after:,}{removed}")
    COMPARING_RUNS = Text("comparing both runs")
    CONFIRMED = Text("{records:,} {records:record|records} confirmed")
    CONFIRMED_BY_PARTITION = Text("{records:,} {records:record|records} confirmed, by partition {counts}")
    DECISIONS_IN = Text("decisions in {folder}")
    DECISIONS_NOT_STORED = Text("the decisions were not stored: name a folder with --out")
    DROPPED_TWICE = Text(", {count:,} {count:duplicate|duplicates} dropped")
    EXAMPLES_COPIED = Text("{count} {count:file|files} in {to}; try: sendlab {command} {argument}")
    EXAMPLES_HINT = Text("sendlab scenarios NAME prints one, with --to DIR copies it")
    FAULTS_FOUND = Text("faults found")
    FAULT_ITEM = Text("{broker} is {isolated} (currentLatency {latency_ms} ms{reach})")
    FAULT_AFFECTS_CONSUMERS = Text("{target} or consumers and broker")
    FAULT_KIND = Text(
        "{kind}: {meaning}\neffect: {effect}\n"
        "affects: {whom}; required keys: {needs}; optional keys: {may}; {length}\n\n"
    )
    FAULT_LASTS = Text("without `for` it lasts to the end")
    FAULT_NEEDS_FOR = Text("needs `for`")
    FIRST_DECISIONS = Text("first decisions after {seconds:.1f} s")
    FIT_ASSUMED = Text("Assumed: {what}.")
    FIT_LEFT_OUT = Text(
        "{within} of {points} {points:point|points} left out of the fit {within:is|are} predicted within tolerance."
    )
    FIT_OF_ALL = Text("The fit used every point; measure more points to check its predictions.")
    FIT_RUNS = Text("fitting {seen} of {points} {points:point|points}")
    FIT_SIMULATES = Text("simulating every point")
    FIT_TRIED = Text(
        "fitting {seen} of {points} {points:point|points}: {clusters} {clusters:cluster|clusters} tried, nearest "
        "{distance:.1%} off"
    )
    FIT_WRITTEN = Text("Written: {out}. Try: sendlab run {out} --engine plain --set producers.threads=50")
    FORK_BEGINS = Text(
        "All arms start from the state after micro-batch {batch}, at {at}. With the job's own seed, {seed}, the arm "
        "'{arm}' is what the job itself does next; other seeds have other messages from then on."
    )
    FORK_OF_ANOTHER_RELEASE = Text(
        "An arm of another release takes over every counter and fault item, as if its producers were upgraded in "
        "place, one by one, and had kept both; a real restart forgets them."
    )
    IMPORTED = Text(
        "{attempts:,} {attempts:attempt|attempts} of {seconds:,.1f} s imported, {rejects:,} rejected{dropped}"
    )
    INIT_ANSWERS = Text("five answers")
    INIT_ASSUMED = Text("Assumed, and marked so in the file: {keys}.")
    INIT_EXAMPLE = Text(
        "{count} {count:file|files} in {to}: what mqadmin, Prometheus and the RocketMQ exporter printed about three "
        "brokers of 5.3.3.\nNext: sendlab init {to}"
    )
    INIT_NOTED = Text("Noted in the file: {note}")
    INIT_NEXT = Text("Next: sendlab check {out}; sendlab run {out} --engine plain")
    INIT_OPTIONS = Text("options of the command line")
    INIT_WRITTEN = Text("Written: {out}: {counted}.")
    ISOLATED_UNTIL = Text("isolated until {until_s:.3f} s")
    JUDGING = Text("judging over {seeds} {seeds:seed|seeds}")
    KEY_STAYS = Text("{key} stays {there}; {file} has {here}")
    LOOKING_FOR_MESSAGE = Text("looking for the message")
    MEASURED = Text("{measure} is {mean} ({interval})")
    MEASURED_ONCE = Text("{measure} is {mean} in one run; more seeds give an interval")
    MORE_FAULTS = Text("and {count} more {count:fault|faults}, all in the scenario")
    MORE_ROWS = Text("... and {count:,} more; --json or --parquet FILE gives all")
    NOTHING_CHANGES = Text("nothing changes")
    NOT_ISOLATED = Text("not isolated")
    NOT_MEASURED_IN = Text("{measure} was not measured in {missing} of {runs} {runs:run|runs}")
    NO_CHANGE = Text("no change: the job already matches the scenario")
    NO_DECISIONS = Text("{count:,} {count:record is|records are} no decisions of a job and not counted")
    NO_DECISION_THERE = Text("no decision is there yet")
    NO_FAULT_FOUND = Text("no fault found")
    NO_FAULT_ITEM = Text("no fault item for {broker}")
    NO_FILE_YET = Text("no table has a file yet")
    OLD_ROWS_REMOVED = Text("; {rows:,} {rows:row was|rows were} older and {rows:is|are} removed")
    OPENING_RUN = Text("opening the run")
    OPENING_RUNS = Text("opening both runs")
    PARTS_OF_LOG = Text("parts of the log")
    PLAIN_NEEDS_MEMORY = Text(
        "--engine plain needs about {needed:,.0f} GiB of memory for it, this machine has {has:,.0f} GiB; run it with "
        "Spark, or for a shorter time"
    )
    POLICY_FINE = Text("fine: {parts}; deterministic, restored exactly, within the list, no index outside its memory")
    POLICY_TRIED = Text("compiling {file} and asking it drawn questions")
    POLICY_WRITTEN = Text("{file}: change it, then: sendlab policy check {file}")
    PRODUCERS_COUNTED = Text("{count:,} {count:producer|producers}")
    PUBLISHED_TO = Text("publishing {scenario} to topic {topic} at {bootstrap}")
    READING_SCENARIO = Text("reading the scenario")
    READING_STATE = Text("reading the state with Spark")
    READ_ONLY = Text("{attempts:,} {attempts:attempt|attempts} of {seconds:,.1f} s read, {rejects:,} rejected{dropped}")
    RECORDED_ATTEMPTS = Text("recorded attempts of real producers")
    RELEASES_COMPARED = Text("From {older} to {newer}, as an application sees it:")
    REPLAYED = Text(
        "release {release}, {producers} {producers:producer|producers}, {length}, {events:,} recorded "
        "{events:event|events}"
    )
    REPLAYED_EVENTS = Text(
        "events: {generated:,} in = {handled:,} handled + {rejected:,} rejected; {decisions:,} "
        "{decisions:decision|decisions}"
    )
    ROWS_NOT_USED = Text("{count:,} {count:row|rows} could not be used; the first:")
    ROWS_WRITTEN = Text("{rows:,} {rows:row|rows} of {table} in {file}")
    ROW_COUNTS_DIFFER = Text("{table} has {now:,} {now:row|rows}, the first time {before:,}")
    ROW_DIFFERS = Text("row {row}, {column}: {now}, the first time {before}")
    RUN_BEGINS = Text(
        "release {releases}, strategy {strategy}, {producers:,} {producers:producer|producers}, "
        "{brokers:,} {brokers:broker|brokers}, {length}"
    )
    RUN_COUNTS = Text(
        "{sends:,} {sends:send|sends}, {failures:,} failed, {retries:,} {retries:retry|retries}; "
        "events: {generated:,} in, {handled:,} handled, {rejected:,} rejected"
    )
    RUN_FINISHED = Text("this run is finished; its results follow (--fresh starts over)")
    RUN_LENGTH = Text("{duration} of virtual time, about {messages:,.0f} {messages:message|messages}")
    RUN_LENGTH_AT_MOST = Text("{duration} of virtual time, up to about {messages:,.0f} {messages:message|messages}")
    RUN_OVER_PROXIES = Text(
        "{clients} over proxies, {producers:,} {producers:producer|producers}, {brokers:,} {brokers:broker|brokers}, "
        "{length}"
    )
    RUN_UNTIL_STOPPED = Text("runs until stopped with Ctrl-C or SIGTERM")
    RUN_WITHOUT_END = Text("without an end")
    SCENARIO_CAN_BE_RUN = Text("can be run: {summary}; {takes}")
    SCENARIO_FINE = Text("fine: {summary}; {takes}")
    SCENARIO_SUMMARY = Text(
        "{name}; release {releases}; {parts}; {duration} of virtual time, about {messages:,.0f} "
        "{messages:message|messages}"
    )
    REPLICAS_INSTEAD = Text("There are sets of replicas: --replicas tries who takes over from a master instead.")
    SCENARIO_WRITTEN = Text("scenario in {out}")
    SCENARIO_WRITTEN_TOO = Text("scenario in {out}, report in {report}")
    SERVED = Text("{count} {count:job|jobs} on {url} (Ctrl-C ends it)")
    STATE_AFTER = Text("after micro-batch {batch}")
    STATE_CHANGED = Text("what micro-batches {first} to {last} changed")
    STRATEGY_IN_SOME = Text("on in some groups")
    TABLES_IN = Text("tables in {out}; for the report: sendlab report {out}")
    TOPIC_MADE = Text(", made with {partitions} {partitions:partition|partitions}")
    TRACE_IN = Text("trace in {out}")
    WAITING_FOR_MICRO_BATCH = Text("waiting for the end of the micro-batch that is under way")
    WATCHED = Text(
        "virtual time {at}: {messages:,} {messages:message|messages}, {retries:,} {retries:retry|retries}{again}"
    )
    WITHOUT_SPARK = Text(
        "Spark is not installed: this runs on the plain engine, with the same results (sendlab[spark] brings Spark)"
    )
