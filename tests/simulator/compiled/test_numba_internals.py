"""Operators keep the types that numba gives them, and a start reads and looks for no more than it needs."""

from __future__ import annotations

import operator
import subprocess
import sys

import pytest
from numba import config, njit, types
from numba.core.registry import cpu_target

from simulator.compiled import jit, numba_internals

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


def test_a_look_for_declarations_does_not_look_again_within_itself(monkeypatch):
    looks = []
    monkeypatch.setattr(numba_internals, "_refresh", lambda context: [looks.append(context), context.refresh()])
    cpu_target.target_context.refresh()
    cpu_target.target_context.refresh()
    assert looks == [cpu_target.target_context] * 2


def twice(number):
    return 2 * number


@pytest.fixture
def loaded(tmp_path, monkeypatch):
    """The library of a compiled function as it comes from the disk, and what numba knows of the function."""
    monkeypatch.setattr(config, "CACHE_DIR", str(tmp_path))  # of one that comes from there itself numba keeps no code
    entry = njit(cache=True)(twice)
    entry(1)
    (compiled,) = entry.overloads.values()
    name, form, (machine_code, code) = compiled.library.serialize_using_object_code()
    return compiled.library.codegen.unserialize_library((f"{name}_again", form, (machine_code, code))), compiled.fndesc


def test_an_entry_from_the_disk_has_the_addresses_of_its_functions_alone(loaded):
    library, names = loaded
    assert library.get_pointer_to_function(names.llvm_func_name) > 0
    assert library.get_pointer_to_function(f"{names.llvm_func_name}2") == 0


def test_code_from_the_disk_is_read_once_something_is_linked_with_it(loaded):
    library, names = loaded
    assert isinstance(library, numba_internals.LoadedLibrary)
    assert library._shared_module is None
    functions = [each.name for each in library._get_module_for_linking().functions]
    assert names.llvm_func_name in functions
