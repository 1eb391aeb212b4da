"""What the columns of a CSV are: by their names, by `--map`, and guesses for those that are missing."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from simulator.scenario.reading.scenario_error import did_you_mean
from streaming.errors import InputError
from streaming.importing.texts.bad_value import BadValue
from streaming.importing.texts.outcome_names import outcome_of
from streaming.importing.texts.times import DAY_FIRST, TimeRule, time_us

TIME, END_TIME = "time", "end_time"
NEEDED = (TIME, "broker", "latency_ms", "outcome")
DEFAULTED = ("producer", "topic")
THREAD = "thread"
WHOLE = ("queue_id", THREAD, "attempt", "response_code", "body_bytes")
OPTIONAL = (*DEFAULTED, *WHOLE, "message", "send_time", END_TIME)
KNOWN = (*NEEDED, *OPTIONAL)
SHOWN_COLUMNS = "time, producer, topic, broker, latency_ms, outcome"
UNIT_BEHIND = re.compile(r"(?<![A-Za-z])(?:in_?)?(ns|us|ms|s)$|(nanos|micros|millis|seconds|secs?)(?:econds)?$", re.I)
UNITS = {"nanos": "ns", "micros": "us", "millis": "ms", "seconds": "s", "secs": "s", "sec": "s"}
# Names that logs use, letters and digits only.
ALIASES: Mapping[str, tuple[str, ...]] = {
    TIME: (
        *("ts", "timestamp", "datetime", "date", "begintime", "starttime", "begints", "startts", "beginat", "startat"),
        *("begin", "start", "beginus", "logtime", "eventtime", "when", "at"),
    ),
    "producer": (
        *("client", "clientid", "producerid", "producername", "instance", "instancename", "host", "hostname", "pod"),
        *("app", "application", "producergroup", "group", "groupname", "ip", "clienthost"),
    ),
    "topic": ("topicname", "destination", "mqtopic"),
    "broker": ("brokername", "brokeraddr", "brokeraddress", "storehost", "server", "addr", "address", "remoteaddr"),
    "latency_ms": (
        *("latency", "latencyus", "latencyns", "latencys", "cost", "costms", "costtime", "rt", "rtms", "elapsed"),
        *("elapsedms", "duration", "durationms", "took", "tookms", "timetaken", "responsetime"),
    ),
    "outcome": (
        *("result", "status", "sendstatus", "sendresult", "exception", "exceptionname", "error", "errorname"),
        *("errormessage", "state", "ending"),
    ),
}  # fmt: skip


def parse_map(said: Sequence[str]) -> dict[str, str]:
    """`time=ts,broker=brokerName`, of one or more options: a column's meaning to its name. Raises InputError."""
    found: dict[str, str] = {}
    for pair in (pair for text in said for pair in re.split(rf",(?=(?:{'|'.join(KNOWN)})=)", text)):
        meaning, mark, name = pair.partition("=")
        meaning = meaning.strip()
        if not mark or not name.strip():
            raise InputError(f"--map {pair}: expected MEANING=COLUMN, such as --map time=ts,broker=brokerName")
        if meaning not in KNOWN:
            near = did_you_mean(meaning, KNOWN)
            raise InputError(f"--map {pair}: unknown meaning {meaning}{near}; known: {', '.join(KNOWN)}")
        if found.setdefault(meaning, name.strip()) != name.strip():
            raise InputError(f"--map {pair}: {meaning} is mapped twice")
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
            why = "there are several columns" if places else "there is no column"
            raise InputError(
                f"{file}, line {line}: --map {meaning}={name}: {why} {name}{did_you_mean(name, names)}; "
                f"the header has: {', '.join(names)}"
            )
        if meanings[places[0]] is not None:
            raise InputError(f"{file}, line {line}: --map: the column {name} can be only one of its meanings")
        meanings[places[0]] = meaning
    plain = {_bare(meaning): meaning for meaning in KNOWN if meaning not in mapped}
    for place, name in enumerate(names):
        meaning = plain.get(_bare(name), "")
        if meanings[place] is None and meaning:
            if meaning in meanings:
                raise InputError(f"{file}, line {line}: two columns are called {meaning}; choose with --map {meaning}=")
            meanings[place] = meaning
    missing = [meaning for meaning in NEEDED if meaning not in meanings]
    if TIME in missing and END_TIME in meanings:
        missing.remove(TIME)
    if missing:
        raise InputError(_lacks(file, line, names, first, meanings, missing))
    return meanings


def latency_unit(name: str) -> str | None:
    """The unit that the name of a column has at its end; None if it says none."""
    found = UNIT_BEHIND.search(re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name.strip()).lower())
    if found is None:
        return None
    return found[1] or UNITS[found[2]]


def _bare(name: str) -> str:
    return re.sub(r"[\W_]", "", name).lower()


def _lacks(
    file: str, line: int, names: Sequence[str], first: Sequence[str], meanings: Sequence[str | None],
    missing: Sequence[str],
) -> str:  # fmt: skip
    if any(_fits(TIME, name) for name in names):
        return f"{file}, line {line}: is a row, expected a header; write one above it, such as {SHOWN_COLUMNS}"
    free = [place for place, meaning in enumerate(meanings) if meaning is None]
    guesses: dict[str, str] = {}
    for meaning in (*missing, *(one for one in DEFAULTED if one not in meanings)):
        ranked = [place for alias in ALIASES[meaning] for place in free if _bare(names[place]) == alias]
        ranked += [
            place for place in free if meaning in missing and place < len(first) and _fits(meaning, first[place])
        ]
        if ranked:
            guesses[meaning] = names[ranked[0]]
            free.remove(ranked[0])
    noun = "column" if len(missing) == 1 else "columns"
    said = f"{file}, line {line}: lacks the {noun} {', '.join(missing)}"
    if not guesses:
        return (
            f"{said}; expected {SHOWN_COLUMNS}, found: {', '.join(names)}; name them with --map, such as --map time=ts"
        )
    looks = ", ".join(f"{meaning} is in '{name}'" for meaning, name in guesses.items())
    return f"{said}; looks like {looks}; use --map {','.join(f'{a}={b}' for a, b in guesses.items())}"


def _fits(meaning: str, text: str) -> bool:
    try:
        if meaning == TIME:
            return bool(DAY_FIRST.match(text)) or time_us(text, TimeRule(zone="UTC"))[0] > 0
        return meaning == "outcome" and bool(outcome_of(text))
    except BadValue:
        return False
