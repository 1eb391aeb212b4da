"""What is printed about the state of a run that cannot be read, or is of another run or version."""

from __future__ import annotations

from state.texts import Text


class LayoutTexts:
    """What is printed about the state of a run that cannot be read, or is of another run or version."""

    CUT_SHORT = Text("the state is cut short or damaged: {why}")
    NOT_A_STATE = Text("not a sendlab state: it does not begin with SLAB")
    NO_FIELD = Text("the state's region {region} has no field {field}")
    NO_REGION = Text("the state lacks its region {region}")
    OTHER_COLUMNS = Text("the {table} of the state have other columns than this sendlab's")
    OTHER_FIELDS = Text("the state's region {region} has other fields than this sendlab's")
    OTHER_LAYOUT = Text("state layout {stored}, this sendlab reads layout {layout}")
    OTHER_LENGTH = Text("the state is damaged: {got} {got:byte|bytes} where {stored} were stored")
    OTHER_ORDER = Text("the state's region {region} has its fields in another order")
    OTHER_SIZE = Text("the state's region {region} has {count} {count:number|numbers}, this run needs {needed}")
    TABLE_DAMAGED = Text("the {table} of the state are damaged: {why}")
    THE_NEAREST = Text(", the nearest is {known}")
    TOO_LARGE = Text("the state is damaged: it claims to hold {count} {count:number|numbers}")
    UNKNOWN_FIELD = Text("the state's region {region} has a field {field}, which this sendlab does not know{near}")
    UNKNOWN_REGION = Text("the state has a region {region}, which this sendlab does not know")
