"""Why records and blocks cannot be used: the reasons in the table rejects."""

from __future__ import annotations

from state.texts import Text


class RejectTexts:
    """Why records and blocks cannot be used: the reasons in the table rejects."""

    CLOCK_GOES_BACK = Text("out of order: run_us is earlier than on the producer's row before")
    CLOSED_LOOP = Text("its thread sends in a closed loop")
    COLUMN_MISSING = Text("lacks the column {column}")
    COLUMN_NOT_WHOLE = Text("column {column} is not whole numbers without gaps")
    FIELD_MISSING = Text("lacks {field}")
    FIELD_OF_EVENT_MISSING = Text("{event} without {field}")
    FIRST_USE_UNSEEN = Text("the first use of a counter, but the recording does not show where it started")
    GROUP_WITHOUT_LINK = Text("a group goes with link and loss alone")
    LATE = Text("late: over before its window")
    MS_OUT_OF_ORDER = Text("ms_post is before ms_pre, or a minute and more after it")
    NEWER = Text("newer than its window")
    NOBODY_GOES_AWAY = Text("no process or network goes away in this scenario")
    NOTHING_ANNOUNCED = Text("an event, producer, thread or topic that the recording did not announce")
    NOT_AN_OBJECT = Text("not a JSON object")
    NOT_A_TEXT = Text("{field} is not a text")
    NOT_CHARGED = Text("out of order: the attempt before it has not ended, or its fault update is missing")
    NOT_ENDED = Text("out of order: no attempt of this message on this thread has just ended")
    NOT_JSON = Text("not JSON")
    NOT_SELECTED = Text("out of order: no selection of this message on this thread is waiting for its attempt to end")
    NOT_UTF8 = Text("not UTF-8")
    NOT_WHOLE = Text("column {column} is not whole numbers")
    NOT_WHOLE_64 = Text("{field} is not a whole number of 64 bits")
    NO_BROKER = Text("no such broker")
    NO_CELL = Text("no such cell")
    NO_GROUP = Text("no such producer group")
    NO_KIND = Text("no such kind of record: expected {known}")
    NO_OUTCOME = Text("an outcome that no attempt of this mode has")
    NO_PERIODS = Text("no such table of periods")
    NO_PERIOD_VALUE = Text("no such value in its table of periods")
    NO_PRODUCER = Text("no such producer in this cell")
    NO_SEND = Text("out of order: no send of this message is under way on this thread")
    NO_TABLE = Text("no such table: expected {known}")
    NO_THREAD = Text("no such sender thread")
    NO_TOPIC = Text("no such topic")
    NO_VALUE = Text("no value")
    OLDER = Text("older than its window")
    OTHER_RUN = Text("of another run than {run}")
    OTHER_VERSION = Text("not version {version} of a record")
    OVER_BEFORE = Text("ends before it begins")
    TOO_LONG = Text("longer than {most:,} bytes")
    UNKNOWN_EVENT = Text("unknown event")
    UNKNOWN_ROUTE = Text("the route it names was not installed before")
    WHOLE_NUMBER_EXPECTED = Text("{column}: expected a whole number, got {got}")
