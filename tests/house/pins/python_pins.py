"""Whether the pins install on a Python other than the one that runs: the resolver of uv is asked."""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from importlib import metadata
from pathlib import Path

from packaging.utils import canonicalize_name

UV = Path(sys.executable).with_name("uv")
# It has no wheel, and its source is 400 MB: the installed one says what it requires.
NO_WHEEL = "pyspark"
UNREACHABLE = (
    "Failed to fetch",
    "error sending request",
    "client error",
    "dns error",
    "timed out",
    "network was disabled",
)


class PackageIndexError(Exception):
    """The package index could not be asked."""


def resolve(wanted: list[str], pins: list[str], python: str) -> tuple[dict[str, str], str]:
    """What `wanted` would install within `pins` on a Python, by canonical name; and why it cannot be, else "".

    Raises PackageIndexError.
    """
    asked = [line for line in wanted if not line.startswith(NO_WHEEL)]
    if len(asked) < len(wanted):
        asked += [line for line in metadata.requires(NO_WHEEL) or [] if "extra ==" not in line]
    command = [UV, "pip", "compile", "-q", "--no-header", "--no-annotate", "--only-binary", ":all:", "--no-config"]
    command += ["--no-python-downloads", "--python", sys.executable]
    with tempfile.TemporaryDirectory() as folder:
        bounds = Path(folder, "pins.txt")
        bounds.write_text("\n".join(pins))
        done = subprocess.run(
            [*command, "--python-version", python, "-c", bounds, "-"],
            input="\n".join(asked),
            capture_output=True,
            text=True,
            timeout=240,
        )
    if done.returncode == 0:
        found = dict(line.split("==") for line in done.stdout.split() if "==" in line)
        return {canonicalize_name(name): version for name, version in found.items()}, ""
    if any(sign in done.stderr for sign in UNREACHABLE):
        raise PackageIndexError(" ".join(done.stderr.split())[:300])
    return {}, " ".join(done.stderr.partition("hint:")[0].split())


def unfit(wanted: list[str], pins: list[str], python: str) -> str:
    """The first pin that cannot be installed on a Python, what it requires and what fits; "" if all can.

    Raises PackageIndexError.
    """
    _, why = resolve(wanted, pins, python)
    if not why:
        return ""
    for pin in dict.fromkeys(re.findall(r"[\w.-]+==[\w.!+-]*\w", why)):
        name = canonicalize_name(pin.partition("==")[0])
        others = [line for line in pins if canonicalize_name(line.partition("==")[0]) != name]
        found, _ = resolve(wanted, others, python)
        if name in found:
            needs = re.search(re.escape(pin) + r" (depends on Python[^\s,]+|has no \w+ wheels)", why)
            reason = needs[1].replace("depends on", "requires") if needs else "does not fit"
            return f"{pin} {reason}; {name}=={found[name]} installs on Python {python}"
    return f"Python {python}: {why}"
