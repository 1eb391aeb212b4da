"""Two trees are compared column by column, and the first difference is named."""

from __future__ import annotations

import pyarrow as pa

from tests.same_rows.column_digests import column_digest, digest_of
from tests.same_rows.comparison import compare, first_difference

SENDS = pa.table({"send_seq": [1, 2, 3], "result": ["SEND_OK", "SEND_OK", None], "end_us": [10, 20, 30]})
STATE = "state of cell 0 halfway, heap"


def compared(base, own):
    return compare(*({name: digest_of(table) for name, table in one.items()} for one in (base, own)))


def changed(name, values):
    return SENDS.set_column(SENDS.column_names.index(name), name, pa.array(values))


def test_equal_tables_are_the_same():
    assert compared({"sends": SENDS}, {"sends": SENDS}).is_same


def test_a_changed_value_is_named_with_its_row_and_column():
    other = changed("end_us", [10, 21, 31])
    assert compared({"sends": SENDS}, {"sends": other}).differing == ["sends"]
    found = first_difference(SENDS, other)
    assert found is not None
    assert found.startswith("row 1, column end_us: 20 in the base, 21 in the working tree\n")


def test_a_text_that_became_null_is_named():
    found = first_difference(SENDS, changed("result", ["SEND_OK", None, None]))
    assert found is not None
    assert found.startswith("row 1, column result: 'SEND_OK' in the base, None in the working tree\n")


def test_a_row_that_only_one_has_is_named():
    assert compared({"sends": SENDS}, {"sends": SENDS[:2]}).differing == ["sends"]
    assert "row 2: only in the base" in str(first_difference(SENDS, SENDS[:2]))


def test_another_type_of_equal_values_is_a_difference():
    other = changed("end_us", pa.array([10, 20, 30], pa.int32()))
    assert not compared({"sends": SENDS}, {"sends": other}).is_same
    assert "column end_us: type int64 in the base, int32" in str(first_difference(SENDS, other))


def test_a_column_that_only_one_has_is_said_and_the_rest_is_compared():
    found = compared({"sends": SENDS.drop_columns("end_us")}, {"sends": SENDS})
    assert found.only == {"column sends.end_us: only in the working tree": True}
    assert found.differing == []
    assert not found.is_same


def test_a_layout_of_states_may_change():
    found = compared({STATE: SENDS}, {STATE: SENDS.drop_columns("end_us"), f"{STATE}s": SENDS})
    assert list(found.only) == [f"column {STATE}.end_us: only in the base", f"table {STATE}s: only in the working tree"]
    assert found.is_same


def test_how_texts_are_encoded_and_rows_are_cut_does_not_matter():
    whole = pa.chunked_array([["b", "a", None, "b"]]).dictionary_encode()
    unused = pa.DictionaryArray.from_arrays(pa.array([1, 0], pa.int32()), ["a", "b", "c"])
    rest = pa.DictionaryArray.from_arrays(pa.array([None, 0], pa.int32()), ["b"])
    assert column_digest(pa.chunked_array([unused, rest])) == column_digest(whole)
    assert column_digest(pa.chunked_array([unused, unused])) != column_digest(whole)
