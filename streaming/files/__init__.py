"""Files as a whole: written at once, exchanged, tables as Parquet, JSON and its keys."""
