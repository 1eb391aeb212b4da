"""The events of a run on their way to a topic."""
