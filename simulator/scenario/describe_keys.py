"""A scenario's keys in words: `python -m simulator.scenario.describe_keys` prints docs/scenario.md."""

from __future__ import annotations

from simulator.scenario.keys import Key, Section, sections
from simulator.units import DURATION_UNITS_US, RATE_UNITS_S, SIZE_UNITS_BYTES

HEAD = f"""# The keys of a scenario

Written by `python -m simulator.scenario.describe_keys > docs/scenario.md`; keys are defined in `simulator/scenario/`.
`sendlab keys [PATH]` prints the same, `sendlab check SCENARIO` lists everything that is wrong with a file, and
`sendlab run SCENARIO --set KEY=VALUE` changes a key. Editors that know JSON schemas check and complete a file that
begins with

    # yaml-language-server: $schema=../scenario.schema.json

(the way from the file to [conf/scenario.schema.json](../conf/scenario.schema.json), or to where
`sendlab keys --schema > scenario.schema.json` put it).

Units: a duration is a number with {", ".join(DURATION_UNITS_US)} (`1m30s`, `1.5ms`), a size one with
{", ".join(SIZE_UNITS_BYTES)}, a rate one by {", ".join(RATE_UNITS_S)} (`100/s`). In a path `NAME` is a name of your
own and `[]` each item of a list. Without a default a key may be left out, if it is not required.
"""
COLUMNS = "| key | expected | default | meaning |\n|---|---|---|---|\n"


def described(section: Section) -> str:
    """Markdown of one kind of mapping."""
    title = ", ".join(f"`{place}`" for place in section.places if place) or "The scenario"
    return f"\n## {title}\n\n{COLUMNS}" + "".join(map(_row, section.keys))


def _row(key: Key) -> str:
    default = "required" if key.is_required else f"`{key.default}`" if key.default else ""
    cells = (f"`{key.name}`", key.expected, default, key.meaning)
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |\n"


def document() -> str:
    """The whole of docs/scenario.md."""
    return HEAD + "".join(map(described, sections()))


if __name__ == "__main__":
    print(document(), end="")
