"""Saved text: files cut into parts, one for each command; lines that no command means, such as Java's, are blank."""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from streaming.errors import InputError
from streaming.init.mqadmin_commands import COMMANDS
from streaming.texts.init_texts import InitTexts
from streaming.texts.output_texts import OutputTexts

# `$ mqadmin topicRoute -t orders`, or `+ sh bin/mqadmin ...` as `sh -x` prints it.
COMMAND = re.compile(r"^\s*(?:.{0,80}?[$#>+%]\s+)?(?:sh\s+)?(?:\S*/)?mqadmin\s+(?P<words>[a-z][A-Za-z]*(?:\s.*)?)$")
# The first line of the tables that mqadmin prints.
HEADER = re.compile(
    r"^\s*#(?:Cluster Name|ClusterName|Group|Topic\s+#(?:Broker|Consumer|Group)|Broker Name|ClientId)\s"
)
# The first line of what an instance of consumers prints of itself; the tables below it are parts of that.
RUNNING_INFO = "#Consumer Properties#"
# Java's and logback's own words, and exceptions that a newer or older broker causes in mqadmin before its output.
FAILURE = re.compile(r"^(?:Caused by: )?(?:java|javax|org|com|io)\.[\w.$]+(?:Exception|Error)\b")
NOISE = re.compile(
    r"^\d\d:\d\d:\d\d,\d{3} \|-|^\s+at [\w.$/<>]+\(|^\s+\.\.\. \d+ more|RocketMQLog:WARN|^OpenJDK |^Java HotSpot"
    r"|^SLF4J:|^WARNING: |^Picked up _?JAVA"
)
# What a person wrote beside the output.
COMMENT = re.compile(r"\s*(?:#\s|#$|//|<!--)")
# A line of a log begins with its time, or is JSON that has one.
DATED = re.compile(
    r"^\W{0,2}(?:\d{4}[-/]\d\d[-/]\d\d[T ])?\d\d:\d\d:\d\d|^\s*\{.*\"(?:@?timestamp|time|level|severity)\"\s*:"
)
# A root's prompt, or a comment of a broker.conf that speaks of mqadmin.
BARE_HASH = re.compile(r"^\s*#\s*(?:sh\s)?\S*mqadmin\s+(?P<command>\w+)")
# No text has these, whatever its encoding.
CONTROL = re.compile(rb"[\x00-\x08\x0e-\x1a\x1c-\x1f]")
SETTING = re.compile(rb"^\s*[A-Za-z]\w*\s*=", re.MULTILINE)
BYTES_MOST = 256 * 1024 * 1024


@dataclass(frozen=True)
class SavedPart:
    """Lines of a file. line: number of the first. command: the words of mqadmin that were printed above them.

    noise: offsets of lines that were Java's own words, which are blank now.
    """

    file: Path
    line: int
    lines: tuple[str, ...]
    command: tuple[str, ...] = ()
    failures: tuple[str, ...] = field(default=())
    noise: frozenset[int] = frozenset()

    @property
    def text(self) -> str:
        """All lines."""
        return "\n".join(self.lines)

    @property
    def has_words(self) -> bool:
        """Whether anything was printed, or it is a folder."""
        return self.file.is_dir() or any(line.strip() for line in self.lines)

    @property
    def is_log(self) -> bool:
        """Whether a line begins with a time."""
        return any(DATED.match(line) for line in self.lines[:20])

    @property
    def name(self) -> str:
        """What evidence calls it: the command, or the file."""
        return f"{self.file.name}: {self.command[0]}" if self.command else self.file.name

    def place(self, offset: int) -> str:
        """File and line of one of its lines."""
        return f"{self.file}:{self.line + offset}"

    def option(self, flag: str) -> str | None:
        """What the command was asked with, such as -t for its topic."""
        for number, word in enumerate(self.command[:-1]):
            if word == flag:
                return self.command[number + 1]
        return None

    def named_after(self, command: str) -> str | None:
        """The rest of the file's name behind the command's: orders for topicRoute-orders.txt."""
        stem = self.file.name.partition(".")[0]
        found = re.fullmatch(rf"{command}[-_ ]?(.+)", stem, re.IGNORECASE)
        return found[1] if found else None


def parts_of(file: Path, text: str) -> list[SavedPart]:
    """The parts of a file's text, in its order; parts without a word are left out."""
    found, begun, command, in_running_info = [], 0, (), False
    lines = text.splitlines()
    for number, line in enumerate([*lines, ""]):
        echoed = None if _is_comment(line) else COMMAND.match(line)
        is_end, begins = number == len(lines), line.startswith(RUNNING_INFO)
        is_head = begins or (not in_running_info and HEADER.match(line))
        if not (is_end or echoed or (is_head and _has_words(lines[begun:number]))):
            in_running_info = in_running_info or begins
            continue
        in_running_info = begins
        part = _part(file, begun, lines[begun:number], command)
        if part is not None:
            found.append(part)
        begun = number + 1 if echoed else number
        command = tuple(echoed["words"].split()) if echoed else ()
    return found


def _is_comment(line: str) -> bool:
    bare = BARE_HASH.match(line)
    return bare is not None and bare["command"] not in COMMANDS


def _part(file: Path, begun: int, lines: Sequence[str], command: tuple[str, ...]) -> SavedPart | None:
    failures = tuple(line.strip() for line in lines if FAILURE.match(line))
    noise = frozenset(n for n, line in enumerate(lines) if NOISE.search(line) or FAILURE.match(line))
    kept = tuple("" if n in noise else _kept(line) for n, line in enumerate(lines))
    if not _has_words(kept) and not failures and not command:
        return None
    return SavedPart(file, begun + 1, kept, command, failures, noise)


def _kept(line: str) -> str:
    """A line without the blanks behind it, which count in a setting alone."""
    return line if "=" in line else line.rstrip()


def _has_words(lines: Sequence[str]) -> bool:
    words = [line for line in lines if line.strip() and not COMMENT.match(line)]
    return any(not NOISE.search(line) and not FAILURE.match(line) for line in words)


def files_in(paths: Sequence[Path]) -> Iterator[Path]:
    """The files named, and all in folders named; a trace is its folder. Raises InputError for what is not there."""
    for path in paths:
        if path.is_dir() and not (path / "trace.json").is_file():
            if (path / "run.json").is_file():
                raise InputError(InitTexts.OUTPUT_OF_A_RUN().at(path))
            own = list(_beneath(path))
            if not own:
                raise InputError(InitTexts.EMPTY_FOLDER().at(path))
            yield from own
        elif path.exists():
            yield path
        else:
            raise InputError(InitTexts.NOT_THERE().at(path))


def _beneath(folder: Path) -> Iterator[Path]:
    for one in sorted(folder.iterdir()):
        if one.name.startswith("."):
            continue
        if one.is_dir() and not (one / "trace.json").is_file():
            yield from _beneath(one)
        else:
            yield one


def text_of(file: Path) -> str:
    """A file's text; lines may end as on Windows. Raises InputError: empty, no text, too large or not readable."""
    try:
        if file.stat().st_size > BYTES_MOST:
            raise InputError(InitTexts.FILE_TOO_LARGE(most=BYTES_MOST // 2**20).at(file))
        text = _decoded(file.read_bytes())
    except UnicodeDecodeError:
        raise InputError(InitTexts.NO_TEXT().at(file)) from None
    except OSError as error:
        raise InputError(OutputTexts.UNREADABLE(why=error.strerror or error).at(file)) from None
    if not text.strip():
        raise InputError(InitTexts.FILE_EMPTY().at(file))
    return text


def _decoded(content: bytes) -> str:
    """UTF-8, UTF-16 with its mark as PowerShell writes, or ISO-8859-1, as which Java reads a broker.conf."""
    if content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        text = content.decode("utf-16")
    else:
        try:
            text = content.decode("utf-8-sig")
        except UnicodeDecodeError:
            if CONTROL.search(content) or not SETTING.search(content):
                raise
            text = content.decode("iso-8859-1")
    return text.replace("\r\n", "\n").replace("\r", "\n")
