"""The way of a block: sources and feeds, what sinks are."""
