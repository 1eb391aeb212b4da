"""The consumers of a cell: their machine and its rows."""
