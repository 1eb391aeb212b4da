"""A YAML text as plain values, with the line of every key.

YAML's own surprises are taken out: only true and false are booleans, keys are always text, dates and
sexagesimal numbers stay text, and a key given twice is a problem. Merge keys (`<<: *other`) are followed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

import yaml

from simulator.scenario.reading.scenario_error import Path, Problem, ScenarioError, path_text
from simulator.scenario.texts.reading_texts import ReadingTexts
from simulator.units import shown
from state.texts import Text, at

VALUES_MAX = 100_000  # in a file that has fewer characters: aliases stand for many
DEPTH_MAX = 100
DIGITS_MAX = 300
MERGE = "<<"
LARGE = 100_000  # characters
# Signs of other keyboards and of word processors in the place of YAML's own, behind a key or value in plain letters.
LOOKS_LIKE_YAML = re.compile(
    "(?<=[!-~])[\uff1a\uff0c\u201c\u201d\u2018\u2019\uff3b\uff3d\uff5b\uff5d\u00a0\u3000\u200b]"
)
PROBLEMS_MAX = 100  # of its form, after which a file is none of ours

WORDS = {
    "tag:yaml.org,2002:bool": (re.compile(r"^(?:true|True|TRUE|false|False|FALSE)$"), "tTfF"),
    "tag:yaml.org,2002:int": (re.compile(r"^[-+]?(?:0|[1-9][0-9]*)$"), "-+0123456789"),
    "tag:yaml.org,2002:float": (
        re.compile(r"^[-+]?(?:(?:0|[1-9][0-9]*)?\.[0-9]+|(?:0|[1-9][0-9]*)\.?)(?:[eE][-+]?[0-9]+)?$"),
        "-+.0123456789",
    ),
    "tag:yaml.org,2002:null": (re.compile(r"^(?:~|null|Null|NULL|)$"), ["~", "n", "N", ""]),
}
# What is said of a file of one kind where another is expected.
OTHER_KINDS: Mapping[str, Text] = {
    "scenario": ReadingTexts.A_SCENARIO, "experiment": ReadingTexts.AN_EXPERIMENT, "hunt": ReadingTexts.A_HUNT,
}  # fmt: skip
Scalar = str | int | float | bool | None


class Loader(yaml.SafeLoader):
    """Composes nodes with the words above and no others."""


class FastLoader(getattr(yaml, "CSafeLoader", yaml.SafeLoader)):  # type: ignore[misc]
    """The same in C where PyYAML has it: ten times as fast, its words about mistakes are shorter."""


class Dumper(yaml.SafeDumper):
    """Quotes whatever YAML 1.1 or this module would convert, so that both read back what was written."""

    def ignore_aliases(self, data: Any) -> bool:
        """Repeat equal values instead of naming them."""
        return True


Loader.yaml_implicit_resolvers = {}
FastLoader.yaml_implicit_resolvers = {}
for _tag, (_pattern, _first) in WORDS.items():
    for _resolving in (Loader, FastLoader, Dumper):
        _resolving.add_implicit_resolver(_tag, _pattern, list(_first))


def _kind_of(value: Mapping[str, Any]) -> str | None:
    """What a file is by its first keys: a scenario, an experiment or a hunt; None: none of them for sure."""
    if "scenario" in value:
        return "experiment" if not {"arms", "grid", "find"}.isdisjoint(value) else "hunt" if "hunt" in value else None
    return "scenario" if {"producers", "brokers"} <= value.keys() else None


class Document:
    """A YAML text: `value`, the line of each path, and the problems of its form.

    what, keys: what it is to be and the first keys of such a one, for sentences.  Raises ScenarioError if the text
    is not YAML or its top is not a mapping.
    """

    def __init__(self, text: str, source: str, what: str = "scenario", keys: str = "name, duration") -> None:
        self.source = source
        self.lines: dict[Path, int] = {}
        self.problems: list[Problem] = []
        self._values, self._values_max = 0, max(len(text), VALUES_MAX)
        self._open: set[int] = set()
        if _depth(text) > DEPTH_MAX:
            raise ScenarioError([ReadingTexts.NESTED_TOO_DEEP().at(source)])
        try:
            node = _composed(text)
            value = None if node is None else self._value(node, ())
        except yaml.MarkedYAMLError as error:
            raise ScenarioError([_syntax_sentence(error, source, text)]) from None
        except yaml.reader.ReaderError as error:
            line = text.count("\n", 0, error.position) + 1
            what = ReadingTexts.CHARACTER_NOT_ALLOWED(code_point=_code_point(error.character))
            raise ScenarioError([at(f"{source}:{line}", what)]) from None
        if node is None or (value is None and not self.problems):
            raise ScenarioError([ReadingTexts.EMPTY(what=what, keys=keys).at(f"{source}:1")])
        if not isinstance(value, dict):
            line = node.start_mark.line + 1
            raise ScenarioError([ReadingTexts.MAPPING_EXPECTED(keys=keys, got=shown(value)).at(f"{source}:{line}")])
        self.value: dict[str, Any] = value
        found = _kind_of(value)
        if what in OTHER_KINDS and found not in (what, None):
            raise ScenarioError([OTHER_KINDS[str(found)](file=source).at(source)])

    def _enter(self, node: yaml.Node) -> None:
        self._values += 1
        if self._values > self._values_max or id(node) in self._open:
            what = (
                ReadingTexts.ALIAS_OF_ITSELF()
                if id(node) in self._open
                else ReadingTexts.TOO_MANY_VALUES(most=self._values_max)
            )
            line = node.start_mark.line + 1
            raise ScenarioError([ReadingTexts.WRITE_IT_OUT(trouble=what).at(f"{self.source}:{line}")])
        self._open.add(id(node))

    def _value(self, node: yaml.Node, path: Path) -> Any:
        self._enter(node)
        self.lines.setdefault(path, node.start_mark.line + 1)
        value: Any
        if isinstance(node, yaml.ScalarNode):
            self._check_text(node)
            value = self._scalar(node, path)
        elif isinstance(node, yaml.MappingNode):
            value = self._mapping(node, path)
        else:
            value = [self._value(item, (*path, i)) for i, item in enumerate(node.value)]
        self._open.discard(id(node))
        return value

    def _mapping(self, node: yaml.MappingNode, path: Path) -> dict[str, Any]:
        mapping: dict[str, Any] = {}
        for key_node, value_node in self._entries(node, path):
            line = key_node.start_mark.line + 1
            if not isinstance(key_node, yaml.ScalarNode):
                self.problems.append(Problem(path, ReadingTexts.NAME_AS_KEY_EXPECTED(), line))
                continue
            self._check_text(key_node)
            key = key_node.value
            if key in mapping:
                first = self.lines[(*path, key)]
                text = ReadingTexts.KEY_GIVEN_TWICE(first=first)
                self.problems.append(Problem((*path, key), text, line))
                if len(self.problems) > PROBLEMS_MAX:
                    raise ScenarioError(
                        [ReadingTexts.AND_SO_ON(text=text).at(path_text((*path, key))).at(f"{self.source}:{line}")]
                    )
                continue
            self.lines[(*path, key)] = line
            mapping[key] = self._value(value_node, (*path, key))
        return mapping

    def _entries(self, node: yaml.MappingNode, path: Path) -> list[tuple[yaml.Node, yaml.Node]]:
        """Keys and values of a mapping, then those that it has not itself of mappings that it merges (`<<: *other`)."""
        entries = [entry for entry in node.value if not _merges(entry[0])]
        names = {key.value for key, _ in entries if isinstance(key, yaml.ScalarNode)}
        for key_node, value_node in node.value:
            for merged in self._merged(key_node, value_node, path) if _merges(key_node) else ():
                self._enter(merged)
                scalars = [entry for entry in self._entries(merged, path) if isinstance(entry[0], yaml.ScalarNode)]
                self._open.discard(id(merged))
                entries += [entry for entry in scalars if entry[0].value not in names]
                names.update(key.value for key, _ in scalars)
        return entries

    def _merged(self, key: yaml.Node, value: yaml.Node, path: Path) -> list[yaml.MappingNode]:
        nodes = value.value if isinstance(value, yaml.SequenceNode) else [value]
        mappings = [node for node in nodes if isinstance(node, yaml.MappingNode)]
        if len(mappings) < len(nodes):
            what = ReadingTexts.NOTHING_TO_MERGE()
            self.problems.append(Problem((*path, MERGE), what, key.start_mark.line + 1))
        return mappings

    def _check_text(self, node: yaml.ScalarNode) -> None:
        if not is_text(node.value):
            line = node.start_mark.line + 1
            raise ScenarioError([ReadingTexts.HALF_A_CHARACTER().at(f"{self.source}:{line}")])

    def _scalar(self, node: yaml.ScalarNode, path: Path) -> Scalar:
        text: str = node.value
        convert = CONVERSIONS.get(node.tag)
        if convert is None:
            line = node.start_mark.line + 1
            self.problems.append(Problem(path, ReadingTexts.TAG_NOT_ALLOWED(tag=node.tag), line))
            return text
        try:
            return convert(text) if len(text) <= DIGITS_MAX else text
        except (ValueError, KeyError):
            return text  # an explicit tag on a text that is none of its kind


CONVERSIONS: dict[str, Callable[[str], Scalar]] = {
    "tag:yaml.org,2002:str": str,
    "tag:yaml.org,2002:bool": lambda text: {"true": True, "false": False}[text.lower()],
    "tag:yaml.org,2002:int": int,
    "tag:yaml.org,2002:float": float,
    "tag:yaml.org,2002:null": lambda text: None,
}


def _composed(text: str) -> yaml.Node | None:
    """The top of a YAML text. What C refuses is composed again in Python, whose words say more, unless it is large.

    C takes tabs between words and byte order marks anywhere, which Python refuses.
    """
    if len(text) > LARGE or not ("\t" in text or "\ufeff" in text):
        try:
            return yaml.compose(text, Loader=FastLoader)
        except yaml.YAMLError:
            if len(text) > LARGE:
                raise
    return yaml.compose(text, Loader=Loader)


def _depth(text: str) -> int:
    """How deep collections are within each other, as far as the text is YAML; it is not followed much below DEPTH_MAX.

    Composing goes down by recursion, and in C without a bound: it is known before.
    """
    depth = deepest = 0
    try:
        for event in yaml.parse(text, Loader=FastLoader):
            depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
            deepest = max(deepest, depth)
            if deepest > DEPTH_MAX:
                break
    except (yaml.YAMLError, RecursionError):
        pass  # reported where it is composed
    return deepest


def _merges(key: yaml.Node) -> bool:
    """Whether a key is YAML's `<<`; quoted it is a key like any other."""
    return isinstance(key, yaml.ScalarNode) and key.value == MERGE and not key.style


def is_text(text: str) -> bool:
    """Whether a string can be written in UTF-8: an escape such as \\ud800 makes one that cannot."""
    return not any("\ud800" <= character <= "\udfff" for character in text)


def _code_point(character: object) -> int:
    """PyYAML names the character by its number or as text, by where it was found."""
    return character if isinstance(character, int) else ord(str(character)[0])


def _syntax_sentence(error: yaml.MarkedYAMLError, source: str, text: str) -> str:
    mark = error.problem_mark or error.context_mark
    line = mark.line + 1 if mark is not None else 1
    column = mark.column + 1 if mark is not None else 1
    problem = error.problem or ReadingTexts.YAML_UNREADABLE()
    if "'\\t'" in problem:
        return ReadingTexts.TAB(column=column).at(f"{source}:{line}")
    begins = max(line - 2, 0)  # a plain text goes on in the next line, where its end is missed
    for number, own in enumerate(text.split("\n")[begins:line], begins + 1):
        found = LOOKS_LIKE_YAML.search(own.partition(" #")[0])
        if found is not None and (number == line or ": " not in own):
            said = ReadingTexts.LOOKS_LIKE_YAML(sign=found[0], code_point=ord(found[0]), column=found.start() + 1)
            return said.at(f"{source}:{number}")
    where = f" {error.context}" if error.context else ""
    return ReadingTexts.NOT_YAML(problem=problem, where=where, column=column).at(f"{source}:{line}")
