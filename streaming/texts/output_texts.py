"""What is printed about files, tables and object stores."""

from __future__ import annotations

from state.texts import Text


class OutputTexts:
    """What is printed about files, tables and object stores."""

    A_FILE = Text("expected the --out folder of a `sendlab run`, got a file")
    ARRIVALS_DIFFER = Text("{one:,} {one:message was|messages were} to be sent, sends that ended: {other:,}")
    ATTEMPTS_OF_SENDS_DIFFER = Text("{one:,} {one:attempt is|attempts are} in `attempts`, `sends` counts {other:,}")
    ATTEMPTS_OF_WINDOWS_DIFFER = Text("{one:,} {one:attempt is|attempts are} in `windows`, `attempts` has {other:,}")
    A_DEVICE = Text("expected a file to write, got a device")
    A_FOLDER = Text("expected a file to write, got a folder")
    A_REPLAY = Text("the output of a replay; expected that of a 'sendlab run'.")
    CHANGES_OUT_OF_ORDER = Text("fault_items: the changes of a fault item are not in the order of time.")
    EVENTS_DIFFER = Text(
        "{generated:,} {generated:event|events} came in, {handled:,} {handled:was|were} handled and {rejected:,} "
        "rejected"
    )
    FILE_DAMAGED = Text("the {what} is damaged: expected a mapping")
    FILE_UNREADABLE = Text("the {what} cannot be read: {why}")
    FIRST_ROWS_MISSING = Text("the first rows of this checkpoint's run are not there; give its own place")
    HOLDS_ANOTHER = Text("it holds another checkpoint")
    KEYS_IN_URL = Text("no keys in the URL, where others can read them; the environment has them")
    NAME_NOT_LISTED = Text("the rows name {name!r}, which run.json does not list.")
    NOTHING_SIMULATED = Text(
        "nothing of this run is finished yet, so nothing is measured; wait, or run the same command again"
    )
    NOTHING_THERE = Text("nothing of this checkpoint is there")
    NOT_BY_SENDLAB = Text("not written by Sendlab.")
    NOT_JSON = Text("damaged, not readable as JSON ({why}).")
    NOT_PARQUET = Text("cannot be read as Parquet: {why}")
    NOT_PERMITTED = Text("cannot be written: permission denied")
    NOT_WRITABLE = Text("cannot be written: {why}")
    NO_EXCHANGE = Text("cannot change places with {other} at once: {why}; nothing was changed")
    NO_FOLDER = Text("no such folder. Give the --out folder of a 'sendlab run'.")
    NO_PARENT = Text("cannot be written: there is no folder {folder}")
    NO_RUN_JSON = Text("not an output of Sendlab: it has no run.json")
    OF_ANOTHER_RUN = Text("it holds rows of another {run}; choose another place, or start over with --fresh")
    OWNER_DAMAGED = Text("{place}/{note}: the owner file of this place is damaged: {why}")
    PARENT_IS_A_FILE = Text("cannot be written: {folder} is no folder")
    PLACE_EXPECTED = Text("expected {schemes} and a place there")
    PLACE_NOT_EMPTY = Text("it is not empty; choose another place for --checkpoint")
    PLACE_OF_ANOTHER = Text("{why}; give the --checkpoint that it began with, or --fresh starts over")
    PRODUCER_NOT_LISTED = Text("fault_items names producer {producer}, which run.json does not list.")
    REJECTS_DIFFER = Text("{one:,} {one:event was|events were} rejected, `rejects` has {other:,}")
    ROWS_GONE = Text(
        "{lost:,} of the {was:,} {was:row that was|rows that were} written {lost:is|are} gone, with their file"
    )
    ROWS_REMOVED = Text("rows from before {until} were removed (--keep)")
    SENDS_DIFFER = Text("{one:,} {one:send|sends} ended, `sends` has {other:,}")
    SHARED_PLACE_EXPECTED = Text(
        "expected s3a://BUCKET/PLACE, or a folder that every machine of the job has mounted at the same path"
    )
    TABLES_GONE = Text("{gone}; put it back, or run it again with --fresh")
    TABLE_DAMAGED = Text("damaged, or not a table of sendlab: {why}")
    UNREADABLE = Text("cannot be read: {why}")
    UNUSABLE = Text("cannot be used: {why}")
    WHOLE_RUN_EXPECTED = Text("expected all rows of the run; {removed}")
