"""Mutated scenario files: each is a scenario, or one sentence says what is wrong."""

from __future__ import annotations

import random
import time
from pathlib import Path

from simulator.scenario import Scenario, parse_scenario
from simulator.scenario.reading.scenario_error import ScenarioError
from streaming.installation.conf_files import conf_folder
from tests.endurance.fuzzing.drawing import EVIL, check_sentence, spoiled

LONGEST_S = 10.0  # on a machine that is busy; it takes hundredths of that
LARGEST = 3_000  # bytes of a file that is mutated


def mutated(lines: list[str], draw: random.Random) -> bytes:
    """A scenario with one to four damages of the kind that editors and people make."""
    lines = list(lines)
    for _ in range(draw.randint(1, 4)):
        at, other = draw.randrange(len(lines)), draw.randrange(len(lines))
        key, colon, value = lines[at].partition(": ")
        match draw.randrange(9):
            case 0:
                del lines[at]
                lines = lines or [""]
            case 1:
                lines.insert(other, lines[at])
            case 2:
                lines[at] = f"{key}{colon}{draw.choice(EVIL)}"
            case 3:
                lines[at] = " " * draw.randint(0, 9) + lines[at].lstrip()
            case 4:
                word = draw.randrange(len(key) + 1)
                lines[at] = f"{key[:word]}{draw.choice('aeiou_-.')}{key[word:]}{colon}{value}"
            case 5:
                lines[at] = lines[at].replace(draw.choice("0123456789"), draw.choice(("", "-", "9" * 20, ".", "e9")))
            case 6:
                lines[at] = f"{key}{colon}&x {value}" if draw.random() < 0.5 else f"{key}{colon}*x"
            case 7:
                lines[at] = f"{key}{colon}{lines[other].partition(': ')[2]}"
            case _:
                return spoiled("\n".join(lines).encode("utf-8", "surrogatepass"), draw)
    return "\n".join(lines).encode("utf-8", "surrogatepass")


def fuzz_scenarios(seed: int, count: int) -> str:
    """Read that many mutations of the scenarios that come with it."""
    draw = random.Random(f"scenarios {seed}")
    files = sorted(conf_folder().glob("scenarios/*.yaml"))
    texts = [file.read_text().splitlines() for file in files if file.stat().st_size <= LARGEST]
    sound = 0
    for _ in range(count):
        content = mutated(draw.choice(texts), draw)
        began = time.monotonic()
        try:
            assert isinstance(_read(content), Scenario)
            sound += 1
        except ScenarioError as error:
            check_sentence(str(error), content)
        except UnicodeDecodeError:
            continue
        except Exception as error:
            raise AssertionError(f"{type(error).__name__} of {content!r}") from error
        assert time.monotonic() - began < LONGEST_S, f"takes {time.monotonic() - began:.0f} s: {content!r}"
    return f"{count:,}, of which {sound:,} are scenarios all the same"


def _read(content: bytes) -> Scenario:
    return parse_scenario(content.decode(), source="fuzzed.yaml", folder=Path("conf/scenarios"))
