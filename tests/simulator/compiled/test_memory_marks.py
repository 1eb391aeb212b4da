"""Regions carry what is said of them where they are declared."""

from __future__ import annotations

from typing import Annotated

import pytest

from simulator.compiled.memory_marks import (
    Growing,
    MayDiffer,
    Pooled,
    Remembered,
    Renewed,
    marks_of,
    part_of,
    pools,
    record_in,
)
from simulator.compiled.records import Cells, Directory, Record, Region, layout_of
from simulator.consumer.memory.consumer_world import ConsumerWorld
from simulator.engine.memory.world import World


class MarkedParcel(Record):
    """Something that is taken and given back."""

    number: int


class MarkedHouse(Directory):
    """A directory of every kind of region."""

    plan: Cells
    counts: Remembered[Cells]
    waiting: Growing[Region[MarkedParcel]]
    parcels: Annotated[Growing[Region[MarkedParcel]], pools("large", "small")]
    labels: Annotated[Growing[Region[MarkedParcel]], part_of("parcels")]
    returns: Pooled[Region[MarkedParcel]]
    routes: Renewed[Cells]
    opinions: MayDiffer[Cells]


class FixedPool(Directory):
    """A pool in a region that cannot grow."""

    parcels: Annotated[Remembered[Region[MarkedParcel]], pools()]


class LostPart(Directory):
    """A part of a region that is not there."""

    labels: Annotated[Growing[Region[MarkedParcel]], part_of("parcels")]


def test_what_is_said_of_a_region_is_read_in_the_order_of_the_declaration():
    marks = marks_of(MarkedHouse)
    assert marks.remembered == ("counts", "waiting", "parcels", "labels", "returns", "routes", "opinions")
    assert marks.growing == ("waiting", "parcels", "labels", "returns")
    assert (marks.renewed, marks.may_differ) == (("routes",), ("opinions",))
    assert marks.taken == ("parcels", "labels", "returns")
    assert marks.pools == {"large": "parcels", "small": "parcels", "returns": "returns"}
    assert marks.parts == {"parcels": ("labels",)}


@pytest.mark.parametrize("directory", [FixedPool, LostPart])
def test_records_that_are_taken_lie_in_regions_that_grow(directory):
    with pytest.raises(TypeError, match="lie in regions that grow"):
        marks_of(directory)


def test_plain_numbers_are_no_records():
    with pytest.raises(TypeError, match=r"MarkedHouse\.counts has no records"):
        record_in(MarkedHouse, "counts")


@pytest.mark.parametrize("directory", [World, ConsumerWorld])
def test_every_pool_of_a_machine_is_one_of_its_clock(directory):
    clock = layout_of(layout_of(directory).field("clock").record)
    assert marks_of(directory).pools
    assert marks_of(directory).pools.keys() <= clock.fields.keys()
