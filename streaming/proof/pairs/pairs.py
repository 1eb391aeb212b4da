"""Which recordings tell the same story under another client: the same faults, sender mode and rate, other settings."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import permutations

NAME = re.compile(r"live-(?P<release>[\d.]+)-(?P<story>[A-Za-z0-9]+)")
# Stories that differ by a setting of the client only: the strategy off, a cap a request.
SAME_STORY = {"s4": "s3", "s6mp": "s6", "s10off": "s10"}


@dataclass(frozen=True)
class RecordedStory:
    """A recording by its name."""

    name: str
    release: str
    setting: str

    @property
    def story(self) -> str:
        """What was done to the brokers."""
        return SAME_STORY.get(self.setting, self.setting)


@dataclass(frozen=True)
class Pair:
    """What is predicted from what."""

    source: RecordedStory
    target: RecordedStory


def recorded_stories(names: Iterable[str]) -> list[RecordedStory]:
    """The recordings whose names say release and story, in the order of names."""
    found = [(name, NAME.fullmatch(name)) for name in sorted(set(names))]
    return [RecordedStory(name, match["release"], match["story"]) for name, match in found if match is not None]


def pairs_of(names: Iterable[str]) -> list[Pair]:
    """Every pair, both ways. Two that differ in release and setting are one only if nothing lies between them."""
    stories = recorded_stories(names)
    return [
        Pair(one, other)
        for one, other in permutations(stories, 2)
        if one.story == other.story
        and (one.release == other.release or one.setting == other.setting or not _between(stories, one, other))
    ]


def _between(stories: Sequence[RecordedStory], one: RecordedStory, other: RecordedStory) -> bool:
    ways = {(one.release, other.setting), (other.release, one.setting)}
    return any((each.release, each.setting) in ways for each in stories)
