"""What commands print of what they did."""

from __future__ import annotations

from state.texts import Text


class CommandResultTexts:
    """What commands print of what they did."""

    ARMS_RELEASE = Text("the model runs release {releases}")
    ARMS_RELEASE_DIFFERS = Text(
        "the model runs release {releases}, as {edited} says; the trace was fitted with {fitted}"
    )
    ARMS_RELEASE_EDITED = Text("the model runs release {releases}, as {edited} says")
    BATCHES_SAME = Text("micro-batches {first} to {last}: {rows:,} rows, the same as the first time")
    BATCH_DIFFERS = Text("micro-batch {batch}: {difference}")
    BATCH_IS_THE_LAST = Text("micro-batch {batch} is the last: there is nothing after it")
    CALIBRATED_FAULT = Text("{broker} {kind} {text}{at}, {sure}: {evidence}")
    CALIBRATED_FIGURES = Text("{runs} runs: {within} of {figures} figures within tolerance")
    CALIBRATED_TO = Text("<FittedScenario to {trace}: {within} of {figures} figures within tolerance>")
    CALIBRATED_TRACE = Text("{attempts:,} attempts, {producers:,} producers, {brokers} brokers, {seconds:,.0f} s")
    CELL_STATE = Text(
        "run {run}, cell {cell}: clock {clock_s:,.3f} s, events {events:,} in = {handled:,} handled + {rejected:,} "
        "rejected"
    )
    COLUMNS_DIFFER = Text("the columns differ")
    FAULTS_FOUND = Text("faults found")
    FAULT_ITEM = Text("{broker} is {isolated} (currentLatency {latency_ms} ms{reach})")
    FAULT_KIND = Text(
        "{kind}: {meaning}\neffect: {effect}\n"
        "affects: {whom}; required keys: {needs}; optional keys: {may}; {length}\n\n"
    )
    FAULT_LASTS = Text("without `for` it lasts to the end")
    FAULT_NEEDS_FOR = Text("needs `for`")
    FIT_ASSUMED = Text("Assumed: {what}.")
    FIT_LEFT_OUT = Text("{within} of {points} points left out of the fit are predicted within tolerance.")
    FIT_OF_ALL = Text("The fit used every point; measure more points to check its predictions.")
    FIT_RUNS = Text("fitting {seen} of {points} points")
    FIT_SIMULATES = Text("simulating every point")
    FIT_TRIED = Text("fitting {seen} of {points} points: {clusters} clusters tried, nearest {distance:.1%} off")
    FIT_WRITTEN = Text("Written: {out}. Try: sendlab run {out} --engine plain --set producers.threads=50")
    ISOLATED_UNTIL = Text("isolated until {until_s:.3f} s")
    MEASURED = Text("{measure} is {mean} ({interval})")
    MEASURED_ONCE = Text("{measure} is {mean} in one run; more seeds give an interval")
    MORE_FAULTS = Text("and {count} more faults, all in the scenario")
    MORE_ROWS = Text("... and {count:,} more; --json or --parquet FILE gives all")
    NOT_ISOLATED = Text("not isolated")
    NOT_MEASURED_IN = Text("{measure} was not measured in {missing} of {runs} runs")
    NO_FAULT_FOUND = Text("no fault found")
    NO_FAULT_ITEM = Text("no fault item for {broker}")
    PLAIN_NEEDS_MEMORY = Text(
        "--engine plain needs about {needed:,.0f} GiB of memory for it, this machine has {has:,.0f} GiB; run it with "
        "Spark, or for a shorter time"
    )
    POLICY_FINE = Text("fine: {parts}; deterministic, restored exactly, within the list, no index outside its memory")
    POLICY_TRIED = Text("compiling {file} and asking it drawn questions")
    POLICY_WRITTEN = Text("{file}: change it, then: sendlab policy check {file}")
    ROWS_WRITTEN = Text("{rows:,} rows of {table} in {file}")
    ROW_COUNTS_DIFFER = Text("{table} has {now:,} rows, the first time {before:,}")
    ROW_DIFFERS = Text("row {row}, {column}: {now}, the first time {before}")
    SCENARIO_CAN_BE_RUN = Text("can be run: {summary}; {takes}")
    SCENARIO_FINE = Text("fine: {summary}; {takes}")
    SCENARIO_SUMMARY = Text(
        "{name}; release {releases}; {parts}; {duration} of virtual time, about {messages:,.0f} messages"
    )
    REPLICAS_INSTEAD = Text("There are sets of replicas: --replicas tries who takes over from a master instead.")
    SCENARIO_WRITTEN = Text("scenario in {out}")
    SCENARIO_WRITTEN_TOO = Text("scenario in {out}, report in {report}")
    STATE_AFTER = Text("after micro-batch {batch}")
    STATE_CHANGED = Text("what micro-batches {first} to {last} changed")
