"""Arrow tables as the plain data frames that people group and plot."""

from __future__ import annotations

from typing import Any

import pandas as pd
import pyarrow as pa


def plain_frame(table: pa.Table) -> pd.DataFrame:
    """A data frame: dictionary columns as texts, whole numbers with gaps as Int64, all others as pandas has them."""

    def kept(dtype: pa.DataType) -> Any:
        return pd.Int64Dtype() if pa.types.is_integer(dtype) and gaps else None

    columns: dict[str, Any] = {}
    for field in table.schema:
        column, dtype = table.column(field.name), field.type
        if pa.types.is_dictionary(dtype):
            column = column.cast(dtype.value_type)
        gaps = column.null_count > 0
        columns[field.name] = column.to_pandas(types_mapper=kept)
    return pd.DataFrame(columns)
