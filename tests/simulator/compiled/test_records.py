"""Records: the same memory by name in compiled rules and in plain Python."""

from __future__ import annotations

from typing import Annotated, Protocol

import numpy as np
import pytest

from simulator.compiled import records
from simulator.compiled.jit import entry, ready, rule
from simulator.compiled.record_types import signature_of
from simulator.compiled.records import Cells, Directory, Record, Region, Us, Within, bits, layout_of, several, tail
from simulator.compiled.region_store import column, filled, refer


class Wheel(Record):
    turns: int
    worn_us: Us


class Cart(Record):
    load: int
    wheels: Annotated[Region[Wheel], several(2)]
    spare: Within[Wheel]
    driver: Driver


class Driver(Record):
    age: int
    trips: Cells
    goods_count: int
    goods: Annotated[Region[Wheel], tail("goods_count")]


class Toll(Protocol):
    def __call__(self, cart: Cart, factor: int, /) -> int: ...


class Fees(Directory):
    toll: Toll


class Yard(Directory):
    fees: Within[Fees]
    carts: Region[Cart]
    numbers: Cells


@rule()
def turn(wheel: Wheel, by: int) -> int:
    wheel.turns += by
    return wheel.turns


@entry
def toll_of_load(cart: Cart, factor: int) -> int:
    return cart.load * factor


@entry
def toll_of_age(cart: Cart, factor: int) -> int:
    return cart.driver.age + factor


@entry
def other(number: int) -> int:
    return number


@entry
def drive(yard: Yard, number: int) -> int:
    cart = yard.carts[number]
    cart.driver = yard.carts[0].driver
    cart.driver.trips[1] = turn(cart.wheels[1], 3)
    cart.driver.goods[1].worn_us = records.cells_at(cart.spare, 2)[1]
    yard.numbers[0] = records.beyond(cart.driver.trips, 1)[0]
    return yard.fees.toll(cart, 10)


ready(drive)


@pytest.fixture
def memory():
    return np.zeros(60, np.int64)


@pytest.fixture
def yard(memory):
    yard = Yard.at(np.zeros(records.size_of(Yard), np.int64))
    yard.carts, yard.numbers = Region.of(Cart, memory, 0, 2), Cells.of(memory, 50)
    driver = Driver.at(memory, 20)
    driver.age, driver.goods_count, driver.trips = 40, 2, Cells.of(memory, 40, 3)
    for cart in (yard.carts[0], yard.carts[1]):
        cart.driver, cart.load = driver, 7
    yard.carts[1].spare.worn_us = 9
    yard.fees.toll = toll_of_load
    return yard


def test_fields_lie_one_after_the_other_under_their_names():
    assert list(layout_of(Cart).cells) == [
        *("load", "wheels[0].turns", "wheels[0].worn_us", "wheels[1].turns", "wheels[1].worn_us"),
        *("spare.turns", "spare.worn_us", "driver"),
    ]


def test_a_rule_writes_what_plain_python_reads(yard, memory):
    assert drive(yard, 1) == 70
    cart = yard.carts[1]
    assert (cart.wheels[1].turns, cart.driver.trips[1], cart.driver.goods[1].worn_us) == (3, 3, 9)
    assert memory[8 + 3] == memory[41] == memory[50] == 3


def test_rules_in_a_record_are_called_by_name(yard):
    yard.fees.toll = toll_of_age
    assert drive(yard, 1) == 50
    assert yard.fees.toll is toll_of_age


def test_a_rule_of_another_signature_is_refused(yard):
    if hasattr(other, "py_func"):
        with pytest.raises(TypeError, match="other is not a Toll"):
            yard.fees.toll = other


def test_what_is_stored_does_not_depend_on_where_it_lies(yard, memory):
    elsewhere = memory.copy()
    assert Cart.at(elsewhere, 8).driver.age == 40
    Cart.at(elsewhere, 8).driver.age = 41
    assert (elsewhere[20], memory[20]) == (41, 40)


def test_a_reference_that_a_rule_stores_is_the_one_that_python_stores(yard, memory):
    before = memory.copy()
    drive(yard, 1)
    assert memory[15] == before[15] == 20 - 15


@pytest.mark.parametrize(("number", "kept"), [(2**63, -(2**63)), (np.uint64(2**64 - 1), -1), (-(2**63) - 1, 2**63 - 1)])
def test_a_number_set_from_python_wraps_as_that_of_a_rule_does(number, kept):
    memory = np.zeros(3, np.int64)
    Wheel.at(memory).worn_us = number
    Cells.of(memory)[2] = number
    assert memory.tolist() == [0, kept, kept]


def test_a_misspelt_field_is_refused_with_the_nearest(yard):
    with pytest.raises(AttributeError, match="Cart has no field laod, the nearest is load"):
        yard.carts[0].laod = 1


def test_a_field_of_a_type_that_no_memory_holds_is_refused():
    class Wrong(Record):
        name: str

    with pytest.raises(TypeError, match=r"Wrong\.name"):
        layout_of(Wrong)


def test_a_signature_is_that_of_the_annotations():
    assert str(signature_of(Toll)) == "(Cart, int64) -> int64"


class Scale(Record):
    readings: int
    mean: float


@rule()
def weigh(scale: Scale, weight: float) -> float:
    scale.readings += 1
    scale.mean += (weight - scale.mean) / scale.readings
    return scale.mean


def test_a_double_keeps_all_its_bits(memory):
    scale = Scale.at(memory)
    means = [weigh(scale, weight) for weight in (0.1, 0.2)]
    assert means == [0.1, 0.1 + (0.2 - 0.1) / 2]
    assert memory[:2].tolist() == [2, np.float64(means[-1]).view(np.int64)]


def test_a_double_is_set_from_python(memory):
    scale = Scale.at(memory)
    scale.mean = 3
    assert (scale.mean, memory[1]) == (3.0, np.float64(3).view(np.int64))


class Parcel(Record):
    weight: int
    shelf: Annotated[int, bits(20)]
    is_paid: Annotated[int, bits(1)]
    way: Annotated[Wheel, bits(32)]
    place: Annotated[int, bits(40)]


@entry
def stow(parcel: Parcel, shelf: int) -> int:
    parcel.shelf = shelf
    parcel.is_paid = 1
    parcel.place = -shelf
    return parcel.shelf * 10 + parcel.is_paid + parcel.way.turns


ready(stow)


def test_numbers_of_few_bits_share_a_cell():
    assert layout_of(Parcel).cells == {"weight": 0, "shelf|is_paid|way": 1, "place": 2}


def test_numbers_of_few_bits_leave_those_beside_them_alone():
    rows = filled(Parcel, 2, weight=7, shelf=-3, is_paid=[0, 1])
    assert column(Parcel, rows, "shelf").tolist() == [-3, -3]
    assert column(Parcel, rows, "is_paid").tolist() == [0, 1]
    assert rows[:, 0].tolist() == [7, 7]


def test_rules_and_plain_python_see_the_same_few_bits():
    memory = np.zeros(records.size_of(Parcel) + records.size_of(Wheel), np.int64)
    refer(memory, Parcel, 0, "way", records.size_of(Parcel))
    Wheel.at(memory, records.size_of(Parcel)).turns = 5
    parcel = Parcel.at(memory)
    assert stow(parcel, -4) == -40 + 1 + 5
    assert (parcel.shelf, parcel.is_paid, parcel.way.turns, parcel.place) == (-4, 1, 5, 4)
    parcel.is_paid = 0
    assert (parcel.shelf, parcel.is_paid, parcel.way.turns) == (-4, 0, 5)
