"""What is printed about distributions: times, sizes, tags and properties."""

from __future__ import annotations

from state.texts import Text


class MessageTexts:
    """What is printed about distributions: times, sizes, tags and properties."""

    A_RATIO = Text("a ratio above 0 and at most 1")
    BELOW_MIN = Text("expected at least min, {min}, got {got}")
    COLUMNS_UNLIKE = Text("expected {expected} {expected:column|columns}, got {got}")
    COLUMN_EXPECTED = Text("expected a mapping of column to value, got {got}")
    DURATION_BELOW = Text("expected at least {before}, got {got}")
    ENDS_MISSING = Text("{missing} missing; expected p0 and p100 among the percentiles")
    EXACTLY_ONE = Text("expected exactly one of {kinds}, got {got}")
    MORE_VALUES = Text("{file} has more than {most} values")
    NONE_OF_THEM = Text("none of them")
    NOT_CSV = Text("{file} line {line}: not CSV: {why}")
    NO_MATCHING_VALUES = Text("{file} has no values that match where")
    NO_VALUES = Text("{file} has no values")
    NUMBER_EXPECTED = Text("{file} line {line}: expected a number from 0 to {limit}, got {got}")
    P99_OUT_OF_RANGE = Text("expected above p50, {p50}, and at most {most} times p50, got {got}")
    P99_OUT_OF_RANGE_OF_SIZE = Text("expected above p50, {p50}, and at most 1000 times p50, got {got}")
    PERCENTILES_EXPECTED = Text("expected a mapping of percentiles such as {{p0: 1ms, p100: 9ms}}, got {got}")
    PERCENTILE_EXPECTED = Text("expected a percentile such as p50 or p99.9 with at most four decimals")
    PERCENTILE_NOT_ABOVE = Text("expected a percentile above {before} before it")
    PERCENTILE_OUT_OF_RANGE = Text("expected a percentile from p0 to p100")
    SERVICE_TIME_EXPECTED = Text("expected a duration from 0us to {most}, got {got}")
    SIZE_EXPECTED = Text("expected a size such as 1KiB, or exactly one of constant, uniform, lognormal")
    SKEW_EXPECTED = Text('expected uniform or a skew such as "zipf 1.1", above 0 and at most {most}, got {got}')
    TAGS_EXPECTED = Text("expected a list of at most {most} tags or a mapping of tag to weight, got {got}")
    TAG_EXPECTED = Text("expected a tag (a text without |, at most {most} letters), got {got}")
    P99_BELOW_P50 = Text("expected above p50, {p50}, got {got}")
    PROPERTY_EXPECTED = Text("expected values such as {{eu: 3, us: 1}}, or exactly one of values, uniform, lognormal")
    PROPERTY_NAME_EXPECTED = Text("expected the name of a property (letters, digits, _ and $), got {got}")
    SYSTEM_PROPERTY = Text("the client refuses it: the Property<{name}> is used by system, input another please")
    VALUES_EXPECTED = Text("expected a list of at most {most} values or a mapping of value to weight")
    VALUE_EXPECTED = Text("expected a text of at most {most} letters, got {got}")
    WORD_OF_SQL = Text("{name} is a word of SQL92, no expression can ask for it; expected another name")
