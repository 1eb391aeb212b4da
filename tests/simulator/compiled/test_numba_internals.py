"""Operators on plain numbers keep the types that numba gives them, and everything else its own way."""

from __future__ import annotations

import operator
import subprocess
import sys

import pytest
from numba import types
from numba.core.registry import cpu_target

from simulator.compiled import jit

INTS, REALS = (types.int64, types.int64), (types.float64, types.int64)


def typed(op, *args):
    context = cpu_target.typing_context
    context.refresh()
    return context.resolve_function_type(op, args, {}).return_type


@pytest.mark.parametrize(
    ("op", "args", "found"),
    [
        (operator.add, INTS, types.int64),
        (operator.lt, INTS, types.boolean),
        (operator.mul, REALS, types.float64),
        (operator.sub, (types.literal(3), types.int64), types.int64),
    ],
)
def test_a_type_stays_that_of_numba_at_every_use(op, args, found):
    assert jit.PLAIN is False
    assert [typed(op, *args), typed(op, *args)] == [found, found]


def test_arrays_are_not_taken_for_numbers():
    array = types.Array(types.int64, 1, "C")
    assert typed(operator.add, array, types.int64) == array


def test_a_start_does_not_load_linear_algebra():
    loaded = "import sys, simulator.run.cell; print('numba' in sys.modules, 'scipy.linalg' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", loaded], check=True, capture_output=True, text=True, timeout=300)
    assert done.stdout.split() == ["True", "False"]
