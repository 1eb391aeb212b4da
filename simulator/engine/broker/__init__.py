"""A broker: its send threads, its store, its flushes and its slaves."""
