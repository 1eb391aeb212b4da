"""From a scenario to what the event loop reads: the plan of a run and of each of its cells."""
