"""What is printed about logs of real clients and the traces made from them."""

from __future__ import annotations

from state.texts import Text


class ImportTexts:
    """What is printed about logs of real clients and the traces made from them."""

    ATTEMPTS_MISSING = Text("has {got:,} attempts, expected {expected:,}: import the log again")
    A_WORKBOOK = Text("is an Excel workbook or a zip archive; save the sheet as CSV, or unpack the archive")
    BROKER_EMPTY = Text("broker is empty, and the attempt was answered")
    COLUMNS_GUESSED = Text("lacks the {noun} {missing}; looks like {looks}{asked}; use --map {option}")
    COLUMNS_MISSING = Text(
        "lacks the {noun} {missing}; expected {columns}, found: {names}; name them with --map, such as --map time=ts"
    )
    COMMA_OR_SEPARATOR = Text("may have a decimal comma or a thousands separator; give --decimal comma or point")
    DAYLIGHT_SAVING = Text("time is {how} {zone} because of daylight saving; write it with its offset, such as +02:00")
    DAY_OR_MONTH = Text("time starts with the day or the month, which look alike; write the date as 2026-11-21")
    HOSTS_EXPECTED = Text("expected addresses and names of brokers, such as 10.0.0.1:10911: broker-a")
    JQ_WRITES_LINES = Text("; jq -c '.[]' writes a list so")
    KINDS_APART = Text("text dumps and Parquet files go into traces of their own")
    LATENCY_NEGATIVE = Text("latency is negative")
    LATENCY_WITHOUT_UNIT = Text(
        "the latencies in the column {name}, such as {bare}, have no unit; expected one in its name, "
        "such as latency_us, or --latency-unit s, ms, us or ns"
    )
    MAPPED_TWICE = Text("{meaning} is mapped twice")
    MAP_EXPECTED = Text("expected MEANING=COLUMN, such as --map time=ts,broker=brokerName")
    NOT_A_TRACE = Text("expected the folder of a trace, as `sendlab import` writes it ({why})")
    NOT_CSV = Text("not CSV: {why}")
    NOT_JSON = Text("not JSON; expected one object a line")
    NOT_UTF8 = Text("not a text in UTF-8; name its encoding, such as --encoding cp1252")
    NO_ATTEMPTS = Text("has no table attempts; run it with --tables attempts or all of them")
    NO_BODIES = Text("has no column with message bodies; expected one of {known}")
    NO_BROKER = Text("names no broker: expected a label broker or brokerIP")
    NO_COLUMN = Text("--map {meaning}={name}: {why} {name}{near}; the header has: {names}")
    NO_EXCEPTION = Text("a warning of a failed attempt without its exception, which older releases do not log")
    NO_FAILURE_NAMED = Text("MQClientException of a send that failed, without the exception of its attempts")
    NO_HEADER = Text("is a row, expected a header; write one above it, such as {columns}")
    NO_KNOWN_TIME = Text("time is in no known form; expected {known}")
    NO_LATENCY = Text("the log does not say how long the attempt took (5.1.0 to 5.2.0 print %s instead)")
    NO_NUMBER = Text("is not a number")
    NO_OBJECT = Text("is not an object of JSON; expected one object a line")
    NO_SAMPLE = Text('not a sample: expected NAME{{LABEL="TEXT",...}} VALUE')
    NO_SUCH_COLUMN = Text("there is no column")
    NO_SUCH_TIME = Text("time is a date or a time of day that does not exist")
    NO_TIME = Text("has no time: expected a line `# time 2026-11-21T20:15:00Z` before it, or a timestamp")
    NO_UNIT_FITS = Text("time is a number outside the years {years} in every unit; give --time-unit")
    NO_WHOLE_NUMBER = Text("{name} is not a whole number")
    NO_ZONE = Text("time has no zone; give --timezone, such as --timezone Asia/Shanghai")
    ONE_FOLDER = Text("expected one output folder, got {got}")
    ONE_MEANING_EACH = Text("--map: the column {name} can be only one of its meanings")
    OTHER_FIELDS = Text("has another number of fields than the header")
    OUTCOME_EMPTY = Text("outcome is empty")
    OUTCOME_UNCLEAR = Text("outcome does not say which failure it was; expected an exception or a SendStatus")
    OUTSIDE_YEARS = Text("time is before 1970 or too far in the future")
    POINT_AMONG_COMMAS = Text("has a decimal point where the others have commas")
    PUB_EXPECTED = Text("unknown kind of record, expected Pub")
    PUB_NEGATIVE = Text("time and cost of a Pub must not be negative")
    PUB_NOT_WHOLE = Text("time, body length and cost of a Pub must be whole numbers")
    PUB_OTHER_FIELDS = Text("Pub with another number of fields than 14")
    PUB_SUCCESS = Text("success is neither true nor false")
    PUB_TOO_LARGE = Text("time, body length or cost of a Pub is larger than any")
    ROUNDED = Text("time was rounded by a spreadsheet; export the column as a number or a text")
    SEPARATOR_EXPECTED = Text("expected fields with commas, semicolons, tabs or bars between, got blanks")
    SEVERAL_CALLED = Text("two columns are called {meaning}; choose with --map {meaning}=")
    SEVERAL_COLUMNS = Text("there are several columns")
    SPAN_TOO_LONG = Text("spans more than a year, its times are in another unit: import the log again")
    TIME_UNIT_GIVEN = Text("{unit} as --time-unit says")
    TOO_FAR_AHEAD = Text("time is too far in the future")
    TOPIC_EMPTY = Text("topic {topic} is empty")
    TRACE_INCOMPLETE = Text("is not whole: import the log again")
    TRACE_OF_ANOTHER_VERSION = Text("a trace of version {got}, expected {version}: import the log again")
    UNKNOWN_MEANING = Text("unknown meaning {meaning}{near}; known: {known}")
    UTF16 = Text("not a text in UTF-8; is it UTF-16? Name it: --encoding utf-16-{order}")
    VALUE_NEGATIVE = Text("the value is {value:g}, expected a number that is not negative")
