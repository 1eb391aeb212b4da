"""CSV logs: how a file is written, what its columns are, and its rows."""
