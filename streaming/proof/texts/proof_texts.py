"""What commands of `sendlab verify` print about files, recordings and pages that they cannot use."""

from __future__ import annotations

from state.texts import Text


class ProofTexts:
    """What commands of `sendlab verify` print about files, recordings and pages that they cannot use."""

    ACTION_EXPECTED = Text("injected[{number}]: {action} of {target} is no begin or end of one of {known}")
    ACTION_LACKS = Text("injected[{number}] lacks a sound action, target or at_ms")
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
    CASE_IS_NO_OBJECT = Text("a case is a JSON object, this is not")
    CASE_LACKS = Text("the {kind} case has no {key!r}")
    CASE_NOT_REPLAYED = Text("the {kind} case cannot be replayed ({why})")
    COLUMNS_EXPECTED = Text("expected the columns {columns}")
    EACH_CELL = Text("Each cell predicted by a fit to the other five: {within} of {cells} within.")
    EVENTS_UNREADABLE = Text("the events cannot be read ({why})")
    FILE_UNREADABLE = Text("the file cannot be read ({why})")
    FOLDER_OF_RECORDINGS_EXPECTED = Text("expected a folder of recordings such as conf/traces")
    GROUPS_ARE_BROADCASTING = Text("every group is broadcasting (groups: {groups}); there is nothing to measure")
    GROUPS_NOT_PREDICTED = Text("every group is broadcasting; there is nothing to predict")
    HEADER_LACKS = Text("the header has no {key!r}")
    HEADER_UNREADABLE = Text("the header of the recording cannot be read ({why})")
    HUNTS_FOUND = Text(
        "**{ok}** of {incidents} incidents are found on the broken release, and nothing on the fixed one,"
    )
    HUNTS_OF_SEEDS = Text("one for each of {seeds} seeds, with at most {schedules:,}:")
    HUNTS_RARE = Text(
        "Where a find is rare ([conf/hunts/rare.yaml](../conf/hunts/rare.yaml)): schedules until the first case,"
    )
    HUNTS_TRIED = Text("with at most {schedules} schedules on each side.")
    HUNTS_UNTIL = Text("Schedules until the first case, the median of {seeds} seeds, with at most {schedules}:")
    LIVE_RECORDING = Text("a live recording holds times, not answers; there is nothing to compare")
    NOBODY_SENDS = Text("{group} cannot be predicted: nobody sends to its topic {topic}")
    NOT_GZIP = Text("this is not a gzip file")
    NOT_JSON = Text("not JSON ({why})")
    NO_CASE = Text("the file holds no case")
    NO_FILE_NAMED = Text("no golden file was named")
    NO_GOLDEN_FILE = Text("the folder holds no .jsonl.gz or .jsonl file")
    NO_KIND_OF_CASE = Text("no select, send, async or rules case")
    NO_PAGE = Text("is there and no Markdown file whose tables could be updated; choose another --out")
    NO_PAIRS = Text("no two recordings of the same story (live-RELEASE-STORY) under another client")
    NO_RELEASE_IN_NAME = Text("the name of the file says no release; {kind}-5.3.3.jsonl.gz does")
    NO_SUCH_FILE = Text("no such file or folder")
    ONE_OF_EACH_EXPECTED = Text(
        "expected one topic, one group of producers and one of consumers to compare with {group}"
    )
    OUTCOME_EXPECTED = Text("expected one of {known}, got {outcome}")
    PAGE_EXPECTED = Text("expected a page with the lines {first} and {last} once each")
    PRODUCERS_DIFFER = Text(
        "{scenario} has {count} producers that send to {topics}, {recording} {recorded}; they cannot be compared"
    )
    RECORDING_EXPECTED = Text("expected a recording, got a folder")
    TABLES_EXPECTED = Text("expected a Markdown file with the lines {begin} and {end}")
