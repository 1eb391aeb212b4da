"""Times as logs write them: numbers since 1970 in a unit that their size tells, and ISO 8601 in its variants."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from zoneinfo import ZoneInfo

import pyarrow as pa
import pyarrow.compute as pc

from streaming.importing.texts.bad_value import BadValue
from streaming.texts.import_texts import ImportTexts

# A number is in the unit in which it lies between these years; no number does so in two units.
FIRST_S, END_S = 946_684_800, 4_102_444_800
YEARS = "2000 to 2100"
# Numbers in a unit, and how many of them, or what part of them, a microsecond is.
A_SECOND = {"s": 1, "ms": 1_000, "us": 1_000_000, "ns": 1_000_000_000}
FORMS = {"s": "epoch seconds", "ms": "epoch milliseconds", "us": "epoch microseconds", "ns": "epoch nanoseconds"}
ZONED = "ISO 8601 with a zone"
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
TIMES = "ISO 8601, or seconds, milliseconds, microseconds or nanoseconds since 1970"
MOST_US = 1 << 53  # the year 2255

WHOLE = r"^(\d{1,18}|[1-4]\d{18})$"
FRACTION = r"^\d{1,16}[.,]\d{1,15}$"
ZONE = r"Z|UTC|GMT|[+-]\d\d(?::?\d\d)?"
PLAIN = rf"^(?P<day>\d{{4}}-\d\d-\d\d)[T ](?P<clock>\d\d:\d\d:\d\d)(?P<fraction>[.,]\d{{1,9}})?(?: ?(?P<zone>{ZONE}))?$"
ANY = re.compile(
    r"(\d{4})(?:([-/.])(\d{1,2})\2|(\d\d))(\d\d?)(?:T|\s+)(\d\d?):?(\d\d)(?::?(\d\d)(?:[.,](\d{1,9}))?)?"
    rf"\s*({ZONE})?(?:\[[\w/+-]+\])?",
    re.ASCII,
)
DAY_FIRST = re.compile(r"\d{1,2}[-/.]\d{1,2}[-/.](\d{4}|\d\d)\b", re.ASCII)
ROUNDED = re.compile(r"\d([.,]\d+)?[eE]\+?\d+", re.ASCII)


@dataclass(frozen=True)
class TimeRule:
    """How times are read that do not say it themselves.

    unit: of numbers, None: by their size. zone: of ISO 8601 without one, a name such as Asia/Shanghai.
    """

    unit: str | None = None
    zone: str | None = None

    @property
    def forced(self) -> str:
        """The form of numbers whose unit was given."""
        return ImportTexts.TIME_UNIT_GIVEN(unit=self.unit)

    @property
    def local(self) -> str:
        """The form of times without a zone."""
        return ImportTexts.LOCAL_TIMES(zone=self.zone)


def time_us(text: str, rule: TimeRule | None = None) -> tuple[int, str]:
    """Microseconds since 1970, and the form of the text. Raises BadValue."""
    rule = rule or TimeRule()
    if re.fullmatch(WHOLE, text, re.ASCII):
        unit = _unit(int(text), rule, text)
        number_us = int(text) // 1_000 if unit == "ns" else int(text) * (1_000_000 // A_SECOND[unit])
    elif re.fullmatch(FRACTION, text, re.ASCII):
        number = float(text.replace(",", "."))
        unit = _unit(number, rule, text)
        number_us = round(number * (1e6 / A_SECOND[unit]))
    else:
        return _moment_us(text, rule)
    if number_us >= MOST_US:
        raise BadValue(ImportTexts.TOO_FAR_AHEAD(), text)
    return number_us, rule.forced if rule.unit else FORMS[unit]


def times_us(texts: pa.Array, rule: TimeRule) -> tuple[pa.Array, dict[str, pa.Array]]:
    """The same of many: microseconds, null where `time_us` must be asked; and by form whose they are.

    Raises pa.ArrowException if a whole column must be asked one by one.
    """
    found, forms = pa.nulls(len(texts), pa.int64()), {}
    whole, fraction = pc.match_substring_regex(texts, WHOLE), pc.match_substring_regex(texts, FRACTION)
    whole_number = pc.cast(pc.if_else(whole, texts, None), pa.int64())
    decimal = pc.replace_substring(pc.if_else(fraction, texts, None), ",", ".")
    fraction_number = pc.cast(decimal, pa.float64())
    for unit, a_second in A_SECOND.items():
        if rule.unit not in (None, unit):
            continue
        wholes_us = pc.divide(whole_number, 1_000) if unit == "ns" else pc.multiply(whole_number, 1_000_000 // a_second)
        fractions = pc.if_else(_inside(fraction_number, a_second, rule), fraction_number, None)
        fractions_us = pc.cast(pc.round(pc.multiply(fractions, 1e6 / a_second)), pa.int64())
        both = pc.coalesce(pc.if_else(_inside(whole_number, a_second, rule), wholes_us, None), fractions_us)
        forms[rule.forced if rule.unit else FORMS[unit]] = pc.is_valid(both)
        found = pc.coalesce(found, both)
    if pc.all(pc.is_valid(found)).as_py():
        return found, forms
    zoned_us, local_us = _plain_moments(texts, rule)
    forms[ZONED] = pc.is_valid(zoned_us)
    forms[rule.local] = pc.is_valid(local_us)
    return pc.coalesce(found, zoned_us, local_us), forms


def _inside(numbers: pa.Array, a_second: int, rule: TimeRule) -> pa.Array:
    """Which numbers are times in a unit."""
    first, end = (0, MOST_US * a_second // 1_000_000) if rule.unit else (FIRST_S * a_second, END_S * a_second)
    as_they = float if pa.types.is_floating(numbers.type) else int
    return pc.and_(pc.greater_equal(numbers, as_they(first)), pc.less(numbers, as_they(end)))


def _plain_moments(texts: pa.Array, rule: TimeRule) -> tuple[pa.Array, pa.Array]:
    parts = pc.extract_regex(texts, PLAIN)
    day, clock, fraction, zone = (pc.struct_field(parts, place) for place in range(4))
    stamp = pc.cast(pc.binary_join_element_wise(day, clock, "T"), pa.timestamp("us"))
    digits = pc.utf8_rpad(pc.utf8_slice_codeunits(fraction, 1, 7), 6, "0")
    fraction_us = pc.cast(digits, pa.int64())
    coded = pc.dictionary_encode(zone)
    offsets = pa.array([_offset_us(text) if text else None for text in coded.dictionary.to_pylist()], pa.int64())
    zoned_us = pc.subtract(pc.add(pc.cast(stamp, pa.int64()), fraction_us), pc.take(offsets, coded.indices))
    if rule.zone is None:
        return zoned_us, pa.nulls(len(texts), pa.int64())
    local = pc.assume_timezone(pc.if_else(pc.equal(zone, ""), stamp, None), rule.zone)
    return zoned_us, pc.add(pc.cast(local, pa.int64()), fraction_us)


def _unit(number: float, rule: TimeRule, text: str) -> str:
    if rule.unit is not None:
        return rule.unit
    for unit, a_second in A_SECOND.items():
        if FIRST_S * a_second <= number < END_S * a_second:
            return unit
    raise BadValue(ImportTexts.NO_UNIT_FITS(years=YEARS), text)


def _moment_us(text: str, rule: TimeRule) -> tuple[int, str]:
    found = ANY.fullmatch(text)
    if found is None:
        if DAY_FIRST.match(text):
            raise BadValue(ImportTexts.DAY_OR_MONTH(), text)
        if ROUNDED.fullmatch(text):
            raise BadValue(ImportTexts.ROUNDED(), text)
        raise BadValue(ImportTexts.NO_KNOWN_TIME(known=TIMES), text)
    year, _, month, compact, day, hour, minute, second, fraction, zone = found.groups()
    try:
        wall = datetime(int(year), int(month or compact), int(day), int(hour), int(minute), int(second or 0))
    except ValueError:
        raise BadValue(ImportTexts.NO_SUCH_TIME(), text) from None
    if zone is not None:
        moment_us, form = _us(wall.replace(tzinfo=UTC)) - _offset_us(zone), ZONED
    elif rule.zone is None:
        raise BadValue(ImportTexts.NO_ZONE(), text)
    else:
        moment_us, form = _local_us(wall, rule.zone, text), rule.local
    moment_us += int((fraction or "0")[:6].ljust(6, "0"))
    if not 0 < moment_us < MOST_US:
        raise BadValue(ImportTexts.OUTSIDE_YEARS(), text)
    return moment_us, form


def _local_us(wall: datetime, zone: str, text: str) -> int:
    first, second = (wall.replace(tzinfo=ZoneInfo(zone), fold=fold) for fold in (0, 1))
    if first.utcoffset() != second.utcoffset():
        back = first.astimezone(UTC).astimezone(ZoneInfo(zone)).replace(tzinfo=None)
        how = "ambiguous in" if back == wall else "skipped in"
        raise BadValue(ImportTexts.DAYLIGHT_SAVING(how=how, zone=zone), text)
    return _us(first)


def _us(moment: datetime) -> int:
    return (moment - EPOCH) // timedelta(microseconds=1)


@lru_cache(maxsize=1_024)
def _offset_us(zone: str) -> int:
    """Of `+08:00`, `+0800`, `+08`, `Z`, `UTC` or `GMT`."""
    if zone[0] not in "+-":
        return 0
    digits = zone[1:].replace(":", "")
    minutes = int(digits[:2]) * 60 + int(digits[2:] or 0)
    return (minutes if zone[0] == "+" else -minutes) * 60_000_000
