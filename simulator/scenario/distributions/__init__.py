"""Values that are drawn, as a scenario has them: latencies, measured ones, sizes, keys and tags of messages."""
