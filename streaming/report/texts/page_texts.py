"""What the page of a run and the page of a calibration say around their pictures."""

from __future__ import annotations

from state.texts import Text


class PageTexts:
    """What the page of a run and the page of a calibration say around their pictures."""

    AVOIDED = Text("of the time, per producer; most: {broker}")
    BANDS_JOINED = Text(", those close together are shaded as one in the pictures")
    BROKERS_SAY = Text("What the brokers say of themselves")
    CALIBRATED = Text(
        "{attempts:,} {attempts:attempt|attempts} of {producers:,} {producers:producer|producers} with {client} on "
        "{brokers} {brokers:broker|brokers} in {seconds:,.0f} s; {periods} of trouble found."
    )
    CLIENT = Text("client {release}")
    CLIENT_NOT_KNOWN = Text("a client that the trace does not name")
    DUPLICATES = Text("{copies:copy|copies} beyond the first, of {messages}")
    FAULTS = Text("Faults: {faults}{more}.")
    FAULTS_FOUND = Text("Faults that were found")
    FITTED = Text("Latency, quantile by quantile")
    FITTED_ATTEMPTS = Text("Latency by begin; crosses failed. Shaded: the faults that were found.")
    FITTED_LOAD = Text(
        "Attempts a second: recorded (solid), and the mean of the fitted runs (dotted). Diamonds: by their metrics."
    )
    FITTED_NOTE = Text("Answers of each broker: on the dashed line fitted equals recorded.")
    FOOTER = Text(
        "Sendlab {version}, run {run}, seed {seed}. {generated} {generated:event|events}: {handled} handled, "
        "{rejected} rejected; "
        "{skipped} met a blocked thread and sent nothing{announced}. Percentiles are off by less than 1 %. Times are "
        "virtual.{took}"
    )
    FOOTER_ANNOUNCED = Text(", {announced:,} {announced:is a fault or route update|are fault and route updates}")
    FOOTER_TOOK = Text(" Simulated in {seconds} s.")
    FOR_SO_LONG = Text("for {duration} of virtual time")
    HOW_THEY_ENDED = Text("How the messages ended")
    LOST = Text("acknowledged, no durable copy{unseen}")
    LOST_UNSEEN = Text("; {count} one-way lost unseen")
    LATENCY = Text("median {median} ms, with retries")
    NEVER_HAPPENS = Text("After the end of the run, so it never happens: {faults}.")
    NO_FAULTS = Text("No faults.")
    NO_FAULTS_YET = Text("No faults so far; still to come: {faults}.")
    NO_REJECTS = Text("No record was rejected.")
    OF_ATTEMPTS = Text("of attempts, on any broker")
    ONE_ATTEMPT = Text("1 = no retries, no batches")
    OPEN_IT = Text(" Open it in a browser; it needs no network.")
    OTHER_RESULTS = Text("{count} other {count:result|results}")
    RATE = Text("{group}: {after} instead of {before}")
    RESULTS = Text("Results of the messages")
    RESULTS_BY_GROUP = Text("Results of the messages, by producer group")
    RUN = Text("Run {run}: {clients}, seed {seed}, {seconds:,.1f} s of virtual time, {state}.")
    SENDS_EMPTY = Text("The table sends is empty.")
    SENDS_NOT_WRITTEN = Text("The table sends was not written.")
    SHARE = Text("{broker}; by its queues {percent}\u00a0%")
    STILL_TO_COME = Text("Still to come: {faults}.")
    STORY = Text("{producers} with RocketMQ {clients}, send to {topics} on {brokers} {how_long}. {what}")
    TO_COME = Text("still to come: {fault}")
    WITHOUT_END = Text("without an end, so far for {duration} of virtual time")
    WRITTEN = Text("Report: {file} ({megabytes:.1f} MB).{how}")
