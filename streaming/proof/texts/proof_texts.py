"""What commands of `sendlab verify` print about files, recordings and pages that they cannot use."""

from __future__ import annotations

from state.texts import Text


class ProofTexts:
    """What commands of `sendlab verify` print about files, recordings and pages that they cannot use."""

    ACTION_EXPECTED = Text("injected[{number}]: {action} of {target} is no begin or end of one of {known}")
    ACTION_LACKS = Text("injected[{number}] lacks a sound action, target or at_ms")
    AGREEMENT = Text("{agree:,} of {determined:,} {determined:decision|decisions} {agree:agrees|agree} ({percent})")
    ANSWERS_OF_POP = Text(
        "one JSON array, as the recorded answers of POP are; expected a case a line, as in .jsonl.gz files. "
        "tests/golden/test_golden_pop.py compares those of POP"
    )
    BROKERS_DIFFER = Text("the brokers differ from those of {recording}: {brokers}")
    BY_CHANCE = Text("by chance: {figure} is at most {parts} in the runs; recorded {recorded}")
    BRANCHES = Text(
        "{figure}: {parts} of the runs; recorded {recorded}. "
        "The figures below are of the {count} {count:run|runs} with as many."
    )
    BRANCH_NOT_TAKEN = Text("{figure}: {parts} of the runs; recorded {recorded}. The figures below are of all runs.")
    BROADCASTING_LEFT_OUT = Text("not measured, because they are broadcasting: {groups}")
    CASE_IS_NO_OBJECT = Text("a case is a JSON object, this is not")
    CASE_LACKS = Text("the {kind} case has no {key!r}")
    CASE_NOT_REPLAYED = Text("the {kind} case cannot be replayed ({why})")
    COLUMNS_EXPECTED = Text("expected the columns {columns}")
    DECISIONS_DIFFER = Text("{count:,} {count:decision differs|decisions differ}; the first {shown}:")
    EACH_CELL = Text("Each cell predicted by a fit to the other five: {within} of {cells} within.")
    END_NOT_KNOWN = Text(
        "the recording shows only that the {kind} of {broker} at {at_s:.1f} s ended between {first_s:.1f} s and "
        "{last_s:.1f} s"
    )
    EVENTS_UNREADABLE = Text("the events cannot be read ({why})")
    FIGURES_WITHIN = Text("{within} of {figures} {figures:figure|figures} within their tolerance")
    FIGURES_BY_CHANCE = Text("{count} by chance and inside the runs")
    FIGURES_COUNTED = Text("{within} of {figures} {figures:figure|figures} within tolerance")
    FIGURES_MISSED = Text("{count} missed")
    FILE_UNREADABLE = Text("the file cannot be read ({why})")
    FIRST_DIFFERENCE = Text("first difference of {kind} {release}")
    FITTED_TO_ALL = Text("The scenario that is kept, fitted to all six cells:")
    FOLDER_OF_RECORDINGS_EXPECTED = Text("expected a folder of recordings such as conf/traces")
    GROUPS_ARE_BROADCASTING = Text("every group is broadcasting (groups: {groups}); there is nothing to measure")
    GROUPS_NOT_PREDICTED = Text("every group is broadcasting; there is nothing to predict")
    HEADER_LACKS = Text("the header has no {key!r}")
    HEADER_UNREADABLE = Text("the header of the recording cannot be read ({why})")
    HUNTS_COUNTED = Text("{ok} of {hunts} found on the broken release and not on the fixed one")
    HUNTS_FOUND = Text(
        "**{ok}** of {incidents} {incidents:incident|incidents} {ok:is|are} found on the broken release, and nothing "
        "on the fixed one,"
    )
    HUNTS_OF_SEEDS = Text("one for each of {seeds} {seeds:seed|seeds}, with at most {schedules:,}:")
    HUNTS_RARE = Text(
        "Where a find is rare ([conf/hunts/rare.yaml](../conf/hunts/rare.yaml)): schedules until the first case,"
    )
    HUNTS_TRIED = Text("with at most {schedules} {schedules:schedule|schedules} on each side.")
    HUNTS_UNTIL = Text(
        "Schedules until the first case, the median of {seeds} {seeds:seed|seeds}, with at most {schedules}:"
    )
    INCIDENTS_OUT = Text(
        "{incidents} {incidents:incident|incidents}, {figures} {figures:figure|figures}: {wrong} out of tolerance"
    )
    INCIDENTS_WITHIN = Text(
        "{incidents} {incidents:incident|incidents}, {figures} {figures:figure|figures}: all within their tolerance"
    )
    LIVE_LEFT_OUT = Text("not compared, for they hold times, not answers: {files}")
    LIVE_RECORDING = Text("a live recording holds times, not answers; there is nothing to compare")
    NOBODY_MET = Text(
        "{count} of the {times} {times:time|times} that something was done to {brokers} no recorded producer met it"
    )
    NOBODY_SENDS = Text("{group} cannot be predicted: nobody sends to its topic {topic}")
    NOT_GZIP = Text("this is not a gzip file")
    NOT_JSON = Text("not JSON ({why})")
    NO_CASE = Text("the file holds no case")
    NO_FILE_NAMED = Text("no golden file was named")
    NO_GOLDEN_FILE = Text("the folder holds no .jsonl.gz or .jsonl file")
    NO_KIND_OF_CASE = Text("no select, send, async or rules case")
    NO_PAGE = Text("is there and no Markdown file whose tables could be updated; choose another --out")
    NO_PAIRS = Text("no two recordings of the same story (live-RELEASE-STORY) under another client")
    NO_RELEASE_IN_NAME = Text("the name of the file has no release; {kind}-5.3.3.jsonl.gz has one")
    NO_SUCH_FILE = Text("no such file or folder")
    ONE_OF_EACH_EXPECTED = Text(
        "expected one topic, one group of producers and one of consumers to compare with {group}"
    )
    OTHER_THREADS = Text("Predicted for other numbers of threads:")
    OUTCOME_EXPECTED = Text("expected one of {known}, got {outcome}")
    PAGE_EXPECTED = Text("expected a page with the lines {first} and {last} once each")
    PAIRS_BY_CHANCE = Text("What chance decides, with the central 95 % of the runs:")
    PAIRS_GOING_ON = Text(" ({predicted} if the trouble went on)")
    PAIRS_MISSED = Text("What is missed, and why:")
    PAIRS_RUNS = Text("{runs} {runs:run|runs} each")
    PAIRS_RUNS_OF_CHANCE = Text("{runs} {runs:run|runs} each ({chance} where chance decides)")
    PAIRS_WITHIN = Text(
        "{good} of {pairs} {pairs:prediction|predictions} {good:is|are} within tolerance in every figure; {runs}, "
        "predicted / recorded. In {chance} more chance decides a figure, and what was recorded is inside the runs. Of "
        "the others {between} have what was recorded between both ends of what their recording leaves open."
    )
    PAIR_BY_CHANCE = Text("{figure} {low} to {high}, recorded {recorded}, {verdict}")
    PAIR_MISSED = Text("{figure} {predicted} instead of {recorded}{going_on}")
    PRODUCERS_DIFFER = Text(
        "{scenario} has {count} {count:producer that sends|producers that send} to {topics}, {recording} "
        "{recorded}; they cannot be compared"
    )
    RECORDING_EXPECTED = Text("expected a recording, got a folder")
    SIMULATED_RUNS = Text("client {release}, {runs} {runs:run|runs} with the recording's client, rate and length")
    TABLES_EXPECTED = Text("expected a Markdown file with the lines {begin} and {end}")
    TIMEOUTS_KNOWN = Text("timeout: {exact:,} of {timeouts:,} known exactly, the rest within clock readings")
    UNDETERMINED = Text(
        "undetermined: the clock was read between two recorded values, and the decision depends on which"
    )
