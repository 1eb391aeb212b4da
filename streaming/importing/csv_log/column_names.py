"""What the columns of a log are: by their names, by `--map`, and guesses for those that are missing."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator, Mapping, Sequence

from simulator.scenario.reading.scenario_error import did_you_mean
from streaming.errors import InputError
from streaming.importing.csv_log.column_aliases import ALIASES, BEGINS, ENDS, LATENCIES, MOMENTS, side_of
from streaming.importing.csv_log.column_units import plain_name, split_unit
from streaming.importing.texts.bad_value import BadValue
from streaming.importing.texts.outcome_names import outcome_of
from streaming.importing.texts.times import DAY_FIRST, TimeRule, time_us
from streaming.texts.import_texts import ImportTexts

TIME, END_TIME, LATENCY = "time", "end_time", "latency_ms"
NEEDED = (TIME, "broker", LATENCY, "outcome")
DEFAULTED = ("producer", "topic")
THREAD = "thread"
WHOLE = ("queue_id", THREAD, "attempt", "response_code", "body_bytes")
OPTIONAL = (*DEFAULTED, *WHOLE, "message", "send_time", END_TIME)
KNOWN = (*NEEDED, *OPTIONAL)
SHOWN_COLUMNS = "time, producer, topic, broker, latency_ms, outcome"


def parse_map(said: Sequence[str]) -> dict[str, str]:
    """`time=ts,broker=brokerName`, of one or more options: a column's meaning to its name. Raises InputError."""
    found: dict[str, str] = {}
    for pair in (pair for text in said for pair in re.split(rf",(?=(?:{'|'.join(KNOWN)})=)", text)):
        meaning, mark, name = pair.partition("=")
        meaning = meaning.strip()
        if not mark or not name.strip():
            raise InputError(ImportTexts.MAP_EXPECTED().at(f"--map {pair}"))
        if meaning not in KNOWN:
            near = did_you_mean(meaning, KNOWN)
            raise InputError(
                ImportTexts.UNKNOWN_MEANING(meaning=meaning, near=near, known=", ".join(KNOWN)).at(f"--map {pair}")
            )
        if found.setdefault(meaning, name.strip()) != name.strip():
            raise InputError(ImportTexts.MAPPED_TWICE(meaning=meaning).at(f"--map {pair}"))
    return found


def meanings_of(
    file: str, line: int, names: Sequence[str], first: Sequence[str], mapped: Mapping[str, str]
) -> list[str | None]:
    """The meaning of each column, None for one that is not used; `first`: values of the first row.

    Raises InputError for columns that are missing, with a guess of what they may be called here.
    """
    meanings: list[str | None] = [None] * len(names)
    for meaning, name in mapped.items():
        places = [place for place, own in enumerate(names) if own == name]
        places = places or [place for place, own in enumerate(names) if _bare(own) == _bare(name)]
        if len(places) != 1:
            why = ImportTexts.SEVERAL_COLUMNS() if places else ImportTexts.NO_SUCH_COLUMN()
            raise InputError(
                ImportTexts.NO_COLUMN(
                    meaning=meaning, name=name, why=why, near=did_you_mean(name, names), names=", ".join(names)
                ).at(f"{file}, line {line}")
            )
        if meanings[places[0]] is not None:
            raise InputError(ImportTexts.ONE_MEANING_EACH(name=name).at(f"{file}, line {line}"))
        meanings[places[0]] = meaning
    plain = {_bare(meaning): meaning for meaning in KNOWN if meaning not in mapped}
    for place, name in enumerate(names):
        meaning = plain.get(_bare(name), "") or _with_unit(name, first[place : place + 1], mapped)
        if meanings[place] is None and meaning:
            if meaning in meanings:
                raise InputError(ImportTexts.SEVERAL_CALLED(meaning=meaning).at(f"{file}, line {line}"))
            meanings[place] = meaning
    if missing := _missing(meanings):
        raise InputError(_lacks(file, line, names, first, meanings, missing))
    return meanings


def _missing(meanings: Sequence[str | None]) -> list[str]:
    """Begin, end and latency: two of them are enough."""
    missing = [meaning for meaning in NEEDED if meaning not in meanings]
    if END_TIME in meanings and (TIME in missing) != (LATENCY in missing):
        missing = [meaning for meaning in missing if meaning not in (TIME, LATENCY)]
    return missing


def _with_unit(name: str, value: Sequence[str], mapped: Mapping[str, str]) -> str:
    """What `latency (us)` and `time (ms)` are, empty for another name."""
    base, unit = split_unit(name, ("latency",))
    if unit is not None and _bare(base) == "latency" and LATENCY not in mapped:
        return LATENCY
    is_time = unit is not None and _bare(base) in (TIME, _bare(END_TIME)) and value and _fits(TIME, value[0])
    found = TIME if _bare(base) == TIME else END_TIME
    return found if is_time and found not in mapped else ""


def latency_unit(name: str) -> str | None:
    """The unit that the name of a column has at its end; None if it says none."""
    return split_unit(name, LATENCIES)[1]


def _bare(name: str) -> str:
    return re.sub(r"[\W_]", "", plain_name(name))


def _lacks(
    file: str, line: int, names: Sequence[str], first: Sequence[str], meanings: Sequence[str | None],
    missing: Sequence[str],
) -> str:  # fmt: skip
    if any(_fits(TIME, name) for name in names):
        return ImportTexts.NO_HEADER(columns=SHOWN_COLUMNS).at(f"{file}, line {line}")
    guesses = _guesses(names, first, meanings, missing)
    noun, lacking = "column" if len(missing) == 1 else "columns", ", ".join(missing)
    if not guesses:
        text = ImportTexts.COLUMNS_MISSING(noun=noun, missing=lacking, columns=SHOWN_COLUMNS, names=", ".join(names))
        return text.at(f"{file}, line {line}")
    looks = ", ".join(ImportTexts.COLUMN_GUESSED(meaning=meaning, name=name) for meaning, name in guesses.items())
    asked = ""
    if TIME in guesses and side_of(guesses[TIME]) is None:
        asked = ImportTexts.IF_AN_END(name=guesses[TIME], meaning=END_TIME)
    if LATENCY in guesses and latency_unit(guesses[LATENCY]) is None:
        asked += ImportTexts.IF_NO_UNIT(name=guesses[LATENCY])
    option = shlex.quote(",".join(f"{a}={b}" for a, b in guesses.items()))
    text = ImportTexts.COLUMNS_GUESSED(noun=noun, missing=lacking, looks=looks, asked=asked, option=option)
    return text.at(f"{file}, line {line}")


def _guesses(
    names: Sequence[str], first: Sequence[str], meanings: Sequence[str | None], missing: Sequence[str]
) -> dict[str, str]:
    """Columns that look like what is missing, and like what may be there, by meaning."""
    free = [place for place, meaning in enumerate(meanings) if meaning is None]
    guesses: dict[str, str] = {}

    def take(meaning: str, ranked: Iterator[int]) -> None:
        place = next(ranked, None)
        if place is not None:
            guesses[meaning] = names[place]
            free.remove(place)

    def value(place: int) -> str:
        return first[place].strip() if place < len(first) else ""

    def called(aliases: Sequence[str], *, timed: bool | None = None) -> Iterator[int]:
        """Places of columns that are called so; timed: whether their first values are to be times."""
        for alias in aliases:
            for place in free:
                if alias in _called(names[place], aliases) and (
                    timed is None or not value(place) or _fits(TIME, value(place)) is timed
                ):
                    yield place

    if LATENCY in missing:
        take(LATENCY, called(LATENCIES, timed=False))
    if LATENCY in missing and LATENCY not in guesses:
        take(LATENCY, (place for place in called(LATENCIES) if latency_unit(names[place]) is not None))
    if TIME in missing:
        take(TIME, called(BEGINS, timed=True))
        if TIME not in guesses or LATENCY not in guesses:
            take(END_TIME, called(ENDS, timed=True))
        if not {TIME, END_TIME} & guesses.keys():
            take(TIME, called(MOMENTS, timed=True))
    for meaning, aliases in ALIASES.items():
        if meaning not in meanings:
            take(meaning, called((_bare(meaning), *aliases)))
    if TIME in missing and not {TIME, END_TIME} & guesses.keys():
        timed = [place for place in free if _fits(TIME, value(place))]
        named = [place for place in timed if side_of(names[place]) != "end"]
        take(TIME if named else END_TIME, iter(named or timed))
        if TIME not in guesses and END_TIME not in guesses:
            take(TIME, called((*BEGINS, *MOMENTS)))
    if "outcome" in missing and "outcome" not in guesses:
        take("outcome", (place for place in free if _fits("outcome", value(place))))
    if LATENCY in guesses and TIME in guesses:
        guesses.pop(END_TIME, None)
    order = [
        END_TIME if TIME in missing and TIME not in guesses else TIME,
        *missing,
        *(meaning for meaning in KNOWN if meaning not in missing),
    ]
    return {meaning: guesses[meaning] for meaning in order if meaning in guesses}


def _called(name: str, aliases: Sequence[str]) -> set[str]:
    """How a column may be called: with and without its unit, and a nested key by its last steps."""
    found = set()
    for own in (name, split_unit(name, aliases)[0]):
        steps = own.split(".")
        found |= {_bare(".".join(steps[-count:])) for count in (1, 2, len(steps))}
    return found


def _fits(meaning: str, text: str) -> bool:
    try:
        if meaning == TIME:
            return bool(DAY_FIRST.match(text)) or time_us(text, TimeRule(zone="UTC"))[0] > 0
        return meaning == "outcome" and bool(outcome_of(text))
    except BadValue:
        return False
