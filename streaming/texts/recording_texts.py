"""What is printed about recordings of real producers."""

from __future__ import annotations

from state.texts import Text


class RecordingTexts:
    """What is printed about recordings of real producers."""

    A_LOG = Text("expected a trace or a recording, got a log; make it a trace: sendlab import FORMAT {file} -o TRACE")
    ASYNC_RETRIES_MISSING = Text("retryTimesWhenSendAsyncFailed is missing, expected int in an asynchronous recording")
    COLUMN_MISSING = Text("lacks the column {column}; a recording has {columns}")
    COLUMN_OF_ANOTHER_TYPE = Text("a column has another type than a recording's: {why}")
    CUT_SHORT = Text("the gzip stream is cut short")
    DESCRIPTION_MISSING = Text("its description is missing: expected {name} beside it")
    EMPTY = Text("the recording has no rows")
    KEY_MISSING = Text("lacks the key {key}")
    KEY_OF_ANOTHER_TYPE = Text("{key} is {got!r}, expected {kind}")
    MODE_EXPECTED = Text("mode is {mode!r}, expected sync or async")
    NOT_CSV = Text("cannot be read as CSV: {why}")
    NOT_GZIP = Text("not gzip, or damaged: {why}")
    NOT_JSON = Text("not JSON: {why}")
    NO_RECORDING = Text("no such recording: expected {names}")
    OBJECT_EXPECTED = Text("expected an object that describes the recording")
    TABLES_EXPECTED = Text("latencyMax and notAvailableDuration must be lists of whole ms of the same length")
