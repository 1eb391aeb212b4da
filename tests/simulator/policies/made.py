"""Records of policies for tests: fields by name, in memory of their own."""

import numpy as np

from simulator.compiled.records import size_of


def made(record, /, cells_behind=0, **fields):
    """A record with those fields set, and as many cells behind it."""
    view = record.at(np.zeros(size_of(record) + cells_behind, np.int64))
    for name, value in fields.items():
        setattr(view, name, value)
    return view
