"""What a compiled method says, in a form that only changes when the method does.

Left out: offsets, constant-pool numbers, packages of RocketMQ's own classes, which numbers the compiler gave to lambdas
and anonymous classes, and whatever is only said to a log. Kept: every other instruction with its constants, where jumps
lead, and what is caught where.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

_INSTRUCTION = re.compile(r"^\s+(\d+): (\w+)\s*(.*)$")
_SWITCH_ARM = re.compile(r"^\s+(-?\d+|default): (\d+)$")
_CAUGHT = re.compile(r"^\s+(\d+)\s+(\d+)\s+(\d+)\s+(Class \S+|any)$")
_JUMP = re.compile(r"^(if\w*|goto(_w)?|jsr)$")
_OWN_PACKAGE = re.compile(r"(?:org/apache/rocketmq|com/alibaba/rocketmq)/(?:[a-z0-9_]+/)*")
_OWN_PACKAGE_DOTTED = re.compile(r"\b(?:org\.apache\.rocketmq|java|io\.netty|com\.alibaba)\.(?:[a-z0-9_]+\.)*")
_NUMBERED = re.compile(r"(lambda\$\w*?)\$\d+|(access)\$\d+|\$\d+(?=[\W;]|$)")
_LOGGER = re.compile(r"(?:org/slf4j/|logging/(?:org/slf4j/)?)?(?:Internal)?Logger\b")


@dataclass
class Method:
    """One method: its instructions as (offset, text, jump target or None), and its exception table."""

    name: str
    code: list[tuple[int, str, int | None]] = field(default_factory=list)
    caught: list[tuple[int, int, int, str]] = field(default_factory=list)

    @property
    def is_accessor(self) -> bool:
        """Whether it only reads or writes one field."""
        names = [text.split()[0].split("_")[0] for _, text, _ in self.code]
        reads = len(names) in (2, 3) and names[-2] in ("getfield", "getstatic") and names[-1].endswith("return")
        return reads or (len(names) in (3, 4) and names[-2] in ("putfield", "putstatic") and names[-1] == "return")


@dataclass
class Class:
    """One class as javap shows it."""

    name: str  # without its package; an anonymous one is named after the method that it is made in
    fields: dict[str, str] = field(default_factory=dict)  # compile-time constants
    methods: list[Method] = field(default_factory=list)


def plain(text: str) -> str:
    """A symbol without packages and numbers."""
    text = _OWN_PACKAGE.sub("", text)
    text = _LOGGER.sub("Logger", text)
    return _NUMBERED.sub(lambda m: m.group(1) or m.group(2) or "$", text)


def signature(declaration: str) -> str:
    """Name and types of a method, from its declaration in Java."""
    text = re.sub(r"\s+throws .*|;$", "", declaration)
    text = re.sub(r"<.*?>(?=[\s,)(\w])|<.*>", "", text)
    text = _OWN_PACKAGE_DOTTED.sub("", text).replace("org.slf4j.", "")
    name, _, types = text.partition("(")
    return f"{_NUMBERED.sub(lambda m: m.group(1) or m.group(2) or '$', name.split()[-1])}({types.replace(' ', '')}"


def _operand(text: str) -> str:
    _, comment, symbol = text.partition("// ")
    if comment:
        return plain(symbol.strip())
    return re.sub(r"#\d+,?\s*", "", text).strip()


def classes(javap: str) -> Iterator[Class]:
    """Every class in the output of `javap -v -p -c`."""
    for text in re.split(r"(?m)^Classfile ", javap)[1:]:
        yield _class(text)


def _class(text: str) -> Class:
    lines = text.splitlines()
    header = next(line for line in lines if re.search(r"\b(class|interface|enum) \S+", line) and "{" not in line)
    full = re.search(r"\b(?:class|interface) (\S+?)(?:<|\s|$)", header)
    assert full
    found = Class(full.group(1).rsplit(".", 1)[-1])
    if enclosing := re.search(r"^EnclosingMethod: \S+\s+// (\S+)", text, re.M):
        found.name = f"{found.name.rsplit('$', 1)[0]}${_maker(enclosing.group(1))}"
    member = method = None
    for line in lines[lines.index("{") + 1 :]:
        if re.match(r"^  \S.*;$", line):
            declaration = line.strip()
            method = None
            member = declaration
            if "(" in declaration or declaration == "static {};":
                name = "<clinit>()" if declaration == "static {};" else signature(declaration)
                if name.startswith(full.group(1).rsplit(".", 1)[-1]) or "." in name.split("(")[0]:
                    name = "<init>(" + name.split("(", 1)[1]
                method = Method(name)
                found.methods.append(method)
        elif method is None and member and (value := re.match(r"^    ConstantValue: (.*)$", line)):
            found.fields[member.rstrip(";").split()[-1]] = value.group(1)
        elif method is not None:
            _read(method, line)
    return found


def _maker(symbol: str) -> str:
    name = symbol.rsplit(".", 1)[-1].split(":")[0] if "." in symbol else ""
    return name.strip('"<>') or "field"


def _read(method: Method, line: str) -> None:
    before = method.code[-1][1] if method.code else ""
    if (arm := _SWITCH_ARM.match(line)) and "switch" in before.split(" ")[0]:
        method.code.append((method.code[-1][0], f"switch-arm {arm.group(1)}", int(arm.group(2))))
    elif found := _INSTRUCTION.match(line):
        offset, name, rest = int(found.group(1)), found.group(2), found.group(3)
        if _JUMP.match(name):
            method.code.append((offset, name, int(rest)))
        else:
            method.code.append((offset, f"{name} {'' if 'switch' in name else _operand(rest)}".strip(), None))
    elif caught := _CAUGHT.match(line):
        begin, end, to, what = caught.groups()
        method.caught.append((int(begin), int(end), int(to), plain(what)))


def _without_logging(code: list[tuple[int, str, int | None]]) -> list[tuple[int, str, int | None]]:
    kept = []
    skipping = False
    for instruction in code:
        text = instruction[1]
        if skipping:
            skipping = not re.match(r"invoke\w+ InterfaceMethod Logger\.|invoke\w+ Method Logger\.", text)
        elif re.search(r"[:)]L?Logger;$", text) and not text.startswith("put"):
            if kept and kept[-1][1] in ("aload_0", "aload_1") and text.startswith("getfield"):
                kept.pop()
            skipping = True
        else:
            kept.append(instruction)
    return code if skipping else kept


def body(method: Method) -> str:
    """What the method says, a line an instruction."""
    code = _without_logging(method.code)
    targets = sorted({at for _, _, at in code if at is not None} | {at for row in method.caught for at in row[:3]})
    offsets = [offset for offset, _, _ in code]
    place = {at: sum(offset < at for offset in offsets) for at in targets}
    labels = {at: rank for rank, at in enumerate(sorted(set(place.values())))}
    lines = []
    for index, (_, text, to) in enumerate(code):
        mark = f"L{labels[index]}: " if index in labels else ""
        lines.append(mark + text + (f" L{labels[place[to]]}" if to is not None else ""))
    for begin, end, to, what in method.caught:
        if place[begin] != place[end]:
            lines.append(f"catch L{labels[place[begin]]}-L{labels[place[end]]} {what} -> L{labels[place[to]]}")
    return "\n".join(lines)


_ICONST = {"iconst_m1": "-1", "aconst_null": "null"} | {f"iconst_{n}": str(n) for n in range(6)}
_ICONST |= {f"{kind}const_{n}": str(n) for kind in "lfd" for n in range(3)}


def _expression(code: list[str]) -> str:
    words = []
    for text in code:
        name, _, rest = text.partition(" ")
        if name in _ICONST:
            words.append(_ICONST[name])
        elif name in ("bipush", "sipush"):
            words.append(rest)
        elif name.startswith("ldc"):
            words.append(_constant(rest))
        elif name in ("aload_0", "dup", "new"):
            continue
        else:
            words.append(rest or name)
    return " ".join(words)


def _constant(text: str) -> str:
    kind, _, value = text.partition(" ")
    return value.rstrip("l") if kind == "long" else value


def assignments(found: Class) -> dict[str, str]:
    """What each field is set to when the class or an object of it is made, as it stands in the code; constants too."""
    values = {name: _constant(value) for name, value in found.fields.items()}
    for method in found.methods:
        if not method.name.startswith(("<init>", "<clinit>")):
            continue
        since: list[str] = []
        for _, text, _ in method.code:
            if put := re.match(r"put(?:field|static) Field (\w+):", text):
                values.setdefault(put.group(1), _expression(since))
                since = []
            elif '"<init>"' in text and not any(before.startswith("new ") for before in since):
                since = []  # the constructor of the parent
            else:
                since.append(text)
    return values
